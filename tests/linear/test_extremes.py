"""Components of rounding noise, extreme parameters, and other ends of what is possible."""

import numpy as np
import pytest
from sklearn.base import clone

from estimators import LINEAR
from oracles.subspaces import principal_angles
from pairspace import (
    DCA,
    DSP,
    LPP,
    LPPSI,
    MMC,
    NPE,
    RCA,
    SDA,
    SELFDA,
    SLPP,
    SSDR,
    SSWMV,
    WMMC,
    WMV,
    Constraints,
    PairSpace,
)

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(40, 6))
Y = np.arange(40) % 4


def low_rank(n=60, d=8, rank=4):
    random = np.random.default_rng(1)
    return random.normal(size=(n, rank)) @ random.normal(size=(rank, d))


@pytest.mark.filterwarnings("ignore:no direction spreads more")
@pytest.mark.parametrize("estimator", [SSWMV(3), SSDR(3), WMV(3), WMMC(3, weight=9.0), MMC(3)])
@pytest.mark.parametrize("offset", [0.0, 1e12])
def test_no_component_is_where_the_data_is_constant(estimator, offset):
    """Directions of rounding have eigenvalues near 0, which are larger than negative ones."""
    data = low_rank() + offset
    y = np.zeros(60, dtype=int)  # one class: every eigenvalue that is not 0 is negative
    components = clone(estimator).fit(data, y).components_
    plain = low_rank() - low_rank().mean(axis=0)
    along = np.abs(plain @ components.T).max(axis=0)
    assert (along > 0.1).all()


@pytest.mark.parametrize("estimator", [DSP(sigma=1e3), LPP(), PairSpace(ridge=0.5, shrinkage=0.5)])
def test_an_offset_of_wide_data_changes_nothing(estimator):
    """Components are combinations of rows, whose coefficients add up to 0 up to rounding only."""
    random = np.random.default_rng(0)
    data = random.normal(size=(8, 12)) * 10.0 ** np.linspace(-3, 3, 12)
    data[:, 5] = 0
    moved = data + 2.0**33
    y = np.arange(8) % 2
    found = clone(estimator).fit(moved, y).components_
    plain = clone(estimator).fit(moved - 2.0**33, y).components_
    size = np.abs(plain) @ np.ptp(moved, axis=0)
    change = np.abs(np.abs(found) - np.abs(plain)) @ np.ptp(moved, axis=0)
    assert (change < 1e-3 * size).all()


@pytest.mark.parametrize("seed", [17, 50, 55])
def test_an_offset_that_leaves_four_digits_does_not_cut_off_a_direction(seed):
    """A scatter keeps its products where a direction is hardly along one of the coordinates."""
    moved = np.random.default_rng(seed).normal(size=(4, 6)) + 1e12
    y = [4, 4, 2, -1]
    plain = SDA(1).fit(moved - 1e12, y)
    np.testing.assert_allclose(SDA(1).fit(moved, y).eigenvalues_, plain.eigenvalues_, rtol=1e-9)


@pytest.mark.parametrize("estimator", [LPP(), LPPSI(), PairSpace(ridge=0.5, shrinkage=0.5)])
def test_a_factor_does_not_decide_between_rows_that_are_equally_near(estimator):
    """Wide tables are seen in other coordinates, which round: whole numbers have many ties."""
    random = np.random.default_rng(3)
    data = random.integers(3, size=(24, 30)).astype(float)
    y = np.where(np.arange(24) % 3 == 0, np.arange(24) % 4, -1)
    plain = clone(estimator).fit(data, y).components_
    for factor in (0.1, 7.0, 1e-3, 1e20):
        found = clone(estimator).fit(data * factor, y).components_
        assert principal_angles(found.T, plain.T) < 1e-6


def test_whitening_without_reduction_needs_rows_that_differ():
    rows = np.tile(X[:1], (20, 1))
    with pytest.raises(ValueError, match=r"rank of the scatter of the must-links .* is 0"):
        RCA(n_components=None).fit(rows, np.zeros(20, dtype=int))


def test_a_labelled_row_alone_is_a_chunklet_of_its_own():
    """Beside must-links: its label joins it to no other row, but parts it from other labels."""
    y = np.full(40, -1)
    y[[0, 1]] = 0, 1
    pairs = Constraints(40, [(2, 3), (4, 5), (6, 7)], [(2, 4), (5, 6)])
    found = DCA(1).fit(X, y, constraints=pairs).components_
    as_pairs = pairs | Constraints(40, (), [(0, 1)])
    np.testing.assert_allclose(found, DCA(1).fit(X, as_pairs).components_)


def test_batches_of_equal_wide_rows_are_an_error():
    rows = np.tile(np.arange(8.0), (2, 1))
    estimator = SSDR(2).partial_fit(rows[:1], [4]).partial_fit(rows[1:], [3])
    with pytest.raises(ValueError, match="rank of X is 0"):
        estimator.transform(rows)


@pytest.mark.parametrize(
    "estimator",
    [
        SSDR(alpha=1e308),
        SSDR(beta=1e308),
        WMV(alpha=1e308),
        WMV(beta=-1e308),
        SSWMV(beta=-1e308, random_state=0),
    ],
)
def test_parameters_that_overflow_are_refused_without_a_warning(estimator):
    with pytest.raises(ValueError, match="overflows: values of X, weights or parameters"):
        estimator.fit(X * 1e10, Y)


@pytest.mark.parametrize("sigma", [1e-320, 1e-200, 1e200, 1e308])
@pytest.mark.parametrize("estimator", [LPP(), LPPSI(), SLPP(weights="heat"), DSP()])
def test_widths_that_can_not_be_squared_are_refused(estimator, sigma):
    with pytest.raises(ValueError, match=r"'sigma' parameter of .* in the range \[1e-75, 1e\+75\]"):
        clone(estimator).set_params(sigma=sigma).fit(X, Y)


def test_components_that_single_precision_can_not_hold_are_an_error():
    small = (X * 1e-40).astype(np.float32)
    with pytest.raises(ValueError, match="too large or too small for float32"):
        RCA().fit(small, Y)
    assert np.isfinite(RCA().fit(small.astype(np.float64), Y).components_).all()


# In these, weights of pairs stand beside weights of the data's own: their size counts, too.
BY_SIZE = {"DSP", "LPPSI", "SDA", "SELFDA", "SSWMV", "WMV"}


@pytest.mark.parametrize("estimator", LINEAR, ids=lambda e: type(e).__name__)
def test_weights_of_any_allowed_size_count_by_their_ratio(estimator):
    pairs = Constraints.from_labels(Y, n_pairs=80, random_state=0)
    random = np.random.default_rng(1)
    must = random.uniform(0.2, 5, size=len(pairs.must_link))
    cannot = random.uniform(0.2, 5, size=len(pairs.cannot_link))

    def components(weight):
        weighted = Constraints(
            40,
            pairs.must_link,
            pairs.cannot_link,
            must_weight=weight * must,
            cannot_weight=weight * cannot,
        )
        seed = {"random_state": 0} if "random_state" in estimator.get_params() else {}
        return clone(estimator).set_params(**seed).fit(X, weighted).components_

    for found in (components(5.1e-75), components(1.9e74)):
        assert np.isfinite(found).all()
        if type(estimator).__name__ not in BY_SIZE:
            assert principal_angles(found.T, components(1.0).T) < 1e-9


@pytest.mark.parametrize(("beta", "unit"), [(1e-300, 1.0), (0.5, 1e8)])
def test_an_identity_below_rounding_is_named(beta, unit):
    """Rounding would decide whether a direction within no class has any scatter."""
    y = np.where(np.arange(40) < 3, 0, -1)
    with pytest.raises(ValueError, match=r"beta=.* is below rounding .* StandardScaler"):
        SELFDA(beta=beta, weights="binary").fit(unit * X, y)


def test_the_identity_may_be_below_rounding_of_one_column():
    """Only what no column can tell apart is refused."""
    y = np.where(np.arange(40) < 30, Y, -1)
    wide = X * np.where(np.arange(X.shape[1]) == 0, 4e4, 1.0)
    found = SELFDA().fit(wide, y).components_
    assert np.isfinite(found).all()
    assert abs(found[1, 1:]).max() > 0


def test_a_tiny_identity_gives_no_weight_to_a_constant_column():
    """There the identity is the whole scatter within classes, and what rounding adds is large."""
    random = np.random.default_rng(1)
    rows, y = random.normal(size=(22, 6)), np.arange(22) % 3
    rows[:, 1] = 3.3 * (1 + np.finfo(float).eps * random.integers(-1, 2, size=22))
    pairs = Constraints.from_labels(y, n_pairs=30, random_state=1).must_link
    found = SELFDA(beta=1e-300).fit(rows, Constraints(22, pairs)).components_
    assert abs(found[:, 1]).max() < 1e-12
    assert 0.01 < abs(found).max() < 100


def test_eigenvalues_that_overflow_are_refused():
    """The scatter does not, but its eigenvalues are sums of it."""
    data = np.round(10 * np.abs(X))
    pairs = Constraints.from_labels(Y, n_pairs=82, random_state=0)
    with pytest.raises(ValueError, match="overflows: values of X, weights or parameters"):
        SSDR(alpha=75.0, beta=1e306).fit(data, pairs)
    assert np.isfinite(SSDR(alpha=75.0, beta=1e300).fit(data, pairs).eigenvalues_).all()


@pytest.mark.parametrize("estimator", [DSP(), PairSpace(teacher=None, n_queries=4)])
def test_one_neighbour_may_be_written_as_a_truth_value(estimator):
    pairs = Constraints.from_labels(Y, n_pairs=20, random_state=0)
    found, wanted = (
        clone(estimator).set_params(n_neighbors=k, random_state=0).fit(X, pairs) for k in (True, 1)
    )
    np.testing.assert_array_equal(found.components_, wanted.components_)


@pytest.mark.filterwarnings("ignore:n_neighbors=8 is more than the rank")
def test_a_regularisation_that_rounding_hides_is_refused():
    with pytest.raises(ValueError, match=r"'reg' parameter of NPE .* \[1e-12, 1e\+75\]"):
        NPE(reg=1e-200).fit(X)
    assert np.isfinite(NPE(n_neighbors=8, reg=1e-12).fit(X[:, :3]).components_).all()


@pytest.mark.filterwarnings("ignore:no direction spreads more")
def test_a_parameter_may_be_a_large_integer():
    found, wanted = (SSWMV(1, alpha=alpha, random_state=0).fit(X, Y) for alpha in (10**30, 1e30))
    np.testing.assert_array_equal(found.components_, wanted.components_)


@pytest.mark.parametrize("estimator", [NPE(reg=1e76), WMMC(weight=1e76)])
def test_a_parameter_that_would_overflow_with_some_data_is_refused(estimator):
    with pytest.raises(ValueError, match=r"1e\+75\]"):
        estimator.fit(X, Y)


def test_components_that_single_precision_rounds_to_zero_are_refused():
    single = X.astype(np.float32)
    with pytest.raises(ValueError, match="too large or too small for float32"):
        SDA(1, alpha=1e100).fit(single, Y)
    assert np.abs(SDA(1, alpha=1e100).fit(X, Y).components_).max() > 0


@pytest.mark.parametrize(("dtype", "offset"), [(np.float64, 2.0**43), (np.float32, 2.0**12)])
def test_a_projection_far_from_the_origin_keeps_the_digits_that_the_rows_have(dtype, offset):
    near = np.round(64 * X) / 64  # numbers that the offset leaves as they are
    far = (near + offset).astype(dtype)
    assert np.array_equal(far.astype(np.float64) - offset, near)
    model = SSDR(2).fit(far, Y)
    wanted = (near - near.mean(axis=0)) @ model.components_.T.astype(np.float64)
    found = model.transform(far)
    found = found - found.mean(axis=0)
    np.testing.assert_allclose(found, wanted, atol=1e-4 if dtype == np.float32 else 1e-12)


def test_all_components_of_a_wide_table_far_from_the_origin():
    """LPP's scatter of degrees depends on the mean, which is rounded there."""
    random = np.random.default_rng(0)
    near = np.round(64 * random.normal(size=(10, 40)) * 10.0 ** random.integers(-1, 4, 40)) / 64
    plain, far = (
        LPP(None, weights="binary", random_state=0).fit(rows).transform(rows)
        for rows in (near, near + 2.0**43)
    )
    plain, far = (points - points.mean(axis=0) for points in (plain, far))
    np.testing.assert_allclose(far @ far.T, plain @ plain.T, atol=1e-9)


def test_a_large_integer_is_a_factor():
    """Of two rows that are known to differ there is no must-link, but there is its weight."""
    y = np.array([0, 1])
    found = SSWMV(1, alpha=10**30).fit(X[:2], y).components_
    assert principal_angles(found, SSWMV(1, alpha=1e30).fit(X[:2], y).components_) < 1e-6
