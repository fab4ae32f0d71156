"""What there is to say about answers before anything is learned from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pairspace.constraints import Constraints, Contradiction
from pairspace.constraints.tables import Columns, pairs_of_columns, row_numbers

SHOWN = 10  # contradictions, in text


@dataclass(frozen=True)
class Answers:
    """Counts, groups, contradictions and coverage of some pairs.

    Parameters
    ----------
    pairs : Constraints
        Without the pairs that were answered both ways.
    both_ways : tuple of pairs
        Those, by row number.
    n_given : int
        How many answers there were, repeated ones counted.
    names : sequence or None
        What the rows are called, if not by their numbers.
    whole : bool
        Whether the rows are all rows of the data, and not only those that were asked about.
    """

    pairs: Constraints
    both_ways: tuple[tuple[int, int], ...]
    n_given: int
    names: Sequence[Any] | None = None
    whole: bool = True

    @property
    def contradictions(self) -> list[Contradiction]:
        """Pairs answered both ways, and cannot-links that must-links deny."""
        return [Contradiction(pair, pair) for pair in self.both_ways] + self.pairs.contradictions()

    @property
    def group_sizes(self) -> list[int]:
        """The sizes of the groups that must-links join, largest first."""
        group = self.pairs.components()
        return np.sort(np.bincount(group[group >= 0]))[::-1].tolist()

    @property
    def n_rows_asked(self) -> int:
        links = [self.pairs.must_link.ravel(), self.pairs.cannot_link.ravel()]
        return len(np.unique(np.concatenate([*links, np.ravel(self.both_ways).astype(np.int64)])))

    @property
    def n_repeated(self) -> int:
        """Answers that say again what another says."""
        links = len(self.pairs.must_link) + len(self.pairs.cannot_link)
        return self.n_given - links - 2 * len(self.both_ways)

    def name(self, row: int) -> str:
        return str(row if self.names is None else self.names[row])

    def explain(self, contradiction: Contradiction) -> str:
        """A contradiction in the rows' names."""
        (a, b), chain = map(self.name, contradiction.pair), contradiction.chain
        if len(chain) == 2:
            return f"{a} and {b}: answered both ways"
        return f"{a} and {b}: different, but {' = '.join(map(self.name, chain))}"

    def lines(self) -> list[str]:
        """All this in sentences."""
        must, cannot = len(self.pairs.must_link), len(self.pairs.cannot_link)
        sizes, found = self.group_sizes, self.contradictions
        lines = [
            f"{self.n_given:,} answers: {must:,} same, {cannot:,} different"
            + f", {self.n_repeated:,} repeated" * bool(self.n_repeated)
        ]
        if sizes:
            implied = sum(size * (size - 1) // 2 for size in sizes)
            largest = ", ".join(map(str, sizes[:5])) + ", …" * (len(sizes) > 5)
            groups = f"{len(sizes):,} group{'s' * (len(sizes) != 1)} of rows that are the same"
            lines.append(f"{groups} (sizes {largest}); they imply {implied:,} pairs")
        if self.whole:
            share = self.n_rows_asked / max(len(self.pairs), 1)
            lines.append(
                f"{self.n_rows_asked:,} of {len(self.pairs):,} rows are in an answer ({share:.1%})"
            )
        else:
            lines.append(f"{self.n_rows_asked:,} rows are in an answer")
        if not found:
            return [*lines, "no contradictions"]
        lines.append(f"{len(found):,} contradiction{'s' * (len(found) != 1)}:")
        lines += [f"  {self.explain(one)}" for one in found[:SHOWN]]
        if len(found) > SHOWN:
            lines.append(f"  and {len(found) - SHOWN:,} more (--json lists all)")
        return lines

    def as_dict(self) -> dict[str, Any]:
        return {
            "answers": self.n_given,
            "same": len(self.pairs.must_link),
            "different": len(self.pairs.cannot_link),
            "repeated": self.n_repeated,
            "group_sizes": self.group_sizes,
            "rows": len(self.pairs) if self.whole else None,
            "rows_asked": self.n_rows_asked,
            "contradictions": [
                {"pair": list(map(self.name, one.pair)), "chain": list(map(self.name, one.chain))}
                for one in self.contradictions
            ],
        }


def examine(columns: Columns, ids: Sequence[Any] | None, n_samples: int | None) -> Answers:
    """Look at a table of pairs, also one that contradicts itself.

    Parameters
    ----------
    columns : mapping of lists
        a, b, same and, if there, weight.
    ids : sequence or None
        The names of the rows of the data. If there is no data, names are those in the table.
    n_samples : int or None
        The number of rows of the data.
    """
    whole = ids is not None or n_samples is not None
    if not whole and not row_numbers(columns):
        ids = list(dict.fromkeys(str(name) for end in "ab" for name in columns.get(end, ())))
    given = pairs_of_columns(columns, ids, n_samples)
    n, must, cannot = given["n_samples"], given["must_link"], given["cannot_link"]
    same = Constraints(n, must).must_link
    different = Constraints(n, (), cannot).cannot_link
    keys = [links @ [n, 1] for links in (same, different)]
    both = np.intersect1d(*keys)
    once = Constraints(n, same[~np.isin(keys[0], both)], different[~np.isin(keys[1], both)])
    twice = tuple(divmod(int(key), n) for key in both)
    return Answers(once, twice, len(must) + len(cannot), ids, whole)
