"""The container of pairs, aligned with the samples."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from pairspace._core.pairs import MAX_ROWS, component_of_rows, count_pairs, pair_keys, row_range
from pairspace._core.typing import Ints, Seed
from pairspace.constraints import tables
from pairspace.constraints._labels import UNKNOWN, encode_labels
from pairspace.constraints._logic import (
    Components,
    Contradiction,
    ContradictionError,
    denied_links,
    find_contradictions,
)
from pairspace.constraints._pairs import freeze, read_index, read_pairs
from pairspace.constraints._sampling import sample_pairs, sample_per_class

if TYPE_CHECKING:
    import pandas as pd


class Constraints:
    """Must-links, pairs of rows that are the same, and cannot-links, pairs that are different.

    A ``Constraints`` has the length of the data, and ``c[index]`` has the pairs with both ends in
    ``index``, re-indexed. So it can be split, cross-validated and passed through pipelines and
    grid searches together with ``X``, as ``y`` or as a keyword.

    Parameters
    ----------
    n_samples : int
        The number of rows of the data.
    must_link : array-like of shape (n_pairs, 2), default=()
        Row numbers of the pairs that are the same. The order inside a pair does not matter; a
        repeated pair is kept once and its weights are added.
    cannot_link : array-like of shape (n_pairs, 2), default=()
        Row numbers of the pairs that are different.
    must_weight : array-like of shape (n_pairs,), default=None
        Positive weights of the must-links; 1 by default.
    cannot_weight : array-like of shape (n_pairs,), default=None
        Positive weights of the cannot-links; 1 by default.

    Attributes
    ----------
    n_samples : int
        The number of rows of the data.
    must_link, cannot_link : ndarray of shape (n_pairs, 2), int64
        The pairs (i, j) with i < j, sorted and unique. Read-only.
    must_weight, cannot_weight : ndarray of shape (n_pairs,), float64
        Their weights. Read-only.

    Examples
    --------
    >>> c = Constraints(5, must_link=[(0, 1), (1, 2)], cannot_link=[(2, 4)])
    >>> c
    Constraints(5, 2 must-links, 1 cannot-link)
    >>> c.entails(0, 2), c.entails(0, 4), c.entails(0, 3)
    (True, False, None)
    >>> c[[1, 2, 4]].must_link
    array([[0, 1]])
    """

    def __init__(
        self,
        n_samples: int,
        must_link: Any = (),
        cannot_link: Any = (),
        *,
        must_weight: ArrayLike | None = None,
        cannot_weight: ArrayLike | None = None,
    ) -> None:
        _check_count("n_samples", n_samples)
        if n_samples > MAX_ROWS:
            raise ValueError(f"n_samples must be at most {MAX_ROWS:,}; got {n_samples:,}")
        self.n_samples = int(n_samples)
        self.must_link, self.must_weight = read_pairs(
            "must_link", must_link, must_weight, self.n_samples
        )
        self.cannot_link, self.cannot_weight = read_pairs(
            "cannot_link", cannot_link, cannot_weight, self.n_samples
        )
        self._refuse_pairs_in_both_lists()

    def _refuse_pairs_in_both_lists(self) -> None:
        must, cannot = (pair_keys(p, self.n_samples) for p in (self.must_link, self.cannot_link))
        both = np.intersect1d(must, cannot, assume_unique=True)
        if both.size:
            pair = divmod(int(both[0]), self.n_samples)
            raise ContradictionError(
                f"pair {pair} is both a must-link and a cannot-link", Contradiction(pair, pair)
            )

    # ---- Making them -------------------------------------------------------------------------

    @classmethod
    def from_labels(
        cls,
        y: Any,
        *,
        n_pairs: int | None = None,
        fraction: float | None = None,
        per_class: int | None = None,
        random_state: Seed = None,
    ) -> Constraints:
        """Draw random pairs of labelled rows.

        Exactly one of ``n_pairs``, ``fraction`` and ``per_class`` must be given.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Labels; −1, None or NaN is unknown.
        n_pairs : int, default=None
            The number of pairs, drawn uniformly from all pairs of labelled rows.
        fraction : float, default=None
            The share of all pairs of labelled rows, between 0 and 1.
        per_class : int, default=None
            The number of must-links inside each class, and of cannot-links with one end inside
            it. All pairs of a class are used if it has fewer.
        random_state : int, RandomState or None, default=None
            Draws the pairs.

        Returns
        -------
        Constraints
            The pairs: must-links between rows of one class, cannot-links between others.

        Examples
        --------
        >>> Constraints.from_labels([0, 0, 1, 1, -1], fraction=1.0)
        Constraints(5, 2 must-links, 4 cannot-links)
        """
        given = [size for size in (n_pairs, fraction, per_class) if size is not None]
        if len(given) != 1:
            raise ValueError(
                "pass exactly one of n_pairs=, fraction= and per_class= "
                "(to use all labels, pass them to fit as y instead)"
            )
        codes = encode_labels(y)
        random = check_random_state(random_state)
        if per_class is not None:
            _check_count("per_class", per_class)
            return cls(len(codes), *sample_per_class(codes, per_class, random))
        available = count_pairs(int(np.sum(codes != UNKNOWN)))
        if fraction is not None:
            if not isinstance(fraction, Real) or not 0 <= fraction <= 1:
                raise ValueError(f"fraction must be between 0 and 1; got {fraction!r}")
            n_pairs = round(fraction * available)
        assert n_pairs is not None
        _check_count("n_pairs", n_pairs)
        if n_pairs > available:
            raise ValueError(
                f"n_pairs={n_pairs} must be at most {available}, the pairs of labelled rows"
            )
        return cls(len(codes), *sample_pairs(codes, n_pairs, random))

    @classmethod
    def from_frame(
        cls, frame: Any, ids: Sequence[Any] | None = None, *, n_samples: int | None = None
    ) -> Constraints:
        """Read a table with the columns ``a``, ``b``, ``same`` and optionally ``weight``.

        Parameters
        ----------
        frame : pandas or polars DataFrame, or a dict of columns
            The values of ``same`` are yes/no, 1/0, true/false or same/different. An empty weight
            is 1.
        ids : array-like of shape (n_samples,), default=None
            The id of each row of the data, in order. With ids, ``a`` and ``b`` are ids, compared
            as text; without, they are row numbers.
        n_samples : int, default=None
            The number of rows of the data if there are no ids; by default one more than the
            largest row number in the table.

        Returns
        -------
        Constraints
            The pairs of the table.
        """
        columns = tables.columns_of_frame(frame)
        return cls(**tables.pairs_of_columns(columns, ids, n_samples))

    def to_frame(self, ids: Sequence[Any] | None = None) -> pd.DataFrame:
        """Write the pairs as a pandas table with the columns ``a``, ``b``, ``same``, ``weight``.

        Parameters
        ----------
        ids : sequence of length n_samples, default=None
            The ids to write in place of row numbers.

        Returns
        -------
        DataFrame
            The table, must-links first.
        """
        return tables.make_frame(tables.columns_of_pairs(self, ids))

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        ids: Sequence[Any] | None = None,
        *,
        n_samples: int | None = None,
    ) -> Constraints:
        """Read pairs from a file.

        Parameters
        ----------
        path : path
            A .csv, .jsonl or .parquet file with the columns that :meth:`from_frame` describes, or
            a .sqlite file of answers from :func:`pairspace.label`.
        ids : sequence of length n_samples, default=None
            The id of each row of the data, if ``a`` and ``b`` are ids. A .sqlite file has both ids
            and row numbers.
        n_samples : int, default=None
            The number of rows of the data if there are no ids; by default one more than the
            largest row number in the file.

        Returns
        -------
        Constraints
            The pairs of the file.
        """
        columns = tables.read_columns(path, by_row=ids is None)
        return cls(**tables.pairs_of_columns(columns, ids, n_samples))

    def write(self, path: str | os.PathLike[str], ids: Sequence[Any] | None = None) -> None:
        """Write a file that :meth:`read` reads.

        The file is replaced only when it is complete.

        Parameters
        ----------
        path : path
            A name that ends in .csv, .jsonl or .parquet.
        ids : sequence of length n_samples, default=None
            The ids to write in place of row numbers.
        """
        tables.write_columns(path, tables.columns_of_pairs(self, ids))

    # ---- Aligned with the samples ------------------------------------------------------------

    def __len__(self) -> int:
        return self.n_samples

    @property
    def shape(self) -> tuple[int]:
        """The shape of the samples, ``(n_samples,)``."""
        return (self.n_samples,)

    def __getitem__(self, index: Any) -> Constraints:
        """The pairs with both ends in ``index`` (integers, a slice or a mask), re-indexed."""
        if isinstance(index, tuple) and len(index) == 2 and index[1] is Ellipsis:
            index = index[0]  # scikit-learn's way to index the first axis of anything
        rows = read_index(index, self.n_samples)
        new = np.full(self.n_samples, -1, dtype=np.int64)
        new[rows] = np.arange(len(rows))
        kept = {}
        for kind in ("must", "cannot"):
            pairs = new[getattr(self, f"{kind}_link")]
            both = (pairs >= 0).all(axis=1)
            kept[f"{kind}_link"] = pairs[both]
            kept[f"{kind}_weight"] = getattr(self, f"{kind}_weight")[both]
        return type(self)(len(rows), **kept)

    def _chosen(self, must: NDArray[np.bool_], cannot: NDArray[np.bool_]) -> Constraints:
        """Some of the pairs, which need not be read again."""
        chosen = type(self)(self.n_samples)
        chosen.must_link, chosen.must_weight = self.must_link[must], self.must_weight[must]
        chosen.cannot_link = self.cannot_link[cannot]
        chosen.cannot_weight = self.cannot_weight[cannot]
        freeze(chosen.must_link, chosen.must_weight, chosen.cannot_link, chosen.cannot_weight)
        return chosen

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(
            "Constraints can't be converted to an array: pass them to a pairspace estimator, "
            "or use .must_link and .cannot_link"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constraints):
            return NotImplemented
        names = ("must_link", "cannot_link", "must_weight", "cannot_weight")
        return self.n_samples == other.n_samples and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in names
        )

    __hash__ = None  # type: ignore[assignment]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # Pickles and deep copies of arrays are writeable, whatever the array was.
        freeze(self.must_link, self.must_weight, self.cannot_link, self.cannot_weight)

    def __or__(self, other: Constraints) -> Constraints:
        """The pairs of both; the weights of a pair in both are added."""
        if not isinstance(other, Constraints):
            return NotImplemented
        if self.n_samples != other.n_samples:
            raise ValueError(
                f"can't join constraints on {self.n_samples} rows with constraints on "
                f"{other.n_samples} rows"
            )
        return type(self)(
            self.n_samples,
            np.vstack([self.must_link, other.must_link]),
            np.vstack([self.cannot_link, other.cannot_link]),
            must_weight=np.concatenate([self.must_weight, other.must_weight]),
            cannot_weight=np.concatenate([self.cannot_weight, other.cannot_weight]),
        )

    def __repr__(self) -> str:
        must, cannot = len(self.must_link), len(self.cannot_link)
        return (
            f"Constraints({self.n_samples}, {must} must-link{'s' * (must != 1)}, "
            f"{cannot} cannot-link{'s' * (cannot != 1)})"
        )

    # ---- What they imply ---------------------------------------------------------------------

    @cached_property
    def _component(self) -> Ints:
        return component_of_rows(self.n_samples, self.must_link)

    @cached_property
    def _joined_keys(self) -> Ints:
        joined = np.sort(self._component[self.cannot_link], axis=1)
        return np.unique(pair_keys(joined, self.n_samples))

    def components(self) -> Ints:
        """Number the groups of rows that must-links join, directly or through other rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The group of each row: 0, 1, …, or −1 for rows without a must-link. It can be passed
            to ``fit`` as labels, which uses all implied must-links without listing them.
        """
        size = np.bincount(self._component, minlength=1)
        number = np.where(size > 1, np.cumsum(size > 1) - 1, UNKNOWN)
        return number[self._component]

    def entails(self, i: int, j: int) -> bool | None:
        """Tell what the pairs imply about two rows.

        Parameters
        ----------
        i, j : int
            Row numbers.

        Returns
        -------
        bool or None
            True if they are the same, False if they are different, None if neither is implied.
        """
        for row in (i, j):
            if not 0 <= row < self.n_samples:
                raise ValueError(f"row {row} is outside {row_range(self.n_samples)}")
        a, b = sorted((int(self._component[i]), int(self._component[j])))
        if a == b:
            return True
        key = a * self.n_samples + b
        at = np.searchsorted(self._joined_keys, key)
        return False if at < len(self._joined_keys) and self._joined_keys[at] == key else None

    def contradictions(self) -> list[Contradiction]:
        """List the cannot-links between rows that must-links join.

        Returns
        -------
        list of Contradiction
            Each of them with the shortest chain of must-links that contradicts it.
        """
        denied = denied_links(self._component, self.cannot_link)
        return find_contradictions(self._component, self.must_link, denied)

    def closure(self, *, max_pairs: int | None = 10_000_000) -> Constraints:
        """List all implied pairs: a = b and b = c imply a = c; a = b and b ≠ c imply a ≠ c.

        The given pairs keep their weights. The weight of an implied pair is the smallest weight
        of the links inside its components and, for a pair across two, between them.

        Parameters
        ----------
        max_pairs : int or None, default=10_000_000
            The largest number of pairs to list; more raise an error before any is listed.
            :meth:`components` holds the implied must-links in one number a row.

        Returns
        -------
        Constraints
            The given and the implied pairs.
        """
        denied = denied_links(self._component, self.cannot_link)
        if len(denied):
            # One chain only: noisy answers may deny many links, and each chain is a search.
            (first,) = find_contradictions(self._component, self.must_link, denied[:1])
            more = f" ({len(denied) - 1} more: see contradictions())" if len(denied) > 1 else ""
            raise ContradictionError(f"the pairs contradict each other: {first}{more}", first)
        components = Components(self._component)
        n_pairs = components.count(self.cannot_link)
        if max_pairs is not None and n_pairs > max_pairs:
            raise ValueError(
                f"the closure has {n_pairs:,} pairs (about {n_pairs * 24 / 1e9:.1f} GB); pass "
                "components() to fit as labels instead, or raise max_pairs if you need them all"
            )
        must, must_weight = components.inside(self.must_link, self.must_weight)
        cannot, cannot_weight = components.across(self.cannot_link, self.cannot_weight)
        return type(self)(
            self.n_samples, must, cannot, must_weight=must_weight, cannot_weight=cannot_weight
        )


def _check_count(name: str, value: Any) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} must be an integer, 0 or more; got {value!r}")
