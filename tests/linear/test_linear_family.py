"""The other linear methods: against literal transcriptions, and the identities that must hold."""

import numpy as np
import pytest
import scipy.linalg
from sklearn.covariance import ledoit_wolf
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA

from oracles import chunklet_methods, lpp, wmv
from oracles.pairs import pairs_of_labels
from oracles.subspaces import principal_angles, same_columns_up_to_sign
from pairspace import (
    BWDR,
    CFLD,
    DCA,
    LPP,
    LPPSI,
    MMC,
    RCA,
    SLPP,
    SSDR,
    SSWMV,
    WBDR,
    WMMC,
    WMV,
    Constraints,
    ContradictionError,
)
from pairspace._core import linalg
from pairspace._core.data import Classes, rows_of
from pairspace._within import ledoit_wolf as our_ledoit_wolf


@pytest.fixture(scope="module")
def data():
    """Wine, standardised, a third of the rows; partial labels; pairs; their lists."""
    X, y = load_wine(return_X_y=True)
    X, y = X[::3], y[::3]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    partial = np.where(np.arange(len(y)) % 3 == 0, -1, y)
    c = Constraints.from_labels(y, per_class=25, random_state=0)
    return X, y, partial, c


def lists(c):
    return [tuple(p) for p in c.must_link], [tuple(p) for p in c.cannot_link]


def check(fitted, W, values, columns=True):
    scale = np.abs(values).max()
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=1e-6, atol=1e-9 * scale)
    assert principal_angles(fitted.components_.T, W) < 1e-6
    if columns:
        assert same_columns_up_to_sign(fitted.components_.T, W, rtol=1e-5)


def weighted(c):
    random = np.random.default_rng(3)
    return Constraints(
        len(c),
        c.must_link,
        c.cannot_link,
        must_weight=random.uniform(0.2, 4, len(c.must_link)),
        cannot_weight=random.uniform(0.2, 4, len(c.cannot_link)),
    )


# ---- SSDR -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_components", [1, 3, 8])
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 20.0), (0.0, 5.0), (3.0, 0.0)])
def test_ssdr(data, n_components, alpha, beta):
    X, _, partial, c = data
    for pairs in (c, weighted(c)):
        W, values = chunklet_methods.ssdr(
            X, *lists(pairs), n_components, alpha, beta, pairs.must_weight, pairs.cannot_weight
        )
        check(SSDR(n_components, alpha=alpha, beta=beta).fit(X, pairs), W, values)
    W, values = chunklet_methods.ssdr(X, *pairs_of_labels(partial), n_components, alpha, beta)
    check(SSDR(n_components, alpha=alpha, beta=beta).fit(X, partial), W, values)


def test_ssdr_with_one_kind_of_pair_and_without_pull_or_push(data):
    X, y, _, c = data
    for pairs in (Constraints(len(y), c.must_link), Constraints(len(y), (), c.cannot_link)):
        W, values = chunklet_methods.ssdr(X, *lists(pairs), 2)
        check(SSDR(2).fit(X, pairs), W, values)
    W = SSDR(3, alpha=0, beta=0).fit(X, c).components_.T
    assert principal_angles(W, PCA(3).fit(X).components_.T) < 1e-7


# ---- cFLD, RCA, DCA ---------------------------------------------------------------------------


@pytest.mark.parametrize("n_components", [1, 3])
def test_cfld_and_rca(data, n_components):
    X, _, partial, c = data
    for known, must in ((c, lists(c)[0]), (partial, pairs_of_labels(partial)[0])):
        check(CFLD(n_components).fit(X, known), *chunklet_methods.cfld(X, must, n_components))
        rca = RCA(n_components).fit(X, known)
        W, values = chunklet_methods.rca(X, must, n_components)
        rows_in_chunklets = chunklet_methods.within_chunklets(X, must)[1]
        np.testing.assert_allclose(rca.eigenvalues_, values * rows_in_chunklets, rtol=1e-6)
        assert same_columns_up_to_sign(rca.components_.T, W, rtol=1e-5)
    both = CFLD(2).fit(X, partial, constraints=c)
    must = pairs_of_labels(partial)[0] + lists(c)[0]
    check(both, *chunklet_methods.cfld(X, must, 2))


def test_rca_without_reduction_is_the_whitening(data):
    X, _, _, c = data
    whitening, values = chunklet_methods.rca(X, lists(c)[0])
    fitted = RCA(n_components=None).fit(X, c)
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=1e-8)
    metric = fitted.components_.T @ fitted.components_
    np.testing.assert_allclose(metric, whitening @ whitening.T, atol=1e-8 * np.abs(metric).max())
    S_w, n = chunklet_methods.within_chunklets(fitted.transform(X), lists(c)[0])
    np.testing.assert_allclose(S_w / n, np.eye(len(values)), atol=1e-8)


def test_chunklet_methods_are_affine_invariant(data):
    X, _, _, c = data
    A = np.random.default_rng(0).normal(size=(X.shape[1], X.shape[1]))
    for method in (CFLD(2), RCA(None)):
        plain, mixed = method.fit(X, c).transform(X), method.fit(X @ A, c).transform(X @ A)
        distances = [np.linalg.norm(Z[:10, None] - Z[None, :10], axis=2) for Z in (plain, mixed)]
        np.testing.assert_allclose(*distances, rtol=1e-6, atol=1e-9)


def test_dca(data):
    X, y, partial, c = data
    few = Constraints(len(y), c.must_link[::3], c.cannot_link)
    for known, pairs in ((few, lists(few)), (c, lists(c)), (partial, pairs_of_labels(partial))):
        n_components = 1 if known is partial else 2
        W, values = chunklet_methods.dca(X, *pairs, n_components)
        check(DCA(n_components).fit(X, known), W, values)


def test_dca_shows_the_chain_of_a_contradiction(data):
    X, y, _, _ = data
    with pytest.raises(ContradictionError, match="0 = 1 = 2"):
        DCA().fit(X, Constraints(len(y), [(0, 1), (1, 2)], [(0, 2), (3, 4)]))
    labels = np.full(len(y), -1)
    labels[[0, 2]] = 0, 1
    with pytest.raises(ContradictionError, match="0 and 2 are different, but 0 = 1 = 2"):
        DCA().fit(X, labels, constraints=Constraints(len(y), [(0, 1), (1, 2)]))


@pytest.mark.parametrize("method", [CFLD, RCA, DCA, MMC, WMMC, SLPP])
def test_must_links_are_needed(data, method):
    X, y, _, c = data
    with pytest.raises(ValueError, match="needs must-links, or 2 rows with the same label"):
        method().fit(X, Constraints(len(y), (), c.cannot_link))


@pytest.mark.parametrize("method", [CFLD, RCA])
def test_few_must_links_span_few_directions_unless_shrunk(data, method):
    X, y, _, c = data
    few = Constraints(len(y), c.must_link[:2])
    message = r"n_components=3 must be at most 2, the rank of .* must-links \(shrinkage=None\)"
    with pytest.raises(ValueError, match=message):
        method(3).fit(X, few)
    S_w, n = chunklet_methods.within_chunklets(X, lists(few)[0])
    d = X.shape[1]
    S_w = (0.7 * S_w + 0.3 * np.trace(S_w) / d * np.eye(d)) / (n if method is RCA else 1)
    S_t = (X - X.mean(axis=0)).T @ (X - X.mean(axis=0))
    values, W = scipy.linalg.eigh(S_t, S_w)
    check(method(3, shrinkage=0.3).fit(X, few), W[:, ::-1][:, :3], values[::-1][:3])


# ---- Shrinkage --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [BWDR, WBDR, CFLD, RCA, DCA])
def test_no_shrinkage_is_none_and_full_shrinkage_forgets_the_within_scatter(data, method):
    X, y, _, c = data
    plain = method(2).fit(X, c).components_
    np.testing.assert_allclose(method(2, shrinkage=0.0).fit(X, c).components_, plain, rtol=1e-9)
    full = method(2, shrinkage=1.0)
    other = Constraints(len(y), c.must_link[::-1][:40], c.cannot_link)
    if method in (CFLD, RCA):
        assert principal_angles(full.fit(X, c).components_.T, PCA(2).fit(X).components_.T) < 1e-7
    elif method is not DCA:  # DCA's chunklets also decide what lies between
        a, b = full.fit(X, c).components_.T, full.fit(X, other).components_.T
        assert principal_angles(a, b) < 1e-7
    for bad in (-0.1, 1.1, "some"):
        with pytest.raises(ValueError, match="'shrinkage' parameter"):
            method(2, shrinkage=bad).fit(X, c)


def test_ledoit_wolf_of_one_class_is_nearly_scikit_learns():
    """One class of n rows: the same estimate but for the n − 1 degrees of freedom."""
    X = np.random.default_rng(0).normal(size=(400, 10)) * np.linspace(1, 3, 10)
    ours = our_ledoit_wolf(rows_of(X), Classes(np.zeros(400, dtype=int)))
    assert ours == pytest.approx(ledoit_wolf(X)[1], rel=0.02)


def test_ledoit_wolf_counts_degrees_of_freedom_and_not_pairs(data):
    X, y, _, _ = data
    chain = np.flatnonzero(y == 0)
    links = Constraints(len(y), np.column_stack([chain[:-1], chain[1:]]))
    for method in (CFLD, RCA):
        a = method(2, shrinkage="auto").fit(X, links).components_
        b = method(2, shrinkage="auto").fit(X, links.closure()).components_
        np.testing.assert_allclose(a, b, rtol=1e-9)


# ---- MMC, WMMC, WMV, SSWMV --------------------------------------------------------------------


@pytest.mark.parametrize("n_components", [1, 4])
def test_mmc_and_wmmc(data, n_components):
    X, y, partial, _ = data
    for labels in (y, partial):
        check(MMC(n_components).fit(X, labels), *wmv.mmc(X, labels, n_components)[:2])
        for a in (0.1, 0.5, 7.0):
            W, values, _ = wmv.wmmc(X, labels, n_components, a)
            check(WMMC(n_components, weight=a).fit(X, labels), W, values)


@pytest.mark.parametrize("n_components", [1, 4])
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, -1.0), (1.0, -0.01), (0.1, -2.0), (3.0, 0.0)])
def test_wmv(data, n_components, alpha, beta):
    X, y, partial, c = data
    for labels in (y, partial):
        W, values, _ = wmv.wmv(X, labels, n_components, alpha, beta)
        check(WMV(n_components, alpha=alpha, beta=beta).fit(X, labels), W, values)
    for pairs in (c, weighted(c)):
        W, values, _ = wmv.wmv_pairs(
            X, *lists(pairs), n_components, alpha, beta, pairs.must_weight, pairs.cannot_weight
        )
        check(WMV(n_components, alpha=alpha, beta=beta).fit(X, pairs), W, values)


def test_wmv_without_supervision_is_pca(data):
    X, y, _, _ = data
    for nothing in (None, np.full(len(y), -1), Constraints(len(y))):
        W = WMV(3).fit(X, nothing).components_.T
        assert principal_angles(W, PCA(3).fit(X).components_.T) < 1e-7


def test_balanced_classes_make_wmv_a_wmmc(data):
    X, y, _, _ = data
    rows = np.concatenate([np.flatnonzero(y == c)[:12] for c in range(3)])
    X, y = X[rows], y[rows]
    n, n_k, b = 36, 12, 0.01
    # M = (1 + 2bn)·S_t − 2(1 + b)·S'w, and S'w = n_k·S_w for classes of one size
    a = 2 * (1 + b) * n_k / (1 + 2 * b * n) - 1
    W = WMV(3, beta=-b).fit(X, y).components_.T
    assert principal_angles(W, WMMC(3, weight=a).fit(X, y).components_.T) < 1e-7


@pytest.mark.parametrize("propagation", ["neighbors", "majority", "clusters", "silhouette"])
@pytest.mark.parametrize("n_components", [1, 3])
def test_sswmv(data, propagation, n_components):
    X, y, partial, _ = data
    clusters = {
        "clusters": lambda: wmv.kmeans_clusters(X, 3, 0),
        "silhouette": lambda: wmv.silhouette_clusters(X, 0),
    }.get(propagation, lambda: None)()
    W, values, _ = wmv.sswmv(X, partial, n_components, 0.3, -0.7, propagation, clusters=clusters)
    estimator = SSWMV(n_components, alpha=0.3, beta=-0.7, propagation=propagation, random_state=0)
    check(estimator.fit(X, partial), W, values)
    fully = estimator.fit(X, y).components_.T
    plain = WMV(n_components, alpha=0.3, beta=-0.7).fit(X, y).components_.T
    assert principal_angles(fully, plain) < 1e-7


@pytest.mark.parametrize("n_neighbors", [1, 3, 100])
def test_sswmv_neighbors_and_majority(data, n_neighbors):
    X, _, partial, _ = data
    for propagation in ("neighbors", "majority"):
        W, values, _ = wmv.sswmv(X, partial, 2, 0.05, -1, propagation, n_neighbors)
        estimator = SSWMV(2, alpha=0.05, beta=-1, propagation=propagation, n_neighbors=n_neighbors)
        check(estimator.fit(X, partial), W, values)


def test_sswmv_without_supervision(data):
    X, y, _, _ = data
    nothing = np.full(len(y), -1)
    check(SSWMV(2, alpha=0.1).fit(X, nothing), *wmv.sswmv(X, nothing, 2, 0.1, -1)[:2])
    with pytest.warns(UserWarning, match="all eigenvalues are negative"):
        SSWMV(2, alpha=1e3).fit(X, nothing)
    with pytest.raises(ValueError, match="none is known"):
        SSWMV(2, propagation="majority").fit(X, nothing)
    with pytest.raises(ValueError, match="give n_clusters"):
        SSWMV(2, propagation="clusters").fit(X, nothing)
    clustered = SSWMV(2, propagation="clusters", n_clusters=3, random_state=0).fit(X, nothing)
    check(clustered, *wmv.wmv(X, wmv.kmeans_clusters(X, 3, 0), 2)[:2])


@pytest.mark.parametrize("method", [SSDR(3, beta=1e4), WMV(3, alpha=1e4, beta=0), MMC(3)])
def test_flat_directions_do_not_outrank_negative_eigenvalues(data, method):
    X, y, _, _ = data
    plain = method.fit(X, y).components_
    with_flat = method.fit(np.column_stack([X, np.ones(len(X))]), y).components_
    np.testing.assert_allclose(with_flat[:, -1], 0, atol=1e-9)
    assert principal_angles(with_flat[:, :-1].T, plain.T) < 1e-6


# ---- LPP, SLPP, LPPSI -------------------------------------------------------------------------


@pytest.mark.parametrize("weights", ["heat", "binary"])
@pytest.mark.parametrize("sigma", ["mean", 2.5])
@pytest.mark.parametrize("k", [1, 5, 30])
def test_lpp_and_lppsi(data, weights, sigma, k):
    X, _, partial, c = data
    options = {"n_neighbors": k, "weights": weights, "sigma": sigma}
    check(LPP(3, **options).fit(X), *lpp.lpp(X, 3, k, weights, sigma))
    W, values = lpp.lppsi(X, *lists(c), 3, k, weights, sigma)
    check(LPPSI(3, **options).fit(X, c), W, values)
    w = weighted(c)
    W, values = lpp.lppsi(X, *lists(w), 3, k, weights, sigma, w.must_weight)
    check(LPPSI(3, **options).fit(X, w), W, values)
    W, values = lpp.lppsi(X, *pairs_of_labels(partial), 3, k, weights, sigma)
    check(LPPSI(3, **options).fit(X, partial), W, values)


@pytest.mark.parametrize("weights", ["heat", "binary"])
def test_slpp(data, weights):
    X, y, partial, _ = data
    for labels in (y, partial):
        check(SLPP(2, weights=weights).fit(X, labels), *lpp.slpp(X, labels, 2, weights))


def test_lppsi_without_supervision_is_lpp(data):
    X, _, _, _ = data
    np.testing.assert_array_equal(LPPSI().fit(X).components_, LPP().fit(X).components_)


def test_lpp_refuses_what_has_no_nearness(data):
    X, _, _, _ = data
    with pytest.raises(ValueError, match=r"sigma=0.0001 is too small .* weights"):
        LPP(sigma=1e-4).fit(X)
    with pytest.raises(ValueError, match="all rows are identical"):
        LPP(1).fit(np.ones((10, 3)))
    with pytest.raises(ValueError, match="too many to weigh each"):
        SLPP(weights="heat").fit(np.random.default_rng(0).normal(size=(5000, 3)), np.zeros(5000))


def test_one_class_only(data):
    X, y, _, _ = data
    one = np.zeros(len(y), dtype=int)
    check(MMC(2).fit(X, one), *wmv.mmc(X, one, 2)[:2])
    check(WMV(2).fit(X, one), *wmv.wmv(X, one, 2)[:2])
    check(SSDR(2).fit(X, one), *chunklet_methods.ssdr(X, *pairs_of_labels(one), 2))
    # All directions are equally good: the scatter within is that of all rows.
    np.testing.assert_allclose(CFLD(2).fit(X, one).eigenvalues_, 1, rtol=1e-9)
    np.testing.assert_allclose(RCA(2).fit(X, one).eigenvalues_, len(y), rtol=1e-9)
    np.testing.assert_allclose(SLPP(2).fit(X, one).eigenvalues_, len(y) / (len(y) - 1), rtol=1e-9)
    for method in (BWDR(), WBDR(), DCA()):
        with pytest.raises(ValueError, match="needs cannot-links"):
            method.fit(X, one)


@pytest.mark.parametrize("kind", ["labels", "pairs", "both"])
@pytest.mark.parametrize(
    "method", [SSDR(3), MMC(3), WMMC(3, weight=0.5), WMV(3), WMV(3, alpha=0.1)]
)
def test_many_features_are_solved_without_their_matrix(method, kind, monkeypatch):
    """With many features, a few components come from products with the rows alone."""
    random = np.random.default_rng(0)
    y = np.arange(600) % 4
    X = random.normal(size=(600, 500)) + 3 * random.normal(size=(4, 500))[y]
    answers = Constraints.from_labels(y, n_pairs=500, random_state=0)
    given = {
        "labels": {"y": y},
        "pairs": {"y": answers},
        "both": {"y": np.where(np.arange(len(y)) % 2, y, -1), "constraints": answers},
    }[kind]
    calls = []
    monkeypatch.setattr("pairspace._core.linalg._eigen.LANCZOS_FROM", 500)
    leading = linalg.leading
    monkeypatch.setattr(linalg, "leading", lambda *args: calls.append(1) or leading(*args))
    found = method.fit(X, **given)
    assert calls
    values, components = found.eigenvalues_, found.components_
    monkeypatch.setattr("pairspace._core.linalg._eigen.LANCZOS_FROM", 10**9)
    method.fit(X, **given)
    np.testing.assert_allclose(values, method.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(components, method.components_, atol=1e-6)
