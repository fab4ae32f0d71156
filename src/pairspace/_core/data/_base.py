"""The interface of all tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn import get_config

from pairspace._core.typing import Floats, Ints

ULPS = 16  # units in the last place, below which a difference is rounding
MAPPED_ROWS = 10_000  # of a table in memory that a function gets at a time
SOME = 100  # rows of a product to look at first
FAR = 100.0  # from so far on rows are centred before they are multiplied
BLOCK_BYTES = 4_000_000  # of rows in float64, which fit the cache of a core


if TYPE_CHECKING:
    from functools import cached_property

    lock_free_cached_property = cached_property
else:

    class lock_free_cached_property:  # noqa: N801 (it is used as functools.cached_property is)
        """A cached property without a lock.

        Up to Python 3.11 functools.cached_property has one lock for all instances. A thread that
        holds it and waits for blocks of a Dask array would block the threads that compute them.
        """

        def __init__(self, work):
            self._work, self.__doc__ = work, work.__doc__

        def __set_name__(self, owner, name):
            self._name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._work(instance))


class Rows(ABC):
    """The centred rows of X, and sums over them."""

    in_memory: ClassVar[bool] = True  # so that reading them again is cheap
    shared = False  # whether several methods are fitted on them: see ``once``

    def __init__(self, X: Any) -> None:
        self._X = X
        self._once: dict[Any, Any] = {}
        self.shape: tuple[int, int] = X.shape
        self.dtype: np.dtype[Any] = X.dtype

    def __len__(self) -> int:
        return self.shape[0]

    def once(self, key: Any, work: Callable[[], Any]) -> Any:
        """What ``work`` returns; rows that are shared keep it, to be computed once.

        It must depend on nothing but the rows and the key. Other rows do not keep it: as it refers
        to them, they would stay in memory after a fit.
        """
        if not self.shared:
            return work()
        if key not in self._once:
            self._once[key] = work()
        return self._once[key]

    @lock_free_cached_property
    def mean(self) -> Floats:
        """The mean row. Code that computes it in passing may set it, as :attr:`gram`."""
        return self._mean()

    @abstractmethod
    def _mean(self) -> Floats: ...

    @property
    def values(self) -> Any:
        """The table itself, not centred, where only differences of rows matter."""
        return self._X

    def centred(self, rows: Any = slice(None)) -> Any:
        """Some rows in float64, where only differences matter.

        They are centred, as distances of rows far from the origin lose digits. Sparse rows are
        not: most of their values are 0.
        """
        return self._X[rows].astype(np.float64, copy=False)

    @lock_free_cached_property
    def gram(self) -> Floats:
        """Σ x xᵀ over the centred rows: the total scatter."""
        return self.without_rounding(self.weighted_gram(None), len(self))

    @lock_free_cached_property
    def rounding(self) -> Floats:
        """For each feature, how large the square of a difference may be by rounding alone.

        Rows that are equal but for rounding differ by a few units in the last place of the
        values themselves, before centring. Rows made from others have theirs set.
        """
        some = self._X[:: max(len(self) // 1_000, 1)]  # enough to see how large the values are
        largest = abs(some).max(axis=0)
        largest = largest.toarray().ravel() if issparse(largest) else np.asarray(largest)
        return self._rounding_of(largest.astype(np.float64))

    def first_copies(self) -> Ints:
        """For each row, the number of the first row that equals it. For rows in memory."""
        first: dict[int, int] = {}
        return np.array(
            [first.setdefault(hash(self._bytes(row)), row) for row in range(len(self))],
            dtype=np.int64,
        )

    def _bytes(self, row: int) -> bytes:
        return bytes(np.asarray(self._X[row]).tobytes())

    def all_equal(self) -> bool:
        """Whether all rows are equal, up to rounding. For rows in memory."""
        largest, smallest = self._X.max(axis=0), self._X.min(axis=0)
        span = largest - smallest
        span = span.toarray().ravel() if issparse(span) else np.asarray(span)
        return bool(np.all(span.astype(np.float64) ** 2 <= self.rounding))

    def _rounding_of(self, largest: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return np.asarray((ULPS * np.finfo(self.dtype).eps * largest) ** 2)

    def without_rounding(self, scatter: Floats, weight: float) -> Floats:
        """A sum of products in which the features that have nothing but rounding are zero.

        Without this, rows that are all equal would have directions, made of noise. ``scatter`` is
        positive semi-definite: it has squares of differences with so much weight in all.
        """
        floor = weight * self.rounding
        noise = (scatter.diagonal() <= floor) & np.isfinite(floor)
        if noise.any():
            scatter = scatter.copy()
            scatter[noise], scatter[:, noise] = 0.0, 0.0
        return scatter

    @abstractmethod
    def weighted_gram(self, weight: Floats | None) -> Floats:
        """Σ w x xᵀ over the centred rows, for nonnegative weights; None is weight 1."""

    @abstractmethod
    def difference_gram(self, pairs: Ints, weight: Floats) -> Floats:
        """Σ w (x_i − x_j)(x_i − x_j)ᵀ over the pairs."""

    @abstractmethod
    def squared_lengths(self, pairs: Ints) -> Floats:
        """‖x_i − x_j‖² for each pair."""

    @abstractmethod
    def class_gram(self, members: Ints) -> tuple[Floats, Floats]:
        """Σ (x − m)(x − m)ᵀ about the mean m of the row's class, and the means.

        Each row of ``members`` lists the rows of one class. All classes have the same size.
        """

    def class_grams(self, members: Sequence[Ints]) -> list[tuple[Floats, Floats]]:
        """``class_gram`` for several tables of members, which are disjoint."""
        return [self.class_gram(some) for some in members]

    def class_means(self, codes: Ints, sizes: Ints) -> Floats:
        """The mean of the rows of each class; −1 is no class. An empty class has the mean 0."""
        sums = class_indicator(codes, len(sizes)) @ self._X
        return (
            np.asarray(sums.toarray() if issparse(sums) else sums) / np.maximum(sizes, 1)[:, None]
        )

    @abstractmethod
    def deviation_gram(self, codes: Ints, means: Floats, weight: Floats) -> Floats:
        """Σ w (x − m)(x − m)ᵀ about the mean m of the row's class.

        All rows of a class have the same weight. Rows of no class have the weight 0.
        """

    @abstractmethod
    def squared_deviations(self, codes: Ints, means: Floats) -> Floats:
        """‖x − m‖² from the mean of the row's class, for each row; 0 for those of no class."""

    def fourth_moment(self, codes: Ints, means: Floats, weight: Floats) -> float:
        """Σ w ‖x − m‖⁴ from the mean of the row's class, with a weight for each class."""
        squared = self.squared_deviations(codes, means)
        return float(np.sum(np.append(weight, 0.0)[codes] * squared**2))

    def take(self, rows: Any) -> Floats:
        """Some of the centred rows, as a float64 array. For rows in memory only."""
        raise TypeError("these rows are not in memory: only sums over them are available")

    def subset_in_memory(self, rows: Ints) -> Rows | None:
        """Some rows of a lazy table, if they are in memory or planned to be; else None."""
        return None

    def in_memory_if_small(self) -> Rows:
        """The rows loaded into memory if a scatter matrix would be larger; else the same rows."""
        return self

    @abstractmethod
    def products(self) -> Floats:
        """The n × n inner products of the centred rows. For n < d only."""

    @abstractmethod
    def multiply(self, vectors: Floats) -> Floats:
        """The centred rows times some vectors of length d: (n, k)."""

    @abstractmethod
    def combine(self, coefficients: Floats) -> Floats:
        """Σ c_i x_i over the centred rows, for each column of coefficients: (d, k)."""

    @abstractmethod
    def project(self, components: NDArray[Any], origin: NDArray[Any]) -> Any:
        """``(X − origin) @ components.T`` in the float type of X: (n, k)."""

    def map_rows(self, function: Callable[[Any], Floats], n_columns: int) -> Any:
        """A function of rows as they are, applied to some rows at a time: (n, n_columns)."""
        return np.concatenate([function(self._X[some]) for some in slices(len(self), MAPPED_ROWS)])


def projected(X: Any, components: NDArray[Any], origin: NDArray[Any]) -> NDArray[Any]:
    """``(X − origin) @ components.T``, without a centred copy of X.

    Of dense rows so far from 0 that two digits or more would be lost, blocks are centred first.
    """
    components, near = (each.astype(X.dtype, copy=False) for each in (components, origin))
    product = np.asarray(X @ components.T)
    _subtract(product, (origin.astype(np.float64) @ components.T).astype(X.dtype))
    if not issparse(X) and _is_far(product, components, near):
        rest = ((origin - near) @ components.T).astype(X.dtype)  # what rounding the origin lost
        for block in slices(len(X), BLOCK_BYTES // (X.dtype.itemsize * X.shape[1])):
            product[block] = (X[block] - near) @ components.T - rest
    return product


def _subtract(product: NDArray[Any], row: NDArray[Any]) -> None:
    """``product -= row``, of short rows many at a time: each costs NumPy a loop of its own."""
    many = len(product) - len(product) % SOME if product.flags.c_contiguous else 0
    product[:many].reshape(-1, SOME * len(row))[...] -= np.tile(row, SOME)
    product[many:] -= row


def _is_far(product: NDArray[Any], components: NDArray[Any], origin: NDArray[Any]) -> bool:
    """Whether the rows are so far from 0 that their products are sums of far larger terms."""
    terms = np.abs(origin) @ np.abs(components).T
    # Often some of the rows show that it does not.
    return all(
        bool(np.any(terms > FAR * np.abs(rows).max(axis=0, initial=0)))
        for rows in (product[:SOME], product)
    )


def class_indicator(codes: Ints, n_classes: int) -> csr_array:
    """A matrix with one row for each class, and 1 at its members."""
    known = np.flatnonzero(codes >= 0)
    return csr_array((np.ones(len(known)), (codes[known], known)), shape=(n_classes, len(codes)))


def squared_norms(points: Any) -> Floats:
    """‖x‖² of each row."""
    if issparse(points):
        return np.asarray(points.multiply(points).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", points, points)


def slices(n: int, size: int) -> Iterator[slice]:
    size = max(int(size), 1)
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def working_bytes() -> int:
    """scikit-learn's ``working_memory`` in bytes: the memory for temporary arrays."""
    return int(get_config()["working_memory"] * 2**20)
