"""The oracles of SDA, LFDA, SELF, MFA, NPE and S2PPCA, by the identities of the papers."""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.manifold import LocallyLinearEmbedding

from oracles import field, s2ppca
from oracles.scatters import close, total_scatter, within_scatter
from oracles.subspaces import principal_angles


def lda(X, y):
    return LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, :2]


def test_sda_without_the_graph_is_lda(data):
    X, y = data
    W, values = field.sda(X, y, 2, alpha=0)
    assert principal_angles(W, lda(X, y)) < 1e-9
    close(W.T @ total_scatter(X) @ W, np.eye(2), 1e-9)
    close(W.T @ (total_scatter(X) - within_scatter(X, y)) @ W, np.diag(values), 1e-9)


def test_lfda_with_binary_weights_has_the_scatters_of_fisher(partly):
    X, y = partly
    known = y >= 0
    S_lb, S_lw = field.lfda_scatters(X, y, weights="binary")
    close(S_lw, within_scatter(X, y))
    close(S_lb, total_scatter(X[known]) - within_scatter(X, y))


def test_affinities():
    X = np.array([[0.0], [1.0], [3.0]])
    # σ to the second neighbour: 3, 2, 3
    wanted = {(0, 1): -1 / 6, (0, 2): -9 / 9, (1, 2): -4 / 6}
    found = field.affinities(X, range(3), 2)
    for pair, exponent in wanted.items():
        assert np.isclose(found[pair], np.exp(exponent))
    assert set(field.affinities(np.zeros((4, 1)), range(4), 2).values()) == {0.0}


def test_self_at_its_ends(partly):
    X, y = partly
    scatters = field.lfda_scatters(X, y)
    assert principal_angles(field.self_(X, *scatters, 2, 0)[0], field.lfda(X, y, 2)[0]) < 1e-9
    pca = PCA(2).fit(X).components_.T
    assert principal_angles(field.self_(X, *scatters, 2, 1)[0], pca) < 1e-9


def test_mfa_graphs():
    X = np.array([[0.0], [1.0], [3.0], [4.0], [9.0]])
    y = np.array([0, 0, 1, 1, -1])
    assert field.intrinsic_pairs(X, y, 1) == [(0, 1), (2, 3)]
    # Both classes ask for the pair (1, 2), then for (0, 2) and (1, 3), which tie: by the own row.
    assert field.penalty_pairs(X, y, 1) == [(1, 2)]
    assert field.penalty_pairs(X, y, 2) == [(0, 2), (1, 2)]
    assert len(field.penalty_pairs(X, y, 99)) == 4


def test_npe_is_lle_of_as_many_features_as_rows(rng):
    X = rng.normal(size=(40, 60))
    W, values = field.npe(X, 2, k=6)
    lle = LocallyLinearEmbedding(n_neighbors=6, n_components=2, reg=1e-3, eigen_solver="dense")
    assert principal_angles((X - X.mean(axis=0)) @ W, lle.fit_transform(X)) < 1e-6
    weights = field.npe_weights(X, 6)
    close(weights.sum(axis=1), np.ones(40))
    assert ((weights != 0).sum(axis=1) == 6).all()
    assert (values > 0).all()


def test_ppca_is_a_maximum_and_the_likelihood_of_em_never_falls(partly):
    """Another scale of W is less likely than that of PPCA, and no step of EM is a loss."""
    X, y = partly
    W, noise = s2ppca.ppca(X, 2)
    covariance = np.cov(X.T, bias=True)
    model = W @ W.T + noise * np.eye(5)
    assert np.isclose(np.trace(model), np.trace(covariance))
    best = s2ppca.gaussian(X - X.mean(axis=0), model)
    for factor in (0.95, 1.05):
        other = s2ppca.gaussian(X - X.mean(axis=0), factor**2 * W @ W.T + noise * np.eye(5))
        assert other < best
    likelihoods = s2ppca.s2ppca(X, y, 2, 15)[-1]
    assert (np.diff(likelihoods) > -1e-9).all()
    assert np.isclose(np.sum(s2ppca.targets(y) ** 2, axis=0).sum(), _spread_of_labels(y))


def _spread_of_labels(y):
    """Σ ‖t‖² of contrasts is that of the centred one-hot labels."""
    sizes = np.array([np.sum(y == c) for c in range(3)])
    return sizes.sum() - np.sum(sizes**2) / sizes.sum()
