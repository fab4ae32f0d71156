"""Labels and pairs, as given to ``fit``, made into the two graphs every method starts from."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairspace._core.data import Classes
from pairspace._core.graphs import Blocks, Edges, Graph
from pairspace._core.typing import Floats, Ints
from pairspace._core.warn import warn_caller
from pairspace.constraints import (
    UNKNOWN,
    Constraints,
    Contradiction,
    ContradictionError,
    ContradictionWarning,
    encode_labels,
)


class Supervision:
    """What is known about the rows: partial labels, pairs, or both.

    Parameters
    ----------
    y : array-like of shape (n_samples,), Constraints or None
        Labels, −1, None or NaN for unknown, or pairs.
    constraints : Constraints or None
        Pairs, in addition to ``y``.
    n_samples : int
        The number of rows.

    Attributes
    ----------
    pairs : Constraints
        The given must-links and cannot-links.
    labels : ndarray of shape (n_samples,)
        The classes as 0, 1, …; −1 for unknown.
    """

    def __init__(self, y: Any, constraints: Constraints | None, n_samples: int) -> None:
        given, labels = [], None
        if isinstance(y, Constraints):
            given.append(y)
        else:
            labels = _read_labels(y, n_samples)
        if constraints is not None:
            given.append(constraints)
        for each in given:
            _check_constraints(each, n_samples)
        pairs = given[0] if given else Constraints(n_samples)
        for each in given[1:]:
            pairs = pairs | each
        self.pairs = pairs
        # One number for all rows if there are no labels: there may be more rows than fit memory.
        unknown = np.broadcast_to(np.int64(UNKNOWN), n_samples)
        self.labels: Ints = unknown if labels is None else labels
        self._check_agreement()

    def __bool__(self) -> bool:
        return bool(len(self.pairs.must_link) or len(self.pairs.cannot_link)) or bool(
            np.any(self.labels != UNKNOWN)
        )

    @cached_property
    def linked_rows(self) -> Ints:
        """The rows in pairs, ascending."""
        return np.union1d(self.pairs.must_link, self.pairs.cannot_link)

    def without(self, rows: NDArray[np.bool_]) -> Supervision:
        """Leave out what is known about some rows.

        Parameters
        ----------
        rows : ndarray of bool of shape (n_samples,)
            The rows to leave out.

        Returns
        -------
        Supervision
            The labels and pairs of the other rows; the row numbers stay the same.
        """
        must, cannot = (
            ~np.logical_or(*rows[links.T])  # many times faster than np.any of two columns
            for links in (self.pairs.must_link, self.pairs.cannot_link)
        )
        rest = Supervision(None, self.pairs._chosen(must, cannot), len(self.labels))
        rest.labels = np.where(rows, UNKNOWN, self.labels)  # codes already, not to be read again
        return rest

    def on(self, rows: Ints) -> Supervision:
        """Keep what is known about some rows, and renumber them.

        Parameters
        ----------
        rows : ndarray of int
            The row numbers to keep.

        Returns
        -------
        Supervision
            The labels and pairs among these rows, which become 0, 1, ….
        """
        part = Supervision(None, self.pairs[rows], len(rows))
        part.labels = self.labels[rows]  # codes already, not to be read again
        return part

    @cached_property
    def classes(self) -> Classes:
        """The known labels as groups of rows."""
        return Classes(self.labels)

    @cached_property
    def implied(self) -> Constraints:
        """The pairs, with labels as chains of must-links: the same components with few pairs."""
        if not self.classes.n_known:
            return self.pairs
        order = np.argsort(self.labels, kind="stable")
        chain = np.column_stack([order[:-1], order[1:]])
        same = (self.labels[chain[:, 0]] == self.labels[chain[:, 1]]) & (
            self.labels[chain[:, 0]] != UNKNOWN
        )
        return self.pairs | Constraints(len(self.labels), must_link=chain[same])

    @cached_property
    def links(self) -> Ints:
        """Pairs whose differences span those of all pairs that are given or implied by labels."""
        labelled = np.flatnonzero(self.labels != UNKNOWN)
        chain = np.column_stack([labelled[:-1], labelled[1:]])
        return np.vstack([self.pairs.must_link, self.pairs.cannot_link, chain])

    @cached_property
    def chunklets(self) -> Classes:
        """Groups of rows joined by labels and must-links; −1 for rows in none.

        A labelled row may be a chunklet of its own.
        """
        if not len(self.pairs.must_link):
            return self.classes
        return Classes(self.implied.components())

    @cached_property
    def components(self) -> Ints:
        """For each row with a label or a link the number of its chunklet; −1 for other rows.

        A row with cannot-links alone, or alone with its label, has a number of its own.
        """
        component = np.array(self.chunklets.codes)
        answered = np.union1d(np.flatnonzero(self.labels != UNKNOWN), self.linked_rows)
        alone = answered[component[answered] == UNKNOWN]
        component[alone] = component.max(initial=-1) + 1 + np.arange(len(alone))
        return component

    @cached_property
    def must(self) -> Graph:
        """The graph of all pairs of the same label, with weight 1, and of the must-links."""
        edges = Edges(len(self.pairs), self.pairs.must_link, self.pairs.must_weight)
        return self._with_labels(edges, Blocks(self.classes, within=1.0))

    @cached_property
    def cannot(self) -> Graph:
        """The graph of all pairs of different labels, with weight 1, and of the cannot-links."""
        edges = Edges(len(self.pairs), self.pairs.cannot_link, self.pairs.cannot_weight)
        return self._with_labels(edges, Blocks(self.classes, between=1.0))

    def about(self, pairs: Ints) -> NDArray[np.bool_]:
        """Find the pairs about which something is known.

        Parameters
        ----------
        pairs : ndarray of shape (n_pairs, 2)
            Pairs of row numbers, the smaller number first.

        Returns
        -------
        ndarray of bool of shape (n_pairs,)
            True for pairs that are must-links or cannot-links, or whose two labels are known.
        """
        n = len(self.labels)
        links = np.vstack([self.pairs.must_link, self.pairs.cannot_link])
        given = np.isin(pairs[:, 0] * n + pairs[:, 1], links[:, 0] * n + links[:, 1])
        return given | (self.labels[pairs] != UNKNOWN).all(axis=1)

    def must_pairs(self, max_pairs: int) -> tuple[Ints, Floats]:
        """List all must-links and all pairs of the same label.

        Parameters
        ----------
        max_pairs : int
            The largest number of pairs of the same label to list; more are an error.

        Returns
        -------
        pairs : ndarray of shape (n_pairs, 2)
            The pairs.
        weights : ndarray of shape (n_pairs,)
            Their weights: those of the must-links, and 1 for pairs of the same label.
        """
        sizes = self.classes.sizes
        n_pairs = int((sizes * (sizes - 1) // 2).sum())
        if n_pairs > max_pairs:
            raise ValueError(
                f"the labels have {n_pairs:,} pairs of one class, too many to weigh each by its "
                "distance: use weights='binary', or fewer labels"
            )
        pairs, weights = [self.pairs.must_link], [self.pairs.must_weight]
        for _, members in self.classes.members():
            i, j = np.triu_indices(members.shape[1], k=1)
            pairs.append(np.column_stack([members[:, i].ravel(), members[:, j].ravel()]))
            weights.append(np.ones(len(pairs[-1])))
        return np.vstack(pairs), np.concatenate(weights)

    def cannot_pairs(self, max_pairs: int) -> tuple[Ints, Floats]:
        """List all cannot-links and all pairs of different labels.

        Parameters
        ----------
        max_pairs : int
            The largest number of pairs of different labels to list; more are an error.

        Returns
        -------
        pairs : ndarray of shape (n_pairs, 2)
            The pairs.
        weights : ndarray of shape (n_pairs,)
            Their weights: those of the cannot-links, and 1 for pairs of different labels.
        """
        n_pairs = round(Blocks(self.classes, between=1.0).total)
        if n_pairs > max_pairs:
            raise ValueError(
                f"the labels have {n_pairs:,} pairs of different classes, too many to weigh each "
                "by its distance: give fewer, for example Constraints.from_labels(y, n_pairs=1000)"
            )
        order = np.argsort(self.labels, kind="stable")[len(self.labels) - self.classes.n_known :]
        # Rows by class: each goes with all rows of the classes after its own.
        after = np.cumsum(self.classes.sizes)[self.labels[order]]
        count = len(order) - after
        row = np.repeat(order, count)
        step = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        pairs = np.column_stack([row, order[np.repeat(after, count) + step]])
        return (
            np.vstack([self.pairs.cannot_link, np.sort(pairs, axis=1)]),
            np.concatenate([self.pairs.cannot_weight, np.ones(len(pairs))]),
        )

    def require_consistency(self) -> None:
        """Raise a ContradictionError, with the chain that proves it, if pairs or labels clash."""
        found = self._contradictions()
        if found:
            raise ContradictionError(
                f"labels and constraints contradict each other: {found[0]}", found[0]
            )

    def warn_of_contradictions(self) -> None:
        """Warn once, with the first chain, if pairs or labels clash."""
        found = self._contradictions()
        if found:
            more = f" (and {len(found) - 1:,} more)" if len(found) > 1 else ""
            message = (
                f"the answers contradict each other: {found[0]}{more}; they are all used as they "
                "are; Constraints.contradictions() lists the contradictions"
            )
            warn_caller(ContradictionWarning(message, found[0]))

    def _contradictions(self) -> list[Contradiction]:
        if not len(self.pairs.must_link):
            return []
        return self.implied.contradictions() or self._labels_joined_by_chains()

    @property
    def contradicted(self) -> bool:
        """Whether pairs or labels contradict each other."""
        return bool(self._contradictions())

    def _labels_joined_by_chains(self) -> list[Contradiction]:
        if not self.classes.n_known:
            return []
        labelled = np.flatnonzero(self.labels != UNKNOWN)
        component = self.implied.components()[labelled]
        order = np.lexsort([self.labels[labelled], component])
        pairs = np.column_stack([labelled[order[:-1]], labelled[order[1:]]])
        together = (component[order[:-1]] == component[order[1:]]) & (component[order[1:]] >= 0)
        differ = self.labels[pairs[:, 0]] != self.labels[pairs[:, 1]]
        denied = Constraints(len(self.labels), (), pairs[together & differ])
        return (Constraints(len(self.labels), self.implied.must_link) | denied).contradictions()

    def _with_labels(self, edges: Edges, blocks: Blocks) -> Graph:
        graphs: list[Graph] = [graph for graph in (blocks, edges) if graph.total]
        return sum(graphs[1:], start=graphs[0]) if graphs else edges

    def _check_agreement(self) -> None:
        for name, links, wrong in (
            ("must-link", self.pairs.must_link, np.not_equal),
            ("cannot-link", self.pairs.cannot_link, np.equal),
        ):
            labels = self.labels[links]
            known = np.logical_and(*(labels.T != UNKNOWN))
            denied = wrong(labels[:, 0], labels[:, 1]) & known
            if denied.any():
                i, j = links[np.argmax(denied)].tolist()
                raise ValueError(
                    f"{name} ({i}, {j}) contradicts the labels, which are "
                    f"{'the same' if wrong is np.equal else 'different'} for these rows"
                )


def _read_labels(y: Any, n_samples: int) -> Ints | None:
    if y is None:
        return None
    labels = encode_labels(y)
    if len(labels) != n_samples:
        raise ValueError(f"X has {n_samples} rows, but y has {len(labels)} labels")
    return labels


def _check_constraints(constraints: Any, n_samples: int) -> None:
    if not isinstance(constraints, Constraints):
        raise TypeError(
            "constraints must be a pairspace.Constraints, which knows its rows and so survives "
            f"splits: Constraints(len(X), must_link, cannot_link); got {type(constraints).__name__}"
        )
    if len(constraints) != n_samples:
        raise ValueError(
            f"X has {n_samples} rows, but the constraints are about {len(constraints)}; "
            "make them with n_samples=len(X), and index both alike: X[rows], constraints[rows]"
        )
