"""Eigenproblems of matrices and of graphs, and the coordinates to solve them in."""

from pairspace._core.linalg._eigen import (
    RANK_TOLERANCE,
    Eigen,
    bottom,
    iteration_pays,
    leading,
    oriented,
    range_of,
    rank,
    rank_of,
    spectrum,
    top,
    top_definite,
    whiten,
    within,
)
from pairspace._core.linalg._graph_eigen import GraphEigen, smallest_eigenvectors
from pairspace._core.linalg._mixtures import MixtureProblems
from pairspace._core.linalg._singular import leading_singular
from pairspace._core.linalg._span import Span
from pairspace._core.linalg._spans import (
    NO_LINKS,
    LeadingSpan,
    LinkSpan,
    RowSpan,
    SearchSpan,
    links_may_do,
    matrix_fits,
    span_of,
)

__all__ = [
    "NO_LINKS",
    "RANK_TOLERANCE",
    "Eigen",
    "GraphEigen",
    "LeadingSpan",
    "LinkSpan",
    "MixtureProblems",
    "RowSpan",
    "SearchSpan",
    "Span",
    "bottom",
    "iteration_pays",
    "leading",
    "leading_singular",
    "links_may_do",
    "matrix_fits",
    "oriented",
    "range_of",
    "rank",
    "rank_of",
    "smallest_eigenvectors",
    "span_of",
    "spectrum",
    "top",
    "top_definite",
    "whiten",
    "within",
]
