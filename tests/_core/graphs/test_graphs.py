"""One suite for all graphs: the fast scatter against the full n × n Laplacian."""

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix

from pairspace._core.data import Classes, rows_of
from pairspace._core.graphs import Blocks, Complete, Edges, Graph, Sum, edge_scatters

N, D = 30, 7
RANDOM = np.random.default_rng(0)
UPPER = np.column_stack(np.triu_indices(N, k=1))
FEW = UPPER[RANDOM.choice(len(UPPER), 20, replace=False)]
MANY = UPPER[RANDOM.choice(len(UPPER), 300, replace=False)]  # enough for the Laplacian form
ON_FEW_ROWS = np.column_stack(np.triu_indices(10, k=1)) * 2 + 5
LABELS = RANDOM.integers(-1, 4, N)
UNEVEN = np.r_[np.zeros(17, int), np.ones(6, int), np.full(4, 5), [-1, -1, 2]]


def edges(pairs, weight=None):
    return Edges(N, pairs, np.ones(len(pairs)) if weight is None else weight)


GRAPHS = {
    "few edges": edges(FEW),
    "weighted edges": edges(FEW, RANDOM.uniform(0.1, 3, len(FEW))),
    "many edges": edges(MANY, RANDOM.uniform(0.1, 3, len(MANY))),
    "many edges on few rows": edges(ON_FEW_ROWS, RANDOM.uniform(0.1, 3, len(ON_FEW_ROWS))),
    "pushing edges": edges(FEW, RANDOM.normal(size=len(FEW))),
    "many pushing edges": edges(MANY, RANDOM.normal(size=len(MANY))),
    "no edges": edges(np.empty((0, 2), dtype=np.int64)),
    "complete": Complete(N, 0.3),
    "within": Blocks(Classes(LABELS), within=2.0),
    "between": Blocks(Classes(LABELS), between=0.5),
    "uneven classes": Blocks(Classes(UNEVEN), within=1.5, between=-0.5),
    "pooled": Blocks(Classes(UNEVEN), pooled=0.7),
    "pooled, all unknown": Blocks(Classes(np.full(N, -1)), pooled=1.0),
    "all unknown": Blocks(Classes(np.full(N, -1)), within=1.0, between=1.0),
    "one class": Blocks(Classes(np.zeros(N, int)), within=1.0, between=1.0),
    "a class each": Blocks(Classes(np.arange(N)), within=1.0, between=1.0),
    "sum": Complete(N, 1 / N) + 2 * edges(FEW) - Blocks(Classes(LABELS), within=0.1),
    "sum of edges": edges(FEW) - 0.5 * edges(MANY),
}


@pytest.fixture(params=GRAPHS)
def graph(request) -> Graph:
    return GRAPHS[request.param]


@pytest.fixture
def X():
    # Far from the origin, where an uncentred product would lose half its digits.
    return np.random.default_rng(1).normal(size=(N, D)) + 1e4


def dense_laplacian(graph):
    """L as a full matrix, from the weight of each pair."""
    adjacency = np.zeros((N, N))
    for term in graph.terms if isinstance(graph, Sum) else [graph]:
        if isinstance(term, Edges):
            for (i, j), weight in zip(term.pairs, term.weight, strict=True):
                adjacency[i, j] += weight
                adjacency[j, i] += weight
        elif isinstance(term, Complete):
            adjacency += term.weight * (1 - np.eye(N))
        else:
            codes = term.classes.codes
            for i, j in [*UPPER, *UPPER[:, ::-1]]:
                if codes[i] >= 0 and codes[i] == codes[j]:
                    adjacency[i, j] += term.within + term.pooled / np.sum(codes == codes[i])
                elif codes[i] >= 0 and codes[j] >= 0:
                    adjacency[i, j] += term.between
    return np.diag(adjacency.sum(axis=1)) - adjacency


def expected(graph, X):
    Z = X - X.mean(axis=0)
    return Z.T @ dense_laplacian(graph) @ Z


def close(found, wanted, tolerance=1e-9):
    scale = max(np.abs(wanted).max(), 1e-12)
    np.testing.assert_allclose(found, wanted, atol=tolerance * scale, rtol=0)


def test_scatter_is_the_product_with_the_laplacian(graph, X):
    close(graph.scatter(X), expected(graph, X))


def test_scatter_with_about_as_many_features_as_rows(graph):
    X = np.random.default_rng(1).normal(size=(N, N - 1)) + 1e4
    close(graph.scatter(X), expected(graph, X))
    sparse = csr_array(np.random.default_rng(2).poisson(0.4, size=(N, N - 1)).astype(float))
    close(graph.scatter(sparse), expected(graph, sparse.toarray()))


@pytest.mark.parametrize("n_features", [D, N - 1])
def test_degree_gram_is_the_product_with_the_degrees(graph, n_features):
    if graph.degrees().min(initial=0) < 0:
        graph = Complete(N, -graph.degrees().min()) + graph
    X = np.random.default_rng(1).normal(size=(N, n_features)) + 1e4
    Z = X - X.mean(axis=0)
    close(graph.degree_gram(rows_of(X)), Z.T @ np.diag(np.diag(dense_laplacian(graph))) @ Z)


def test_graphs_of_one_kind_become_one():
    classes, others = Classes(np.arange(N) % 3), Classes(np.arange(N) % 4)
    assert isinstance(edges(FEW) - edges(MANY), Edges)
    assert isinstance(Complete(N) + Complete(N, 2.0), Complete)
    both = Complete(N) - Blocks(classes, pooled=1.0) + Blocks(classes, between=2.0)
    assert isinstance(both, Blocks)
    assert isinstance(Blocks(classes, within=1.0) - Blocks(others, within=1.0), Sum)
    partial = Blocks(Classes(LABELS), within=1.0)
    assert isinstance(Complete(N) + partial, Sum)  # has edges at rows of unknown class, too


CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
TWO_AND_ONE = Classes(np.array([0, 0, 1]))


@pytest.mark.parametrize(
    ("graph", "wanted"),
    [
        (Edges(3, np.array([[0, 1], [1, 2]]), np.array([2.0, 5.0])), [[7, -10], [-10, 20]]),
        (Complete(3, 0.5), [[1, -1], [-1, 4]]),
        (Blocks(TWO_AND_ONE, within=1.0), [[1, 0], [0, 0]]),
        (Blocks(TWO_AND_ONE, between=1.0), [[1, -2], [-2, 8]]),
        (Blocks(TWO_AND_ONE, pooled=1.0), [[0.5, 0], [0, 0]]),
    ],
)
def test_scatter_by_hand(graph, wanted):
    np.testing.assert_allclose(graph.scatter(CORNERS), wanted, atol=1e-12)


@pytest.mark.parametrize("kind", [csr_array, csr_matrix])
def test_sparse_rows_give_the_same(graph, kind):
    X = np.random.default_rng(2).poisson(0.4, size=(N, D)).astype(float)
    sparse = kind(X)
    sparse.data[0] = 0.0  # an explicit zero
    close(graph.scatter(sparse), expected(graph, sparse.toarray()))


def test_float32_comes_back_and_is_summed_in_float64(graph):
    X = np.random.default_rng(3).normal(size=(N, D)).astype(np.float32)
    found = graph.scatter(X)
    assert found.dtype == np.float32
    close(found, expected(graph, X.astype(float)), tolerance=1e-6)
    inside = graph.scatter(rows_of(X))
    assert inside.dtype == np.float64
    close(inside, expected(graph, X.astype(float)))


@pytest.mark.parametrize("order", ["C", "F"])
def test_order_and_read_only(graph, X, order):
    X = np.array(X, order=order)
    X.flags.writeable = False
    close(graph.scatter(X), expected(graph, X))


def test_blocks_and_column_groups_add_up(graph, X, monkeypatch):
    monkeypatch.setattr("pairspace._core.data._base.BLOCK_BYTES", 8 * D * 4)
    monkeypatch.setattr("pairspace._core.data._dense.COPY_BYTES", 8 * N * 3)
    close(graph.scatter(X), expected(graph, X))
    sparse = csr_array(np.random.default_rng(2).poisson(0.4, size=(N, D)).astype(float))
    close(graph.scatter(sparse), expected(graph, sparse.toarray()))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_scatter_operator_multiplies_like_the_scatter(graph, kind, dtype, monkeypatch):
    monkeypatch.setattr("pairspace._core.data._base.BLOCK_BYTES", 8 * D * 4)
    X = np.random.default_rng(2).poisson(3.0, size=(N, D)).astype(dtype) + dtype(100)
    V = np.random.default_rng(4).normal(size=(D, 3))
    operator = graph.scatter_operator(rows_of(kind(X)))
    wanted = expected(graph, X.astype(float))
    close(operator @ V, wanted @ V)
    close(operator @ V[:, 0], wanted @ V[:, 0])


def test_laplacian_multiplies_like_the_dense_one(graph):
    V = np.random.default_rng(4).normal(size=(N, 3))
    L = graph.laplacian()
    close(L @ V, dense_laplacian(graph) @ V)
    close(L @ V[:, 0], dense_laplacian(graph) @ V[:, 0])


def test_linear(graph, X):
    close((3.0 * graph).scatter(X), 3 * graph.scatter(X))
    close((-graph).scatter(X), -graph.scatter(X))
    close((graph + Complete(N)).scatter(X), graph.scatter(X) + Complete(N).scatter(X))
    np.testing.assert_allclose((graph - graph).scatter(X), np.zeros((D, D)), atol=1e-8)


def test_degrees_are_the_sums_of_the_weights_at_each_row(graph):
    np.testing.assert_allclose(graph.degrees(), np.diag(dense_laplacian(graph)), atol=1e-12)


def test_total_is_the_sum_of_the_weights(graph):
    dense = np.triu(-dense_laplacian(graph), k=1).sum()
    assert graph.total == pytest.approx(dense, abs=1e-12)


def test_normalized_is_divided_by_the_sum_of_the_weights(graph):
    L = dense_laplacian(graph)
    total = np.trace(L) / 2
    wanted = L / total if total else L
    np.testing.assert_allclose(dense_laplacian(graph.normalized()), wanted, atol=1e-12)


@pytest.mark.parametrize("n_features", [3, 60])
def test_tight_classes_far_apart_keep_their_digits(n_features):
    """Class scatters must not be differences of large numbers."""
    random = np.random.default_rng(5)
    labels = np.repeat([0, 1, 2], [40, 25, 25])
    noise = random.normal(size=(90, n_features))
    X = noise * 1e-6 + 1e3 * random.normal(size=(3, n_features))[labels]
    within = Blocks(Classes(labels), within=1.0).scatter(X)
    wanted = np.zeros((n_features, n_features))
    for c in range(3):
        members = X[labels == c] - X[labels == c].mean(axis=0)
        wanted += len(members) * members.T @ members
    np.testing.assert_allclose(within, wanted, rtol=1e-6, atol=1e-8 * wanted.max())


def test_two_graphs_of_the_same_classes_read_the_rows_once(X, monkeypatch):
    rows = rows_of(X)
    calls = []
    read = rows.class_gram
    monkeypatch.setattr(rows, "class_gram", lambda members: calls.append(1) or read(members))
    classes = Classes(np.arange(N) % 3)
    Blocks(classes, within=1.0).scatter(rows)
    Blocks(classes, between=1.0).scatter(rows)
    assert len(calls) == 1


def test_wrong_number_of_rows(X):
    with pytest.raises(ValueError, match=r"X has 29 rows, but the graph has 30 samples"):
        Complete(N).scatter(X[1:])
    with pytest.raises(ValueError, match="30 and 4 samples"):
        Complete(N) + Complete(4)


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("pairs", [FEW, MANY, FEW[:0]], ids=["few", "many", "none"])
@pytest.mark.parametrize("alike", [False, True])
def test_scatters_of_several_weights_are_those_of_each(alike, pairs, kind, X):
    """Also where most pairs have the same weight in all sums that they are part of."""
    random = np.random.default_rng(2)
    weights = random.uniform(0.1, 3, (3, len(pairs)))
    if alike:
        weights[:, ::2] = weights[0, ::2]
    weights *= random.uniform(size=weights.shape) < 0.7
    rows = rows_of(kind(X - 1e4))
    scatters, squared = edge_scatters(rows, pairs, weights)
    for scatter, weight in zip(scatters, weights, strict=True):
        wanted = edges(pairs[weight > 0], weight[weight > 0]).scatter(rows)
        np.testing.assert_allclose(scatter, wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(squared, rows.squared_lengths(pairs))
