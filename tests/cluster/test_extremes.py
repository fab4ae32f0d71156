"""Kernels of long rows and of extreme widths."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from pairspace import Constraints, KernelKMeans, SKKMeans
from pairspace._core.kernels import Kernel

X = np.random.default_rng(0).normal(size=(30, 5))
BOTH = [KernelKMeans(3, random_state=0), SKKMeans(3, random_state=0)]


@pytest.mark.parametrize("offset", [0.0, 1e20])
def test_equal_rows_have_the_kernel_value_of_equal_rows_whatever_their_length(offset):
    """Products round: of long rows, the distance of equal ones would be larger than the width."""
    data = np.repeat(X * 1e20, 2, axis=0) + offset
    values = Kernel("rbf", 1.0, data).gram(data)
    assert (values[np.arange(0, 60, 2), np.arange(1, 60, 2)] == 0).all()
    assert (Kernel("rbf", 1.0, data)(data[::2], data[1::2]).diagonal() == 0).all()


@pytest.mark.parametrize("estimator", BOTH)
@pytest.mark.parametrize("gamma", [5e-324, 1e-200, 1e200, 1e308])
def test_extreme_widths_give_no_warning_of_numpy(estimator, gamma):
    pairs = Constraints(30, [(0, 1), (1, 2), (7, 9)])
    found = clone(estimator).set_params(gamma=gamma, n_clusters=2).fit(X, pairs)
    assert np.isfinite(found.inertia_)
    assert len(found.predict(X * 2)) == 30
    if isinstance(found, SKKMeans):
        assert (found.labels_[pairs.must_link[:, 0]] == found.labels_[pairs.must_link[:, 1]]).all()


@pytest.mark.filterwarnings("ignore:only .* clusters differ")  # of a kernel that is constant
@pytest.mark.parametrize("estimator", BOTH)
@pytest.mark.parametrize("kernel", ["poly", "linear", "cosine", "laplacian"])
@pytest.mark.parametrize("scale", [1e-70, 1e-30, 1e30, 1e70])
def test_must_links_hold_at_every_scale(estimator, kernel, scale):
    pairs = Constraints.from_labels(np.arange(30) % 3, n_pairs=30, random_state=0)
    estimator = clone(estimator).set_params(kernel=kernel)
    if kernel == "poly" and scale >= 1e30:  # the default gamma follows the scale
        with pytest.raises(ValueError, match=r"the kernel 'poly' overflows.* lower gamma"):
            clone(estimator).set_params(gamma=1.0).fit(X * scale, pairs)
    with np.errstate(all="raise", under="ignore"):
        found = estimator.fit(X * scale, pairs)
    assert np.isfinite(found.inertia_)
    if isinstance(found, SKKMeans):
        assert (found.labels_[pairs.must_link[:, 0]] == found.labels_[pairs.must_link[:, 1]]).all()


@pytest.mark.parametrize("make", [np.asarray, csr_array])
def test_where_must_links_leave_no_difference_the_rest_is_not_rounding(make):
    """Every row is linked, and the links span all that differs: all points are one."""
    data = np.repeat(np.arange(6.0), 4)[:, None]
    chains = [(i, i + 4) for i in range(20)]  # four chains through all values
    with pytest.warns(ConvergenceWarning, match="only 1 of n_clusters=2 clusters differ"):
        found = SKKMeans(2, random_state=0).fit(make(data), Constraints(24, chains))
    assert found.inertia_ == 0


def test_one_cluster_may_be_written_as_a_truth_value():
    """As everywhere in scikit-learn, where True is the integer 1."""
    rows = csr_array(np.random.default_rng(0).normal(size=(12, 3)))
    assert set(KernelKMeans(n_clusters=True, random_state=0).fit(rows).labels_) == {0}


@pytest.mark.parametrize("kernel", ["additive_chi2", "chi2", "laplacian", "rbf"])
@pytest.mark.parametrize("estimator", BOTH)
def test_read_only_rows(estimator, kernel):
    data = np.abs(X)
    wanted = clone(estimator).set_params(kernel=kernel).fit(data)
    data.flags.writeable = False
    found = clone(estimator).set_params(kernel=kernel).fit(data)
    np.testing.assert_array_equal(found.labels_, wanted.labels_)
    np.testing.assert_array_equal(found.predict(data), wanted.predict(data))
