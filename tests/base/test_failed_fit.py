"""A fit that fails leaves the estimator as it was, fitted or not."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from estimators import LINEAR, MANIFOLD
from pairspace import CFLD, SSDR, AutoReducer, KernelKMeans, SKKMeans, WMVSearchCV

pytestmark = pytest.mark.filterwarnings("ignore:the graph has 2 connected components")

RANDOM = np.random.default_rng(0)
Y = np.arange(40) % 2
X = RANDOM.normal(size=(40, 5)) + 2 * Y[:, None]
WIDER = np.ones((40, 7))  # other columns, and all rows equal
SEARCHES = [WMVSearchCV(max_components=2), AutoReducer(1, candidates=["PairSpace", "PCA"])]


def state(estimator):
    return {
        name: value.tobytes() if isinstance(value, np.ndarray) else repr(value)
        for name, value in vars(estimator).items()
    }


def name_of(estimator):
    return type(estimator).__name__


@pytest.mark.parametrize("estimator", [*LINEAR, *MANIFOLD, *SEARCHES], ids=name_of)
def test_a_fitted_estimator_stays_as_it_was(estimator):
    estimator = clone(estimator).fit(X, Y)
    before, embedded = state(estimator), estimator.transform(X)
    with pytest.raises(ValueError, match=r"equal|identical"):
        estimator.fit(WIDER, Y)
    assert state(estimator) == before
    np.testing.assert_array_equal(estimator.transform(X), embedded)


@pytest.mark.parametrize("estimator", [*LINEAR, *MANIFOLD, *SEARCHES], ids=name_of)
def test_an_unfitted_estimator_stays_unfitted(estimator):
    estimator = clone(estimator)
    with pytest.raises(ValueError, match=r"equal|identical"):
        estimator.fit(WIDER, Y)
    with pytest.raises(NotFittedError):
        estimator.transform(X)


def test_a_failed_fit_keeps_the_sums_of_batches():
    estimator = SSDR(2).partial_fit(X[:20], Y[:20])
    with pytest.raises(ValueError, match="equal"):
        estimator.fit(WIDER, Y)
    estimator.partial_fit(X[20:], Y[20:])
    np.testing.assert_allclose(
        np.abs(estimator.components_), np.abs(SSDR(2).fit(X, Y).components_), atol=1e-9
    )


def test_a_failed_batch_changes_nothing():
    estimator = SSDR(2).partial_fit(X, Y)
    components = estimator.components_
    with pytest.raises(ValueError, match="7 features"):
        estimator.partial_fit(WIDER, Y)
    np.testing.assert_array_equal(estimator.components_, components)


def test_hasattr_says_no_before_there_is_enough():
    estimator = CFLD(1).partial_fit(X[:1], Y[:1])
    assert not hasattr(estimator, "components_")
    with pytest.raises(ValueError, match="1 row"):
        estimator.transform(X)
    estimator.partial_fit(X[1:], Y[1:])
    assert estimator.components_.shape == (1, 5)


@pytest.mark.parametrize("clusterer", [KernelKMeans(2), SKKMeans(2)], ids=name_of)
def test_a_fitted_clusterer_stays_as_it_was(clusterer):
    clusterer.set_params(random_state=0).fit(X, Y)
    labels = clusterer.predict(X)
    with pytest.raises(ValueError, match="n_clusters=50"):
        clusterer.set_params(n_clusters=50).fit(WIDER, Y)
    np.testing.assert_array_equal(clusterer.predict(X), labels)
