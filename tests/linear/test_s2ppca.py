"""S2PPCA: against EM row by row, probabilistic PCA in closed form, and its fixed points."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning

from oracles import s2ppca as oracle
from oracles.subspaces import principal_angles
from pairspace import S2PPCA, Constraints


@pytest.fixture(scope="module")
def data():
    """Wine, standardised, a third of the rows; labels of two thirds of them."""
    X, y = load_wine(return_X_y=True)
    X, y = X[::3, :8], y[::3]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, y, np.where(np.arange(len(y)) % 3 == 0, -1, y)


def loadings(fitted):
    """W_x from the posterior mean: (W_xᵀW_x + σ²I)⁻¹W_xᵀ, where W_xᵀW_x is diagonal."""
    scale = fitted.eigenvalues_ + fitted.noise_variance_
    return fitted.components_.T * scale


def close(found, wanted, tolerance=1e-8):
    np.testing.assert_allclose(found, wanted, atol=tolerance * np.abs(wanted).max(), rtol=0)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("n_components", [1, 2, 4])
@pytest.mark.parametrize("n_steps", [1, 5])
def test_steps_of_em(data, n_components, n_steps):
    X, y, partial = data
    for labels in (y, partial):
        fitted = S2PPCA(n_components, max_iter=n_steps, tol=0).fit(X, labels)
        W_x, _, noise, _, likelihoods = oracle.s2ppca(X, labels, n_components, n_steps)
        W = loadings(fitted)
        close(W @ W.T, W_x @ W_x.T)
        assert fitted.noise_variance_ == pytest.approx(noise, rel=1e-9)
        np.testing.assert_allclose(fitted.log_likelihood_, likelihoods, rtol=1e-9)
        posterior = np.linalg.solve(W_x.T @ W_x + noise * np.eye(n_components), W_x.T)
        lengths = np.linalg.norm((X - X.mean(axis=0)) @ posterior.T, axis=1)
        close(np.linalg.norm(fitted.transform(X), axis=1), lengths)


@pytest.mark.parametrize("n_components", [1, 3])
def test_without_labels_it_is_probabilistic_pca(data, n_components):
    X, y, _ = data
    W_x, noise = oracle.ppca(X, n_components)
    for nothing in (None, np.full(len(y), -1), np.zeros(len(y)), Constraints(len(y))):
        fitted = S2PPCA(n_components).fit(X, nothing)
        W = loadings(fitted)
        close(W @ W.T, W_x @ W_x.T)
        assert fitted.noise_variance_ == pytest.approx(noise)
        assert fitted.n_iter_ == 0
        assert principal_angles(W, PCA(n_components).fit(X).components_.T) < 1e-8
    n = len(X)
    scikit_learn = PCA(n_components).fit(X)
    # scikit-learn's noise divides by n − 1
    assert fitted.noise_variance_ == pytest.approx(scikit_learn.noise_variance_ * (n - 1) / n)


@pytest.mark.parametrize("n_labels", [3, 5, 1_000])
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_the_likelihood_never_falls(load, n_labels):
    X, y = load(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    labels = np.full(len(y), -1)
    for c in range(3):
        labels[np.flatnonzero(y == c)[:n_labels]] = c
    for n_components in (1, 2, 3):
        fitted = S2PPCA(n_components, max_iter=1_000).fit(X, labels)
        steps = np.diff(fitted.log_likelihood_)
        assert len(steps) == fitted.n_iter_ > 1
        assert (steps > -1e-9 * np.abs(fitted.log_likelihood_[0])).all()
        assert np.isfinite(fitted.components_).all()


def test_true_is_one_component(data):
    X = data[0]
    assert S2PPCA(n_components=True).fit(X).components_.shape == (1, X.shape[1])


def test_all_labelled_it_is_probabilistic_pca_of_features_and_targets(data):
    """At the end [W_x/σ_x; W_y/σ_y] is PPCA with noise 1 of [x/σ_x, t/σ_y]."""
    X, y, _ = data
    fitted = S2PPCA(1, tol=1e-13, max_iter=5_000).fit(X, y)
    W_x, W_y, noise_x, noise_y, _ = oracle.s2ppca(X, y, 1, fitted.n_iter_)
    both = np.vstack([W_x / np.sqrt(noise_x), W_y / np.sqrt(noise_y)])
    x, t = X - X.mean(axis=0), oracle.targets(y)
    joint = np.hstack([x / np.sqrt(noise_x), t / np.sqrt(noise_y)])
    values, vectors = np.linalg.eigh(joint.T @ joint / len(X))
    wanted = vectors[:, -1:] * np.sqrt(values[-1] - 1)
    close(both @ both.T, wanted @ wanted.T, 1e-4)
    W = loadings(fitted)
    close(W @ W.T, W_x @ W_x.T, 1e-6)


def test_names_of_classes_do_not_matter(data):
    X, _, partial = data
    wanted = S2PPCA(2).fit(X, partial)
    for names in ((2, 0, 1, -1), (1, 2, 0, -1)):
        found = S2PPCA(2).fit(X, np.array(names)[partial])
        np.testing.assert_allclose(found.components_, wanted.components_, rtol=1e-7, atol=1e-9)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_more_features_than_rows_divides_the_noise_by_all_features():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(20, 50)), np.arange(20) % 3
    X[:, :3] += 3 * np.eye(3)[y]
    assert S2PPCA(2).fit(X).noise_variance_ == pytest.approx(oracle.ppca(X, 2)[1])
    fitted = S2PPCA(2, max_iter=50, tol=0).fit(X, y)
    _, _, noise, _, likelihoods = oracle.s2ppca(X, y, 2, 50)
    assert fitted.noise_variance_ == pytest.approx(noise)
    np.testing.assert_allclose(fitted.log_likelihood_, likelihoods, rtol=1e-8)


def test_must_links_make_classes(data):
    X, y, _ = data
    chains = [np.flatnonzero(y == c) for c in range(3)]
    links = np.vstack([np.column_stack([rows[:-1], rows[1:]]) for rows in chains])
    found = S2PPCA(2).fit(X, Constraints(len(y), links))
    np.testing.assert_allclose(found.components_, S2PPCA(2).fit(X, y).components_, atol=1e-9)
    with pytest.raises(ValueError, match="got cannot-links only: use SSDR or WMV"):
        S2PPCA(2).fit(X, Constraints(len(y), (), [(0, 50)]))


def test_too_many_components(data):
    X, y, _ = data
    message = "n_components=8 must be at most 7, the rank of X − 1"
    with pytest.raises(ValueError, match=message):
        S2PPCA(8).fit(X, y)


def test_it_says_that_it_has_not_converged(data):
    X, y, _ = data
    with pytest.warns(ConvergenceWarning, match="max_iter=1 steps"):
        S2PPCA(1, max_iter=1).fit(X, y)


def test_batches_know_the_noise_and_the_likelihood(data):
    X, _, partial = data
    wanted = S2PPCA(2).fit(X, partial)
    found = S2PPCA(2).partial_fit(X[:20], partial[:20]).partial_fit(X[20:], partial[20:])
    assert found.noise_variance_ == pytest.approx(wanted.noise_variance_)
    assert found.n_iter_ == wanted.n_iter_
    np.testing.assert_allclose(found.log_likelihood_, wanted.log_likelihood_, rtol=1e-9)
