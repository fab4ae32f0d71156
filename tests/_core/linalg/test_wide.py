"""More features than can be squared: what is exact stays exact, and nothing large is made."""

import tracemalloc

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.base import clone
from sklearn.decomposition import PCA

from pairspace import (
    BWDR,
    CFLD,
    DCA,
    DSP,
    LPP,
    MMC,
    RCA,
    SLPP,
    SSDR,
    SSWMV,
    WBDR,
    WMV,
    Constraints,
    PairSpace,
)
from pairspace._core.data import LinkedRows, differences, rows_of
from pairspace._core.linalg import LeadingSpan, LinkSpan, RowSpan, Span, span_of
from tables import seeded

BY_LINKS = [BWDR(), BWDR(threshold=1.0), WBDR(), DCA(), RCA(), RCA(n_components=None), CFLD()]
BY_PRODUCTS = [SSDR(), MMC(), WMV(), WMV(alpha=0.5)]


def name_of(estimator):
    return type(estimator).__name__


@pytest.fixture(scope="module", params=["dense", "far from 0", "float32", "sparse", "tall"])
def data(request):
    random = np.random.default_rng(0)
    shape = (150, 60) if request.param == "tall" else (90, 200)
    X, y = random.poisson(0.5, size=shape).astype(float), np.arange(shape[0]) % 3
    X[:, :3] += 2 * np.eye(3)[y]
    if request.param == "far from 0":
        X += 1e5
    if request.param == "float32":
        X = X.astype(np.float32)
    if request.param == "sparse":
        X = csr_array(X)
    return X, y


@pytest.fixture
def links_from(monkeypatch):
    return lambda order: monkeypatch.setattr("pairspace._core.linalg._spans.LINKS_FROM", order)


@pytest.mark.parametrize("knowledge", ["pairs", "labels"])
@pytest.mark.parametrize("estimator", BY_LINKS, ids=name_of)
def test_the_span_of_the_links_loses_nothing(estimator, data, knowledge, links_from, monkeypatch):
    X, y = data
    known = Constraints.from_labels(y, n_pairs=24, random_state=0)
    if knowledge == "labels":
        known = np.where(np.arange(len(y)) < 25, y, -1)
    links_from(10**9)
    wanted = clone(estimator).fit(X, known)
    made = []
    monkeypatch.setattr(LinkSpan, "__init__", _recorded(LinkSpan.__init__, made))
    links_from(10)
    found = clone(estimator).fit(X, known)
    assert made
    assert found.n_directions_ is None
    assert found.rank_ == wanted.rank_
    tolerance = 1e-4 if X.dtype == np.float32 else 1e-6
    np.testing.assert_allclose(found.eigenvalues_, wanted.eigenvalues_, rtol=1e-6, atol=1e-8)
    # the directions of equal eigenvalues are only known together
    a, b = (space.components_.T.astype(float) for space in (found, wanted))
    np.testing.assert_allclose(a @ a.T, b @ b.T, atol=tolerance * np.abs(b @ b.T).max())
    np.testing.assert_allclose(found.mean_, wanted.mean_, rtol=1e-5)


def _recorded(method, calls):
    def recorded(*args):
        calls.append(args)
        method(*args)

    return recorded


def test_many_links_or_few_features_need_no_span_of_their_own():
    X = np.random.default_rng(0).normal(size=(900, 600))
    links = np.arange(580).reshape(-1, 2)
    assert isinstance(span_of(X, links, "links"), LinkSpan)
    assert type(span_of(X, links, "rows")) is Span
    assert type(span_of(X, np.vstack([links, links]), "links")) is Span
    assert type(span_of(X[:, :400], links[:20], "links")) is Span
    assert isinstance(span_of(X[:500], links[:20], "rows"), RowSpan)
    assert isinstance(span_of(X[:500], links[:20], "links"), LinkSpan)
    assert type(span_of(X, links[:0], "links")) is Span
    with config_context(working_memory=1):
        assert isinstance(span_of(X, links, "links"), LeadingSpan)  # 580² numbers are more
        assert isinstance(span_of(X, links[:100], "links"), LinkSpan)


def test_a_single_label_is_no_link():
    X = np.random.default_rng(0).normal(size=(600, 600))
    with pytest.raises(ValueError, match="BWDR needs cannot-links"):
        BWDR().fit(X, [0] + [-1] * 599)


def test_identical_linked_rows_span_nothing():
    X = np.random.default_rng(0).normal(size=(600, 600))
    X[1] = X[2] = X[0]
    with pytest.raises(ValueError, match="rank of the scatter of the cannot-links is 0"):
        BWDR().fit(X, Constraints(600, [(0, 1)], [(0, 2)]))


def test_shrinkage_looks_everywhere():
    for method in (BWDR, WBDR, DCA, RCA, CFLD):
        assert method()._current_needs().span == "links"
        assert method(shrinkage=0.1)._current_needs().span == "rows"


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_linked_rows_are_centred_rows_in_an_orthonormal_basis(kind):
    X = np.random.default_rng(0).poisson(1.0, size=(30, 50)).astype(float)
    links = np.array([[0, 4], [4, 9], [0, 9], [20, 21], [2, 20]])
    span = LinkSpan(rows_of(kind(X)), links)
    assert isinstance(span.rows, LinkedRows)
    assert span.rows.shape == (30, 4)
    basis = span.lift(np.eye(4))
    np.testing.assert_allclose(basis.T @ basis, np.eye(4), atol=1e-12)
    Z = (X - X.mean(axis=0)) @ basis
    np.testing.assert_allclose(span.rows.fetch(np.arange(30)), Z, atol=1e-10)
    np.testing.assert_allclose(span.rows.gram, Z.T @ Z, atol=1e-9)
    apart = X[links[:, 0]] - X[links[:, 1]]
    np.testing.assert_allclose(apart @ basis @ basis.T, apart, atol=1e-10)


def test_differences_are_from_the_first_row_of_a_component():
    X = np.arange(12.0).reshape(6, 2) ** 2
    found = differences(rows_of(X), np.array([[5, 1], [4, 3], [5, 2]]))
    np.testing.assert_array_equal(found, [X[2] - X[1], X[4] - X[3], X[5] - X[1]])


@pytest.mark.parametrize("estimator", BY_PRODUCTS, ids=name_of)
def test_products_with_vectors_find_the_same(estimator, data, monkeypatch):
    X, y = data
    y = np.where(np.arange(len(y)) % 2, y, -1)
    wanted = clone(estimator).fit(X, y)
    monkeypatch.setattr(
        "pairspace._core.linalg._eigen.LANCZOS_FROM", 10**9
    )  # it is needed, not preferred
    with config_context(working_memory=0.001):
        found = clone(estimator).fit(X, y)
    assert found.n_directions_ is None
    tolerance = 1e-4 if X.dtype == np.float32 else 1e-7
    np.testing.assert_allclose(found.eigenvalues_, wanted.eigenvalues_, rtol=1e-7)
    np.testing.assert_allclose(found.components_, wanted.components_, atol=tolerance)


@pytest.mark.parametrize("estimator", BY_PRODUCTS, ids=name_of)
def test_what_iteration_does_not_find_is_found_in_the_row_space(estimator, data, monkeypatch):
    X, y = data
    wanted = clone(estimator).fit(X, y)
    monkeypatch.setattr("pairspace._core.linalg._eigen.LANCZOS_FROM", 10)
    monkeypatch.setattr("pairspace._core.linalg.leading", lambda *_: None)
    found = clone(estimator).set_params(n_components=1).fit(X, y)
    np.testing.assert_allclose(found.components_, wanted.components_[:1], atol=1e-5)


def test_too_many_components_for_products_are_an_error_with_a_way_out(data):
    X, y = data
    message = r"n_components.*TruncatedSVD.*working_memory=1\)"
    with config_context(working_memory=0.001), pytest.raises(ValueError, match=message):
        WMV(n_components=3, alpha=50.0, beta=0.0).fit(X, y)


NEAR = [LPP(), SLPP(), SSWMV(alpha=0.01), PairSpace(ridge=0.4, shrinkage=0.3), CFLD(shrinkage=0.3)]


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("estimator", [*NEAR, DSP(sigma=3.0)], ids=name_of)
def test_other_methods_look_among_the_leading_directions(estimator, kind, monkeypatch):
    """Which is as if PCA stood before them."""
    monkeypatch.setattr("pairspace._core.linalg._spans.LEADING", 10)
    random = np.random.default_rng(0)
    y = np.arange(120) % 3
    strength = np.where(np.arange(60) < 10, 10.0, 0.01) * (1 + np.arange(60) / 60)
    X = random.normal(size=(120, 60)) * strength + 3 * np.eye(3, 60)[y]
    estimator = seeded(estimator)
    pca = PCA(10).fit(X)
    wanted = clone(estimator).fit(pca.transform(X), y)
    with config_context(working_memory=0.01):
        found = clone(estimator).fit(kind(X), y)
    assert found.n_directions_ == 10
    assert wanted.n_directions_ is None
    np.testing.assert_allclose(found.eigenvalues_, wanted.eigenvalues_, rtol=1e-5, atol=1e-8)
    lifted = wanted.components_ @ pca.components_
    np.testing.assert_allclose(np.abs(found.components_), np.abs(lifted), rtol=1e-4, atol=1e-5)


def test_leading_directions_are_the_same_every_time():
    X = np.random.default_rng(0).normal(size=(50, 70))
    one, two = (LeadingSpan(rows_of(X)) for _ in range(2))
    np.testing.assert_array_equal(one.lift(np.eye(49)), two.lift(np.eye(49)))
    assert one.n_directions == 49
    twice = LeadingSpan(rows_of(np.vstack([X[:9], X[:9]])))
    assert twice.n_directions == 8  # and none in which the rows do not differ


ALL = [BWDR(), WBDR(), DCA(), RCA(), CFLD(), SSDR(), MMC(), WMV(), LPP(), PairSpace()]


@pytest.mark.parametrize("estimator", ALL, ids=name_of)
def test_no_large_matrix_is_made(estimator, monkeypatch):
    """None of n × d, d × d and n × n: here they would be 432, 648 and 288 MB."""
    monkeypatch.setattr("pairspace._core.linalg._spans.LEADING", 50)
    n, d = 6_000, 9_000
    random = np.random.default_rng(0)
    places = np.repeat(np.arange(n), 20), random.integers(d, size=20 * n)
    X = csr_array((random.uniform(size=20 * n), places), shape=(n, d))
    answers = Constraints.from_labels(np.arange(n) % 5, n_pairs=200, random_state=0)
    estimator = seeded(estimator)
    with config_context(working_memory=64):
        tracemalloc.start()
        try:
            estimator.fit(X, answers)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 160e6
    assert estimator.transform(X).shape == (n, 2)
