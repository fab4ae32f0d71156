"""cross_validate_pairs: what is fitted on what, and what comes out."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy.sparse import bsr_array, coo_array, csc_array, csr_array, dia_array
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace import SSDR, WBDR, Constraints, PairSpace
from pairspace.metrics import pair_auc
from pairspace.model_selection import cross_validate_pairs

FITTED = []


class Spy(TransformerMixin, BaseEstimator):
    """Leaves the rows as they are, and keeps what it was fitted with."""

    def fit(self, X, y=None, *, constraints=None):
        FITTED.append((X, y, constraints))
        self.fitted_ = True
        return self

    def transform(self, X):
        return X


def as_set(links):
    return set(map(tuple, links.tolist()))


@pytest.fixture
def fitted():
    FITTED.clear()
    return FITTED


def test_all_rows_are_learned_from_but_not_all_pairs(wine, answers, fitted):
    X, _ = wine
    result = cross_validate_pairs(Spy(), X, answers, cv=4, n_repeats=2, random_state=0)
    assert len(fitted) == len(result.scores) == 8
    for seen_X, seen, besides in fitted:
        assert seen_X is X
        assert besides is None
        assert 20 <= len(seen.must_link) + len(seen.cannot_link) < 60
        for kind in ("must_link", "cannot_link"):
            assert as_set(getattr(seen, kind)) <= as_set(getattr(answers, kind))
    assert result.n_must == len(answers.must_link)
    assert result.n_cannot == len(answers.cannot_link)
    # A space that learns nothing is judged by all its pairs: the plain pair AUC of the data.
    assert result.mean == pytest.approx(pair_auc(X, answers), abs=0.01)
    assert 0 < result.standard_error < 0.2
    assert result.seconds > 0


def test_labels_are_held_out_row_by_row(wine, fitted):
    X, y = wine
    partial = np.where(np.arange(len(y)) % 4 == 0, y, -1)
    result = cross_validate_pairs(Spy(), X, partial, cv=5, n_repeats=1, random_state=0)
    n_known = np.sum(partial >= 0)
    for _, labels, _ in fitted:
        assert 0.75 * n_known <= np.sum(labels != -1) < n_known
        assert len(np.unique(labels[labels != -1])) == 3
    assert result.n_must + result.n_cannot == n_known * (n_known - 1) // 2
    assert result.mean == pytest.approx(pair_auc(X, partial), abs=0.01)


@pytest.mark.parametrize("routing", [False, True])
def test_labels_and_pairs_reach_the_last_step_of_a_pipeline(wine, answers, fitted, routing):
    X, y = wine
    partial = np.where(np.arange(len(y)) % 9 == 0, y, -1)
    with sklearn.config_context(enable_metadata_routing=routing):
        cross_validate_pairs(
            make_pipeline(StandardScaler(), Spy()), X, answers, y=partial, cv=2, n_repeats=1
        )
    for seen_X, labels, pairs in fitted:
        assert abs(seen_X.mean()) < 1e-9
        assert len(labels) == len(pairs) == len(X)
        assert isinstance(pairs, Constraints)


def test_a_pipeline_with_a_memory(wine, answers, tmp_path):
    X, _ = wine
    steps = StandardScaler(), PCA(5, random_state=0), WBDR(2)
    plain, kept = (make_pipeline(*steps, memory=memory) for memory in (None, str(tmp_path)))
    wanted = cross_validate_pairs(plain, X, answers, random_state=0)
    assert cross_validate_pairs(kept, X, answers, random_state=0).mean == wanted.mean


@pytest.mark.iterative
def test_a_good_space_is_told_from_a_bad_one(wine):
    X, y = wine
    answers = Constraints.from_labels(y, n_pairs=150, random_state=0)
    scaled = make_pipeline(StandardScaler(), PairSpace(random_state=0))
    good = cross_validate_pairs(scaled, X, answers, random_state=0)
    bad = cross_validate_pairs(PCA(2), X, answers, random_state=0)
    assert good.mean > bad.mean + 2 * bad.standard_error


def test_the_score_is_not_that_of_pairs_that_were_learned_from():
    # Many directions of noise and few answers: what is learned from always looks good.
    random = np.random.default_rng(0)
    X, y = random.normal(size=(200, 60)), random.integers(0, 2, 200)
    answers = Constraints.from_labels(y, per_class=15, random_state=0)
    learned = WBDR(2).fit(X, answers)
    assert learned.score(X, answers) > 0.95
    found = cross_validate_pairs(WBDR(2), X, answers, random_state=0)
    assert abs(found.mean - 0.5) < 2.5 * found.standard_error


@pytest.mark.iterative
def test_more_repeats_do_not_make_the_error_small(wine, answers):
    X, _ = wine
    errors = [
        cross_validate_pairs(
            make_pipeline(StandardScaler(), WBDR(2)), X, answers, n_repeats=n, random_state=0
        ).standard_error
        for n in (1, 20)
    ]
    assert errors[1] > 0.5 * errors[0]


def test_a_function_may_judge(wine, answers):
    X, _ = wine
    found = cross_validate_pairs(Spy(), X, answers, cv=3, scoring=pair_auc, random_state=0)
    assert found.mean == pytest.approx(np.mean(found.scores))
    by_hand = np.var(found.scores, ddof=1) * (1 / 9 + 1 / 2)
    assert found.standard_error == pytest.approx(np.sqrt(by_hand))
    ours = cross_validate_pairs(Spy(), X, answers, cv=3, random_state=0)
    np.testing.assert_allclose(ours.scores, found.scores, atol=0.02)


@pytest.mark.parametrize("kind", ["must", "cannot"])
def test_one_kind_of_pairs_will_do(wine, answers, kind):
    X, _ = wine
    pairs = Constraints(len(X), **{f"{kind}_link": getattr(answers, f"{kind}_link")})
    found = cross_validate_pairs(make_pipeline(StandardScaler(), PCA(2)), X, pairs, random_state=0)
    assert 0.5 < found.mean <= 1


def test_frames_sparse_lists_and_jobs_change_nothing(wine, answers):
    X, _ = wine
    space = WBDR(2)
    wanted = cross_validate_pairs(space, X, answers, random_state=0)
    frame = pd.DataFrame(X, columns=[f"f{at}" for at in range(X.shape[1])])
    for data in (frame, csr_array(X), X.tolist()):
        found = cross_validate_pairs(space, data, answers, random_state=0)
        assert found.mean == pytest.approx(wanted.mean, abs=1e-6)
    found = cross_validate_pairs(space, X, answers, random_state=0, n_jobs=2)
    assert np.array_equal(found.scores, wanted.scores, equal_nan=True)
    assert (found.mean, found.standard_error) == (wanted.mean, wanted.standard_error)


def test_bad_input_is_named(wine, answers):
    X, _ = wine
    for wrong, message in (
        ({"cv": 1}, "cv must be an integer, 2 or more; got 1"),
        ({"n_repeats": 0}, "n_repeats must be an integer, 1 or more; got 0"),
        ({"scoring": "auc"}, "scoring must be 'pair_auc' or a callable; got 'auc'"),
    ):
        with pytest.raises(ValueError, match=message):
            cross_validate_pairs(Spy(), X, answers, **wrong)
    with pytest.raises(ValueError, match="needs at least 2 pairs; got 1"):
        cross_validate_pairs(Spy(), X, Constraints(len(X), [(0, 1)]))
    with pytest.raises(ValueError, match="X has 178 rows, but the constraints are about 3"):
        cross_validate_pairs(Spy(), X, Constraints(3, [(0, 1)]))
    with pytest.raises(ValueError, match="WBDR needs cannot-links"):
        cross_validate_pairs(
            WBDR(2), X, Constraints(len(X), [(2 * i, 2 * i + 1) for i in range(9)])
        )


@pytest.mark.parametrize("make", [bsr_array, coo_array, dia_array, csc_array])
@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
def test_sparse_matrices_that_can_not_be_indexed(make):
    X = np.random.default_rng(0).poisson(0.4, size=(30, 6)).astype(float)
    y = np.arange(30) % 2
    arguments = {"cv": 2, "n_repeats": 1, "random_state": 0}
    found = cross_validate_pairs(SSDR(1), make(X), y, **arguments)
    assert found.mean == pytest.approx(cross_validate_pairs(SSDR(1), X, y, **arguments).mean)


@pytest.mark.parametrize("empty", [{}, [], np.empty((0, 3)), np.ones((1, 3))])
def test_too_few_rows(empty):
    with pytest.raises(ValueError, match=r"X must have 2 rows or more; got [01]"):
        cross_validate_pairs(SSDR(1), empty, None)


def test_rows_of_different_lengths():
    with pytest.raises(ValueError, match="its rows have different lengths"):
        cross_validate_pairs(SSDR(1), [[1.0, 2.0], [3.0]], [0, 1])
