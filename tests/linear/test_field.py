"""SDA, LFDA, SELF, MFA and NPE: against literal transcriptions, and their special cases."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_wine, make_swiss_roll
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.manifold import LocallyLinearEmbedding

from oracles import field
from oracles.pairs import pairs_of_labels
from oracles.subspaces import principal_angles, same_columns_up_to_sign
from pairspace import LFDA, MFA, NPE, SDA, SELFDA, Constraints, ContradictionError
from pairspace._core.data import rows_of
from pairspace.base import Supervision
from pairspace.linear import _local_scatter
from pairspace.linear._local_scatter import local_scatters

METHODS = [SDA(2), LFDA(2), SELFDA(2), SELFDA(2, beta=0.01), MFA(2), NPE(2)]


@pytest.fixture(scope="module")
def data():
    """Wine, standardised, a third of the rows; labels of two thirds of them; pairs."""
    X, y = load_wine(return_X_y=True)
    X, y = X[::3, :8], y[::3]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    partial = np.where(np.arange(len(y)) % 3 == 0, -1, y)
    pairs = Constraints.from_labels(y, per_class=25, random_state=0)
    random = np.random.default_rng(0)
    pairs = Constraints(
        len(y),
        pairs.must_link,
        pairs.cannot_link,
        must_weight=random.uniform(0.5, 2, len(pairs.must_link)),
        cannot_weight=random.uniform(0.5, 2, len(pairs.cannot_link)),
    )
    return X, y, partial, pairs


def lists(c):
    return [tuple(p) for p in c.must_link], [tuple(p) for p in c.cannot_link]


def check(fitted, W, values):
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=1e-7, atol=1e-10)
    assert principal_angles(fitted.components_.T, W) < 1e-6
    assert same_columns_up_to_sign(fitted.components_.T, W, rtol=1e-5)


def angle(A, B):
    return principal_angles(A.components_.T, B.components_.T)


def lda_space(X, y, K=2):
    return LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, :K]


def clouds(sizes, d=5, seed=0):
    """Classes of these sizes that overlap."""
    random = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(sizes)), sizes)
    X = random.normal(size=(len(y), d)) @ random.normal(size=(d, d))
    return X + 2 * random.normal(size=(len(sizes), d))[y], y


# ---- Against the transcriptions ----------------------------------------------------------------


@pytest.mark.parametrize(("alpha", "k"), [(0.1, 5), (1.0, 1), (10.0, 100)])
def test_sda(data, alpha, k):
    X, y, partial, pairs = data
    for labels in (y, partial):
        check(SDA(2, alpha=alpha, n_neighbors=k).fit(X, labels), *field.sda(X, labels, 2, alpha, k))
    W, values = field.sda_pairs(X, *lists(pairs), 2, alpha, k, pairs.cannot_weight)
    check(SDA(2, alpha=alpha, n_neighbors=k).fit(X, pairs), W, values)


@pytest.mark.parametrize("weights", ["local", "binary"])
@pytest.mark.parametrize("k", [1, 7, 100])
@pytest.mark.parametrize("beta", [0.0, 0.03, 0.5])
def test_lfda_and_self(data, weights, k, beta):
    X, y, partial, pairs = data
    options = {"n_neighbors": k, "weights": weights}
    for labels in (y, partial):
        S_lb, S_lw = field.lfda_scatters(X, labels, k, weights)
        check(LFDA(2, **options).fit(X, labels), *field.ratios(S_lb, S_lw, 2))
        check(SELFDA(2, beta=beta, **options).fit(X, labels), *field.self_(X, S_lb, S_lw, 2, beta))
    scatters = field.lfda_pairs_scatters(X, *lists(pairs), k, weights, pairs.cannot_weight)
    check(LFDA(2, **options).fit(X, pairs), *field.ratios(*scatters, 2))
    check(SELFDA(2, beta=beta, **options).fit(X, pairs), *field.self_(X, *scatters, 2, beta))


@pytest.mark.parametrize(("k", "n_pairs"), [(5, 20), (1, 3), (100, 5_000)])
def test_mfa(data, k, n_pairs):
    X, y, partial, pairs = data
    for labels in (y, partial):
        found = MFA(2, n_neighbors=k, n_pairs=n_pairs).fit(X, labels)
        check(found, *field.mfa(X, labels, 2, k, n_pairs))
    must, cannot = lists(pairs)
    S_p, S_c = (
        field.scatter(X, cannot, pairs.cannot_weight),
        field.scatter(X, must, pairs.must_weight),
    )
    check(MFA(2).fit(X, pairs), *field.ratios(S_p, S_c, 2))


@pytest.mark.parametrize(("k", "reg"), [(5, 1e-3), (1, 1e-3), (8, 0.1)])
def test_npe(data, k, reg):
    X, _, _, pairs = data
    W, values = field.npe(X, 3, k, reg)
    for known in (None, pairs):
        check(NPE(3, n_neighbors=k, reg=reg).fit(X, known), W, values)


@pytest.mark.parametrize(
    ("method", "oracle"), [(SDA, field.sda), (LFDA, field.lfda), (MFA, field.mfa)]
)
def test_shrinkage(data, method, oracle):
    X, _, partial, _ = data
    check(method(2, shrinkage=0.3).fit(X, partial), *oracle(X, partial, 2, s=0.3))
    plain = method(2).fit(X, partial)
    assert angle(method(2, shrinkage=0.0).fit(X, partial), plain) < 1e-9
    assert np.isfinite(method(2, shrinkage="auto").fit(X, partial).components_).all()


def test_labels_and_pairs_add_up(data):
    """Within are the chunklets of both, between are the classes and the cannot-links."""
    X, y, _, _ = data
    labels = np.where(np.arange(len(y)) < 30, y, -1)
    links = Constraints.from_labels(np.where(labels >= 0, -1, y), n_pairs=30, random_state=0)
    must, cannot = lists(links)
    n_known = 30 + len(np.unique([*links.must_link.ravel(), *links.cannot_link.ravel()]))
    S_lb, S_lw = field.lfda_scatters(X, labels)
    S_lb = S_lb + field.scatter(X, cannot) / n_known
    S_lw = S_lw + field.lfda_pairs_scatters(X, must, cannot)[1]
    check(LFDA(2).fit(X, labels, constraints=links), *field.ratios(S_lb, S_lw, 2))


# ---- Special cases -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_sda_without_the_graph_is_lda_of_the_labelled_rows(seed):
    X, y = clouds([20, 35, 15], seed=seed)
    found = SDA(2, alpha=0).fit(X, y)
    assert principal_angles(found.components_.T, lda_space(X, y)) < 1e-9
    some = np.where(np.arange(len(y)) % 4, y, -1)
    few = SDA(2, alpha=0).fit(X, some)
    assert principal_angles(few.components_.T, lda_space(X[some >= 0], y[some >= 0])) < 1e-9
    # μ = ν / (1 + ν) of LDA's ν = S_b / S_w
    S_w = sum(field.about_mean(X[rows]) for rows in field.groups_of(y))
    nu = field.ratios(field.about_mean(X) - S_w, S_w, 2)[1]
    np.testing.assert_allclose(found.eigenvalues_, nu / (1 + nu), rtol=1e-8)


def test_sda_has_as_many_directions_as_classes_less_one(data):
    X, y, partial, _ = data
    assert SDA(2).fit(X, partial).rank_ == 2
    with pytest.raises(ValueError, match=r"n_components=3 must be at most 2, .* classes − 1"):
        SDA(3).fit(X, y)


def test_the_first_ratio_of_sda_is_that_of_the_projected_rows(data):
    X, _, partial, _ = data
    found = SDA(1).fit(X, partial)
    z = found.transform(X)
    known = partial >= 0
    S_t = field.about_mean(z[known])
    S_w = sum(field.about_mean(z[rows]) for rows in field.groups_of(partial))
    near = field.of_weights(z, field.neighbour_weights(X, 5))
    np.testing.assert_allclose((S_t - S_w) / (S_t + 0.1 * near), found.eigenvalues_[0], rtol=1e-8)


@pytest.mark.parametrize("method", [LFDA(2, weights="binary"), SELFDA(2, beta=0, weights="binary")])
def test_lfda_with_binary_weights_is_lda(method):
    X, y = clouds([20, 35, 15])
    assert principal_angles(method.fit(X, y).components_.T, lda_space(X, y)) < 1e-9
    with pytest.raises(ValueError, match="n_components=3 must be at most 2"):
        clone(method).set_params(n_components=3).fit(X, y)


@pytest.mark.parametrize("method", [SDA(2, alpha=0), LFDA(2, weights="binary")])
def test_all_pairs_of_balanced_classes_are_lda(method):
    X, y = clouds([12, 12, 12])
    pairs = Constraints(len(y), *pairs_of_labels(y))
    assert principal_angles(method.fit(X, pairs).components_.T, lda_space(X, y)) < 1e-8


def test_local_scatters_are_between_those_of_fisher(data):
    X, _, partial, _ = data
    Z, known = rows_of(X), Supervision(partial, None, len(X))
    S_lb, S_lw = local_scatters(Z, known, 7, "local")
    S_b, S_w = local_scatters(Z, known, 7, "binary")
    for larger, smaller in ((S_lb, S_b), (S_w, S_lw)):
        least = np.linalg.eigvalsh(larger - smaller)[0]
        assert least > -1e-10 * np.trace(larger)


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("held", ["weights", "products", "rows", "nothing"])
def test_local_scatters_in_blocks_are_those_of_pairs(kind, held, monkeypatch):
    monkeypatch.setattr(_local_scatter, "SMALL", 100 if held == "weights" else 5)
    monkeypatch.setattr(_local_scatter, "SMALL_CLASSES", 500)
    monkeypatch.setattr(_local_scatter, "PRODUCT_BYTES", 10**6 if held == "products" else 0)
    monkeypatch.setattr(_local_scatter, "ROW_BYTES", 8 * 23 * 4)
    if held == "nothing":
        monkeypatch.setattr(_local_scatter, "working_bytes", lambda: 0)
    random = np.random.default_rng(0)
    X = random.poisson(0.8, size=(60, 6)) * random.normal(size=(60, 6))
    y = np.r_[np.zeros(23, int), np.ones(17, int), [2, 2, 3, 3, 3, 4], np.full(14, -1)]
    found = local_scatters(rows_of(kind(X)), Supervision(y, None, len(y)), 3, "local")
    for ours, wanted in zip(found, field.lfda_scatters(X, y, 3), strict=True):
        np.testing.assert_allclose(ours, wanted, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.parametrize("small", [5, 512])
def test_lfda_of_rows_with_many_copies_is_finite(small, monkeypatch):
    monkeypatch.setattr(_local_scatter, "SMALL", small)
    X, y = clouds([20, 20])
    X[:10] = X[0]  # more than the 7 neighbours
    found = LFDA(2).fit(X, y)
    check(found, *field.lfda(X, y, 2))


def test_self_is_lfda_and_pca_at_its_ends(data):
    X, _, partial, _ = data
    labelled = partial >= 0
    lfda = LFDA(3).fit(X[labelled], partial[labelled])
    assert angle(SELFDA(3, beta=0).fit(X, partial), lfda) < 1e-9
    pca = PCA(3).fit(X)
    assert angle(SELFDA(3, beta=1).fit(X, partial), pca) < 1e-9
    for beta in (0.01, 0.5):
        for nothing in (None, np.full(len(X), -1), Constraints(len(X))):
            assert angle(SELFDA(3, beta=beta).fit(X, nothing), pca) < 1e-9


def test_self_of_one_class_is_defined(data):
    X, y, _, _ = data
    one = np.where(y == 0, 0, -1)
    S_lb, S_lw = field.lfda_scatters(X, one)
    check(SELFDA(2).fit(X, one), *field.self_(X, S_lb, S_lw, 2, 0.5))
    with pytest.raises(ValueError, match="SELFDA needs cannot-links"):
        SELFDA(2, beta=0).fit(X, one)


def test_mfa_of_all_pairs_of_balanced_classes_is_lda():
    X, y = clouds([12, 12, 12])
    found = MFA(2, n_neighbors=11, n_pairs=12 * 24).fit(X, y)
    assert principal_angles(found.components_.T, lda_space(X, y)) < 1e-8


@pytest.mark.parametrize("method", [LFDA(2), MFA(2)])
def test_unlabelled_rows_change_the_mean_alone(data, method):
    X, _, partial, _ = data
    known = partial >= 0
    found, wanted = clone(method).fit(X, partial), clone(method).fit(X[known], partial[known])
    check(found, wanted.components_.T, wanted.eigenvalues_)
    assert not np.allclose(found.mean_, wanted.mean_)


def test_mfa_names_the_edges_if_they_are_too_few(data):
    X, y, _, _ = data
    two = np.where(y < 2, y, -1)
    # Two classes ask for the same pair, which is one edge.
    message = r"n_components=2 must be at most 1, the rank of .* has 1 edges \(n_pairs=1\)"
    with pytest.raises(ValueError, match=message):
        MFA(2, n_pairs=1).fit(X, two)


@pytest.mark.parametrize("method", [SDA(1), LFDA(1), SELFDA(1), MFA(1)])
def test_a_class_of_one_row_is_fine(data, method):
    X, y, _, _ = data
    some = np.where(y == 2, -1, y)
    some[np.argmax(y == 2)] = 2
    oracle = {SDA: field.sda, LFDA: field.lfda, MFA: field.mfa}.get(type(method))
    W, values = (
        oracle(X, some, 1) if oracle else field.self_(X, *field.lfda_scatters(X, some), 1, 0.5)
    )
    check(clone(method).fit(X, some), W, values)


def test_npe_weights_reconstruct(data):
    X, _, _, _ = data
    X = X.copy()
    X[1] = X[2] = X[0]
    W = field.npe_weights(X, 2)
    np.testing.assert_allclose(W.sum(axis=1), 1)
    assert not W.diagonal().any()
    np.testing.assert_allclose(W[0, [1, 2]], 0.5)  # copies: equal weights
    found = NPE(3, n_neighbors=2).fit(X)
    check(found, *field.npe(X, 3, 2))
    assert (found.eigenvalues_ >= 0).all()


def test_npe_of_as_many_features_as_rows_is_lle():
    X = np.random.default_rng(0).normal(size=(60, 80))
    Y = NPE(2, n_neighbors=6).fit_transform(X)
    lle = LocallyLinearEmbedding(n_neighbors=6, n_components=2, reg=1e-3, eigen_solver="dense")
    assert principal_angles(Y, lle.fit_transform(X)) < 1e-6


def test_npe_warns_if_reg_alone_decides():
    X = make_swiss_roll(80, random_state=0)[0]
    with pytest.warns(UserWarning, match=r"n_neighbors=5 is more than the rank of X, 3"):
        NPE(2).fit(X)


# ---- Invariances -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_shift_rotation_scale_and_names(data, method):
    X, _, partial, _ = data
    R = np.linalg.qr(np.random.default_rng(0).normal(size=(X.shape[1], X.shape[1])))[0]
    plain = clone(method).fit(X, partial).components_
    turned = clone(method).fit(X @ R + 30, partial).components_
    assert principal_angles(plain.T, R @ turned.T) < 1e-7
    names = np.where(partial < 0, -1, 7 - 2 * partial)
    np.testing.assert_allclose(clone(method).fit(X, names).components_, plain, atol=1e-10)
    if not isinstance(method, SELFDA):
        scaled = clone(method).fit(1000 * X, partial).components_
        assert principal_angles(plain.T, scaled.T) < 1e-8


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_more_features_than_rows_is_the_same_in_their_span(method):
    X, y = clouds([14, 11, 9], d=8)
    basis = np.linalg.qr(np.random.default_rng(0).normal(size=(60, 8)))[0]
    wide = X @ basis.T + 5
    labels = np.where(np.arange(len(y)) % 5 == 0, -1, y)
    narrow, found = clone(method).fit(X, labels), clone(method).fit(wide, labels)
    np.testing.assert_allclose(found.eigenvalues_, narrow.eigenvalues_, rtol=1e-6, atol=1e-10)
    distances = [
        np.linalg.norm(Z[:, None] - Z[None], axis=2)
        for Z in (narrow.transform(X), found.transform(wide))
    ]
    np.testing.assert_allclose(*distances, rtol=1e-5, atol=1e-7 * distances[0].max())
    inside = found.components_ @ basis @ basis.T
    np.testing.assert_allclose(inside, found.components_, atol=1e-7)


# ---- What is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize("method", [LFDA(1), MFA(1), SDA(1)])
def test_must_links_alone_are_refused_with_what_takes_them(data, method):
    X, y, _, pairs = data
    with pytest.raises(ValueError, match=r"needs cannot-links.*CFLD, RCA and MMC learn"):
        clone(method).fit(X, Constraints(len(y), pairs.must_link))
    with pytest.raises(ValueError, match="needs cannot-links"):
        clone(method).fit(X, np.zeros(len(y)))


@pytest.mark.parametrize("method", [LFDA(1), MFA(1), SDA(1, alpha=0), SELFDA(1, beta=0)])
def test_cannot_links_alone_are_refused_with_what_takes_them(data, method):
    X, y, _, pairs = data
    with pytest.raises(ValueError, match=r"needs must-links.*SSDR and WMV learn"):
        clone(method).fit(X, Constraints(len(y), (), pairs.cannot_link))


def test_cannot_links_alone_are_enough_for_sda_with_neighbours(data):
    X, _, _, pairs = data
    W, values = field.sda_pairs(X, [], lists(pairs)[1], 2, cannot_weight=pairs.cannot_weight)
    check(
        SDA(2).fit(
            X, Constraints(len(X), (), pairs.cannot_link, cannot_weight=pairs.cannot_weight)
        ),
        W,
        values,
    )


@pytest.mark.parametrize("method", [SDA(1), LFDA(1), SELFDA(1)])
def test_contradictions_are_shown(data, method):
    X, y, _, _ = data
    with pytest.raises(ContradictionError, match="0 = 1 = 2"):
        clone(method).fit(X, Constraints(len(y), [(0, 1), (1, 2)], [(0, 2), (3, 4)]))


def test_too_few_labels_for_the_rank(data):
    X, y, _, _ = data
    few = np.full(len(y), -1)
    few[[0, 1]], few[-2:] = 0, 2
    message = r"n_components=3 must be at most 2, the rank of the local scatter within classes \(sh"
    with pytest.raises(ValueError, match=message):
        LFDA(3).fit(X, few)
    assert LFDA(3, shrinkage=0.2).fit(X, few).components_.shape == (3, 8)
