"""Classifiers on the labels alone, as a rival."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from pairspace import AutoReducer, Constraints
from pairspace.tool import classifiers
from pairspace.tool.classifiers import ClassSpace
from pairspace.tool.report import baselines

X, y = load_iris(return_X_y=True)
NAME = "labels alone, best of five classifiers"

pytestmark = pytest.mark.usefixtures("few_classifiers")


def some_labels(n, random_state=0):
    rows = np.random.RandomState(random_state).permutation(len(y))[:n]
    known = np.full(len(y), -1)
    known[rows] = y[rows]
    return known


@pytest.mark.parametrize("learner", [KNeighborsClassifier(1), SVC(C=10.0)])
def test_the_space_has_a_coordinate_for_each_class(learner, monkeypatch):
    grid = [{"scale": ["passthrough"], "learn": [learner]}]
    monkeypatch.setattr(classifiers, "GRID", grid)
    for known in (some_labels(30), np.where(y == 2, -1, some_labels(60))):
        for table in (X, csr_array(X)):
            Z = ClassSpace().fit(table, known).transform(table)
            np.testing.assert_allclose(Z.sum(axis=1), 1)
            rows = known >= 0
            assert Z.shape == (len(X), len(np.unique(known[rows])))
            assert np.mean(Z[rows].argmax(axis=1) == known[rows]) > 0.9


def test_pairs_count_as_far_as_they_place_rows():
    first = [int(np.flatnonzero(y == each)[0]) for each in range(3)]
    must = [(first[y[row]], row) for row in range(0, 150, 7) if row not in first]
    cannot = [(first[0], first[1]), (first[0], first[2]), (first[1], first[2])]
    Z = ClassSpace().fit(X, Constraints(150, must, cannot)).transform(X)
    assert np.mean(Z.argmax(axis=1) == y) > 0.9
    with pytest.raises(ValueError, match="fewer than two groups"):
        ClassSpace().fit(X, Constraints(150, must))


def test_the_report_compares_with_classifiers_where_groups_are_known():
    known = some_labels(30)
    search = AutoReducer(candidates=["PairSpace", "PCA"], n_repeats=1, random_state=0)
    search.fit(X, known)
    found = baselines(search, search.best_estimator_, X, known)
    assert [score.mean for score in found] == sorted((score.mean for score in found), reverse=True)
    by_name = {score.name: score for score in found}
    assert 0.8 < by_name[NAME].mean <= 1
    assert {"no reduction, raw", "no reduction, standardised", "PCA, raw"} <= set(by_name)
    # Pairs that place no rows: there is nothing that a classifier could learn from.
    few = Constraints(150, [(0, 1), (50, 51)], [(0, 60), (70, 120)])
    assert NAME not in {
        score.name for score in baselines(search, search.best_estimator_, X, None, few)
    }
    assert baselines(None) == []
