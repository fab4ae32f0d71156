"""Pairs and labels in the graph of Laplacian eigenmaps, direct and propagated."""

import numpy as np
import pytest
from sklearn.metrics import silhouette_score
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from oracles import eigenmaps as oracle
from oracles.subspaces import same_columns_up_to_sign
from pairspace import (
    Constraints,
    LaplacianEigenmaps,
)
from pairspace.manifold import _constrained_graph


def check_against(method, W, c, rtol=1e-7):
    Y, values = oracle.embed(W, c)
    np.testing.assert_allclose(method.affinity_matrix_.toarray(), W, atol=1e-12)
    np.testing.assert_allclose(method.eigenvalues_, values, atol=1e-10)
    assert same_columns_up_to_sign(method.embedding_, Y, rtol)


def some_pairs(y, n_pairs=60, seed=0):
    return Constraints.from_labels(y, n_pairs=n_pairs, random_state=seed)


def test_direct_edges(wine):
    X, y = wine
    answers = some_pairs(y)
    W = oracle.constrain(oracle.le_weights(X, 10), answers.must_link, answers.cannot_link)
    for given in ({"y": answers}, {"constraints": answers}):
        check_against(LaplacianEigenmaps(3).fit(X, **given), W, 3)


def test_weights_of_must_links(wine):
    X, _ = wine
    answers = Constraints(len(X), [(0, 50), (3, 4)], must_weight=[0.25, 3.0])
    W = LaplacianEigenmaps().fit(X, answers).affinity_matrix_
    assert W[0, 50] == W[50, 0] == 0.25
    assert W[3, 4] == 3.0


def test_labels_are_all_their_pairs(wine):
    X, y = wine
    some = np.where(np.arange(len(y)) % 4 == 0, y, -1)
    by_labels = LaplacianEigenmaps(3).fit(X, some)
    by_pairs = LaplacianEigenmaps(3).fit(X, Constraints.from_labels(some, fraction=1.0))
    np.testing.assert_allclose(by_labels.embedding_, by_pairs.embedding_, atol=1e-10)


@pytest.mark.parametrize("alpha", [0.2, 0.6, 0.9])
def test_propagation(wine, alpha, monkeypatch):
    X, y = wine
    answers = some_pairs(y, 40)
    W = oracle.propagate(
        oracle.le_weights(X, 10), answers.must_link.tolist(), answers.cannot_link.tolist(), alpha
    )
    whole = LaplacianEigenmaps(3, propagation=alpha).fit(X, answers)
    np.testing.assert_allclose(whole.affinity_matrix_.toarray(), W, atol=2e-5)
    assert whole.affinity_matrix_.nnz > LaplacianEigenmaps().fit(X, answers).affinity_matrix_.nnz
    monkeypatch.setattr(_constrained_graph, "BLOCK", 200)
    parts = LaplacianEigenmaps(3, propagation=alpha).fit(X, answers)
    np.testing.assert_allclose(parts.affinity_matrix_.toarray(), W, atol=2e-5)


def test_propagation_of_nothing(wine):
    X, _ = wine
    np.testing.assert_array_equal(
        LaplacianEigenmaps(propagation=0.5).fit_transform(X), LaplacianEigenmaps().fit_transform(X)
    )


def test_propagation_of_labels(wine):
    X, y = wine
    some = np.where(np.arange(len(y)) % 4 == 0, y, -1)
    pairs = Constraints.from_labels(some, fraction=1.0)
    a, b = (LaplacianEigenmaps(propagation=0.5).fit(X, known) for known in (some, pairs))
    np.testing.assert_allclose(a.embedding_, b.embedding_, atol=1e-8)


def test_propagation_helps(digits):
    X, y = digits
    answers = some_pairs(y, 600)
    direct, wide = (
        silhouette_score(LaplacianEigenmaps(9, propagation=a).fit_transform(X, answers), y)
        for a in (None, 0.8)
    )
    assert wide > direct


def test_the_more_that_is_known_the_closer_the_classes(digits):
    X, y = digits
    scores = []
    for n_pairs in (0, 600, 3000):
        found = LaplacianEigenmaps(9, random_state=0).fit(X, some_pairs(y, n_pairs)).embedding_
        scores.append(silhouette_score(found, y))
    assert scores[0] < scores[1] < scores[2]


def test_pairs_survive_cross_validation(wine):
    X, y = wine
    answers = some_pairs(y)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), LaplacianEigenmaps(bridge=True)),
        {"laplacianeigenmaps__n_neighbors": [5, 20]},
        cv=KFold(3, shuffle=True, random_state=0),
    ).fit(X, answers)
    assert search.best_score_ > 0.9


def test_a_row_without_edges(wine):
    X, _ = wine
    near = np.flatnonzero(LaplacianEigenmaps(n_neighbors=3).fit(X).affinity_matrix_[[7]].toarray())
    answers = Constraints(len(X), (), [(7, j) for j in near])
    with pytest.raises(ValueError, match="row 7 has no edges"):
        LaplacianEigenmaps(n_neighbors=3).fit(X, answers)


def test_too_many_pairs(wine, monkeypatch):
    X, y = wine
    monkeypatch.setattr(_constrained_graph, "MAX_PAIRS", 100)
    with pytest.raises(ValueError, match="at most 100 can become edges"):
        LaplacianEigenmaps().fit(X, y)
    with pytest.raises(ValueError, match="89 labels have 3,916 pairs, but at most 100"):
        LaplacianEigenmaps(propagation=0.5).fit(X, y)
    with pytest.raises(ValueError, match=r"3 must-links have .* at most 100 can be propagated to"):
        LaplacianEigenmaps(propagation=0.5).fit(X, Constraints(len(X), [(0, 1), (1, 2), (2, 3)]))
