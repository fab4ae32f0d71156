"""PairSearchCV: parameters chosen on held-out pairs, as scikit-learn's searches do it."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning, NotFittedError, UndefinedMetricWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils._param_validation import InvalidParameterError

import pairspace
from pairspace import WBDR, Constraints, PairSearchCV, PairSpace, cross_validate_pairs

GRID = {"wbdr__n_components": [1, 2], "wbdr__shrinkage": [None, "auto"]}


@pytest.fixture(scope="module")
def space():
    return make_pipeline(StandardScaler(), WBDR())


@pytest.fixture(scope="module")
def search(wine, answers, space):
    return PairSearchCV(space, GRID, random_state=0).fit(wine[0], answers)


def test_results_are_those_of_scikit_learns_searches(search):
    found = search.cv_results_
    assert search.n_splits_ == 10
    assert found["params"][1] == {"wbdr__n_components": 1, "wbdr__shrinkage": "auto"}
    assert found["param_wbdr__n_components"].tolist() == [1, 1, 2, 2]
    assert {f"split{at}_test_score" for at in range(10)} <= set(found)
    for name in ("mean_test_score", "standard_error_test_score", "std_test_score", "mean_fit_time"):
        assert found[name].shape == (4,)
    best = search.best_index_
    assert found["rank_test_score"][best] == 1
    assert search.best_score_ == found["mean_test_score"].max()
    assert search.best_params_ == found["params"][best]


def test_scores_are_those_of_cross_validate_pairs(search, wine, answers, space):
    for params, mean in zip(
        search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True
    ):
        one = clone(space).set_params(**params)
        found = cross_validate_pairs(one, wine[0], answers, n_repeats=2, random_state=0)
        assert found.mean == mean


def test_the_best_is_fitted_on_all_answers(search, wine, answers, space, tmp_path):
    X = wine[0]
    best = clone(space).set_params(**search.best_params_).fit(X, answers)
    np.testing.assert_allclose(search.transform(X), best.transform(X))
    np.testing.assert_allclose(search.inverse_transform(search.transform(X)).shape, X.shape)
    assert search.score(X, wine[1]) == pytest.approx(best.score(X, wine[1]))
    assert search.get_feature_names_out().tolist() == best.get_feature_names_out().tolist()
    pairspace.save(search, tmp_path / "best.skops", X)
    np.testing.assert_array_equal(
        pairspace.load(tmp_path / "best.skops").transform(X), search.transform(X)
    )


def test_a_clearly_worse_candidate_is_not_chosen(wine, answers):
    X = np.column_stack([wine[0], 1e5 * np.random.default_rng(0).normal(size=len(wine[0]))])
    model = make_pipeline(StandardScaler(), PairSpace(random_state=0))
    grid = [{"standardscaler": ["passthrough"]}, {"standardscaler__with_std": [True]}]
    found = PairSearchCV(model, grid, cv=3, n_repeats=1, random_state=0).fit(X, answers)
    assert found.best_params_ == {"standardscaler__with_std": True}
    assert found.cv_results_["param_standardscaler"].mask.tolist() == [False, True]


def test_labels_and_constraints_and_sparse_rows(wine, answers):
    X, y = wine
    few = np.where(np.arange(len(y)) % 6 == 0, y, -1)
    grid = {"n_components": [1, 2]}
    for given in ({"y": few}, {"y": few, "constraints": Constraints(len(y))}):
        found = PairSearchCV(WBDR(), grid, cv=2, n_repeats=1, random_state=0)
        assert found.fit(csr_array(X), **given).transform(csr_array(X)).shape[0] == len(y)


def test_failing_candidates_count_as_the_error_score(wine, answers):
    grid = {"n_components": [2, 99]}
    search = PairSearchCV(WBDR(), grid, cv=2, n_repeats=1, random_state=0)
    with pytest.warns(FitFailedWarning, match=r"1 of 2 candidates .* at most n_features=13"):
        search.fit(wine[0], answers)
    assert np.isnan(search.cv_results_["mean_test_score"]).tolist() == [False, True]
    assert search.cv_results_["rank_test_score"].tolist() == [1, 2]
    with pytest.raises(ValueError, match="at most n_features=13"):
        clone(search).set_params(error_score="raise").fit(wine[0], answers)
    with pytest.raises(ValueError, match="none of 1 candidates could be fitted"):
        clone(search).set_params(param_grid={"n_components": [99]}).fit(wine[0], answers)


def test_bad_input_is_refused(wine, answers):
    X = wine[0]
    with pytest.raises(ValueError, match="at least 2 pairs; got 0"):
        PairSearchCV(WBDR(), {"n_components": [1]}).fit(X, Constraints(len(X)))
    with pytest.raises(InvalidParameterError, match="cv"):
        PairSearchCV(WBDR(), {"n_components": [1]}, cv=1).fit(X, answers)
    with pytest.raises(TypeError, match="X must be a table of numbers; got dict"):
        PairSearchCV(WBDR(), {"n_components": [1]}).fit({"a": [1.0]}, Constraints(1))
    with pytest.raises(ValueError, match="its rows have different lengths"):
        PairSearchCV(WBDR(), {"n_components": [1]}).fit([[1.0, 2.0], [3.0]], Constraints(2))
    with pytest.raises(ValueError, match="param_grid must have a candidate"):
        PairSearchCV(WBDR(), []).fit(X, answers)
    with pytest.raises(NotFittedError):
        PairSearchCV(WBDR(), {"n_components": [1]}).transform(X)
    plain = PairSearchCV(WBDR(), {"n_components": [1]}, cv=2, refit=False).fit(X, answers)
    with pytest.raises(AttributeError, match="refit=False"):
        plain.transform(X)


@pytest.mark.parametrize("empty", [[], np.empty((0, 3)), np.ones((1, 3))])
def test_too_few_rows(empty):
    with pytest.raises(ValueError, match=r"X must have 2 rows or more; got [01]"):
        PairSearchCV(WBDR(), {}).fit(empty, None)


def test_a_grid_search_without_pairs_to_judge_by_names_the_remedy(wine):
    X, y = wine
    few = Constraints.from_labels(y, n_pairs=6, random_state=0)
    search = GridSearchCV(PairSpace(random_state=0), {"n_components": [1, 2]}, cv=5)
    with pytest.warns(UserWarning) as told:  # noqa: PT030
        search.fit(X, few)
    advice = [one for one in told if issubclass(one.category, UndefinedMetricWarning)]
    assert advice
    assert "use PairSearchCV or cross_validate_pairs" in str(advice[0].message)
    found = PairSearchCV(PairSpace(random_state=0), {"n_components": [1, 2]}, random_state=0)
    assert np.isfinite(found.fit(X, few).best_score_)
