"""Kernel versions by composition: KernelPCA before a method is the exact kernel method."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.decomposition import KernelPCA
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline

from oracles.kernel import coordinates, kernel_bwdr, kernel_lppsi, kernel_wbdr
from oracles.subspaces import principal_angles, same_columns_up_to_sign
from pairspace import BWDR, LPPSI, WBDR, Constraints

METHODS = {"BWDR": (BWDR, kernel_bwdr), "WBDR": (WBDR, kernel_wbdr), "LPPSI": (LPPSI, kernel_lppsi)}
KERNELS = {
    "rbf": {"kernel": "rbf", "gamma": 0.05},
    "poly": {"kernel": "poly", "degree": 2, "gamma": 0.1, "coef0": 1},
    "linear": {"kernel": "linear"},
}


@pytest.fixture(params=METHODS)
def method(request):
    return METHODS[request.param][0]


@pytest.fixture(scope="module")
def wine():
    """Sixty rows to learn from, standardised; their labels; sixty other rows."""
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X[::3], y[::3], X[1::3]


def answers(y, n_pairs=400):
    return Constraints.from_labels(y, n_pairs=n_pairs, random_state=0)


def exact(name, X, c, n_components, kernel, **parameters):
    """The transcription's embedding of the rows of X."""
    must, cannot = [tuple(p) for p in c.must_link], [tuple(p) for p in c.cannot_link]
    kernel = dict(kernel)
    K = pairwise_kernels(X, metric=kernel.pop("kernel"), **kernel)
    return METHODS[name][1](K, must, cannot, n_components, **parameters)


def distances(Z):
    return np.linalg.norm(Z[:, None] - Z[None], axis=2)


# ---- The exact composition --------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_pairs", [60, 400])
@pytest.mark.parametrize("n_components", [1, 2, 4])
def test_against_the_exact_kernel_method(name, kernel, n_pairs, n_components, wine):
    X, y, _ = wine
    c = answers(y, n_pairs)
    pipeline = make_pipeline(
        KernelPCA(n_components=None, **KERNELS[kernel]), METHODS[name][0](n_components)
    )
    embedded = pipeline.fit_transform(X, c)
    wanted = exact(name, X, c, n_components, KERNELS[kernel])
    assert same_columns_up_to_sign(embedded, wanted, rtol=1e-9)
    np.testing.assert_allclose(
        distances(embedded), distances(wanted), atol=1e-9 * distances(wanted).max()
    )


@pytest.mark.parametrize("name", METHODS)
def test_a_feature_space_smaller_than_the_number_of_rows(name, wine):
    """Degree 2 over four features has 14 dimensions: the other 46 eigenvalues are zero."""
    X, y, new = wine
    X, new = X[:, :4], new[:, :4]
    assert coordinates(pairwise_kernels(X, metric="poly", degree=2)).shape == (60, 14)
    c, kernel = answers(y), {"kernel": "poly", "degree": 2, "gamma": 0.25}
    pipeline = make_pipeline(KernelPCA(n_components=None, **kernel), METHODS[name][0](3))
    embedded = pipeline.fit_transform(X, c)
    assert pipeline[0].eigenvalues_.shape == (14,)
    assert same_columns_up_to_sign(embedded, exact(name, X, c, 3, kernel), rtol=1e-8)

    # n_components=60 keeps the zero eigenvalues, as columns of zeros, which change nothing.
    padded = make_pipeline(KernelPCA(n_components=60, **kernel), METHODS[name][0](3)).fit(X, c)
    assert len(padded[0].eigenvalues_) == 60
    for rows in (X, new):
        assert same_columns_up_to_sign(padded.transform(rows), pipeline.transform(rows), rtol=1e-8)


@pytest.mark.parametrize("name", ["BWDR", "WBDR"])
@pytest.mark.parametrize("threshold", [0.5, 0.9])
def test_parameters_of_the_method_count(name, threshold, wine):
    X, y, _ = wine
    c = answers(y)
    method = METHODS[name][0](2, threshold=threshold)
    embedded = make_pipeline(KernelPCA(**KERNELS["rbf"]), method).fit_transform(X, c)
    wanted = exact(name, X, c, 2, KERNELS["rbf"], t0=threshold)
    assert same_columns_up_to_sign(embedded, wanted, rtol=1e-9)


@pytest.mark.parametrize("weights", ["heat", "binary"])
def test_neighbors_are_those_of_feature_space(weights, wine):
    X, y, _ = wine
    c = answers(y)
    method = LPPSI(2, n_neighbors=7, weights=weights)
    embedded = make_pipeline(KernelPCA(**KERNELS["poly"]), method).fit_transform(X, c)
    wanted = exact("LPPSI", X, c, 2, KERNELS["poly"], n_neighbors=7, weights=weights)
    assert same_columns_up_to_sign(embedded, wanted, rtol=1e-9)
    plain = LPPSI(2, n_neighbors=7, weights=weights).fit_transform(X, c)
    assert principal_angles(embedded, plain) > 1e-2


def test_the_linear_kernel_is_the_method_itself(method, wine):
    X, y, new = wine
    c = answers(y)
    plain = method(3).fit(X, c)
    composed = make_pipeline(KernelPCA(n_components=None, kernel="linear"), method(3)).fit(X, c)
    for rows in (X, new):
        assert same_columns_up_to_sign(composed.transform(rows), plain.transform(rows), rtol=1e-9)


def test_a_precomputed_kernel_is_the_kernel(method, wine):
    X, y, new = wine
    c = answers(y)
    direct = make_pipeline(KernelPCA(**KERNELS["rbf"]), method(2)).fit(X, c)
    K = pairwise_kernels(X, metric="rbf", gamma=0.05)
    precomputed = make_pipeline(KernelPCA(kernel="precomputed"), method(2)).fit(K, c)
    np.testing.assert_allclose(
        precomputed.transform(pairwise_kernels(new, X, metric="rbf", gamma=0.05)),
        direct.transform(new),
        atol=1e-9 * np.abs(direct.transform(X)).max(),
    )


# ---- New rows ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_training_row_embeds_where_it_was(method, kernel, wine):
    X, y, _ = wine
    pipeline = make_pipeline(KernelPCA(n_components=None, **KERNELS[kernel]), method(2))
    embedded = pipeline.fit_transform(X, answers(y))
    atol = 1e-10 * np.abs(embedded).max()
    np.testing.assert_allclose(pipeline.transform(X), embedded, atol=atol)
    np.testing.assert_allclose(pipeline.transform(X[7:9]), embedded[7:9], atol=atol)


def test_a_row_near_a_training_row_embeds_near_it(method, wine):
    X, y, _ = wine
    pipeline = make_pipeline(KernelPCA(**KERNELS["rbf"]), method(2))
    embedded = pipeline.fit_transform(X, answers(y))
    moved = np.abs(pipeline.transform(X + 1e-6) - embedded).max()
    assert 0 < moved < 1e-4 * np.abs(embedded).max()


def test_identical_rows_stay_identical(method, wine):
    X, y, _ = wine
    rows = np.r_[: len(X), :10]
    pipeline = make_pipeline(KernelPCA(n_components=None, **KERNELS["rbf"]), method(2))
    embedded = pipeline.fit_transform(X[rows], answers(y[rows]))
    assert len(pipeline[0].eigenvalues_) == len(X) - 1  # ten rows add no dimension
    np.testing.assert_allclose(embedded[-10:], embedded[:10], atol=1e-10 * np.abs(embedded).max())


def test_a_smooth_kernel_loses_digits_but_not_the_space(method):
    """Eigenvalues down to 1e-12 of the largest: ``transform`` divides by their roots.

    KernelPCA keeps what is above 1e-12, our rank rule what is above 1e-10.
    """
    y = np.arange(80) % 2
    X = np.random.default_rng(0).normal(size=(80, 2)) + y[:, None]
    c, kernel = answers(y), {"kernel": "rbf", "gamma": 0.1}
    pipeline = make_pipeline(KernelPCA(**kernel), method(2))
    embedded = pipeline.fit_transform(X, c)
    values = pipeline[0].eigenvalues_
    assert values[-1] < 1e-11 * values[0]
    assert pipeline[1].rank_ < len(values) < len(X) - 1
    atol = 1e-5 * np.abs(embedded).max()
    np.testing.assert_allclose(pipeline.transform(X), embedded, atol=atol)
    assert principal_angles(embedded, exact(method.__name__, X, c, 2, kernel)) < 1e-4


def test_pairs_as_y_or_as_a_keyword_and_through_cross_validation(method, wine):
    X, y, _ = wine
    c = answers(y, 800)
    pipeline = make_pipeline(KernelPCA(**KERNELS["rbf"]), method(2))
    as_y = pipeline.fit(X, c).transform(X)
    keyword = {f"{method.__name__.lower()}__constraints": c}
    np.testing.assert_array_equal(as_y, pipeline.fit(X, **keyword).transform(X))
    folds = KFold(3, shuffle=True, random_state=0)
    scores = cross_val_score(pipeline, X, c, cv=folds)  # pair AUC of pairs not learned from
    assert scores.min() > 0.8


# ---- Nystroem: landmarks instead of all rows --------------------------------------------------


def landmarks(n_components, random_state=0, kernel="rbf"):
    return Nystroem(n_components=n_components, random_state=random_state, **KERNELS[kernel])


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_landmarks_are_the_exact_method_with_an_approximate_kernel(name, kernel, wine):
    """With the rows L as landmarks, K is replaced by K_L K_LL⁻¹ K_Lᵀ."""
    X, y, _ = wine
    c = answers(y)
    pipeline = make_pipeline(landmarks(20, kernel=kernel), METHODS[name][0](2))
    embedded = pipeline.fit_transform(X, c)
    options = dict(KERNELS[kernel])
    K = pairwise_kernels(X, metric=options.pop("kernel"), **options)
    L = pipeline[0].component_indices_
    approximate = K[:, L] @ np.linalg.solve(K[np.ix_(L, L)], K[L])
    must, cannot = [tuple(p) for p in c.must_link], [tuple(p) for p in c.cannot_link]
    assert same_columns_up_to_sign(
        embedded, METHODS[name][1](approximate, must, cannot, 2), rtol=1e-6
    )


@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_all_rows_as_landmarks_are_the_exact_kernel(method, kernel, wine):
    X, y, new = wine
    c = answers(y)
    wanted = make_pipeline(KernelPCA(**KERNELS[kernel]), method(2)).fit(X, c)
    found = make_pipeline(landmarks(len(X), kernel=kernel), method(2)).fit(X, c)
    for rows in (X, new):
        assert same_columns_up_to_sign(found.transform(rows), wanted.transform(rows), rtol=1e-7)


@pytest.mark.parametrize("name", ["BWDR", "LPPSI"])
def test_more_landmarks_come_nearer_to_the_exact_kernel(name, wine):
    """Not so WBDR: where the must-links just span the landmarks it is worse than before."""
    X, y, _ = wine
    c, method = answers(y), METHODS[name][0]
    wanted = exact(name, X, c, 2, KERNELS["rbf"])

    def sine(n_landmarks):
        return np.mean(
            [
                principal_angles(
                    make_pipeline(landmarks(n_landmarks, seed), method(2)).fit_transform(X, c),
                    wanted,
                )
                for seed in range(5)
            ]
        )

    few, some, most, all_rows = (sine(n) for n in (5, 20, 50, 60))
    assert few > some > most > all_rows
    assert all_rows < 1e-9
