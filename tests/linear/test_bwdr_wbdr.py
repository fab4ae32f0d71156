"""BWDR and WBDR: against the papers' algorithms line by line, and the facts that must hold."""

import numpy as np
import pytest
import scipy.linalg
from sklearn.datasets import load_iris, load_wine

from oracles import bwdr_wbdr as oracle
from oracles.pairs import pairs_of_labels, scatter
from oracles.subspaces import principal_angles, same_columns_up_to_sign
from pairspace import BWDR, WBDR, Constraints
from pairspace.linear._leading import n_leading

METHODS = {"BWDR": (BWDR, oracle.bwdr), "WBDR": (WBDR, oracle.wbdr)}


@pytest.fixture(params=METHODS)
def method(request):
    return METHODS[request.param][0]


@pytest.fixture
def wine():
    return load_wine(return_X_y=True)


def lists(c):
    return [tuple(p) for p in c.must_link], [tuple(p) for p in c.cannot_link]


def scatters(X, c):
    must, cannot = lists(c)
    return scatter(X, must, c.must_weight), scatter(X, cannot, c.cannot_weight)


def check_against_oracle(fitted, W, values):
    np.testing.assert_allclose(
        fitted.eigenvalues_, values, rtol=1e-6, atol=1e-9 * abs(values).max()
    )
    assert same_columns_up_to_sign(fitted.components_.T, W, rtol=1e-5)
    assert principal_angles(fitted.components_.T, W) < 1e-6


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("n_components", [1, 2, 5])
@pytest.mark.parametrize("threshold", [0.5, 0.95, 0.9999, 1.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_against_the_paper(name, n_components, threshold, weighted, wine):
    estimator, transcription = METHODS[name]
    X, y = wine
    c = Constraints.from_labels(y, n_pairs=200, random_state=1)
    if weighted:
        random = np.random.default_rng(2)
        c = Constraints(
            len(y),
            c.must_link,
            c.cannot_link,
            must_weight=random.uniform(0.1, 5, len(c.must_link)),
            cannot_weight=random.uniform(0.1, 5, len(c.cannot_link)),
        )
    W, values = transcription(X, *lists(c), n_components, threshold, c.must_weight, c.cannot_weight)
    check_against_oracle(estimator(n_components, threshold=threshold).fit(X, c), W, values)


@pytest.mark.parametrize("name", METHODS)
def test_labels_are_all_their_pairs(name):
    estimator, transcription = METHODS[name]
    X, y = load_iris(return_X_y=True)
    y = y.copy()
    y[::3] = -1
    y[1] = -1  # uneven classes
    W, values = transcription(X, *pairs_of_labels(y), 2)
    check_against_oracle(estimator(2).fit(X, y), W, values)
    as_pairs = Constraints.from_labels(y, fraction=1.0)
    check_against_oracle(estimator(2).fit(X, as_pairs), W, values)


@pytest.mark.parametrize("name", METHODS)
def test_labels_and_pairs_add_up(name, wine):
    estimator, transcription = METHODS[name]
    X, y = wine
    c = Constraints.from_labels(y, n_pairs=150, random_state=0)
    partial = np.where(np.arange(len(y)) % 4 == 0, y, -1)
    must, cannot = pairs_of_labels(partial)
    W, values = transcription(X, must + lists(c)[0], cannot + lists(c)[1], 2)
    check_against_oracle(estimator(2).fit(X, partial, constraints=c), W, values)


def test_pairs_as_y_as_keyword_and_as_both(method, wine):
    X, y = wine
    c = Constraints.from_labels(y, n_pairs=300, random_state=0)
    as_y = method().fit(X, c).components_
    np.testing.assert_array_equal(as_y, method().fit(X, constraints=c).components_)
    half = Constraints(len(y), c.must_link[::2], c.cannot_link)
    rest = Constraints(len(y), c.must_link[1::2])
    both = method().fit(X, half, constraints=rest).components_
    np.testing.assert_allclose(as_y, both, rtol=1e-9, atol=1e-12)


# ---- Facts the paper proves -------------------------------------------------------------------


def test_bwdr_is_equal_between_and_diagonal_within(wine):
    X, y = wine
    c = Constraints.from_labels(y, n_pairs=400, random_state=0)
    S_W, S_B = scatters(X, c)
    fitted = BWDR(4).fit(X, c)
    W = fitted.components_.T
    largest = np.linalg.eigvalsh(S_B)[-1]
    np.testing.assert_allclose(W.T @ S_B @ W, largest * np.eye(4), atol=1e-8 * largest)
    within = W.T @ S_W @ W
    np.testing.assert_allclose(
        within, np.diag(fitted.eigenvalues_), atol=1e-8 * np.abs(within).max()
    )
    assert np.all(np.diff(fitted.eigenvalues_) >= 0)


def test_no_orthonormal_u_does_better_in_bwdr(wine):
    X, y = wine
    c = Constraints.from_labels(y, n_pairs=400, random_state=0)
    S_W, S_B = scatters(X, c)
    best = BWDR(2, threshold=1.0).fit(X, c).eigenvalues_.sum()
    values, vectors = np.linalg.eigh(S_B)
    V = vectors * np.sqrt(values[-1] / values)
    random = np.random.default_rng(0)
    for _ in range(50):
        U = np.linalg.qr(random.normal(size=(len(values), 2)))[0]
        assert np.trace(U.T @ V.T @ S_W @ V @ U) >= best


@pytest.mark.parametrize("threshold", [0.9, 1.0])
def test_wbdr_bounds_the_within_scatter_and_is_diagonal_between(wine, threshold):
    X, y = wine
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    c = Constraints.from_labels(y, n_pairs=400, random_state=0)
    S_W, S_B = scatters(X, c)
    fitted = WBDR(3, threshold=threshold).fit(X, c)
    W = fitted.components_.T
    between = W.T @ S_B @ W
    np.testing.assert_allclose(between, np.diag(fitted.eigenvalues_), atol=1e-8 * between.max())
    assert np.all(np.diff(fitted.eigenvalues_) <= 0)
    values = np.linalg.eigvalsh(S_W)[::-1]
    share = np.cumsum(values) / values.sum()
    i = len(values) if threshold == 1.0 else max(int(np.sum(share <= threshold)), 3)
    within = np.diag(W.T @ S_W @ W)
    assert np.all(within <= values[i - 1] * (1 + 1e-9))
    if i == len(values):
        np.testing.assert_allclose(within, values[-1], rtol=1e-8)


def test_full_rank_and_threshold_one_solve_the_generalised_problem(method, wine):
    X, y = wine
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    c = Constraints.from_labels(y, n_pairs=400, random_state=0)
    S_W, S_B = scatters(X, c)
    _, wanted = scipy.linalg.eigh(S_B, S_W)
    W = method(3, threshold=1.0).fit(X, c).components_.T
    unit = W / np.linalg.norm(W, axis=0)
    wanted = wanted[:, ::-1][:, :3] / np.linalg.norm(wanted[:, ::-1][:, :3], axis=0)
    assert same_columns_up_to_sign(unit, wanted, rtol=1e-6)
    if method is BWDR:
        lengths, length = np.diag(W.T @ S_B @ W), np.linalg.eigvalsh(S_B)[-1]
    else:
        lengths, length = np.diag(W.T @ S_W @ W), np.linalg.eigvalsh(S_W)[0]
    np.testing.assert_allclose(lengths, length, rtol=1e-8)


def test_what_must_not_matter(method, wine):
    X, y = wine
    c = Constraints.from_labels(y, n_pairs=300, random_state=0)
    plain = method(3).fit(X, c).components_
    random = np.random.default_rng(0)
    scaled = Constraints(
        len(y),
        c.must_link,
        c.cannot_link,
        must_weight=c.must_weight / len(c.must_link),
        cannot_weight=c.cannot_weight / len(c.cannot_link),
    )
    shuffled = Constraints(
        len(y),
        random.permutation(c.must_link)[:, ::-1],
        random.permutation(c.cannot_link),
    )
    rows = random.permutation(len(y))
    for other_X, other_c in (
        (X, scaled),  # normalised scatters
        (X, c | c),  # every pair twice
        (X, shuffled),
        (X + 1000.0, c),  # another origin
        (X[rows], c[rows]),
    ):
        other = method(3).fit(other_X, other_c).components_
        np.testing.assert_allclose(np.abs(other), np.abs(plain), rtol=1e-5, atol=1e-8)


def test_wbdr_ignores_scales_and_bwdr_only_rotations(wine):
    X, y = wine
    c = Constraints.from_labels(y, n_pairs=500, random_state=0)
    random = np.random.default_rng(0)
    A = random.normal(size=(13, 13))
    embedded = WBDR(3).fit_transform(X, c)
    assert principal_angles(WBDR(3).fit_transform(X @ A, c), embedded) < 1e-6
    rotation = np.linalg.qr(A)[0]
    embedded = BWDR(3).fit_transform(X, c)
    assert principal_angles(BWDR(3).fit_transform(X @ rotation, c), embedded) < 1e-6
    assert principal_angles(BWDR(3).fit_transform(X @ A, c), embedded) > 1e-3


@pytest.mark.parametrize(("n", "threshold", "leading"), [(10, 0.3, 3), (10, 0.7, 7), (3, 2 / 3, 2)])
def test_rounding_does_not_decide_which_of_equal_eigenvalues_are_within_the_threshold(
    n, threshold, leading
):
    assert n_leading(np.full(n, 0.1), n, threshold, 1) == leading


def test_bwdr_is_not_nested_when_the_threshold_keeps_too_few(wine):
    X, y = wine  # one column holds nearly all of the scatter
    c = Constraints.from_labels(y, n_pairs=400, random_state=0)
    one, three = BWDR(1).fit(X, c).components_, BWDR(3).fit(X, c).components_
    assert principal_angles(one.T, three[:1].T) > 1e-2


def test_a_known_direction_is_found(method):
    """Noise is large in nine directions and small in the one that tells the classes apart."""
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    X = random.normal(size=(200, 10)) * 5
    X[:, 3] = y * 4 + random.normal(size=200) * 0.1
    direction = method(1, threshold=1.0).fit(X, y).components_[0]
    assert np.abs(direction[3]) / np.linalg.norm(direction) > 0.999


# ---- Edge cases -------------------------------------------------------------------------------


def test_no_cannot_links_is_an_error(method, wine):
    X, y = wine
    must = Constraints.from_labels(y, n_pairs=300, random_state=0).must_link
    with pytest.raises(ValueError, match="needs cannot-links"):
        method().fit(X, Constraints(len(y), must))
    with pytest.raises(ValueError, match="needs cannot-links"):
        method().fit(X, np.zeros(len(y), dtype=int))


def test_cannot_links_between_identical_rows_are_an_error(method):
    X = np.repeat(np.random.default_rng(0).normal(size=(1, 4)), 6, axis=0)
    with pytest.raises(ValueError, match=r"rank of .* cannot-links is 0"):
        method(1).fit(X, Constraints(6, [(0, 1)], [(2, 3)]))


def test_wbdr_without_must_links_is_the_pca_of_the_cannot_links(wine):
    X, y = wine
    cannot = Constraints(
        len(y), (), Constraints.from_labels(y, n_pairs=99, random_state=0).cannot_link
    )
    wanted = np.linalg.eigh(scatters(X, cannot)[1])[1][:, ::-1][:, :3]
    fitted = WBDR(3).fit(X, cannot)
    assert same_columns_up_to_sign(fitted.components_.T, wanted, rtol=1e-8)
    assert fitted.rank_ == 0


def test_bwdr_without_must_links_warns_and_takes_the_largest(wine):
    X, y = wine
    cannot = Constraints(
        len(y), (), Constraints.from_labels(y, n_pairs=99, random_state=0).cannot_link
    )
    with pytest.warns(UserWarning, match="no must-links"):
        fitted = BWDR(3, threshold=1.0).fit(X, cannot)
    W, _ = oracle.bwdr(X, [], lists(cannot)[1], 3, 1.0)
    assert same_columns_up_to_sign(fitted.components_.T, W, rtol=1e-6)
    np.testing.assert_array_equal(fitted.eigenvalues_, np.zeros(3))


def test_few_must_links_leave_a_null_space_in_which_large_lambda_comes_first(wine):
    X, y = wine
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    c = Constraints.from_labels(y, per_class=30, random_state=0)
    few = Constraints(len(y), c.must_link[:2], c.cannot_link)
    fitted = BWDR(4, threshold=1.0).fit(X, few)
    S_W, S_B = scatters(X, few)
    np.testing.assert_allclose(fitted.eigenvalues_, 0, atol=1e-9)
    W = fitted.components_.T
    assert np.abs(W.T @ S_W @ W).max() < 1e-8 * np.linalg.eigvalsh(S_B)[-1]
    again = BWDR(4, threshold=1.0).fit(X[::-1], few[np.arange(len(y))[::-1]])
    assert same_columns_up_to_sign(again.components_.T, W, rtol=1e-5)  # not left to rounding


def test_wbdr_with_a_singular_within_scatter(wine):
    X, y = wine
    c = Constraints.from_labels(y, per_class=20, random_state=0)
    few = Constraints(len(y), c.must_link[:3], c.cannot_link)
    W, values = oracle.wbdr(X, *lists(few), 2)
    fitted = WBDR(2).fit(X, few)
    assert fitted.rank_ == 3
    check_against_oracle(fitted, W, values)


@pytest.mark.parametrize("n_components", [3, 13])
def test_more_components_than_the_cannot_links_span(method, wine, n_components):
    X, y = wine
    c = Constraints(len(y), [(0, 1)], [(0, 100), (1, 150)])
    message = rf"n_components={n_components} must be at most 2, the rank of .* cannot-links"
    with pytest.raises(ValueError, match=message):
        method(n_components).fit(X, c)


def test_constant_and_duplicate_columns_change_nothing(method, wine):
    X, y = wine
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    c = Constraints.from_labels(y, n_pairs=400, random_state=0)
    plain = method(2, threshold=1.0).fit_transform(X, c)
    wide = np.column_stack([X, np.full(len(X), 7.0), X[:, 0]])
    redundant = method(2, threshold=1.0).fit(wide, c)
    assert principal_angles(redundant.transform(wide), plain) < 1e-5
    np.testing.assert_allclose(redundant.components_[:, 13], 0, atol=1e-9)  # the constant one


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("threshold", [0.95, 1.0])
def test_more_features_than_rows_equals_the_solution_in_all_features(name, threshold):
    estimator, transcription = METHODS[name]
    random = np.random.default_rng(0)
    X = random.normal(size=(20, 60)) + 3
    y = np.arange(20) % 3
    X[:, :5] += 2 * np.eye(3, 5)[y]
    W, values = transcription(X, *pairs_of_labels(y), 2, threshold)
    fitted = estimator(2, threshold=threshold).fit(X, y)
    # All of BWDR's directions may have no within-scatter at all: then only the space is unique.
    scale = np.trace(scatter(X, pairs_of_labels(y)[1]))
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=1e-6, atol=1e-12 * scale)
    assert principal_angles(fitted.components_.T, W) < 1e-6
    metric = fitted.components_.T @ fitted.components_
    np.testing.assert_allclose(metric, W @ W.T, atol=1e-6 * np.abs(metric).max())


@pytest.mark.parametrize("name", METHODS)
def test_many_more_features_than_rows(name):
    """The transcription in the span of the rows, where the solution lies."""
    method, transcription = METHODS[name]
    random = np.random.default_rng(0)
    X = random.normal(size=(20, 5000))
    y = np.arange(20) % 2
    basis = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][:19].T
    inside, _ = transcription(X @ basis, *pairs_of_labels(y), 1)
    fitted = method(1).fit(X, y)
    assert same_columns_up_to_sign(fitted.components_.T, basis @ inside, rtol=1e-6)
    assert fitted.score(X, y) == 1.0


def test_sparse_rows_give_the_same_space(method):
    from scipy.sparse import csr_array

    random = np.random.default_rng(0)
    for n, d in ((120, 15), (20, 90)):
        X = random.poisson(0.5, size=(n, d)).astype(float)
        y = np.arange(n) % 3
        dense, sparse = method().fit(X, y), method().fit(csr_array(X), y)
        np.testing.assert_allclose(sparse.components_, dense.components_, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(sparse.transform(csr_array(X)), dense.transform(X), atol=1e-8)
