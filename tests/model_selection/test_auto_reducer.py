"""AutoReducer: what it tries, what it chooses, what it says, and that it is an estimator."""

import builtins

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA, FastICA
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from pairspace import SSDR, WBDR, AutoReducer, Constraints, PairSpace, make_recipe
from pairspace.base import Supervision
from pairspace.model_selection import cross_validate_pairs
from pairspace.model_selection._candidates import METHODS, ON_REQUEST, candidates_of

COLUMNS = [
    "rank",
    "name",
    "method",
    "scaling",
    "mean",
    "standard_error",
    "over_pca",
    "over_pca_error",
    "folds",
    "seconds",
    "chosen",
    "error",
]
FEW = ["PairSpace", "PCA"]


class Broken(TransformerMixin, BaseEstimator):
    """Always fails."""

    def fit(self, X, y=None):
        raise RuntimeError("out of order")

    def transform(self, X):
        return X


@parametrize_with_checks(
    [AutoReducer(candidates=["PCA", "SSDR"], cv=2, n_repeats=1, random_state=0)]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def auto(wine, answers):
    return AutoReducer(2, random_state=0).fit(wine[0], answers)


# ---- What it gives ---------------------------------------------------------------------------


def test_the_leaderboard(auto):
    board = auto.leaderboard_
    assert list(board.columns) == COLUMNS
    assert board["rank"].tolist() == list(range(1, len(board) + 1))
    assert board["name"].is_unique
    assert set(board["scaling"]) == {"standardised", "raw"}
    assert {"PairSpace", "PCA", "SSDR", "WBDR", "WBDR, shrunk"} <= set(board["method"])
    (chosen,) = board.index[board["chosen"]]
    assert board["name"][chosen] == auto.best_name_
    assert set(board["folds"]) <= {5, 10}
    assert board["folds"][0] == board["folds"][chosen] == 10
    for _, part in board.groupby("folds"):
        assert part["mean"].is_monotonic_decreasing
    assert board["folds"].is_monotonic_decreasing
    plain = board[board["method"] == "PCA"]
    assert (plain["folds"] == 10).all()
    assert plain["over_pca"].max() == 0
    assert (board["seconds"] > 0).all()
    assert (board["error"] == "").all()


def test_what_was_chosen_is_fitted_on_everything(auto, wine, answers):
    X, _ = wine
    assert isinstance(auto.best_estimator_, Pipeline)
    again = clone(auto.best_estimator_).fit(X, answers)
    np.testing.assert_allclose(auto.transform(X), again.transform(X), atol=1e-9)
    assert auto.n_components_ == 2
    assert auto.get_feature_names_out().tolist() == ["autoreducer0", "autoreducer1"]
    assert auto.score(X, answers) > 0.8


def test_scores_are_those_of_cross_validation(wine, answers):
    X, _ = wine
    given = {"one": make_pipeline(StandardScaler(), SSDR(2))}
    auto = AutoReducer(2, candidates=given, random_state=0).fit(X, answers)
    alone = cross_validate_pairs(given["one"], X, answers, random_state=1)
    row = auto.leaderboard_.iloc[0]
    assert row["mean"] == pytest.approx(alone.mean, abs=0.03)
    assert row["standard_error"] == pytest.approx(alone.standard_error, abs=0.02)
    assert np.isnan(row["over_pca"])
    assert row["scaling"] == "as given"


def test_the_same_seed_gives_the_same_with_any_jobs(wine, answers):
    X, _ = wine
    one, two = (
        AutoReducer(2, candidates=FEW, random_state=3, n_jobs=jobs).fit(X, answers)
        for jobs in (None, 2)
    )
    drop = ["seconds"]
    pd.testing.assert_frame_equal(
        one.leaderboard_.drop(columns=drop), two.leaderboard_.drop(columns=drop)
    )
    assert np.array_equal(one.transform(X), two.transform(X))


def test_without_pandas_the_leaderboard_is_a_dict(wine, answers, monkeypatch):
    real = builtins.__import__

    def no_pandas(name, *args, **kwargs):
        if name == "pandas":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    X, _ = wine
    auto = AutoReducer(2, candidates=["PCA"], random_state=0)
    monkeypatch.setattr(builtins, "__import__", no_pandas)
    board = auto.fit(X, answers).leaderboard_
    assert list(board) == COLUMNS
    assert board["method"] == ["PCA", "PCA"]


# ---- What it chooses -------------------------------------------------------------------------


def blobs(n_noise=0, scale=1.0, seed=0):
    """Two classes apart in the first column, which may be small beside the noise."""
    random = np.random.default_rng(seed)
    y = np.arange(300) % 2
    X = random.normal(size=(300, 2 + n_noise))
    X[:, 0] += 6 * y
    X[:, 1:] *= scale
    return X, y


@pytest.mark.iterative
def test_scaling_is_chosen():
    X, y = blobs(n_noise=8, scale=50.0)
    answers = Constraints.from_labels(y, n_pairs=80, random_state=0)
    auto = AutoReducer(1, candidates=["PCA"], random_state=0).fit(X, answers)
    assert auto.best_name_ == "PCA, standardised"
    # Where the scale of columns is what matters, standardising spoils it.
    X[:, 1:] /= 5000.0
    raw = AutoReducer(1, candidates=["PCA"], random_state=0).fit(X, answers)
    assert raw.best_name_ == "PCA, raw"


@pytest.mark.iterative
def test_the_first_stays_where_answers_cannot_tell():
    random = np.random.default_rng(0)
    left = 0
    for seed in range(12):
        X, y = random.normal(size=(80, 6)), random.integers(0, 2, 80)
        answers = Constraints.from_labels(y, per_class=5, random_state=seed)
        given = ["PCA", "SSDR", "CFLD, shrunk"]
        auto = AutoReducer(2, candidates=given, n_repeats=1, random_state=seed).fit(X, answers)
        left += auto.best_name_ != "PCA, standardised"
    assert left <= 5


def test_answers_that_say_nothing_are_said_to(wine):
    X, y = wine
    wrong = np.random.default_rng(0).permutation(y)
    answers = Constraints.from_labels(wrong, n_pairs=60, random_state=0)
    auto = AutoReducer(2, random_state=0).fit(X, answers)
    assert "The answers help" not in auto.summary_
    assert "too few to tell the two apart" in auto.summary_ or "do not help" in auto.summary_


@pytest.mark.iterative
def test_answers_that_help_are_said_to(wine):
    X, y = blobs(n_noise=8, scale=3.0)
    answers = Constraints.from_labels(y, n_pairs=150, random_state=0)
    auto = AutoReducer(1, candidates=["WBDR, shrunk", "PCA"], random_state=0).fit(X, answers)
    assert auto.best_name_.startswith("WBDR, shrunk")
    assert " above PCA, " in auto.summary_
    assert auto.summary_.endswith(". The answers help.")
    only = AutoReducer(1, candidates={"mine": WBDR()}, random_state=0).fit(X, answers)
    assert only.summary_.startswith("Chosen from 1 candidate: mine. Pair AUC ")


def test_what_is_perfect_without_answers_is_said_to_be():
    y = np.arange(60) % 3
    X = 100.0 * np.eye(3)[y] + np.random.default_rng(0).normal(size=(60, 3))
    answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    auto = AutoReducer(2, candidates=["PairSpace", "PCA"], random_state=0).fit(X, answers)
    assert auto.summary_.endswith(" The answers make no difference.")


def test_too_few_answers_and_none(wine):
    X, y = wine
    for known in (None, Constraints.from_labels(y, n_pairs=3, random_state=0)):
        auto = AutoReducer(2, random_state=0).fit(X, known)
        assert auto.best_name_ == "PairSpace, standardised"
        assert "Chosen without cross-validation: PairSpace, standardised." in auto.summary_
        assert (auto.leaderboard_["folds"] == 0).all()
        assert auto.transform(X).shape == (178, 2)


@pytest.mark.parametrize("known", ["must", "cannot", "labels", "both"])
def test_every_kind_of_knowledge(wine, answers, known):
    X, y = wine
    partial = np.where(np.arange(len(y)) % 6 == 0, y, -1)
    arguments = {
        "must": {"y": Constraints(len(y), answers.must_link)},
        "cannot": {"constraints": Constraints(len(y), (), answers.cannot_link)},
        "labels": {"y": partial},
        "both": {"y": partial, "constraints": answers},
    }[known]
    auto = AutoReducer(2, n_repeats=1, random_state=0).fit(X, **arguments)
    assert (auto.leaderboard_["error"] == "").all()
    methods = set(auto.leaderboard_["method"])
    assert ("WBDR" in methods) == (known != "must")
    assert ("CFLD" in methods) == (known != "cannot")
    assert auto.score(X, y) > 0.75


# ---- Candidates ------------------------------------------------------------------------------


def test_candidates_may_be_given(wine, answers):
    X, _ = wine
    given = {"ica": make_pipeline(MinMaxScaler(), FastICA(random_state=0)), "ssdr": SSDR(9)}
    auto = AutoReducer(3, candidates=given, random_state=0).fit(X, answers)
    assert set(auto.leaderboard_["name"]) == {"ica", "ssdr"}
    assert auto.transform(X).shape == (178, 3)
    assert given["ssdr"].n_components == 9
    listed = AutoReducer(2, candidates=["PCA", SSDR(), PairSpace()], random_state=0)
    listed.fit(X, answers)
    assert set(listed.leaderboard_["name"]) == {
        "PCA, standardised",
        "PCA, raw",
        "SSDR",
        "PairSpace",
    }


def test_a_candidate_that_fails_is_on_the_leaderboard(wine, answers):
    X, _ = wine
    given = {"broken": Broken(), "pca": PCA()}
    auto = AutoReducer(2, candidates=given, random_state=0).fit(X, answers)
    assert auto.best_name_ == "pca"
    last = auto.leaderboard_.iloc[-1]
    assert (last["name"], last["error"]) == ("broken", "RuntimeError: out of order")
    assert np.isnan(last["mean"])
    assert last["folds"] == 0
    with pytest.raises(ValueError, match=r"none of 1 candidates could be fitted:\nbroken: Runtime"):
        AutoReducer(2, candidates={"broken": Broken()}).fit(X, answers)
    # Also where nothing can be tried: the first that can be fitted.
    auto = AutoReducer(2, candidates=given, random_state=0).fit(X)
    assert auto.best_name_ == "pca"


def test_a_candidate_that_cannot_have_so_many_components_is_left_out(wine, answers):
    X, _ = wine
    few = Constraints(len(X), answers.must_link[:6], answers.cannot_link[:6])
    auto = AutoReducer(9, candidates=["PCA", "WBDR"], random_state=0).fit(X, few)
    assert auto.leaderboard_.set_index("name")["error"]["WBDR, raw"].startswith(
        "RankError: n_components=9 must be at most 4, the rank of"
    )


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ("all", "candidates='all': give 'default', a list of names"),
        ([], r"candidates=\[\]: give 'default'"),
        (["Nonsense"], "'Nonsense' is neither a transformer nor a pipeline nor one of 'PairSpace'"),
        ([3], "3 is neither a transformer"),
        ([PCA(), PCA()], "candidates has 'PCA' 2 times: pass a dict"),
    ],
)
def test_bad_candidates_are_named(wine, answers, candidates, message):
    with pytest.raises(ValueError, match=message):
        AutoReducer(2, candidates=candidates).fit(wine[0], answers)


def test_bad_parameters_are_named(wine, answers):
    X, _ = wine
    with pytest.raises(ValueError, match="n_components=14 must be at most n_features=13"):
        AutoReducer(14).fit(X, answers)
    with pytest.raises(ValueError, match="The 'cv' parameter"):
        AutoReducer(cv=1).fit(X, answers)


# ---- An estimator among others ---------------------------------------------------------------


def test_frames_keep_their_names(wine, answers):
    X, _ = wine
    frame = pd.DataFrame(X, columns=[f"f{at}" for at in range(13)])
    auto = AutoReducer(2, candidates=FEW, random_state=0).set_output(transform="pandas")
    embedded = auto.fit(frame, answers).transform(frame)
    assert list(embedded.columns) == ["autoreducer0", "autoreducer1"]
    assert list(auto.feature_names_in_) == list(frame.columns)
    assert list(auto.best_estimator_.feature_names_in_) == list(frame.columns)
    with pytest.raises(ValueError, match="feature names"):
        auto.transform(frame.rename(columns={"f0": "other"}))


def test_sparse_and_single_precision(wine, answers):
    X, y = wine
    dense = AutoReducer(2, n_repeats=1, random_state=0).fit(X, answers)
    sparse = AutoReducer(2, n_repeats=1, random_state=0).fit(csr_array(X), answers)
    assert (sparse.leaderboard_["error"] == "").all()
    merged = dense.leaderboard_.merge(sparse.leaderboard_, on="name")
    np.testing.assert_allclose(merged["mean_x"], merged["mean_y"], atol=0.02)
    single = AutoReducer(2, candidates=FEW, random_state=0).fit(X.astype(np.float32), y)
    assert single.transform(X.astype(np.float32)).dtype == np.float32


def test_in_a_pipeline_under_cross_validation(wine, answers):
    X, y = wine
    auto = AutoReducer(2, candidates=FEW, cv=2, n_repeats=1, random_state=0)
    pipeline = make_pipeline(auto, KNeighborsClassifier(3))
    scores = cross_val_score(pipeline, X, y, params={"autoreducer__constraints": answers}, cv=3)
    assert scores.mean() > 0.85


def test_many_rows_are_chosen_on_a_part(monkeypatch):
    X, y = blobs(n_noise=3)
    answers = Constraints.from_labels(y, n_pairs=30, random_state=0)
    auto = AutoReducer(2, candidates=FEW, max_samples=80, random_state=0).fit(X, answers)
    whole = clone(auto.best_estimator_).fit(X, answers)
    np.testing.assert_allclose(auto.transform(X), whole.transform(X), atol=1e-9)
    assert f"({len(answers.must_link)} same" in auto.summary_
    labelled = AutoReducer(2, candidates=FEW, max_samples=80, random_state=0).fit(X, y)
    assert labelled.score(X, y) > 0.8


def test_progress_is_printed(wine, answers, capsys):
    X, _ = wine
    auto = AutoReducer(2, candidates=["PCA"], n_repeats=2, random_state=0, verbose=1)
    auto.fit(X, answers)
    said = capsys.readouterr().out
    assert "[AutoReducer] repeat 2 of 2: 2 candidates × 5 folds" in said
    assert auto.summary_ in said
    assert "pair AUC" not in said.replace(auto.summary_, "")
    clone(auto).set_params(verbose=2).fit(X, answers)
    assert "[AutoReducer] 2 of 2, PCA, raw: pair AUC 0." in capsys.readouterr().out
    clone(auto).set_params(verbose=0).fit(X, answers)
    assert capsys.readouterr().out == ""


# ---- The number of components ----------------------------------------------------------------


def test_the_number_of_components_has_nine_tenths_of_the_spread(wine, answers):
    X, _ = wine
    auto = AutoReducer("auto", candidates=FEW, random_state=0).fit(X, answers)
    scaled = StandardScaler().fit_transform(X)
    seed = auto.best_estimator_.steps[-1][1].random_state
    spread = PairSpace(13, random_state=seed).fit(scaled, answers).transform(scaled).var(axis=0)
    share = np.cumsum(spread) / spread.sum()
    assert share[auto.n_components_ - 1] >= 0.9 > share[auto.n_components_ - 2]
    assert auto.transform(X).shape == (178, auto.n_components_)


def test_the_number_of_components_where_rows_span_few_directions():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3)) @ random.normal(size=(3, 20))
    answers = Constraints.from_labels(np.arange(60) % 2, n_pairs=20, random_state=0)
    auto = AutoReducer("auto", candidates=FEW, random_state=0).fit(X, answers)
    assert auto.n_components_ in (2, 3)


def test_pipelines_that_encode_columns_take_mixed_frames():
    random = np.random.default_rng(0)
    kind = np.arange(80) % 2
    frame = pd.DataFrame({"size": random.normal(size=80) + kind, "other": random.normal(size=80)})
    frame["colour"] = np.where(kind, "red", "blue")
    encode = make_column_transformer(
        (StandardScaler(), ["size", "other"]), (OneHotEncoder(), ["colour"])
    )
    answers = Constraints.from_labels(kind, n_pairs=40, random_state=0)
    candidates = {"a": make_pipeline(encode, PairSpace()), "b": make_pipeline(encode, PCA())}
    for n_components, most in ((2, None), ("auto", 60), (4, None)):
        auto = AutoReducer(
            n_components, candidates=candidates, cv=2, n_repeats=1, max_samples=most, random_state=0
        ).fit(frame, answers)
        assert auto.transform(frame).shape == (80, auto.n_components_)
        assert auto.feature_names_in_.tolist() == ["size", "other", "colour"]
    with pytest.raises(ValueError, match="The feature names should match"):
        auto.transform(frame.drop(columns="size"))
    with pytest.raises(ValueError, match=r"X has text .*make_recipe\(X\)"):
        AutoReducer().fit(frame, answers)
    whole = make_pipeline(
        make_recipe(frame), AutoReducer(candidates=FEW, cv=2, n_repeats=1, random_state=0)
    )
    assert whole.fit(frame, answers).transform(frame).shape == (80, 2)
    with pytest.raises(ValueError, match="at most n_features"):
        AutoReducer(9, candidates=candidates).fit(frame[["size", "other"]].to_numpy(), answers)


def test_pair_space_is_scored_without_its_teacher_and_fitted_with_it():
    X, y = load_wine(return_X_y=True)
    known = np.where(np.arange(len(y)) % 8 == 0, y, -1)
    auto = AutoReducer(candidates=["PairSpace", "PCA"], random_state=0).fit(X, known)
    assert auto.best_estimator_[-1].teacher == "auto"
    assert auto.best_estimator_[-1].teacher_weight_ > 0
    scored = candidates_of("default", Supervision(known, None, len(y)), 2, 0, sparse=False)[0]
    assert scored.pipeline[-1].teacher is None
    assert scored.chosen[-1].teacher == "auto"


def test_the_methods_of_the_field_are_tried_if_they_are_named():
    X, y = load_wine(return_X_y=True)
    known = np.where(np.arange(len(y)) % 4 == 0, y, -1)
    names = list(ON_REQUEST)
    auto = AutoReducer(1, candidates=names, n_repeats=1, random_state=0).fit(X, known)
    assert set(auto.leaderboard_["method"]) == set(names)
    assert not (auto.leaderboard_["error"].astype(bool)).any()
    assert not set(names) & set(METHODS)


def test_a_series_is_no_table():
    with pytest.raises(ValueError, match="Expected a 2-dimensional container"):
        AutoReducer().fit(pd.Series([1.0, 2.0, 3.0]), [0, 0, 1])
