"""Held-out weighting: how PairSpace chooses its ridge and shrinkage."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import scale

from linear.pair_space.problems import (
    KINDS,
    check,
    classes_across_clusters,
    known_of,
    pairs_of,
    rows_and_classes,
    same_space,
)
from oracles import pair_space as oracle
from oracles.subspaces import principal_angles
from pairspace import Constraints, PairSpace
from pairspace._core.data import rows_of
from pairspace._core.linalg import MixtureProblems, top_definite, whiten, within
from pairspace._within import Within, _weighting
from pairspace._within._mixture import GridPoint, Scatters
from pairspace.base import Supervision

pytestmark = pytest.mark.iterative


def test_top_definite_is_the_generalised_eigenproblem():
    random = np.random.default_rng(0)
    A, root = random.normal(size=(2, 9, 9))
    A = A @ A.T
    B = root @ root.T + 0.1 * np.eye(9)
    found = top_definite(A, B, 4)
    np.testing.assert_allclose(A @ found.vectors, B @ found.vectors * found.values, atol=1e-8)
    np.testing.assert_allclose(found.vectors.T @ B @ found.vectors, np.eye(4), atol=1e-9)
    assert np.all(np.diff(found.values) < 0)
    slower = within(whiten(B), A, 4)
    np.testing.assert_allclose(found.values, slower.values)
    np.testing.assert_allclose(found.vectors, slower.vectors, atol=1e-8)
    unequal = np.diag(10.0 ** np.arange(-12, 15, 3))  # columns of many scales
    same = top_definite(unequal @ A @ unequal, unequal @ B @ unequal, 4)
    np.testing.assert_allclose(same.values, found.values)
    assert top_definite(A, root[:, :5] @ root[:, :5].T, 3) is None


@pytest.mark.parametrize("kind", KINDS)
def test_the_weighting_depends_on_random_state_alone(kind):
    X, _, known = known_of(kind)
    labels = None if not (known.labels >= 0).any() else known.labels
    fits = []
    for global_seed in (0, 1):
        np.random.seed(global_seed)  # noqa: NPY002
        before = np.random.get_state()[1].copy()  # noqa: NPY002
        fits.append(PairSpace(2, random_state=7).fit(X, labels, constraints=known.pairs))
        np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    np.testing.assert_array_equal(fits[0].components_, fits[1].components_)
    assert fits[0].ridge_ == fits[1].ridge_
    other = PairSpace(2, random_state=8).fit(X, labels, constraints=known.pairs)
    assert other.ridge_ != fits[0].ridge_, "other folds give other weights"
    assert principal_angles(other.components_.T, fits[0].components_.T) < 0.5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("given_parameters", [{}, {"ridge": 0.3}, {"shrinkage": 0.3}])
def test_chosen_parameters_are_parameters(kind, given_parameters):
    for seed in range(4):
        X, _, known = known_of(kind, seed)
        labels = None if not (known.labels >= 0).any() else known.labels
        fitted = PairSpace(2, teacher=None, random_state=0, **given_parameters)
        fitted.fit(X, labels, constraints=known.pairs)
        assert 0 <= fitted.ridge_ <= 1
        assert 0 <= fitted.shrinkage_ <= 1
        if "ridge" in given_parameters:
            assert fitted.ridge_ == pytest.approx(0.3)
        # the B of these parameters is the B that was used
        kwargs = {"must": pairs_of(known.pairs), "weights": known.pairs.must_weight}
        check(
            fitted,
            X,
            oracle.pair_space(
                X, 2, fitted.ridge_, fitted.shrinkage_, y=known.labels.tolist(), **kwargs
            ),
        )


def test_too_few_pairs_are_not_weighted():
    X, y = rows_and_classes("tall", 0)
    n = len(y)
    four = [(0, 1), (2, 3), (4, 5), (6, 7)]
    cannot = [(8, 9), (10, 11), (12, 13), (14, 15)]
    start = PairSpace(2, ridge=0.5, random_state=0)
    for must, cannot_link in (
        (four[:3], cannot),  # three independent must-links
        ([(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)], cannot),  # a star: one can be held out
        (four, cannot[:3]),
        (four, ()),
    ):
        fitted = PairSpace(2, random_state=0).fit(X, Constraints(n, must, cannot_link))
        assert fitted.ridge_ == pytest.approx(0.5)
        check(fitted, X, oracle.pair_space(X, 2, 0.5, must=must))
        same_space(fitted, start.fit(X, Constraints(n, must)))
    weighted = PairSpace(2, random_state=0).fit(X, Constraints(n, four, cannot))
    assert weighted.ridge_ != pytest.approx(0.5)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_clear_scores_lead_away_from_the_start(seed):
    X, y = classes_across_clusters(seed)
    train, test = slice(0, 150), slice(150, 300)
    answers = Constraints.from_labels(y[train], n_pairs=600, random_state=seed)
    chosen = PairSpace(2, random_state=0).fit(X[train], answers)
    assert chosen.shrinkage_ < 0.2
    assert chosen.ridge_ < 0.1
    neighbors_only = PairSpace(2, shrinkage=1.0, random_state=0).fit(X[train], answers)
    start = PairSpace(2, ridge=0.5).fit(X[train], Constraints(150, answers.must_link))
    found = chosen.score(X[test], y[test])
    assert found > neighbors_only.score(X[test], y[test]) + 0.2
    assert found > start.score(X[test], y[test]) + 0.2
    of_labels = PairSpace(2, random_state=0).fit(X[train], y[train])
    assert of_labels.score(X[test], y[test]) > neighbors_only.score(X[test], y[test]) + 0.2


def test_scores_of_noise_stay_near_the_start():
    moved = []
    for seed in range(12):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(100, 6)), random.integers(0, 3, 100)
        answers = Constraints.from_labels(y, n_pairs=150, random_state=seed)
        chosen = PairSpace(2, random_state=0).fit(X, answers)
        start = PairSpace(2, ridge=0.5).fit(X, Constraints(100, answers.must_link))
        moved.append((abs(chosen.ridge_ - 0.5), abs(chosen.shrinkage_ - start.shrinkage_)))
    assert np.median(moved, axis=0).max() < 0.15
    assert np.max(moved) < 0.4


def test_equal_scores_give_the_prior_weights():
    """In one dimension all candidates order the pairs alike: half the weight is the start's."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 1)), random.integers(0, 2, 60)
    answers = Constraints.from_labels(y, n_pairs=80, random_state=0)
    known = Supervision(answers, None, 60)
    Z = rows_of(X)
    scatters = Scatters(Z.gram / 60, np.array([[0.1]]), Within.of_must_links(Z, known))
    candidates = [GridPoint(0.5, shrinkage=0.5), *(GridPoint(r, shrinkage=0.0) for r in (0, 0.2))]
    found = _weighting.weighted_mixture(Z, known, scatters, candidates, 1, np.random.RandomState(0))
    assert found.must == pytest.approx(0.5 * 0.25 + 0.25 * 1 + 0.25 * 0.8)
    assert found.must + found.near + found.identity == pytest.approx(1)


def test_equal_lengths_count_half():
    must, cannot = _weighting._shares(np.array([1.0, 2, 2, 3, 0]), 2)
    np.testing.assert_allclose(must, [2 / 3, (1 / 3 + 2 / 3) / 2])
    np.testing.assert_allclose(cannot, [(1 / 2 + 1) / 2, 1, 0])


def test_weighting_without_ridge_where_a_fold_spans_few_directions():
    """A fold learns from a single must-link, which α = 0 would leave alone in B."""
    X, y = rows_and_classes("tall", 0)
    must = [(0, 1), (0, 2), (3, 4), (5, 6), (7, 8)]
    cannot = [(0, 3), (1, 5), (3, 7), (5, 8), (9, 10)]
    for n_must in (4, 5):
        answers = Constraints(len(y), must[:n_must], cannot)
        for seed in range(5):
            for n_components in (2, 4):
                space = PairSpace(n_components, ridge=0.0, teacher=None, random_state=seed)
                fitted = space.fit(X, answers)
                assert 0 < fitted.shrinkage_ < 1
                found = oracle.pair_space(X, n_components, 0.0, fitted.shrinkage_, must[:n_must])
                check(fitted, X, found)


@pytest.fixture
def problems(monkeypatch):
    """The eigenproblems of the weighting: B where A is the identity, and how many components."""
    asked = []

    class Recorded(MixtureProblems):
        def solve(self, parts, shares, k, *, exact=False):
            for of_point in shares:
                asked.append((sum(s * part for s, part in zip(of_point, parts, strict=True)), k))
            return super().solve(parts, shares, k, exact=exact)

    monkeypatch.setattr(_weighting, "MixtureProblems", Recorded)
    return asked


def test_many_features_are_weighted_in_leading_directions(problems):
    random = np.random.default_rng(0)
    y = np.arange(330) % 3
    X = random.normal(size=(330, 310)) + random.normal(size=(3, 310))[y]
    answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    fitted = PairSpace(230, ridge=0.3, random_state=0).fit(X, answers)
    assert {(len(B), k) for B, k in problems} == {(200, 230)}
    assert fitted.components_.shape == (230, 310)
    must = pairs_of(answers)
    check(fitted, X, oracle.pair_space(X, 230, 0.3, fitted.shrinkage_, must))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_leading_directions_weight_much_as_all_do(seed, problems, monkeypatch):
    random = np.random.default_rng(seed)
    X, y = classes_across_clusters(seed)
    X = np.column_stack([X, 0.3 * random.normal(size=(len(y), 34))])
    answers = Constraints.from_labels(y, n_pairs=400, random_state=seed)
    in_all = PairSpace(2, random_state=0).fit(X, answers)
    assert {(len(B), k) for B, k in problems} == {(40, 2)}
    problems.clear()
    monkeypatch.setattr(_weighting, "MAX_ORDER", 39)
    monkeypatch.setattr(_weighting, "LEADING", 20)
    fitted = PairSpace(2, random_state=0).fit(X, answers)
    assert {(len(B), k) for B, k in problems} == {(20, 2)}
    assert fitted.ridge_ == pytest.approx(in_all.ridge_, abs=0.2)
    assert fitted.shrinkage_ == pytest.approx(in_all.shrinkage_, abs=0.2)
    assert fitted.score(X, y) == pytest.approx(in_all.score(X, y), abs=0.02)


def test_leading_directions_score_the_matrix_that_would_be_used(problems, monkeypatch):
    """B in these directions, and not another B with the ridge of fewer directions."""
    random = np.random.default_rng(0)
    X, y = classes_across_clusters(0)
    X = np.column_stack([X, 0.3 * random.normal(size=(len(y), 34))])
    answers = Constraints.from_labels(y, n_pairs=400, random_state=0)
    PairSpace(2, random_state=0).fit(X, answers)
    of_all = list(problems)
    problems.clear()
    monkeypatch.setattr(_weighting, "MAX_ORDER", 39)
    monkeypatch.setattr(_weighting, "LEADING", 20)
    PairSpace(2, random_state=0).fit(X, answers)
    assert len(problems) == len(of_all)
    for (B, _), (B_all, _) in zip(problems, of_all, strict=True):
        # in either basis: they may differ in signs
        expected = np.linalg.eigvalsh(B_all[:20, :20])
        np.testing.assert_allclose(np.linalg.eigvalsh(B), expected, rtol=1e-8)


def flipped(answers, share, seed):
    """The same pairs, a share of them answered wrongly."""
    links = np.vstack([answers.must_link, answers.cannot_link])
    same = np.arange(len(links)) < len(answers.must_link)
    wrong = np.random.default_rng(seed).choice(len(links), round(share * len(links)), replace=False)
    same[wrong] ^= True
    return Constraints(len(answers), links[same], links[~same])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_wrong_pairs_cost_little(seed):
    X, y = load_digits(return_X_y=True)
    X = scale(X)
    order = np.random.default_rng(seed).permutation(len(y))
    train, test = order[: len(y) // 2], order[len(y) // 2 :]

    def accuracy(space):
        nearest = KNeighborsClassifier(1).fit(space.transform(X[train]), y[train])
        return nearest.score(space.transform(X[test]), y[test])

    pca = accuracy(PCA(9).fit(X[train]))
    answers = Constraints.from_labels(y[train], per_class=20, random_state=seed)
    for share in (0.0, 0.1, 0.2):
        space = PairSpace(9, random_state=0).fit(X[train], flipped(answers, share, seed))
        assert accuracy(space) > pca - 0.02
        if share == 0:
            assert accuracy(space) > pca
