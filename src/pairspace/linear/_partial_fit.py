"""Learning from batches: the sums over the rows of each class, from which the space is solved.

A method whose graphs come from labels alone needs no more of the rows than how many each class has,
their mean and their scatter about it. These add up, so that batches give what all rows at once
would give.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils.metaestimators import available_if

from pairspace._core import linalg
from pairspace._core.data import Classes, ClassMoments, ClassReading, LazyRows, Rows
from pairspace._core.linalg import Span
from pairspace._core.typing import Floats, Ints
from pairspace._core.warn import warn_caller
from pairspace.base import Supervision, unchanged_if_it_fails, with_plain_numbers
from pairspace.constraints import Constraints, classes_and_codes
from pairspace.linear._base import LinearReducer


class IncrementalReducer(LinearReducer):
    """Base of the methods that can learn from labelled rows in batches: ``partial_fit``."""

    _learned: ClassVar[tuple[str, ...]] = (
        "components_",
        "mean_",
        "eigenvalues_",
        "rank_",
        "n_directions_",
    )
    _stream: Stream

    @available_if(lambda self: self._current_needs().class_sums)
    @with_plain_numbers
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Learn from another batch of rows.

        After all batches the space is the one that ``fit`` finds in all rows. It is computed when
        it is first needed, e.g. by ``transform``. One matrix of n_features × n_features is kept for
        each class. ``partial_fit`` is not available with ``shrinkage="auto"`` or
        ``weights="heat"``, which need more than sums over rows. After ``fit`` it starts from
        scratch.

        Parameters
        ----------
        X : array-like, sparse matrix or table on disk, of shape (n_samples, n_features)
            A batch of one row or more.
        y : array-like of shape (n_samples,), default=None
            Labels; −1, None or NaN means unknown. Rows without a label count in the total scatter.
            A batch need not contain all classes.

        Returns
        -------
        object
            The estimator.
        """
        if isinstance(y, Constraints):
            raise TypeError(
                "partial_fit learns from labels: pairs join rows of different batches. Give pairs "
                "to fit, with all rows; X may be a table on a disk"
            )
        first = "_stream" not in vars(self)
        if first and "components_" in vars(self):
            warn_caller(
                f"{type(self).__name__} forgets what fit learned, for it keeps no sums to add to: "
                "use partial_fit from the first batch on",
                UserWarning,
            )
        with unchanged_if_it_fails(self):
            rows = self._rows(X, reset=first, at_least=1)
            stream = Stream(rows.shape[1]) if first else self._stream
            stream.add(rows, y)
            self._stream = stream
            for name in self._learned:
                self.__dict__.pop(name, None)
        return self

    def __getattr__(self, name: str) -> Any:
        if name in self._learned and "_stream" in vars(self):
            try:
                self._require_solution()
            except ValueError as error:  # too little data so far: hasattr must be False
                raise AttributeError(f"{name} is not known yet: {error}") from error
            return vars(self)[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _require_solution(self) -> None:
        super()._require_solution()
        if "_stream" in vars(self) and "components_" not in vars(self):
            span, known = self._stream.learned()
            self._require_supervision(known, "labels")
            with unchanged_if_it_fails(self):
                self._learn(span, known, self._stream.dtype)

    def _fit(self, X: Any, y: Any, constraints: Constraints | None) -> None:
        self.__dict__.pop("_stream", None)
        super()._fit(X, y, constraints)


class Stream:
    """The sums over all rows so far."""

    def __init__(self, n_features: int) -> None:
        self._codes: dict[Any, int] = {}
        # Rows of unknown label are the first class.
        self._moments = _empty(1, n_features)
        self.dtype: np.dtype[Any] = np.dtype(np.float32)

    def add(self, rows: Rows, y: Any) -> None:
        """Add a batch; if it can't be read nothing changes."""
        codes = np.zeros(len(rows), dtype=np.int64)
        known = dict(self._codes)
        if y is not None:
            names, local = _read(y, len(rows))
            _require_one_kind([*known, *names])
            for name in names:
                known.setdefault(name, len(known) + 1)
            codes = np.array([known[name] for name in names] + [0])[local]
        n_new = len(known) - len(self._codes)
        group = np.arange(len(known) + 1)
        if isinstance(rows, LazyRows):
            found = rows.class_moments(codes, group)
        else:
            found = ClassMoments.of(rows, codes, group)
        self._codes = known
        self._moments = self._moments.with_more_classes(n_new)
        self._moments += found
        self.dtype = np.result_type(self.dtype, rows.dtype)

    def learned(self) -> tuple[Span, Supervision]:
        """The span and the supervision that the sums stand for."""
        n, moments = int(self._moments.sizes.sum()), self._moments
        if n < 2:
            raise ValueError(f"partial_fit has seen {n} row: there is nothing to compare it with")
        span = MomentSpan(n, moments)
        return span, SummedSupervision(SummedClasses(n, span.moments))


class MomentSpan(Span):
    """The features; with fewer rows than features, the range of the total scatter."""

    def __init__(self, n: int, moments: ClassMoments) -> None:
        self._mean, gram = moments.total()
        self._basis = np.eye(0)
        self._is_turned = len(gram) > n
        if self._is_turned:
            self._basis = linalg.range_of(gram)
            if not self._basis.shape[1]:  # all rows are equal: one coordinate, all zero
                self._basis = np.zeros((len(gram), 1))
            moments = moments.rotated(self._basis)
        self.moments = moments
        super().__init__(SummedRows(n, moments))

    @property
    def mean(self) -> Floats:
        return self._mean

    def lift(self, directions: Floats) -> Floats:
        return self._basis @ directions if self._is_turned else directions


class SummedRows(LazyRows):
    """Rows of which only sums are kept."""

    def __init__(self, n: int, moments: ClassMoments) -> None:
        self.shape = n, moments.means.shape[1]
        self.dtype = np.dtype(np.float64)
        self.mean, gram = moments.total()
        self.gram = self.without_rounding(gram, n)

    def _not_kept(self, *_: Any) -> NoReturn:
        raise TypeError("the rows of earlier batches are not kept, only sums over each class")

    _sum = _each = fetch = products = project = _not_kept  # type: ignore[assignment]


class SummedClasses(Classes):
    """Classes of which only sums are kept."""

    def __init__(self, n: int, moments: ClassMoments) -> None:
        self._n, self._moments = n, moments
        self.sizes = moments.sizes[1:].astype(np.int64)
        self.n_known = int(self.sizes.sum())

    def __len__(self) -> int:
        return self._n

    def read(self, rows: Rows) -> ClassReading:
        return SummedReading(self.sizes, self._moments, rows)


class SummedReading(ClassReading):
    """The scatter of each class, for any coefficients."""

    def __init__(self, sizes: Ints, moments: ClassMoments, rows: Rows) -> None:
        super().__init__(sizes, rows)
        self._scatters = moments.scatters[1:]
        self.means = moments.means[1:]

    def _about_means(self, coefficient: Callable[[Any], Any]) -> Floats:
        return np.tensordot([coefficient(size) for size in self._sizes], self._scatters, axes=1)


class SummedSupervision(Supervision):
    """Labels of rows that are not kept."""

    def __init__(self, classes: SummedClasses) -> None:
        self.pairs = Constraints(len(classes))
        self.classes = classes

    def __bool__(self) -> bool:
        return self.classes.n_known > 0


def _empty(n_classes: int, d: int) -> ClassMoments:
    return ClassMoments(
        np.zeros(n_classes),
        np.zeros((n_classes, d)),
        np.zeros((n_classes, d, d)),
        np.arange(n_classes),
    )


def _read(y: Any, n: int) -> tuple[list[Any], Ints]:
    with warnings.catch_warnings():
        # A batch may have one class only.
        warnings.filterwarnings("ignore", "the labels are -1 and 1")
        names, codes = classes_and_codes(y)
    if len(codes) != n:
        raise ValueError(f"X has {n} rows, but y has {len(codes)} labels")
    return names.tolist(), codes


def _require_one_kind(names: list[Any]) -> None:
    kinds = {isinstance(name, str) for name in names}
    if len(kinds) > 1:
        raise TypeError("labels are strings in one batch and numbers in another: make them alike")
