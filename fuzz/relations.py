"""What must not change a result: an offset, a factor, the order of rows, the container, …

How much a result may change is measured, not guessed. The data is disturbed by as much rounding as
the relation itself has, and what that does to the result is what the relation may do, too. Where
it changes the result a lot, as where eigenvalues nearly meet, the relation says nothing. Nor does
it where the rank of X is not clear: an eigenvalue is as small as rounding, or the result is another
one with another limit below which eigenvalues count as zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np
from scipy.sparse import csr_array, issparse

from fuzz.judges import Refused, require
from fuzz.supervision import Known
from fuzz.tables import Random
from pairspace._core.linalg import _eigen as eigen

EPS = np.finfo(np.float64).eps
UNSTABLE = 1e-3  # the change by rounding from which on a relation says nothing
TOLERANCE = 1e-6
MARGIN = 300  # by how much a change may exceed that of the disturbed data
N_DISTURBED = 12  # rows that tie may keep their order in some of them
NO_TIES = 1e-4  # of the spread, by which rows are moved so that none are equal or equally near
OTHER_LIMITS = (0.01, 100.0)  # factors of the share below which an eigenvalue counts as zero
AS_SMALL_AS_ROUNDING = (1 / 30, 100.0)  # factors of the spread that rounding alone has

# X, what is known and the order of the rows of a result → the result, or ``Refused``.
Compute = Callable[[Any, Known], Any]


@dataclass
class Relation:
    """Another way to pass the same data."""

    X: Any
    known: Known
    plain: np.ndarray  # the numbers that both ways share
    noise: np.ndarray | float  # the rounding of each number
    order: np.ndarray | None = None  # of the rows, if they were permuted
    exact_scale: bool = True


def permuted(random: Random, X: np.ndarray, known: Known) -> Relation:
    """The rows in another order. Of rows that are equally near the first counts: no ties."""
    order = random.permutation(len(X))
    return Relation(X[order], known.permuted(order), X, 1e6 * _ulps(X), order=order)


def offset(random: Random, X: np.ndarray, known: Known) -> Relation:
    """Another origin. What the offset leaves of the digits is what is compared."""
    by = random.choice([1.0, -30.0, 1e4, 1e6, 1e8]) * (np.abs(X).max() or 1.0)
    moved = X + by
    # An offset may cancel that of X: then it is without the offset that X is rounded more.
    plain = moved - by
    return Relation(moved, known, plain, np.maximum(_ulps(moved), _ulps(plain)))


def factor(random: Random, X: np.ndarray, known: Known) -> Relation:
    """Another unit."""
    by = float(random.choice([1e-20, 1e-6, 1e-3, 0.1, 7.0, 1e5, 1e20]))
    return Relation(X * by, known, X, _ulps(X), exact_scale=False)


def constant_column(random: Random, X: np.ndarray, known: Known) -> Relation:
    """A column more that says nothing."""
    column = np.full((len(X), 1), random.choice([0.0, 1.0, -1 / 3]) * np.abs(X).max())
    return Relation(np.hstack([X, column]), known, X, _ulps(X))


def sparse(random: Random, X: np.ndarray, known: Known) -> Relation:
    """As a sparse matrix, whose sums are centred after they are made: they keep fewer digits."""
    largest = np.abs(X).max(axis=0)
    spread = np.maximum(np.abs(X - X.mean(axis=0)).max(axis=0), EPS * largest)
    lost = np.divide(largest, spread, where=spread > 0, out=np.zeros_like(largest))
    return Relation(csr_array(X), known, X, 8 * EPS * lost * largest)


def renamed(random: Random, X: np.ndarray, known: Known) -> Relation:
    """Other names of the classes."""
    return Relation(X, known.renamed(), X, _ulps(X))


def again(random: Random, X: np.ndarray, known: Known) -> Relation:
    """The same once more, in memory that is aligned differently."""
    return Relation(np.asfortranarray(X), known, X, _ulps(X))


RELATIONS = {
    "permuted": permuted,
    "offset": offset,
    "factor": factor,
    "constant column": constant_column,
    "sparse": sparse,
    "renamed": renamed,
    "again": again,
}


def check_relation(
    name: str,
    random: Random,
    X: np.ndarray,
    known: Known,
    compute: Compute,
    distance: Callable[[Any, Any, bool], float],
) -> str:
    """Compare the results of both ways; a word on how it went."""
    relation = RELATIONS[name](random, X, known)
    wanted = compute(relation.plain, known)
    if isinstance(wanted, Refused):
        return f"{name}: refused"
    found = compute(relation.X, relation.known)
    apart = np.inf
    if not isinstance(found, Refused):
        if relation.order is not None:
            found = found[np.argsort(relation.order)]
        apart = distance(wanted, found, relation.exact_scale)
        if apart <= TOLERANCE:  # however stable it is
            return f"{name}: {apart:.0e}"
    # Scatter matrices are squares: their rounding is that of X times its condition.
    noise = relation.noise * _condition(relation.plain)
    change = 0.0
    for _ in range(N_DISTURBED):
        one = compute(relation.plain + noise * random.uniform(-1, 1, size=X.shape), known)
        if isinstance(one, Refused):
            return f"{name}: nearly refused"
        by_rounding = distance(wanted, one, True)
        if not by_rounding < UNSTABLE:  # the others say no more
            return f"{name}: not stable"
        change = max(change, by_rounding)
    if isinstance(found, Refused) and _no_digit_is_left(relation):
        return f"{name}: no digit is left"
    if _rank_is_unclear(relation, known, compute, distance, wanted):
        return f"{name}: the rank of X is not clear"
    require(not isinstance(found, Refused), f"{name}: refused although the same was not: {found!r}")
    if relation.order is not None and _holds_without_ties(
        relation, random, known, compute, distance
    ):
        return f"{name}: the first of rows that are equally near"
    require(
        apart <= TOLERANCE + MARGIN * change,
        f"{name}: the result changes by {apart:.1e}, but by {change:.1e} if X is disturbed",
    )
    return f"{name}: {apart:.0e}"


def _holds_without_ties(
    relation: Relation,
    random: Random,
    known: Known,
    compute: Compute,
    distance: Callable[[Any, Any, bool], float],
) -> bool:
    """Whether the order says nothing once no two rows are equal, or as near to a third one.

    Equal rows stay so for a method that takes rows for equal up to rounding, however the data is
    disturbed by rounding: they have to be moved by more.
    """
    assert relation.order is not None
    size = NO_TIES * np.ptp(relation.plain, axis=0)
    X = relation.plain + size * random.uniform(-1, 1, size=relation.plain.shape)
    wanted, found = compute(X, known), compute(X[relation.order], relation.known)
    if isinstance(wanted, Refused) or isinstance(found, Refused):
        return False
    return distance(wanted, found[np.argsort(relation.order)], True) <= TOLERANCE


def _condition(X: np.ndarray) -> float:
    """The largest singular value of the centred rows by the smallest that counts."""
    shares = _spectrum(X)
    return float(1 / np.sqrt(shares[shares > eigen.RANK_TOLERANCE].min(initial=1.0)))


def _rank_is_unclear(
    relation: Relation,
    known: Known,
    compute: Compute,
    distance: Callable[[Any, Any, bool], float],
    wanted: Any,
) -> bool:
    noise = np.broadcast_to(relation.noise, relation.plain.shape[1:])
    rounding = len(relation.plain) * np.sum(noise**2)
    low, high = AS_SMALL_AS_ROUNDING
    values = _spectrum(relation.plain, share=False)
    if np.any((low * rounding < values) & (values < high * rounding)):
        return True
    for factor in OTHER_LIMITS:
        with mock.patch.object(eigen, "RANK_TOLERANCE", factor * eigen.RANK_TOLERANCE):
            other = compute(relation.plain, known)
        if isinstance(other, Refused) or not distance(wanted, other, True) < UNSTABLE:
            return True
    return False


def _no_digit_is_left(relation: Relation) -> bool:
    """Whether the rows, as they are passed, differ by their rounding alone: then X has no rank."""
    passed = relation.X.toarray() if issparse(relation.X) else relation.X
    rounding = len(passed) * np.sum(_ulps(passed) ** 2)
    return bool(_spectrum(relation.plain, share=False).max() < AS_SMALL_AS_ROUNDING[1] * rounding)


def _spectrum(X: np.ndarray, *, share: bool = True) -> np.ndarray:
    """The squared singular values of the centred rows, or their shares of the largest."""
    largest = np.abs(X).max() or 1.0
    values = np.linalg.svd((X - X.mean(axis=0)) / largest, compute_uv=False) ** 2
    return values / (values.max() or 1.0) if share else values * largest**2


def same_geometry(a: np.ndarray, b: np.ndarray, exact_scale: bool) -> float:
    """The relative difference of the inner products of centred rows: turns and signs are free."""
    largest = max(np.abs(a).max(), np.abs(b).max()) or 1.0
    one, other = (
        _products(points, largest if exact_scale else np.abs(points).max() or 1.0)
        for points in (a, b)
    )
    if not exact_scale:
        one, other = (products / (np.linalg.norm(products) or 1.0) for products in (one, other))
    size = max(np.linalg.norm(one), np.linalg.norm(other))
    return float(np.linalg.norm(one - other) / size) if size else 0.0


def same_partition(a: np.ndarray, b: np.ndarray, exact_scale: bool) -> float:
    """0 if both put the same rows together, else 1."""
    return float(np.any((a[:, None] == a) != (b[:, None] == b)))


def _products(points: np.ndarray, unit: float) -> np.ndarray:
    points = np.asarray(points, dtype=np.float64) / unit
    centred = points - points.mean(axis=0)
    return centred @ centred.T


def _ulps(X: np.ndarray) -> np.ndarray:
    return 4 * EPS * np.abs(X).max(axis=0)
