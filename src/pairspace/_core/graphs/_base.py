r"""Weighted graphs over the samples, and their scatter matrices.

A graph with the weight :math:`w_{ij}` on each unordered pair has the Laplacian :math:`L = D - A`
and the scatter matrix

.. math:: X^\top L X = \sum_{i<j} w_{ij} (x_i - x_j)(x_i - x_j)^\top

which is d × d and computed without an n × n matrix. Weights may be negative. Graphs can be added
and scaled: ``Complete(n) + 2 * cannot - must``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import LinearOperator, aslinearoperator

from pairspace._core.data import Rows, rows_of
from pairspace._core.typing import Floats


class Graph(ABC):
    """Weights on pairs of ``n_samples`` samples."""

    needs_total_scatter: ClassVar[bool] = False

    def __init__(self, n_samples: int) -> None:
        self.n_samples = n_samples

    def scatter(self, X: Any) -> Floats:
        """XᵀLX, in the float type of an array X, or in float64 if X is a ``Rows``."""
        rows = rows_of(X)
        if len(rows) != self.n_samples:
            raise ValueError(f"X has {len(rows)} rows, but the graph has {self.n_samples} samples")
        scatter = self._scatter(rows)
        narrow = rows is not X and rows.dtype == np.float32
        return scatter.astype(np.float32) if narrow else scatter

    @abstractmethod
    def _scatter(self, rows: Rows) -> Floats: ...

    def scatter_operator(self, rows: Rows) -> LinearOperator:
        """XᵀLX of the centred rows as an operator, if a d × d matrix is too large."""
        L = self.laplacian()
        return operator(rows.shape[1], lambda v: rows.combine(L @ rows.multiply(v)))

    @abstractmethod
    def degrees(self) -> Floats:
        """The sum of the weights at each sample."""

    def degree_gram(self, rows: Rows) -> Floats:
        """XᵀDX of the centred rows, where D has the degrees, which must not be negative."""
        degrees = self.degrees()
        return rows.without_rounding(rows.weighted_gram(degrees), float(degrees.sum()))

    @abstractmethod
    def laplacian(self) -> csr_array | LinearOperator:
        """L: a sparse matrix, or an operator if the matrix would be dense."""

    @property
    def total(self) -> float:
        """The sum of the weights over all unordered pairs."""
        return float(self.degrees().sum()) / 2

    @abstractmethod
    def __mul__(self, factor: float) -> Graph: ...

    def normalized(self) -> Graph:
        """The graph scaled to a total weight of 1; an empty graph stays empty."""
        return self * (1 / self.total) if self.total else self

    def __rmul__(self, factor: float) -> Graph:
        return self * float(factor)  # an integer may be larger than NumPy's

    def __neg__(self) -> Graph:
        return self * -1.0

    def __add__(self, other: Graph) -> Graph:
        if self.n_samples != other.n_samples:
            raise ValueError(
                f"graphs of {self.n_samples} and {other.n_samples} samples can't be added"
            )
        return _sum([*_terms(self), *_terms(other)])

    def _merged(self, other: Graph) -> Graph | None:
        """The sum as a single graph, which reads the rows once; None if there is none."""
        return None

    def __sub__(self, other: Graph) -> Graph:
        return self + -other


class Sum(Graph):
    """The sum of several graphs."""

    def __init__(self, terms: list[Graph]) -> None:
        super().__init__(terms[0].n_samples)
        self.terms = terms

    def _scatter(self, rows: Rows) -> Floats:
        # The total scatter comes last, as another term may compute it.
        terms = sorted(self.terms, key=lambda term: term.needs_total_scatter)
        scatter = terms[0]._scatter(rows)
        for term in terms[1:]:
            scatter += term._scatter(rows)
        return scatter

    def degree_gram(self, rows: Rows) -> Floats:
        # In memory one product is fastest. Otherwise terms may use what was read before.
        if rows.in_memory or any(term.degrees().min(initial=0) < 0 for term in self.terms):
            return super().degree_gram(rows)
        return np.sum([term.degree_gram(rows) for term in self.terms], axis=0)

    def laplacian(self) -> csr_array | LinearOperator:
        parts = [term.laplacian() for term in self.terms]
        if not all(isinstance(part, csr_array) for part in parts):
            parts = [aslinearoperator(part) for part in parts]
        return sum(parts[1:], start=parts[0])

    def degrees(self) -> Floats:
        return np.sum([term.degrees() for term in self.terms], axis=0)

    def __mul__(self, factor: float) -> Sum:
        return Sum([term * factor for term in self.terms])


def _terms(graph: Graph) -> list[Graph]:
    return graph.terms if isinstance(graph, Sum) else [graph]


def _sum(graphs: list[Graph]) -> Graph:
    """The sum of graphs, where graphs of one kind are merged."""
    terms: list[Graph] = []
    for graph in graphs:
        for at, term in enumerate(terms):
            merged = term._merged(graph) or graph._merged(term)
            if merged is not None:
                terms[at] = merged
                break
        else:
            terms.append(graph)
    return terms[0] if len(terms) == 1 else Sum(terms)


def operator(n: int, multiply: Callable[[Floats], Floats]) -> LinearOperator:
    return LinearOperator((n, n), matvec=multiply, rmatvec=multiply, matmat=multiply, dtype=float)
