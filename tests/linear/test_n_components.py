"""n_components as in PCA: None, a share of the spread, and "auto", for all linear methods."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.utils._param_validation import InvalidParameterError

from oracles.subspaces import principal_angles
from pairspace import NPE, RCA, Constraints, PairSpace, linear

X, Y = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X)


@pytest.fixture(params=linear.METHODS, ids=lambda kind: kind.__name__)
def method(request):
    made = request.param()
    return made.set_params(random_state=0) if "random_state" in made.get_params() else made


def components(method, n_components, y=Y):
    fitted = clone(method).set_params(n_components=n_components).fit(X, y)
    assert fitted.n_components == n_components  # parameters are never changed
    assert fitted.transform(X).shape == (len(X), len(fitted.components_))
    return fitted.components_


def test_none_is_all_directions(method):
    found = components(method, None)
    assert len(found) == method.set_params(n_components=1).fit(X, Y).rank_
    if not isinstance(method, RCA):  # whose None is a whitening, and orders by other values
        same = components(method, len(found))
        np.testing.assert_allclose(found, same)


@pytest.mark.parametrize("share", [0.3, 0.8, 0.99])
def test_a_float_is_the_share_of_the_spread(method, share):
    largest = components(method, 0.999999)
    spread = (X @ largest.T).var(axis=0)
    found = components(method, share)
    k = len(found)
    assert spread[:k].sum() >= share * spread.sum() * (1 - 1e-9)
    assert k == 1 or spread[: k - 1].sum() < share * spread.sum() * (1 + 1e-9)
    np.testing.assert_allclose(found, components(method, k))


def test_auto_has_most_of_the_spread_in_at_least_two(method):
    found = components(method, "auto")
    assert 2 <= len(found) <= 13
    np.testing.assert_allclose(found, components(method, len(found)))


def test_rounding_does_not_decide_between_nine_of_ten_equal_spreads_and_ten():
    """All directions of a whitening method have the same spread, so 9 of 10 have .9 of it."""
    random = np.random.default_rng(0)
    rows = random.normal(size=(48, 10))
    for shift in range(12):
        turned = rows @ np.linalg.qr(random.normal(size=(10, 10)))[0] + shift
        assert len(NPE("auto").fit(turned).components_) == 9
        assert len(NPE(0.7).fit(turned).components_) == 7


def test_with_pairs_and_with_more_features_than_rows():
    wide = np.random.default_rng(0).normal(size=(30, 100))
    answers = Constraints.from_labels(np.arange(30) % 3, per_class=5, random_state=0)
    all_directions = PairSpace(None, random_state=0).fit(wide, answers)
    assert all_directions.components_.shape == (29, 100)
    span = np.linalg.svd(wide - wide.mean(axis=0), full_matrices=False)[2][:29]
    assert principal_angles(all_directions.components_.T, span.T) < 1e-6
    assert len(PairSpace("auto", random_state=0).fit(wide, answers).components_) <= 29


def test_streamed_rows():
    found = linear.METHODS[[kind.__name__ for kind in linear.METHODS].index("MMC")](None)
    for start in range(0, len(X), 60):
        found.partial_fit(X[start : start + 60], Y[start : start + 60])
    assert found.components_.shape == (13, 13)
    assert len(found.set_params(n_components=0.5).partial_fit(X[:2], Y[:2]).components_) < 13


@pytest.mark.parametrize("wrong", [0, -1, 0.0, 1.5, "all", 2.0])
def test_other_values_are_refused(method, wrong):
    with pytest.raises(InvalidParameterError, match="n_components"):
        method.set_params(n_components=wrong).fit(X, Y)


def test_too_many_directions_for_the_memory_are_refused(monkeypatch):
    monkeypatch.setattr("pairspace.linear._components.matrix_fits", lambda order: False)
    with pytest.raises(ValueError, match=r"n_components=None needs all directions .* an integer"):
        PairSpace(None).fit(X, Y)


def test_what_the_first_solution_uses_up_is_there_for_the_second():
    few = np.where(np.arange(len(Y)) % 8 == 0, Y, -1)
    found = PairSpace(0.5, random_state=0).fit(X, few)
    same = PairSpace(len(found.components_), random_state=0).fit(X, few)
    assert found.teacher_weight_ == same.teacher_weight_ > 0
    np.testing.assert_allclose(found.components_, same.components_)
