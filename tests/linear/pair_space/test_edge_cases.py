"""PairSpace on few rows, identical rows, too many components and other kinds of X."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.decomposition import PCA

from linear.pair_space.problems import (
    KINDS,
    SHAPES,
    check,
    classes_across_clusters,
    pairs_of,
    rows_and_classes,
    same_space,
    weighted,
)
from oracles import pair_space as oracle
from oracles.subspaces import principal_angles
from pairspace import Constraints, ContradictionWarning, PairSpace


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wide", [False, True])
def test_sparse_and_single_precision(kind, wide):
    random = np.random.default_rng(0)
    n, d = (60, 90) if wide else (90, 12)
    y = np.arange(n) % 3
    X = (random.normal(size=(n, d)) + random.normal(size=(3, d))[y]) * (random.random((n, d)) < 0.4)
    X = X.astype(np.float32).astype(np.float64)  # the same rows in both precisions
    answers = Constraints.from_labels(y, n_pairs=120, random_state=0)
    given_y = np.where(np.arange(n) % 2, y, -1) if kind in ("labels", "both") else None
    pairs = {"labels": None, "weighted pairs": weighted(answers)}.get(kind, answers)
    # The teacher's learners stop at tolerances of their own: see test_teacher.
    space = PairSpace(3, teacher=None, random_state=0)
    dense = clone(space).fit(X, given_y, constraints=pairs)
    for other, tolerance in (
        (csr_array(X), 1e-6),
        (X.astype(np.float32), 1e-4),
        (csr_array(X.astype(np.float32)), 1e-4),
    ):
        fitted = clone(space).fit(other, given_y, constraints=pairs)
        assert fitted.components_.dtype == other.dtype
        assert fitted.ridge_ == pytest.approx(dense.ridge_, abs=tolerance)
        assert fitted.shrinkage_ == pytest.approx(dense.shrinkage_, abs=tolerance)
        same_space(fitted, dense, tolerance)


@pytest.mark.parametrize("shape", SHAPES)
def test_one_must_link(shape):
    X, y = rows_and_classes(shape, 0)
    fitted = PairSpace(2).fit(X, Constraints(len(y), [(0, 7)]))
    check(fitted, X, oracle.pair_space(X, 2, 0.5, must=[(0, 7)]))


@pytest.mark.parametrize("make", [np.asarray, csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["pairs", "labels"])
def test_identical_rows_that_are_linked_are_ignored(shape, kind, make):
    X, y = rows_and_classes(shape, 0)
    X[:3] = X[0] / 30  # thirds of a sum of three are not always the number itself
    labels = np.where(np.arange(len(y)) < 3, 0, -1)
    known = labels if kind == "labels" else Constraints(len(y), [(0, 1), (1, 2)])
    fitted = PairSpace(2).fit(make(X), known)
    assert fitted.shrinkage_ == pytest.approx(1)
    W, values, _, _ = oracle.pair_space(X, 2, 0.5)
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=1e-6)
    assert principal_angles(fitted.components_.T, W) < 1e-5


@pytest.mark.parametrize("make", [np.asarray, csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("d", [4, 60])
def test_identical_neighbors_are_ignored(d, make):
    """Each row six times: all neighbours coincide, and what is left is PCA, or the must-links."""
    X = np.repeat(np.random.default_rng(0).normal(size=(9, d)), 6, axis=0)
    alone = PairSpace(2).fit(make(X))
    assert principal_angles(alone.components_.T, PCA(2).fit(X).components_.T) < 1e-5
    must = [(0, 6), (12, 20), (30, 40)]
    with_pairs = PairSpace(2, ridge=0.5, shrinkage=0.5).fit(make(X), Constraints(len(X), must))
    Z, Q = oracle.coordinates(X)
    S_m = oracle.must_covariance(oracle.of_must_links(Z, must))
    identity = np.trace(S_m) / len(S_m) * np.eye(len(S_m))
    found = Q.T @ with_pairs.components_.T
    B = 0.25 * S_m + 0.75 * identity
    np.testing.assert_allclose(found.T @ B @ found, np.eye(2), atol=1e-6)


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1])
@pytest.mark.parametrize("d", [3, 30])
@pytest.mark.parametrize("known", ["nothing", "labels", "pairs"])
def test_identical_rows_are_refused(value, d, known):
    X = np.full((12, d), value)
    given_y = {
        "nothing": None,
        "labels": np.arange(12) % 2,
        "pairs": Constraints.from_labels(np.arange(12) % 2, fraction=1.0),
    }[known]
    with pytest.raises(ValueError, match="rank of X is 0: the rows are equal"):
        PairSpace(2, random_state=0).fit(X, given_y)


@pytest.mark.parametrize("d", [6, 60])
@pytest.mark.parametrize("ridge", ["auto", 0.0, 0.3])
def test_more_components_than_the_rank_of_the_data(d, ridge):
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 3)) @ random.normal(size=(3, d))
    y = np.arange(40) % 2
    fitted = PairSpace(3, ridge=ridge, random_state=0).fit(X, y)
    assert fitted.rank_ == 3
    with pytest.warns(UserWarning, match="n_components=5 is more than the rank 3 of the data"):
        more = PairSpace(5, ridge=ridge, random_state=0).fit(X, y)
    assert more.transform(X).shape == (40, 3)
    assert len(more.get_feature_names_out()) == 3


def test_without_ridge_few_must_links_span_few_directions():
    X, y = rows_and_classes("tall", 0)
    few = Constraints(len(y), [(0, 1), (2, 3)])
    with pytest.warns(UserWarning, match="n_components=3 is more than the rank 2 of the data"):
        assert len(PairSpace(3, ridge=0.0, shrinkage=0.0).fit(X, few).components_) == 2
    assert PairSpace(2, ridge=0.0, shrinkage=0.0).fit(X, few).rank_ == 2


@pytest.mark.parametrize("d", [1, 2, 9])
def test_three_rows(d):
    X = np.random.default_rng(0).normal(size=(3, d))
    n_components = min(d, 2)
    for known in (None, [0, 0, 1], Constraints(3, [(0, 1)], [(1, 2)])):
        fitted = PairSpace(n_components, random_state=0).fit(X, known)
        must = [] if known is None else [(0, 1)]
        check(fitted, X, oracle.pair_space(X, n_components, 0.5, must=must))


def test_one_feature():
    X, y = classes_across_clusters(0)
    X = X[:, :1]
    pairs = Constraints.from_labels(y, n_pairs=200, random_state=0)
    for known, given in (
        (None, {}),
        (y, {"y": y.tolist()}),
        (pairs, {"must": pairs_of(pairs)}),
    ):
        fitted = PairSpace(1, random_state=0).fit(X, known)
        expected = oracle.pair_space(X, 1, fitted.ridge_, fitted.shrinkage_, **given)
        check(fitted, X, expected)
        assert fitted.components_[0, 0] > 0


def test_contradictory_pairs_are_used_as_they_are():
    X, y = rows_and_classes("tall", 0)
    n = len(y)
    i, j, k = np.flatnonzero(y == 0)[:3]
    chain = Constraints(n, [(i, j), (j, k)], [(i, k)])
    others = Constraints.from_labels(
        np.where(np.isin(np.arange(n), [i, j, k]), -1, y), per_class=9, random_state=0
    )
    answers = chain | others
    assert answers.contradictions()
    with pytest.warns(ContradictionWarning, match=f"{i} and {k} are different, but {i} = {j}"):
        fitted = PairSpace(2, random_state=0).fit(X, answers)
    assert 0 < fitted.ridge_ < 1
    check(
        fitted,
        X,
        oracle.pair_space(X, 2, fitted.ridge_, fitted.shrinkage_, pairs_of(answers)),
    )
    labels = np.full(n, -1)
    labels[[i, k]] = 0, 1  # which the chain joins
    must = Constraints(n, chain.must_link)
    with pytest.warns(ContradictionWarning):
        fitted = PairSpace(2).fit(X, labels, constraints=must)
    check(fitted, X, oracle.pair_space(X, 2, 0.5, must=pairs_of(must), y=labels.tolist()))
