"""PairSpace with standardised columns, folded into its components."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace import Constraints, PairSpace, load, save


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return X, Constraints.from_labels(y, per_class=10, random_state=0)


def same_up_to_sign(A, B):
    signs = np.sign(np.sum(A * B, axis=0))
    np.testing.assert_allclose(A * signs, B, rtol=1e-6, atol=1e-6 * np.abs(B).max())


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_standard_is_a_standard_scaler_before_it(wine, kind):
    X, answers = wine
    X = kind(X)
    before = make_pipeline(
        StandardScaler(with_mean=False), PairSpace(3, teacher=None, random_state=0)
    )
    expected = before.fit(X, answers).transform(X)
    found = PairSpace(3, scaling="standard", teacher=None, random_state=0).fit(X, answers)
    same_up_to_sign(found.transform(X), expected)
    np.testing.assert_allclose(found.scale_, before[0].scale_)
    dense = X.toarray() if kind is csr_array else X
    np.testing.assert_allclose(found.mean_, dense.mean(axis=0), rtol=1e-9)


def test_auto_standardises_columns_of_different_units(wine):
    X, answers = wine
    auto = PairSpace(2, scaling="auto", random_state=0).fit(X, answers)
    standard = PairSpace(2, scaling="standard", random_state=0).fit(X, answers)
    assert auto.scale_ is not None
    np.testing.assert_allclose(auto.components_, standard.components_)


def test_auto_leaves_small_noise_small():
    random = np.random.default_rng(0)
    y = np.arange(120) % 4
    signal = np.array([[0, 0], [9, 0], [0, 9], [9, 9]])[y] + random.normal(size=(120, 2))
    X = np.column_stack([signal, 0.05 * random.normal(size=(120, 40))])
    answers = Constraints.from_labels(y, per_class=10, random_state=0)
    auto = PairSpace(2, scaling="auto", random_state=0).fit(X, answers)
    assert auto.scale_ is None
    plain = PairSpace(2, random_state=0).fit(X, answers)
    np.testing.assert_allclose(auto.components_, plain.components_)


def test_auto_without_answers_to_judge_by_leaves_columns_as_they_are(wine):
    X, answers = wine
    assert PairSpace(2, scaling="auto").fit(X).scale_ is None
    few = Constraints(len(X), answers.must_link[:2], answers.cannot_link[:2])
    assert PairSpace(2, scaling="auto", random_state=0).fit(X, few).scale_ is None


def test_float32_and_a_constant_column(wine):
    X, answers = wine
    X = np.column_stack([X, np.full(len(X), 7.0)]).astype(np.float32)
    found = PairSpace(3, scaling="standard", random_state=0).fit(X, answers)
    assert found.components_.dtype == found.mean_.dtype == np.float32
    assert np.isfinite(found.transform(X)).all()


def test_a_model_file_has_it(wine, tmp_path):
    X, answers = wine
    fitted = PairSpace(2, scaling="standard", random_state=0).fit(X, answers)
    save(fitted, tmp_path / "model.skops")
    np.testing.assert_array_equal(load(tmp_path / "model.skops").transform(X), fitted.transform(X))


def test_other_scalings_are_refused(wine):
    X, answers = wine
    with pytest.raises(ValueError, match="scaling"):
        PairSpace(2, scaling="minmax").fit(X, answers)
