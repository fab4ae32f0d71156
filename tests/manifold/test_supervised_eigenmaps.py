"""S-LE and SCPLE against literal transcriptions."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

from oracles import eigenmaps as oracle
from oracles.subspaces import same_columns_up_to_sign
from pairspace import (
    SCPLE,
    SLE,
    Constraints,
)


def some_pairs(y, n_pairs=60, seed=0):
    return Constraints.from_labels(y, n_pairs=n_pairs, random_state=seed)


@pytest.mark.parametrize("gamma", [0.01, 0.3, 0.8])
@pytest.mark.parametrize(
    ("make", "graphs"), [(SLE, oracle.sle_graphs), (SCPLE, oracle.scple_graphs)]
)
def test_sle_and_scple(wine, make, graphs, gamma):
    X, y = wine
    Ww, Wb = graphs(X, y)
    method = make(4, gamma=gamma).fit(X, y)
    np.testing.assert_allclose(method.affinity_matrix_.toarray(), Ww, atol=1e-12)
    Y, values = oracle.embed_classes(Ww, Wb, gamma, 4)
    np.testing.assert_allclose(method.eigenvalues_, values, rtol=1e-8)
    assert same_columns_up_to_sign(method.embedding_, Y, 1e-6)
    np.testing.assert_allclose(Ww.sum(axis=1) @ method.embedding_, 0, atol=1e-8)


@pytest.mark.parametrize("make", [SLE, SCPLE])
def test_new_rows_are_the_mean_of_the_class_with_the_largest_weight(wine, make):
    X, y = wine
    labels = np.where(np.arange(len(y)) % 4 == 0, -1, y)
    new = X + 0.5 * np.random.default_rng(0).normal(size=X.shape)
    method = make(3).fit(X, labels)
    s2 = oracle.sigma_squared(X)
    mixed = 0
    for x, found in zip(new, method.transform(new), strict=True):
        squared = np.sum((X - x) ** 2, axis=1)
        near = np.argsort(squared)[:10]
        weight = np.exp(-squared[near] / s2)
        of_class = {c: weight[labels[near] == c].sum() for c in range(3)}
        best = max(of_class, key=of_class.get)
        used = np.isin(labels[near], [best, -1])
        mixed += not used.all()
        wanted = weight[used] @ method.embedding_[near[used]] / weight[used].sum()
        np.testing.assert_allclose(found, wanted, rtol=1e-8)
    assert mixed > 5


@pytest.mark.parametrize("make", [SLE, SCPLE])
def test_new_rows_land_among_their_class(make):
    X, y = load_digits(return_X_y=True)
    method = make(9).fit(X[:600], y[:600])
    nearest = KNeighborsClassifier(5).fit(method.embedding_, y[:600])
    assert nearest.score(method.transform(X[600:900]), y[600:900]) > 0.9


@pytest.mark.parametrize("make", [SLE, SCPLE])
def test_pairs_beside_labels(wine, make):
    X, y = wine
    some = np.where(np.arange(len(y)) % 3 == 0, y, -1)
    answers = some_pairs(y, 50)
    method = make(2).fit(X, some, constraints=answers)
    W = method.affinity_matrix_.toarray()
    assert (W[tuple(answers.must_link.T)] == 1).all()
    assert (W[tuple(answers.cannot_link.T)] == 0).all()
    known = (some[:, None] >= 0) & (some >= 0) & (some[:, None] != some)
    assert (W[known] == 0).all()
    W = make(2).fit(X, answers).affinity_matrix_.toarray()  # no labels at all
    assert (W[tuple(answers.must_link.T)] == 1).all()
    assert (W[tuple(answers.cannot_link.T)] == 0).all()


@pytest.mark.parametrize("make", [SLE, SCPLE])
def test_the_supervised_need_something(wine, make):
    X, y = wine
    for nothing in (None, np.full(len(y), -1), Constraints(len(y))):
        with pytest.raises(ValueError, match=r"fit\(X, Constraints\(len\(X\), must_link, "):
            make().fit(X, nothing)


def test_too_many_pairs(wine, monkeypatch):
    X, y = wine
    monkeypatch.setattr("pairspace.manifold._classes.MAX_PAIRS", 100)
    with pytest.raises(ValueError, match="graph of 89 rows has more than 100 edges: set n_neigh"):
        SLE().fit(X, y)


def test_fewer_neighbours_for_many_rows(wine):
    X, y = wine
    few, all_of_them = SLE(n_neighbors=5).fit(X, y), SLE().fit(X, y)
    assert few.affinity_matrix_.nnz < all_of_them.affinity_matrix_.nnz / 2
    assert few.affinity_matrix_.sum(axis=1).min() > 0


def test_a_gamma_of_zero_separates_the_classes(wine):
    X, y = wine
    with pytest.warns(UserWarning, match="has 3 connected components"):
        embedded = SLE(2, gamma=0.0).fit_transform(X, y)
    assert len(np.unique(embedded.round(9), axis=0)) == 3
