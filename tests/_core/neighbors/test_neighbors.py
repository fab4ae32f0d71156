"""Neighbours against all distances, row by row, and what the approximate search promises."""

import sys

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix

from pairspace._core.data import rows_of
from pairspace._core.neighbors import (
    _approximate,
    _exact,
    _farthest,
    _nearest,
    _products,
    _ranking,
    _shortest,
    farthest,
    nearest,
    nearest_among,
    neighbor_edges,
    shortest_pairs,
)

RANDOM = np.random.default_rng(0)
NORMAL = RANDOM.standard_normal((60, 5))
GRID = np.stack(np.meshgrid(*[np.arange(4)] * 3), axis=-1).reshape(-1, 3).astype(float)
SPARSE = NORMAL.round() * (RANDOM.random(NORMAL.shape) < 0.4)

DATA = {
    "random": NORMAL,
    "wide": RANDOM.standard_normal((40, 37)),
    "float32": NORMAL.astype(np.float32),
    "duplicates": np.repeat(RANDOM.standard_normal((6, 17)), 12, axis=0)[RANDOM.permutation(72)],
    "grid": GRID,
    "far grid": GRID + 2.0**20,
    "binary": RANDOM.integers(0, 2, (70, 20)).astype(float),
    "one each": np.eye(30),
    "constant": np.full((25, 3), 0.1),
    "an outlier": np.vstack([NORMAL, np.full((1, 5), 1e6)]),
    "far clusters": np.vstack([NORMAL, NORMAL[::-1] + 1e7]),
    "two rows": np.array([[0.0], [1.0]]),
    "sparse": csr_array(SPARSE),
    "sparse matrix, float32": csr_matrix(SPARSE.astype(np.float32)),
    "sparse zeros": csr_array((20, 4)),
}


def by_hand(X, k, sign=1):
    X = np.asarray(X.todense() if hasattr(X, "todense") else X).astype(np.float64)
    answer = []
    for i, x in enumerate(X):
        others = [(sign * np.square(x - y).sum(), j) for j, y in enumerate(X) if j != i]
        answer.append([j for _, j in sorted(others)[:k]])
    return np.array(answer)


def clusters(n=3000, d=16):
    random = np.random.default_rng(1)
    centres = 4 * random.standard_normal((20, d))
    return centres[random.integers(0, 20, n)] + random.standard_normal((n, d))


def recall(found, true):
    return np.mean([len(set(a) & set(b)) / len(b) for a, b in zip(found, true, strict=True)])


@pytest.mark.parametrize("k", [1, 4, 11, 1000])
@pytest.mark.parametrize("name", DATA)
def test_nearest_by_distance_then_index(name, k):
    found = nearest(DATA[name], k)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, by_hand(DATA[name], k))


@pytest.mark.parametrize("k", [1, 4, 11, 1000])
@pytest.mark.parametrize("name", DATA)
def test_farthest_by_distance_then_index(name, k):
    found = farthest(DATA[name], k)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, by_hand(DATA[name], k, sign=-1))


@pytest.mark.parametrize("name", ["random", "binary", "sparse", "constant"])
def test_small_blocks_change_nothing(name, monkeypatch):
    expected = nearest(DATA[name], 3), farthest(DATA[name], 3)
    for module in (_exact, _ranking):
        monkeypatch.setattr(module, "BLOCK", 50)
    for module in (_farthest, _products):
        monkeypatch.setattr(module, "TILE", 7)
    np.testing.assert_array_equal(nearest(DATA[name], 3), expected[0])
    np.testing.assert_array_equal(farthest(DATA[name], 3), expected[1])


def test_more_rows_than_a_tile():
    X = clusters(2500, 3).round()  # ties as well
    np.testing.assert_array_equal(farthest(X, 5)[::50], by_hand_of(X, 5, -1, range(0, 2500, 50)))
    np.testing.assert_array_equal(nearest(X, 5)[::50], by_hand_of(X, 5, 1, range(0, 2500, 50)))


def by_hand_of(X, k, sign, rows):
    keys = [(i, sign * np.square(X - X[i]).sum(axis=1)) for i in rows]
    orders = [
        np.lexsort((np.arange(len(X)), np.where(np.arange(len(X)) == i, np.inf, key)))
        for i, key in keys
    ]
    return np.array([order[:k] for order in orders])


@pytest.mark.parametrize("name", ["clusters", "duplicates", "far", "huge", "constant", "integers"])
def test_search_by_products_is_exact(name, monkeypatch):
    X = clusters(1500, 20)
    X = {
        "clusters": X,
        "duplicates": np.repeat(X[:100], 15, axis=0),
        "far": X + 1e6,
        "huge": X * 1e30,
        "constant": np.ones((1500, 20)),
        "integers": X.round(),
    }[name]
    rows = range(0, 1500, 30)
    monkeypatch.setattr(_exact, "PRODUCTS_FROM", 1_000)
    used = []

    class Noted(_products.ProductSearch):
        def __init__(self, points):
            used.append(points)
            super().__init__(points)

    monkeypatch.setattr(_exact, "ProductSearch", Noted)
    found = nearest(X, 7)
    assert used
    np.testing.assert_array_equal(found[::30], by_hand_of(X, 7, 1, rows))


@pytest.mark.parametrize("name", ["random", "duplicates", "grid", "far grid", "sparse", "float32"])
def test_nearest_among_others(name):
    X = DATA[name]
    asked = X[::3] + X[::3] * 0.01
    dense, dense_asked = (
        np.asarray(a.todense() if hasattr(a, "todense") else a, dtype=float) for a in (X, asked)
    )
    found, squared = nearest_among(X, asked, 5)
    for x, row, key in zip(dense_asked, found, squared, strict=True):
        distances = np.square(x - dense).sum(axis=1)
        # Equal up to rounding is equal: then the index decides.
        rounded = [float(f"{distance:.11g}") for distance in distances]
        np.testing.assert_array_equal(row, np.lexsort((np.arange(len(dense)), rounded))[:5])
        np.testing.assert_allclose(key, distances[row], rtol=1e-12)
    zero = nearest_among(X, X[:4], 1)[1]
    assert not zero.any()
    assert nearest_among(X, X[:4], 1000)[0].shape == (4, X.shape[0])


def test_the_data_stay_as_they_are():
    X = NORMAL.copy()
    nearest(X, 3), farthest(X, 3)
    np.testing.assert_array_equal(X, NORMAL)


@pytest.mark.parametrize("search", [nearest, farthest])
@pytest.mark.parametrize("k", [0, -2, 1.5])
def test_no_neighbours_asked_for(search, k):
    with pytest.raises(ValueError, match=f"n_neighbors={k}"):
        search(NORMAL, k)


@pytest.mark.parametrize("search", [nearest, farthest])
def test_bad_data(search):
    with pytest.raises(ValueError, match="NaN"):
        search([[0.0], [np.nan]], 1)
    with pytest.raises(ValueError, match="minimum of 2"):
        search([[0.0]], 1)


def test_unknown_method():
    with pytest.raises(ValueError, match=r"method must be one of .*; got 'fast'"):
        nearest(NORMAL, 1, method="fast")


class TestApproximate:
    def test_finds_nearly_all_and_the_same_twice(self):
        X = clusters()
        found = nearest(X, 10, method="approximate", random_state=0)
        assert found.shape == (len(X), 10)
        assert recall(found, nearest(X, 10, method="exact")) >= 0.95
        again = nearest(X, 10, method="approximate", random_state=0)
        np.testing.assert_array_equal(found, again)

    def test_in_order_of_distance(self):
        X = clusters().astype(np.float32)
        found = nearest(X, 10, method="approximate", random_state=0)
        assert not (found == np.arange(len(X))[:, None]).any()
        distances = np.square(X[found].astype(float) - X[:, None].astype(float)).sum(axis=-1)
        assert (np.diff(distances, axis=1) >= 0).all()

    def test_a_cell_with_few_rows(self, monkeypatch):
        monkeypatch.setattr(_approximate, "RECALL", 0.0)  # so that only one cell is searched
        X = clusters()
        found = nearest(X, 40, method="approximate", random_state=0)
        assert found.min() >= 0
        exact = nearest(X, 40, method="exact")
        assert 0 < (found == exact).all(axis=1).mean() < 1

    def test_without_structure_it_is_exact(self):
        X = RANDOM.standard_normal((500, 40))
        found = nearest(X, 5, method="approximate", random_state=0)
        np.testing.assert_array_equal(found, nearest(X, 5, method="exact"))

    @pytest.mark.parametrize("name", ["constant", "two rows", "duplicates", "an outlier"])
    def test_small_and_degenerate(self, name):
        X = DATA[name]
        found = nearest(X, 3, method="approximate", random_state=0)
        assert found.shape == (len(X), min(3, len(X) - 1))
        for i, row in enumerate(found):
            assert len({i, *row.tolist()}) == 1 + len(row)
            assert ((row >= 0) & (row < len(X))).all()

    def test_without_the_library(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "faiss", None)
        with pytest.raises(ImportError, match=r"pip install 'pairspace\[neighbors\]'"):
            nearest(NORMAL, 3, method="approximate")

    def test_sparse(self):
        with pytest.raises(ValueError, match="needs dense X"):
            nearest(DATA["sparse"], 3, method="approximate")

    @pytest.mark.parametrize("installed", [True, False])
    @pytest.mark.parametrize("sparse", [True, False])
    @pytest.mark.parametrize("many", [True, False])
    def test_auto(self, installed, sparse, many, monkeypatch):
        asked = []
        approximate = _nearest.approximate_neighbors
        monkeypatch.setattr(
            _nearest,
            "approximate_neighbors",
            lambda *args: asked.append(args) or approximate(*args),
        )
        monkeypatch.setattr(_nearest, "APPROXIMATE_FROM", 50 if many else 60)
        if not installed:
            monkeypatch.setitem(sys.modules, "faiss", None)
        nearest(csr_array(NORMAL) if sparse else NORMAL, 3, random_state=0)
        assert bool(asked) == (installed and many and not sparse)


def test_edges_join_neighbours_of_either():
    found = nearest(NORMAL, 4)
    edges = neighbor_edges(found)
    assert edges.dtype == np.int64
    either = {(min(i, j), max(i, j)) for i, row in enumerate(found.tolist()) for j in row}
    assert edges.tolist() == [list(pair) for pair in sorted(either)]


def test_edges_of_all():
    edges = neighbor_edges(nearest(NORMAL[:7], 6))
    np.testing.assert_array_equal(edges, np.column_stack(np.triu_indices(7, k=1)))


@pytest.mark.parametrize("tile", [7, 1_024])
@pytest.mark.parametrize("n_pairs", [1, 7, 30, 10_000])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_shortest_pairs_are_those_of_a_full_search(n_pairs, kind, tile, monkeypatch):
    monkeypatch.setattr(_shortest, "TILE", tile)
    monkeypatch.setattr(_shortest, "SAMPLE", 5)
    random = np.random.default_rng(0)
    X = random.integers(0, 4, size=(80, 3)).astype(float)  # full of ties
    X[:12] = X[40]
    codes = random.integers(-1, 4, 80)
    codes[codes == 2] = 5  # no row has the code 2
    wanted = set()
    for c in set(codes.tolist()) - {-1}:
        every = sorted(
            (float(np.sum((X[i] - X[j]) ** 2)), i, j)
            for i in np.flatnonzero(codes == c).tolist()
            for j in np.flatnonzero((codes >= 0) & (codes != c)).tolist()
        )
        wanted |= {(min(i, j), max(i, j)) for _, i, j in every[:n_pairs]}
    found = shortest_pairs(rows_of(kind(X)), codes, n_pairs)
    assert found.tolist() == [list(pair) for pair in sorted(wanted)]


def test_shortest_pairs_of_few_classes():
    rows = rows_of(np.array([[0.0], [1.0], [3.0]]))
    assert shortest_pairs(rows, np.array([0, 0, 1]), 1).tolist() == [[1, 2]]
    for codes in ([0, 0, 0], [-1, -1, -1], [-1, 4, -1]):
        assert shortest_pairs(rows, np.array(codes), 2).shape == (0, 2)
