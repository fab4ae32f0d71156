"""DSP against a literal transcription, the edge cases of its specification, and its width."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, load_wine, make_circles
from sklearn.preprocessing import minmax_scale

from oracles import dsp as oracle
from oracles.pairs import pairs_of_labels
from oracles.subspaces import principal_angles, same_columns_up_to_sign
from pairspace import DSP, Constraints, ContradictionError, SKKMeans
from pairspace._core.data import rows_of
from pairspace._core.kernels import _null_neighbors
from pairspace.base import Supervision
from pairspace.linear import _width
from pairspace.linear._asked_rows import asked_rows
from pairspace.linear._width import best_width, median_distance, n_clusters_needed
from pairspace.metrics import pair_f_score


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    X, y = minmax_scale(X)[::3], y[::3]
    return X, y, Constraints.from_labels(y, per_class=10, random_state=0)


def check(fitted, Z, values):
    scale = np.abs(values).max()
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=1e-6, atol=1e-9 * scale)
    assert principal_angles(fitted.components_.T, Z) < 1e-6
    assert same_columns_up_to_sign(fitted.components_.T, Z, rtol=1e-5)


@pytest.mark.parametrize("scale", ["within", "unit", "between"])
@pytest.mark.parametrize("kinds", ["must", "cannot", "must and cannot", "neither"])
@pytest.mark.parametrize("sigma", [0.3, 1.0])
def test_against_the_paper(wine, kinds, scale, sigma):
    X, _, c = wine
    must = c.must_link if "must" in kinds else []
    cannot = c.cannot_link if "cannot" in kinds else []
    fitted = DSP(4, sigma=sigma, scale=scale).fit(X, Constraints(len(X), must, cannot))
    check(fitted, *oracle.dsp(X, must, cannot, 4, sigma, scale=scale))
    assert fitted.sigma_ == sigma


@pytest.mark.parametrize("k", [1, 12, 1000])
def test_other_numbers_of_neighbours(wine, k):
    X, _, c = wine
    fitted = DSP(3, n_neighbors=k, sigma=0.5).fit(X, c)
    check(fitted, *oracle.dsp(X, c.must_link, c.cannot_link, 3, 0.5, k))


def test_labels_are_all_their_pairs(wine):
    X, y, _ = wine
    partial = np.where(np.arange(len(y)) % 3 == 0, y, -1)
    must, cannot = pairs_of_labels(partial)
    fitted = DSP(3, sigma=0.5).fit(X, partial)
    check(fitted, *oracle.dsp(X, must, cannot, 3, 0.5))
    pairs = DSP(3, sigma=0.5).fit(X, Constraints(len(X), must, cannot))
    np.testing.assert_allclose(pairs.components_, fitted.components_, rtol=1e-8)


def test_weights_of_cannot_links_count(wine):
    X, _, c = wine
    weight = np.random.default_rng(0).uniform(0.5, 3, len(c.cannot_link))
    weighted = Constraints(len(X), c.must_link, c.cannot_link, cannot_weight=weight)
    fitted = DSP(3, sigma=0.5).fit(X, weighted)
    check(fitted, *oracle.dsp(X, c.must_link, c.cannot_link, 3, 0.5, cannot_weight=weight))


def test_what_the_must_links_imply_changes_nothing(wine):
    X, _, c = wine
    wanted = DSP(3, sigma=0.5).fit(X, c).components_
    implied = Constraints(len(X), c.closure().must_link, c.cannot_link)
    assert len(implied.must_link) > len(c.must_link)
    np.testing.assert_allclose(DSP(3, sigma=0.5).fit(X, implied).components_, wanted, rtol=1e-7)


def test_must_linked_rows_come_together():
    X, y = load_iris(return_X_y=True)
    X = minmax_scale(X)
    linked = Constraints.from_labels(y, per_class=20, random_state=0)
    within = np.linalg.norm(X[linked.must_link[:, 0]] - X[linked.must_link[:, 1]], axis=1).mean()
    Z = DSP(2, scale="unit", random_state=0).fit(X, linked).transform(X)
    after = np.linalg.norm(Z[linked.must_link[:, 0]] - Z[linked.must_link[:, 1]], axis=1).mean()
    assert after / Z.std() < within / X.std()


def test_shifts_and_scales_do_not_matter(wine):
    X, _, c = wine
    plain = DSP(3, random_state=0).fit(X, c)
    moved = DSP(3, random_state=0).fit(7 * X - 100, c)
    np.testing.assert_allclose(moved.sigma_, 7 * plain.sigma_)
    np.testing.assert_allclose(moved.eigenvalues_, plain.eigenvalues_, rtol=1e-7)
    np.testing.assert_allclose(moved.transform(7 * X - 100), plain.transform(X), atol=1e-6)


@pytest.mark.parametrize("factor", [1e-3, 0.1, 7.0, 1e5])
def test_a_row_that_equals_a_linked_one_is_at_its_point(factor):
    """Their distance is 0 after the projection. What rounding leaves of it must not decide."""
    X = np.random.default_rng(0).integers(3, size=(30, 4)).astype(float)
    X[[20, 21, 22]] = X[[1, 3, 5]]
    pairs = Constraints(30, [(0, 1), (2, 3), (4, 5), (6, 7)], [(0, 2), (4, 6)])
    plain, other = (DSP(2, random_state=0).fit(f * X, pairs) for f in (1.0, factor))
    np.testing.assert_allclose(other.eigenvalues_, plain.eigenvalues_, rtol=1e-9)


@pytest.mark.parametrize("factor", [1e-3, 0.1, 3.0, 7.0])
def test_links_of_equal_rows_may_make_all_rows_one_point(factor):
    X = np.random.default_rng(0).normal(size=(6, 4))
    X[5] = X[4]
    pairs = Constraints(6, [(0, 2), (0, 4), (1, 3), (3, 5)])
    plain, other = (DSP(2, n_neighbors=4, random_state=0).fit(f * X, pairs) for f in (1.0, factor))
    np.testing.assert_allclose(other.eigenvalues_, plain.eigenvalues_, rtol=1e-9)


@pytest.mark.parametrize("scale", ["within", "unit", "between"])
def test_lengths_of_columns(wine, scale):
    X, _, c = wine
    S, R = oracle.graphs(X, c.must_link, c.cannot_link, 0.5)
    A, B = (X.T @ (np.diag(G.sum(axis=1)) - G) @ X for G in (S, R))
    W = DSP(5, sigma=0.5, scale=scale).fit(X, c).components_
    length = {"within": W @ A @ W.T, "unit": W @ W.T, "between": W @ B @ W.T}[scale]
    np.testing.assert_allclose(np.diag(length), 1, rtol=1e-7)


def test_columns_are_no_longer_than_the_floor_makes_them():
    X = np.random.default_rng(0).normal(size=(30, 60))  # A has zero eigenvalues
    y = np.arange(30) % 2
    within, between = (DSP(3, scale=scale, sigma=9).fit(X, y) for scale in ("within", "between"))
    largest = DSP(within.rank_, sigma=9).fit(X, y).eigenvalues_[-1]
    assert within.eigenvalues_[0] < 1e-10 * largest
    # zᵀBz = 1 in "between"; zᵀAz = 1 would make columns with λ = 0 infinitely long.
    lengths = np.linalg.norm(within.components_, axis=1)
    shorter = np.linalg.norm(between.components_, axis=1)
    floor = np.maximum(between.eigenvalues_, 1e-4 * largest)
    np.testing.assert_allclose(lengths, shorter / np.sqrt(floor), rtol=1e-6)


def test_the_fast_way_gives_the_same_space(wine, monkeypatch):
    X, _, c = wine
    wanted = DSP(3, random_state=0).fit(X, c)
    monkeypatch.setattr(_null_neighbors, "EXACT_UP_TO", 0)
    np.testing.assert_allclose(
        DSP(3, random_state=0).fit(X, c).components_, wanted.components_, rtol=1e-3
    )


def test_clusters_as_well_as_the_paper_says():
    X, y = load_wine(return_X_y=True)
    X, scores = minmax_scale(X), []
    for seed in range(5):
        c = Constraints.from_labels(y, per_class=20, random_state=seed)
        Z = DSP(6, random_state=seed).fit(X, c).transform(X)
        scores.append(pair_f_score(y, KMeans(3, n_init=10, random_state=0).fit_predict(Z)))
    assert np.mean(scores) > 0.94  # the paper has .959


# ---- Edge cases -------------------------------------------------------------------------------


def test_contradictions_show_the_chain(wine):
    X, _, _ = wine
    c = Constraints(len(X), [(0, 1), (1, 2)], [(0, 2)])
    with pytest.raises(ContradictionError, match="0 and 2 are different, but 0 = 1 = 2"):
        DSP().fit(X, c)


def test_all_rows_linked(wine):
    X, _, _ = wine
    must = [(0, i) for i in range(1, len(X))]
    with pytest.warns(UserWarning, match="all rows are linked"):
        fitted = DSP(2, sigma=0.5).fit(X, np.zeros(len(X), dtype=int))
    check(fitted, *oracle.dsp(X, must, [], 2, 0.5))


def test_more_components_than_the_far_rows_span():
    X = np.random.default_rng(0).normal(size=(20, 2))
    X = np.column_stack([X, X @ [[1.0], [2.0]]])  # of rank 2
    with pytest.raises(
        ValueError, match=r"n_components=3 must be at most 2, the rank of .* farthest"
    ):
        DSP(3).fit(X)


@pytest.mark.parametrize("sigma", ["auto", 1.0])
def test_identical_rows(sigma):
    with pytest.raises(ValueError, match="all rows are identical"):
        DSP(1, sigma=sigma).fit(np.ones((10, 3)), Constraints(10, [(0, 1)], [(2, 3)]))


def test_equally_far_rows_have_no_weight():
    with pytest.raises(ValueError, match="all rows are equally far from each other"):
        DSP(1).fit(np.eye(4))


def test_a_width_that_sees_nothing(wine):
    X, _, c = wine
    with pytest.raises(ValueError, match=r"sigma=0.001 is too small for the distances"):
        DSP(1, sigma=1e-3).fit(X, c)


def test_too_many_pairs_of_labels():
    X, y = np.random.default_rng(0).normal(size=(9000, 2)), np.arange(9000) % 2
    with pytest.raises(ValueError, match=r"20,250,000 pairs of different classes.*from_labels"):
        DSP(1).fit(X, y)


# ---- The width --------------------------------------------------------------------------------


def width(X, c, n_components=1):
    known = Supervision(c, None, len(X))
    return best_width(rows_of(X), known, n_components, np.random.RandomState(0))


def test_half_the_median_without_cannot_links(wine):
    X, _, c = wine
    d = oracle.distances(X)
    median = np.median(d[np.triu_indices(len(X), k=1)])
    np.testing.assert_allclose(DSP(2).fit(X).sigma_, median / 2)
    only_must = Constraints(len(X), c.must_link)
    np.testing.assert_allclose(DSP(2).fit(X, only_must).sigma_, median / 2)


def test_the_largest_width_of_those_that_separate_all(wine):
    X, y, _ = wine
    median = median_distance(rows_of(X), np.random.RandomState(0))
    assert width(X, y) == 2 * median


def test_the_width_that_separates_most():
    # A wide kernel is k-means, which can't separate rings.
    X, y = make_circles(300, factor=0.3, noise=0.05, random_state=0)
    c = Constraints.from_labels(y, n_pairs=80, random_state=0)
    median = median_distance(rows_of(X), np.random.RandomState(0))
    shares = {}
    seed = np.random.RandomState(0).randint(2**31 - 1)
    for multiple in (2.0, 1.0, 0.5, 0.25, 0.125):
        gamma = 1 / (2 * (multiple * median) ** 2)
        labels = SKKMeans(2, gamma=gamma, random_state=seed).fit_predict(X, c)
        shares[multiple] = np.mean(labels[c.cannot_link[:, 0]] != labels[c.cannot_link[:, 1]])
    best = max(shares, key=lambda multiple: (shares[multiple], multiple))
    assert shares[best] > shares[2.0]
    assert width(X, c) == best * median


def test_the_width_for_many_rows_comes_from_a_subsample(monkeypatch):
    X, y = make_circles(300, factor=0.3, noise=0.05, random_state=0)
    c = Constraints.from_labels(y, n_pairs=80, random_state=0)
    full = width(X, c)
    seen = []
    monkeypatch.setattr(_width, "SKKMeans", spy(seen))
    monkeypatch.setattr(_width, "SEARCH_ROWS", 200)
    monkeypatch.setattr(_width, "SEARCH_LINKS", 30)
    monkeypatch.setattr(_width, "MEDIAN_PAIRS", 1000)
    assert 0.2 < width(X, c) / full < 5
    for rows, links in seen:
        assert 100 < len(rows) == len(links) <= 200
        assert 0 < len(links.cannot_link) <= 60


def spy(seen):
    class Seen(SKKMeans):
        def fit_predict(self, X, links):
            seen.append((X, links))
            return super().fit_predict(X, links)

    return Seen


def test_a_median_of_zero():
    X = np.zeros((30, 2))
    X[:5] = np.random.default_rng(0).normal(size=(5, 2))
    rms = np.sqrt(2 * X.var(axis=0, ddof=1).sum())
    np.testing.assert_allclose(median_distance(rows_of(X), np.random.RandomState(0)), rms)


@pytest.mark.parametrize(
    ("must", "cannot", "needed"),
    [
        ([], [(0, 1)], 2),
        ([], [(0, 1), (1, 2)], 2),
        ([(0, 2)], [(0, 1), (1, 2), (3, 1)], 2),
        ([], [(0, 1), (1, 2), (0, 2)], 3),
        ([(3, 0), (4, 1)], [(3, 4), (1, 2), (0, 2), (5, 2), (5, 0), (5, 1)], 4),
    ],
)
def test_as_many_clusters_as_the_cannot_links_need(must, cannot, needed):
    assert n_clusters_needed(Constraints(8, must, cannot)) == needed


# ---- Some rows asked for their neighbours -----------------------------------------------------


def clouds(n=3_000, d=6, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(5, size=n)
    X = 2 * random.normal(size=(5, d))[y] + (0.3 + random.random(d)) * random.normal(size=(n, d))
    return X, Constraints.from_labels(y, per_class=10, random_state=seed)


def scatters(X, c, n_queries):
    """A and B, over the number of rows."""
    known, rows, random = Supervision(c, None, len(c)), rows_of(X), np.random.RandomState(0)
    asked = asked_rows(X.shape, known.chunklets.codes >= 0, n_queries, random)
    fit = DSP(sigma=2.0)
    fit.sigma_ = 2.0
    graphs = fit._near(rows, known, asked, random), fit._far(rows, known, asked)
    return [graph.scatter(rows) / len(c) for graph in graphs]


def test_all_rows_are_asked_of_few():
    X, c = clouds(200)
    every = DSP(2, sigma=2.0, n_queries=None).fit(X, c)
    for n_queries in ("auto", 200, 10_000):
        fitted = DSP(2, sigma=2.0, n_queries=n_queries).fit(X, c)
        assert fitted.n_queries_ is None
        np.testing.assert_array_equal(fitted.components_, every.components_)


@pytest.mark.parametrize("make", [np.asarray, csr_array])
def test_sums_over_some_rows_are_those_of_all_within_their_error(make):
    X, c = clouds()
    X = make(np.maximum(X, 0)) if make is csr_array else X
    n_others = np.count_nonzero(c.components() < 0)
    # All but one row: each edge in the direction in which it was found.
    for whole, some in zip(*(scatters(X, c, n) for n in (n_others - 1, 600)), strict=True):
        W = np.linalg.inv(np.linalg.cholesky(whole))
        # 600 rows with 5 edges each: 3,000 terms about a 6 × 6 matrix, not all independent
        assert np.linalg.norm(W @ some @ W.T - np.eye(len(W)), 2) < 0.2


def test_a_pair_counts_in_both_directions_if_some_rows_are_asked():
    X, c = clouds(300)
    n_others = np.count_nonzero(c.components() < 0)
    near, _ = scatters(X, c, None)
    all_but_one, _ = scatters(X, c, n_others - 1)
    assert np.trace(near) < np.trace(all_but_one) < 2 * np.trace(near)


def test_the_space_of_some_rows_is_that_of_all():
    X, c = clouds()
    every, some, same = (DSP(3, sigma=2.0, n_queries=n, random_state=0) for n in (None, 800, 800))
    every, some, same = (space.fit(X, c) for space in (every, some, same))
    assert some.n_queries_ == 800
    np.testing.assert_array_equal(some.components_, same.components_)
    assert principal_angles(some.components_.T, every.components_.T) < 0.2


def test_more_features_need_more_queries():
    random, linked = np.random.RandomState(0), np.arange(20_000) < 100
    for d, n_drawn in ((10, 2_000), (200, 4_000)):
        asked = asked_rows((20_000, d), linked, "auto", random)
        assert asked.n_drawn == n_drawn
        assert set(np.flatnonzero(linked)) < set(asked.rows)
        np.testing.assert_allclose(asked.counts.sum(), 20_000)
    assert asked_rows((8_000, 10), linked[:8_000], "auto", random).rows is None
    assert asked_rows((20_000, 1_000), linked, "auto", random).rows is None
