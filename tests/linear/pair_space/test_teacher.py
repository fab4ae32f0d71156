"""PairSpace taught by predicted groups."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from oracles.subspaces import principal_angles
from pairspace import Constraints, ContradictionWarning, PairClusters, PairSpace

pytestmark = pytest.mark.iterative


class Oracle(KMeans):
    """A teacher that knows all groups."""

    def __init__(self, groups=None, sure=None):
        self.groups = groups
        self.sure = sure

    def fit(self, X, y=None, *, constraints=None):
        self.labels_ = np.asarray(self.groups)
        if self.sure is not None:
            n = self.labels_.max() + 1
            self.probabilities_ = np.full((len(X), n), (1 - self.sure) / (n - 1))
            self.probabilities_[np.arange(len(X)), self.labels_] = self.sure
        return self


def problem(n=90, d=6, seed=0):
    random = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = random.normal(size=(n, d)) * np.linspace(0.5, 3, d) + 2 * random.normal(size=(3, d))[y]
    known = np.where(np.arange(n) < 15, y, -1)
    return X, y, known


def within(X, y):
    """The covariance within classes, by its definition."""
    S = np.zeros((X.shape[1], X.shape[1]))
    for label in np.unique(y):
        D = X[y == label] - X[y == label].mean(axis=0)
        S += D.T @ D
    return S / (len(y) - len(np.unique(y)))


@pytest.mark.parametrize("sure", [None, 1.0, 0.8])
def test_b_is_mixed_with_the_scatter_within_the_groups(sure):
    X, y, known = problem()
    plain = PairSpace(3, teacher=None, random_state=0).fit(X, known)
    taught = PairSpace(3, teacher=Oracle(y, sure), random_state=0).fit(X, known)
    s = 0.5 if sure is None else (sure - 1 / 3) / (2 / 3)
    weight = 0.6 * s**2
    assert plain.teacher_weight_ == 0
    assert taught.teacher_weight_ == pytest.approx(weight)
    assert taught.ridge_ == plain.ridge_

    # B of the plain fit: all its components W, with WᵀBW = I.
    everything = PairSpace(6, teacher=None, random_state=0)
    everything.set_params(ridge=plain.ridge_, shrinkage=plain.shrinkage_).fit(X, known)
    W = everything.components_.T
    B = np.linalg.inv(W @ W.T)
    groups = within(X, y)
    groups = 0.9 * groups + 0.1 * np.trace(groups) / 6 * np.eye(6)
    mixed = (1 - weight) * B + weight * groups * np.trace(B) / np.trace(groups)
    total = np.cov(X.T, bias=True)
    values, vectors = np.linalg.eig(np.linalg.solve(mixed, total))
    top = vectors[:, np.argsort(-values.real)[:3]].real
    assert principal_angles(taught.components_.T, top) < 1e-6
    np.testing.assert_allclose(taught.eigenvalues_, np.sort(values.real)[::-1][:3], rtol=1e-6)


def test_a_teacher_no_better_than_chance_changes_nothing():
    X, y, known = problem()
    plain = PairSpace(2, teacher=None, random_state=0).fit(X, known)
    taught = PairSpace(2, teacher=Oracle(y, 1 / 3), random_state=0).fit(X, known)
    assert taught.teacher_weight_ == pytest.approx(0, abs=1e-20)
    assert principal_angles(taught.components_.T, plain.components_.T) < 1e-6


def untaught(fitted):
    return fitted.teacher_weight_ == 0


def test_when_nobody_teaches():
    X, y, known = problem()
    everyone = Oracle(y, 1.0)
    pairs = Constraints.from_labels(y, n_pairs=12, random_state=0)
    mostly = np.where(np.arange(90) < 50, y, -1)
    contradicting = Constraints(90, [(0, 3), (3, 6)], [(0, 6), (0, 1)])
    assert not untaught(PairSpace(2, teacher=everyone).fit(X, known))
    assert untaught(PairSpace(2, teacher=everyone).fit(X, pairs))
    assert untaught(PairSpace(2, teacher=everyone).fit(X))
    assert untaught(PairSpace(2, teacher=everyone).fit(X, mostly))
    with pytest.warns(ContradictionWarning):
        assert untaught(PairSpace(2, teacher=everyone).fit(X, contradicting))
    assert untaught(PairSpace(2, teacher=everyone, ridge=0.5, shrinkage=0.5).fit(X, known))
    assert not untaught(PairSpace(2, teacher=everyone, ridge=0.5).fit(X, known))


@pytest.mark.parametrize("wide", [False, True])
def test_the_groups_help_the_digits(wide):
    X, y = load_digits(return_X_y=True)
    X, y = X[:500], y[:500]
    if wide:  # more columns than rows, which span as many directions
        X = X @ np.random.default_rng(0).normal(size=(64, 600))
    known = np.full(500, -1)
    known[:60] = y[:60]

    def clusters(**parameters):
        space = PairSpace(9, random_state=0, **parameters).fit(X, known)
        found = KMeans(10, n_init=5, random_state=0).fit_predict(space.transform(X))
        return adjusted_rand_score(y, found)

    assert clusters() > clusters(teacher=None) + 0.02


def test_pairs_are_given_to_the_teacher():
    X, *_ = problem()
    must = [(0, 3), (3, 6), (1, 4), (2, 5), (4, 7)]
    answers = Constraints(90, must, [(0, 1), (1, 2), (0, 2)])
    fitted = PairSpace(2, teacher=PairClusters(), random_state=0).fit(X, answers)
    assert fitted.teacher_weight_ > 0


@pytest.mark.parametrize("kind", [csr_array, np.float32])
def test_the_taught_space_of_sparse_and_single_precision_is_near(kind):
    """The learners stop at tolerances of their own, so the spaces are near, not equal."""
    X, _, known = problem()
    X = np.where(np.abs(X) < 1, 0, X).astype(np.float32)  # the same rows in both precisions
    taught = PairSpace(2, random_state=0).fit(X.astype(np.float64), known)
    other = kind(X.astype(np.float64)) if kind is csr_array else X
    found = PairSpace(2, random_state=0).fit(other, known)
    assert taught.teacher_weight_ > 0.1
    assert found.teacher_weight_ == pytest.approx(taught.teacher_weight_, abs=0.01)
    assert principal_angles(found.components_.T, taught.components_.T) < 0.02
