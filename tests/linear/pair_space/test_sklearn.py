"""PairSpace in scikit-learn's searches and pipelines."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace import Constraints, PairSpace


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return X, y, Constraints.from_labels(y, n_pairs=600, random_state=0)


def test_grid_search_with_constraints_as_y(wine):
    X, _, answers = wine
    folds = KFold(3, shuffle=True, random_state=0)
    pipeline = make_pipeline(StandardScaler(), PairSpace(2, random_state=0))
    search = GridSearchCV(pipeline, {"pairspace__ridge": [0.1, 0.5, 1.0, "auto"]}, cv=folds)
    search.fit(X, answers)
    scores = []
    for train, test in folds.split(X):
        scaler = StandardScaler().fit(X[train])
        space = PairSpace(2, ridge=0.1, random_state=0)
        space.fit(scaler.transform(X[train]), answers[train])
        scores.append(space.score(scaler.transform(X[test]), answers[test]))
    assert search.cv_results_["mean_test_score"][0] == pytest.approx(np.mean(scores))
    assert search.best_score_ > 0.9
    assert search.transform(X).shape == (len(X), 2)


def test_cross_validation_with_constraints_beside_the_labels(wine):
    X, y, answers = wine
    folds = KFold(3, shuffle=True, random_state=0)
    pipeline = make_pipeline(
        StandardScaler(), PairSpace(2, random_state=0), KNeighborsClassifier(3)
    )
    unknown = {"pairspace__constraints": answers}
    found = cross_val_score(pipeline, X, y, cv=folds, params=unknown)
    expected = []
    for train, test in folds.split(X):
        scaler = StandardScaler().fit(X[train])
        space = PairSpace(2, random_state=0)
        space.fit(scaler.transform(X[train]), y[train], constraints=answers[train])
        near = KNeighborsClassifier(3).fit(space.transform(scaler.transform(X[train])), y[train])
        expected.append(near.score(space.transform(scaler.transform(X[test])), y[test]))
    np.testing.assert_allclose(found, expected)
    assert found.mean() > 0.9
