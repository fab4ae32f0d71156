"""Eigenproblems that several linear methods share, and the ranks they require."""

from __future__ import annotations

import numpy as np

from pairspace._core import linalg
from pairspace._core.data import Rows
from pairspace._core.graphs import Graph
from pairspace._core.linalg import RANK_TOLERANCE, Eigen, matrix_fits, span_of
from pairspace._core.typing import Floats


class RankError(ValueError):
    """Error raised when there are fewer directions than components.

    Parameters
    ----------
    message : str
        The message.
    rank : int
        The number of directions.
    """

    def __init__(self, message: str, rank: int) -> None:
        super().__init__(message)
        self.rank = rank

    def __reduce__(self) -> tuple[type, tuple[str, int]]:
        return type(self), (str(self), self.rank)


def require_rank(
    n_components: int, rank: int, of: str, if_zero: str = "the rows are equal, up to rounding"
) -> None:
    """Raise an error if there are fewer directions than components."""
    if not rank:
        raise ValueError(f"the rank of {of} is 0: {if_zero}")
    if n_components > rank:
        raise RankError(
            f"n_components={n_components} must be at most {rank}, the rank of {of}", rank
        )


def top_of_full_rank(scatter: Floats, n_components: int, of: str) -> Eigen:
    """The top components of a scatter matrix, none of them zero."""
    found = linalg.top(scatter, min(n_components, len(scatter)))
    if linalg.rank(found.values) < n_components:
        require_rank(n_components, linalg.rank_of(scatter), of)
    return found


def largest_ratios(
    A: Floats, B: Floats, n_components: int, *, of_A: str, of_B: str, most: int | None = None
) -> tuple[Eigen, int]:
    """A w = μ B w, wᵀBw = 1, for the largest μ, and how many of them are not zero.

    ``most`` is a bound of the rank of A: rounding in A grows where B is small, and may look like
    another direction.
    """
    V = linalg.whiten(B)
    require_rank(1, V.shape[1], of_B)
    values, vectors = linalg.spectrum(V.T @ A @ V)
    rank = min(linalg.rank(values), len(values) if most is None else most)
    of = of_A if rank < V.shape[1] else of_B
    require_rank(n_components, rank, of, if_zero="no rows that should be apart differ")
    return Eigen(values[:n_components], V @ vectors[:, :n_components]), rank


def top_where_data_varies(graph: Graph, Z: Rows, n_components: int) -> tuple[Eigen, int]:
    """The top components of a scatter that may be indefinite, and the rank of the data.

    Directions in which the data is constant have the eigenvalue 0, which would outrank negative
    ones, so they are left out.
    """
    n_samples, n_features = Z.shape
    most = min(n_samples - 1, n_features)
    if Z.in_memory and not matrix_fits(min(Z.shape)):
        return _top_by_products(graph, Z, n_components), most
    if Z.in_memory and linalg.iteration_pays(min(Z.shape), n_components):
        iterated = linalg.leading(graph.scatter_operator(Z), n_components)
        if iterated and linalg.rank(iterated.values, floor=_rounding(Z)) == n_components:
            return iterated, most
    if n_features > n_samples:
        span = span_of(Z)
        solution, rank = top_where_data_varies(graph, span.rows, n_components)
        return Eigen(solution.values, span.lift(solution.vectors)), rank
    M = graph.scatter(Z)
    if n_components <= n_features:
        found = linalg.top(M, n_components)
        floor = RANK_TOLERANCE * float(np.linalg.norm(M))
        if Z.gram.any() and linalg.rank(found.values, floor) == n_components:
            return found, most
    V = linalg.range_of(Z.gram)
    require_rank(n_components, V.shape[1], "X")
    values, vectors = linalg.top(V.T @ M @ V, n_components)
    return Eigen(values, V @ vectors), V.shape[1]


def _rounding(Z: Rows) -> float:
    """What counts as zero of a scatter that is too large to look at: a share of the variance."""
    squared = Z.squared_deviations(np.zeros(len(Z), dtype=np.int64), Z.mean[None])
    return RANK_TOLERANCE * float(squared.sum()) / len(Z)


def _top_by_products(graph: Graph, Z: Rows, n_components: int) -> Eigen:
    """The same where the scatter is too large to be written down."""
    found = linalg.leading(graph.scatter_operator(Z), n_components, patient=True)
    if found is None or linalg.rank(found.values, _rounding(Z)) < n_components:
        raise ValueError(
            f"no n_components={n_components} directions stand out among {Z.shape[1]} features: "
            "lower n_components, reduce X first, e.g. with TruncatedSVD, or solve the whole "
            f"problem: sklearn.set_config(working_memory={8 * min(Z.shape) ** 2 // 2**20 + 1})"
        )
    return found
