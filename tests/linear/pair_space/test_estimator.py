"""PairSpace against a transcription of its formula, and its special cases."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from linear.pair_space.problems import (
    KINDS,
    SHAPES,
    check,
    rows_and_classes,
    same_space,
    supervised,
    weighted,
)
from oracles import pair_space as oracle
from oracles.lpp import knn_graph
from oracles.subspaces import principal_angles
from pairspace import CFLD, Constraints, PairSpace


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_formula(shape, kind, seed):
    X, y = rows_and_classes(shape, seed)
    ours, theirs = supervised(kind, y, seed)
    for ridge, shrinkage in ((0.5, 0.3), (0.02, 0.9), (0.1, 0.0), (0.9, 1.0)):
        fitted = PairSpace(3, ridge=ridge, shrinkage=shrinkage).fit(X, **ours)
        check(fitted, X, oracle.pair_space(X, 3, ridge, shrinkage, **theirs))
        assert fitted.ridge_ == pytest.approx(ridge, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ridge", [0.1, 0.8])
def test_the_shrinkage_of_ledoit_and_wolf(shape, kind, ridge):
    X, y = rows_and_classes(shape, 3)
    for n_must in (3, 14, 40):
        ours, theirs = supervised(kind, y, 3, n_must)
        if "y" in ours:  # one class of labels has no cannot-links, so that nothing is weighted
            ours["y"] = np.where(ours["y"] == 0, 0, -1)
            theirs["y"] = ours["y"].tolist()
        fitted = PairSpace(2, ridge=ridge).fit(X, **ours)
        check(fitted, X, oracle.pair_space(X, 2, ridge, **theirs))


@pytest.mark.parametrize("kind", ["pairs", "weighted pairs"])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_shrinkage_is_that_of_the_specification_but_for_m_less_1(shape, kind):
    X, y = rows_and_classes(shape, 3)
    Z, _ = oracle.coordinates(X)
    near = oracle.neighbor_covariance(Z, 5)
    for n_must in (8, 14, 40):
        ours, theirs = supervised(kind, y, 3, n_must)
        differences = oracle.of_must_links(Z, theirs["must"], theirs["weights"])
        m = sum(f * w for _, f, w in differences) ** 2 / sum(f * w**2 for _, f, w in differences)
        alpha = oracle.intensity(differences, near, 0.5, unbiased=False)
        found = PairSpace(2, ridge=0.5).fit(X, **ours).shrinkage_
        assert found == pytest.approx(min(alpha * m / (m - 1), 1), abs=1e-9)


def test_the_start_is_a_ridge_of_half_and_ledoit_wolf():
    X, y = rows_and_classes("tall", 4)
    ours, theirs = supervised("pairs", y, 4)
    fitted = PairSpace(2).fit(X, **ours)
    assert fitted.ridge_ == pytest.approx(0.5)
    check(fitted, X, oracle.pair_space(X, 2, 0.5, **theirs))


@pytest.mark.parametrize("n_neighbors", [1, 5, 44, 1000])
def test_neighbors_and_their_ties(n_neighbors):
    """On a grid with duplicates most distances are tied; more neighbours than rows are all rows."""
    grid = np.stack(np.meshgrid(np.arange(6.0), np.arange(5.0), np.arange(1.0, 3)), -1)
    X = np.vstack([grid.reshape(-1, 3)[:40], grid.reshape(-1, 3)[:5]])
    must = [(0, 1), (7, 9), (20, 35), (4, 44)]
    fitted = PairSpace(2, n_neighbors=n_neighbors, ridge=0.2, shrinkage=0.6)
    fitted.fit(X, Constraints(len(X), must))
    check(fitted, X, oracle.pair_space(X, 2, 0.2, 0.6, must, k=n_neighbors))


def test_scale_and_offset_of_the_data_change_only_the_length_of_the_components():
    X, y = rows_and_classes("tall", 0)
    plain = PairSpace(2, random_state=0).fit(X, y)
    for factor in (1e-8, 1e8):
        scaled = PairSpace(2, random_state=0).fit(factor * X + 5 * factor, y)
        assert scaled.ridge_ == pytest.approx(plain.ridge_, abs=1e-6)
        same_space(scaled, plain)
        np.testing.assert_allclose(factor * scaled.components_, plain.components_, rtol=1e-5)


@pytest.mark.parametrize(
    "method", [PairSpace(2, ridge=0.2, random_state=0), PairSpace(2, random_state=0)]
)
def test_a_repeated_pair_has_the_weight_of_both(method):
    X, y = rows_and_classes("tall", 0)
    c = Constraints.from_labels(y, n_pairs=60, random_state=0)
    twice = Constraints(len(y), np.vstack([c.must_link, c.must_link[:5, ::-1]]), c.cannot_link)
    weights = np.where(np.arange(len(c.must_link)) < 5, 2.0, 1.0)
    heavy = Constraints(len(y), c.must_link, c.cannot_link, must_weight=weights)
    a = method.fit(X, twice).components_
    np.testing.assert_array_equal(a, method.fit(X, heavy).components_)
    assert not np.allclose(a, method.fit(X, c).components_)


@pytest.mark.parametrize(
    "method", [PairSpace(2, ridge=0.2, random_state=0), PairSpace(2, random_state=0)]
)
def test_only_the_ratios_of_weights_count(method):
    X, y = rows_and_classes("tall", 0)
    c = weighted(Constraints.from_labels(y, n_pairs=80, random_state=0))
    heavy = Constraints(
        len(y),
        c.must_link,
        c.cannot_link,
        must_weight=3 * c.must_weight,
        cannot_weight=3 * c.cannot_weight,
    )
    plain = method.fit(X, c).components_
    np.testing.assert_allclose(method.fit(X, heavy).components_, plain, rtol=1e-7)


def test_a_must_link_of_no_weight_only_joins_components():
    X, y = rows_and_classes("tall", 0)
    must = Constraints.from_labels(y, n_pairs=60, random_state=0).must_link
    weights = np.where(np.arange(len(must)) % 2, 1.0, 1e-12)
    light = PairSpace(2, ridge=0.2, shrinkage=0.3).fit(
        X, Constraints(len(y), must, must_weight=weights)
    )
    # The light ones still join components, and so change the degrees of freedom of the others.
    W, values, _, _ = oracle.pair_space(X, 2, 0.2, 0.3, [tuple(p) for p in must], weights)
    np.testing.assert_allclose(light.eigenvalues_, values, rtol=1e-7)
    assert principal_angles(light.components_.T, W) < 1e-6


@pytest.mark.parametrize("shape", SHAPES)
def test_full_ridge_is_pca(shape):
    X, y = rows_and_classes(shape, 0)
    for given_y in (None, y, Constraints.from_labels(y, n_pairs=50, random_state=0)):
        fitted = PairSpace(3, ridge=1.0).fit(X, given_y)
        assert principal_angles(fitted.components_.T, PCA(3).fit(X).components_.T) < 1e-6
        assert fitted.ridge_ == 1
        lengths = np.linalg.norm(fitted.components_, axis=1)
        np.testing.assert_allclose(lengths, lengths[0])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ridge", ["auto", 0.1])
def test_without_must_links_it_is_lpp_with_a_ridge(shape, ridge):
    X, y = rows_and_classes(shape, 0)
    cannot = Constraints.from_labels(y, n_pairs=50, random_state=0).cannot_link
    r = 0.5 if ridge == "auto" else ridge
    expected = oracle.pair_space(X, 2, r)
    assert expected[2] == 1
    for nothing in (
        None,
        np.full(len(y), -1),
        np.where(np.arange(len(y)) < 1, y, -1),
        Constraints(len(y)),
        Constraints(
            len(y), (), cannot[: 50 if ridge != "auto" else 19]
        ),  # too few to choose a ridge by
    ):
        for shrinkage in ("auto", 0.3):
            space = PairSpace(2, ridge=ridge, shrinkage=shrinkage, teacher=None)
            fitted = space.fit(X, nothing)
            check(fitted, X, expected)
            assert fitted.shrinkage_ == 1
            assert fitted.ridge_ == pytest.approx(r)


def test_cannot_links_alone_choose_the_ridge():
    """Two classes differ in a column that is small beside others: PCA does not see it."""
    random = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = random.normal(size=(200, 6)) * [4, 4, 4, 4, 4, 0.3]
    X[:, 5] += 2 * y
    found = {}
    for name, pairs in {
        "differ": Constraints.from_labels(y, n_pairs=400, random_state=0).cannot_link,
        "random": Constraints.from_labels(
            random.permutation(y), n_pairs=400, random_state=0
        ).cannot_link,
    }.items():
        fitted = PairSpace(1, random_state=0).fit(X, Constraints(200, (), pairs))
        assert fitted.shrinkage_ == 1
        check(fitted, X, oracle.pair_space(X, 1, fitted.ridge_))
        found[name] = fitted.ridge_
    assert found["differ"] < 0.4 < found["random"]


def test_without_ridge_the_neighbors_alone_are_the_inverse_of_lpp():
    X, _ = rows_and_classes("tall", 0)
    graph = knn_graph(X, 5)
    differences = [X[i] - X[j] for i in range(len(X)) for j in range(i) if graph[i, j]]
    near = sum(np.outer(e, e) for e in differences) / len(differences) / 2
    found = PairSpace(2, ridge=0.0).fit(X).components_
    np.testing.assert_allclose(found @ near @ found.T, np.eye(2), atol=1e-9)


@pytest.mark.parametrize("seed", [0, 1])
def test_all_labels_without_ridge_and_shrinkage_is_cfld(seed):
    X, y = rows_and_classes("tall", seed)
    for n_components in (1, 2):  # beyond, all eigenvalues are 1
        ours = PairSpace(n_components, ridge=0.0, shrinkage=0.0).fit(X, y)
        cfld = CFLD(n_components).fit(X, y)
        assert principal_angles(ours.components_.T, cfld.components_.T) < 1e-6
        # S_t / n over S_w / (n − 3), where CFLD has the sums
        n = len(y)
        np.testing.assert_allclose(ours.eigenvalues_, cfld.eigenvalues_ * (n - 3) / n, rtol=1e-8)
