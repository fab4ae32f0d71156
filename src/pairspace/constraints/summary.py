"""A summary of answers: counts, groups, contradictions and coverage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pairspace._core.typing import Pair
from pairspace.constraints import Constraints, Contradiction
from pairspace.constraints.tables import (
    Columns,
    pairs_of_columns,
    read_row_number,
    require_pair_columns,
    row_numbers,
)

SHOWN = 10  # contradictions, in text


@dataclass(frozen=True)
class AnswerSummary:
    """Counts, groups, contradictions and coverage of some answers.

    Parameters
    ----------
    pairs : Constraints
        The answers, without the pairs answered both "same" and "different".
    both_ways : tuple of pairs
        The row numbers of those pairs.
    n_given : int
        The number of answers, repeated ones counted each time.
    names : sequence or None
        The names of the rows, if they have names.
    all_rows : bool
        True if the rows are all rows of the data, False if only those in an answer are known.
    """

    pairs: Constraints
    both_ways: tuple[Pair, ...]
    n_given: int
    names: Sequence[Any] | None = None
    all_rows: bool = True

    @property
    def contradictions(self) -> list[Contradiction]:
        """Pairs answered both ways, and cannot-links that contradict a chain of must-links."""
        return [Contradiction(pair, pair) for pair in self.both_ways] + self.pairs.contradictions()

    @property
    def group_sizes(self) -> list[int]:
        """The sizes of the groups that must-links join, largest first."""
        group = self.pairs.components()
        return np.sort(np.bincount(group[group >= 0]))[::-1].tolist()

    @property
    def n_rows_in_answers(self) -> int:
        """The number of rows that occur in at least one answer."""
        links = [self.pairs.must_link.ravel(), self.pairs.cannot_link.ravel()]
        return len(np.unique(np.concatenate([*links, np.ravel(self.both_ways).astype(np.int64)])))

    @property
    def n_repeated(self) -> int:
        """The number of answers that repeat another one."""
        links = len(self.pairs.must_link) + len(self.pairs.cannot_link)
        return self.n_given - links - 2 * len(self.both_ways)

    def name(self, row: int) -> str:
        """The name of a row, or its number."""
        return str(row if self.names is None else self.names[row])

    def explain(self, contradiction: Contradiction) -> str:
        """A contradiction in one sentence, with the names of the rows."""
        (a, b), chain = map(self.name, contradiction.pair), contradiction.chain
        if len(chain) == 2:
            return f"{a} and {b}: answered both same and different"
        return f"{a} and {b}: different, but {' = '.join(map(self.name, chain))}"

    def lines(self) -> list[str]:
        """The summary as text, one sentence a line; contradictions are indented."""
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
            lines.append(
                f"{groups} (sizes {largest}), which imply {implied:,} "
                f"must-link{'s' * (implied != 1)}"
            )
        if self.all_rows:
            share = self.n_rows_in_answers / max(len(self.pairs), 1)
            lines.append(
                f"{self.n_rows_in_answers:,} of {len(self.pairs):,} rows are in an answer "
                f"({share:.1%})"
            )
        else:
            lines.append(f"{self.n_rows_in_answers:,} rows are in an answer")
        if not found:
            return [*lines, "no contradictions"]
        lines.append(f"{len(found):,} contradiction{'s' * (len(found) != 1)}:")
        lines += [f"  {self.explain(one)}" for one in found[:SHOWN]]
        if len(found) > SHOWN:
            lines.append(f"  and {len(found) - SHOWN:,} more")
        return lines

    def as_dict(self) -> dict[str, Any]:
        """The summary as plain values, with all contradictions."""
        return {
            "answers": self.n_given,
            "same": len(self.pairs.must_link),
            "different": len(self.pairs.cannot_link),
            "repeated": self.n_repeated,
            "group_sizes": self.group_sizes,
            "rows": len(self.pairs) if self.all_rows else None,
            "rows_in_answers": self.n_rows_in_answers,
            "contradictions": [
                {"pair": list(map(self.name, one.pair)), "chain": list(map(self.name, one.chain))}
                for one in self.contradictions
            ],
        }


def summarize(columns: Columns, ids: Sequence[Any] | None, n_samples: int | None) -> AnswerSummary:
    """Summarise a table of answers, which may contradict each other.

    Parameters
    ----------
    columns : mapping of lists
        The columns a, b, same and optionally weight.
    ids : sequence or None
        The names of the rows of the data. Without data, the names in the table are used.
    n_samples : int or None
        The number of rows of the data.

    Returns
    -------
    AnswerSummary
        The summary.
    """
    require_pair_columns(columns)
    all_rows = ids is not None or n_samples is not None
    if not all_rows:
        if row_numbers(columns):
            # By name too: the rows up to the largest number may be more than fit into memory.
            numbers = {
                end: [read_row_number(value, at) for at, value in enumerate(columns.get(end, ()))]
                for end in "ab"
            }
            columns = {**columns, **numbers}
            ids = sorted({number for column in numbers.values() for number in column})
        else:
            ids = list(dict.fromkeys(str(name) for end in "ab" for name in columns.get(end, ())))
    given = pairs_of_columns(columns, ids, n_samples)
    n, must, cannot = given["n_samples"], given["must_link"], given["cannot_link"]
    same = Constraints(n, must, must_weight=given["must_weight"]).must_link
    different = Constraints(n, (), cannot, cannot_weight=given["cannot_weight"]).cannot_link
    keys = [links @ [n, 1] for links in (same, different)]
    both = np.intersect1d(*keys)
    once = Constraints(n, same[~np.isin(keys[0], both)], different[~np.isin(keys[1], both)])
    twice = tuple(divmod(int(key), n) for key in both)
    return AnswerSummary(once, twice, len(must) + len(cannot), ids, all_rows)
