"""PairSpace in the leading directions of X alone."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.decomposition import PCA

from oracles.subspaces import principal_angles
from pairspace import Constraints, PairSpace
from pairspace.metrics import pair_auc


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_it_is_as_if_pca_stood_before_it(kind):
    random = np.random.default_rng(0)
    y = np.arange(150) % 3
    X = random.normal(size=(150, 60)) * np.where(np.arange(60) < 10, 1.0, 0.1)
    X[:, :3] += 3 * np.eye(3)[y]
    pairs = Constraints.from_labels(y, n_pairs=60, random_state=0)
    found = PairSpace(random_state=0, n_directions=10).fit(kind(X), pairs)
    assert found.n_directions_ == 10
    pca = PCA(10).fit(X)
    wanted = PairSpace(random_state=0).fit(pca.transform(X), pairs)
    np.testing.assert_allclose(found.eigenvalues_, wanted.eigenvalues_, rtol=1e-6)
    lifted = wanted.components_ @ pca.components_
    assert principal_angles(found.components_.T, lifted.T) < 1e-6


def documents(seed, n=300, words=400, topics=6):
    """Counts of words: each topic prefers some of them."""
    random = np.random.default_rng(seed)
    y = random.integers(topics, size=n)
    rates = random.gamma(0.2, size=(topics, words)) + 1 * random.gamma(0.2, size=words)
    X = random.poisson(40 * rates[y] / rates[y].sum(axis=1, keepdims=True))
    return csr_array(np.log1p(X)), y


@pytest.mark.parametrize("seed", range(3))
def test_little_is_lost_where_words_follow_topics(seed):
    """By pairs that were not given: in 40 of 299 directions, and far more in too few of them."""
    X, y = documents(seed)
    known = np.where(np.arange(len(y)) < 40, y, -1)
    rest = X[40:], y[40:]

    def score(n_directions):
        n_components = min(5, n_directions or 5)
        space = PairSpace(n_components, random_state=0, teacher=None, n_directions=n_directions)
        return pair_auc(space.fit(X, known).transform(rest[0]), rest[1])

    whole = score(None)
    assert score(40) > whole - 0.02
    assert score(2) < whole - 0.02
