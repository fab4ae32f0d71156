"""The kernel null space against its n×n definition, and the search for neighbours in it."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.metrics.pairwise import polynomial_kernel
from sklearn.preprocessing import minmax_scale

from oracles import dsp as oracle
from pairspace import Constraints
from pairspace._core.data import rows_of
from pairspace._core.kernels import (
    Kernel,
    KernelNullSpace,
    _null_neighbors,
    _null_space,
    null_graph,
)
from pairspace._core.kernels._null_neighbors import NullSearch
from pairspace._core.kernels._null_products import NullProducts

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(40, 5))
MUST = [(0, 3), (3, 9), (4, 20), (21, 4), (30, 31)]


def space_of(X, must, delta, kernel="rbf"):
    codes = Constraints(X.shape[0], must).components()
    return KernelNullSpace(Kernel(kernel, 1 / (2 * delta**2), X), X, codes)


def squared_distances(space, X):
    """d̂² of all rows, by the form that the package uses."""
    n = X.shape[0]
    i, j = (space.component[ends].ravel() for ends in np.indices((n, n)))
    return NullSearch(space, rows_of(X)).squared(i, j).reshape(n, n)


@pytest.mark.parametrize("make", [np.asarray, csr_array])
@pytest.mark.parametrize("delta", [0.3, 1.0, 4.0])
def test_distances_are_those_of_the_projected_kernel(delta, make):
    K_hat = oracle.null_kernel(oracle.kernel(X, delta), MUST)
    wanted = oracle.null_distances(K_hat, oracle.components(len(X), MUST))
    found = squared_distances(space_of(make(X), MUST, delta), make(X))
    np.testing.assert_allclose(found, wanted**2, atol=1e-11)
    search = NullSearch(space_of(make(X), MUST, delta), rows_of(make(X)))
    space = search._space
    np.testing.assert_allclose(
        search.from_some(slice(None)), wanted[np.ix_(space.rows, space.rows)] ** 2, atol=1e-11
    )


def test_duplicates_cycles_and_the_closure_change_nothing():
    wanted = squared_distances(space_of(X, MUST, 1.0), X)
    for more in ([(9, 3), (0, 9)], [(20, 21)], [(0, 9), (20, 21)], MUST):
        np.testing.assert_array_equal(squared_distances(space_of(X, MUST + more, 1.0), X), wanted)


def test_digits_survive_a_wide_kernel():
    # Then the kernel is −d²/2δ², and the must-links' differences are projected out of the data.
    delta = 1e7
    differences = np.array([X[i] - X[j] for i, j in MUST[:2]])
    rest = X - X @ np.linalg.pinv(differences) @ differences
    wanted = np.square(rest[:, None] - rest).sum(axis=-1)
    found = squared_distances(space_of(X, MUST[:2], delta), X) * delta**2
    np.testing.assert_allclose(found, wanted, atol=1e-8)


def test_other_kernels():
    space = space_of(X, MUST, 1.0, kernel=polynomial_kernel)
    K_hat = oracle.null_kernel(polynomial_kernel(X), MUST)[np.ix_(space.rows, space.rows)]
    np.testing.assert_allclose(space.products(slice(None)), K_hat, atol=1e-9)


def test_landmarks_in_all_rows_are_exact():
    space = space_of(X, MUST, 1.0)
    points = space.landmark_map(np.arange(len(X)))(space.points)
    found = np.square(points[:, None] - points).sum(axis=-1)[space.component][:, space.component]
    np.testing.assert_allclose(found, squared_distances(space, X), atol=1e-8)


def test_too_many_links(monkeypatch):
    monkeypatch.setattr(_null_space, "MAX_LINKS", 4)
    with pytest.raises(ValueError, match=r"join 5 rows to others.*Constraints.from_labels"):
        space_of(X, MUST, 1.0)


# ---- Neighbours -------------------------------------------------------------------------------

TIES = np.vstack([X, X[:10], np.round(X[10:20])])
CASES = {
    "few links": (X, MUST),
    "no links": (X, []),
    "components larger than k": (
        X,
        [(0, i) for i in range(1, 12)] + [(20, i) for i in range(21, 29)],
    ),
    "all linked": (X, [(0, i) for i in range(1, len(X))]),
    "two components": (X, [(0, i) for i in range(2, 40, 2)] + [(1, i) for i in range(3, 40, 2)]),
    "duplicates": (TIES, [(10, 11), (12, 30), (13, 30)]),
    "sparse": (csr_array(np.round(X)), MUST),
}


@pytest.mark.parametrize("blocks", [2_000_000, 100])
@pytest.mark.parametrize("k", [1, 5, 1000])
@pytest.mark.parametrize("name", CASES)
def test_the_graph_is_the_dense_one(name, k, blocks, monkeypatch):
    monkeypatch.setattr(_null_neighbors, "BLOCK", blocks)
    data, must = CASES[name]
    dense = data.toarray() if name == "sparse" else data
    found = null_graph(space_of(data, must, 1.5), rows_of(data), k, np.random.RandomState(0))
    n = len(dense)
    S = np.zeros((n, n))
    largest = found.largest or 1.0
    S[tuple(found.pairs.T)] = S[tuple(found.pairs.T[::-1])] = 1 - found.distances / largest
    wanted, _ = oracle.graphs(dense, must, [], 1.5, k)
    np.testing.assert_allclose(scatter(S, dense), scatter(wanted, dense), atol=1e-8)
    if name not in ("duplicates", "sparse"):  # where equal rows may take turns
        np.testing.assert_allclose(S, wanted, atol=1e-8)


def scatter(S, X):
    return X.T @ (np.diag(S.sum(axis=1)) - S) @ X


@pytest.mark.parametrize(("per_class", "width"), [(5, 0.5), (20, 2.0)])
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
def test_the_fast_way_finds_the_same_edges(load, per_class, width, monkeypatch):
    data, y = load(return_X_y=True)
    data = minmax_scale(data)
    must = Constraints.from_labels(y, per_class=per_class, random_state=per_class).must_link
    delta = width * np.sqrt(2 * data.var(axis=0).sum())
    space, rows = space_of(data, must, delta), rows_of(data)
    exact = null_graph(space, rows, 5, np.random.RandomState(0))
    monkeypatch.setattr(_null_neighbors, "EXACT_UP_TO", 0)
    fast = null_graph(space, rows, 5, np.random.RandomState(0))
    np.testing.assert_array_equal(fast.pairs, exact.pairs)
    np.testing.assert_allclose(fast.distances, exact.distances)
    np.testing.assert_allclose(fast.largest, exact.largest, rtol=1e-4)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_the_fast_way_with_a_narrow_kernel(load):
    data, y = load(return_X_y=True)
    data = minmax_scale(data)
    must = Constraints.from_labels(y, per_class=10, random_state=0).must_link
    space = space_of(data, must, 0.15 * np.sqrt(2 * data.var(axis=0).sum()))
    search = NullSearch(space, rows_of(data))
    true, _ = search.exact(5)
    found = search.fast(5, np.random.RandomState(0))
    assert (found[:, :, None] == true[:, None, :]).any(axis=2).mean() > 0.97


def test_the_fast_way_is_the_same_twice(monkeypatch):
    monkeypatch.setattr(_null_neighbors, "EXACT_UP_TO", 0)
    space = space_of(X, MUST, 1.0)
    one, two = (null_graph(space, rows_of(X), 3, np.random.RandomState(7)) for _ in range(2))
    np.testing.assert_array_equal(one.pairs, two.pairs)
    assert one.largest == two.largest


# ---- Neighbours of some rows ------------------------------------------------------------------


@pytest.mark.parametrize("delta", [0.3, 1.5, 50.0])  # the last needs double precision
@pytest.mark.parametrize("k", [1, 5, 1000])
@pytest.mark.parametrize("name", CASES)
def test_some_rows_have_the_neighbours_that_they_have_among_all(name, k, delta):
    data, must = CASES[name]
    dense = data.toarray() if name == "sparse" else data
    n, asked = len(dense), np.arange(0, len(dense), 3)
    space = space_of(data, must, delta)
    found = null_graph(space, rows_of(data), k, np.random.RandomState(0), asked)
    k = min(k, n - 1)
    np.testing.assert_array_equal(found.pairs[:, 0], np.repeat(asked, k))
    neighbors = found.pairs[:, 1].reshape(-1, k)
    squared, d = squared_distances(space, data), oracle.distances(dense)
    for row, near in zip(asked, neighbors, strict=True):
        assert len({row, *near}) == k + 1
        # Where rows are equally near, any of them will do.
        wanted = np.lexsort((d[row], squared[row]))
        wanted = wanted[wanted != row][:k]
        np.testing.assert_allclose(squared[row, near], squared[row, wanted], rtol=1e-6, atol=1e-13)
    np.testing.assert_allclose(
        found.distances, np.sqrt(squared[tuple(found.pairs.T)]), rtol=1e-6, atol=1e-7
    )
    assert found.largest == pytest.approx(np.sqrt(squared.max()), rel=1e-3, abs=1e-6)


def test_a_kernel_too_narrow_for_single_precision():
    far = np.vstack([X, 1e9 + X[:5]])
    space = space_of(far, [(0, 3)], 1e-3)
    assert not NullProducts(space).usable
    found = null_graph(space, rows_of(far), 3, np.random.RandomState(0), np.array([1, 41]))
    assert found.pairs.shape == (6, 2)


@pytest.mark.parametrize("load", [load_breast_cancer, load_digits])
def test_candidates_have_the_neighbours(load):
    data, y = load(return_X_y=True)
    data = minmax_scale(data)
    must = Constraints.from_labels(y, per_class=10, random_state=0).must_link
    space = space_of(data, must, 0.5 * np.sqrt(2 * data.var(axis=0).sum()))
    points = np.arange(0, len(space), 7)
    products, search = NullProducts(space), NullSearch(space, rows_of(data))
    true, _ = search.exact(5)
    candidates = products.candidates(points, 5)
    assert (candidates[:, :, None] == true[points][:, None, :]).any(axis=1).all()
    assert (products.noise(points) < 1e-3 * search.squared(points, true[points, -1])).all()
