"""What ``transform`` refuses, though it looks at the product first, and its digits."""

import numpy as np
import pandas as pd
import pytest

from pairspace import BWDR, Constraints

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(2_000, 6))
PAIRS = Constraints.from_labels(np.arange(2_000) % 3, n_pairs=60, random_state=0)


@pytest.fixture(params=[np.float64, np.float32])
def space(request):
    return BWDR(2).fit(X.astype(request.param), PAIRS)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("unused", [False, True])
def test_what_is_not_finite_is_refused(space, value, unused):
    if unused:  # the product does not show what is in this column
        space.components_[:, 3] = 0
    rows = X.astype(space.components_.dtype)
    rows[1_234, 3] = value
    with pytest.raises(ValueError, match="Input X contains"):
        space.transform(rows)


@pytest.mark.parametrize("unused", [False, True])
def test_what_is_too_large_is_refused(unused):
    space = BWDR(2).fit(X, PAIRS)
    if unused:
        space.components_[:, 3] = 0
    rows = X.copy()
    rows[1_234, 3] = 1e80
    with pytest.raises(ValueError, match=r"too large to square.*the largest is 1.0e\+80"):
        space.transform(rows)


def test_a_large_result_is_not_refused(space):
    rows = X.astype(space.components_.dtype) * 1e25
    found = space.transform(rows)
    wanted = (rows.astype(np.float64) - space.mean_) @ space.components_.T
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5 * np.abs(wanted).max())


@pytest.mark.parametrize("far", [0, 1_600])  # the first row that is not at the mean
def test_rows_far_from_the_origin_keep_their_digits(far):
    offset = 1e9
    space = BWDR(2).fit(X + offset, PAIRS)
    rows = np.full_like(X, offset) + space.mean_ - offset
    rows[far:] += 1e-3 * X[far:]
    wanted = (rows - space.mean_) @ space.components_.T
    np.testing.assert_allclose(space.transform(rows), wanted, atol=1e-6)


@pytest.mark.parametrize(("offset", "digits"), [(10, 6), (300, 5), (3_000, 5), (100_000, 5)])
def test_single_precision_keeps_the_digits_of_centred_rows(offset, digits):
    """Rows that are not centred first lose two digits at most."""
    rows = (X + offset).astype(np.float32)
    space = BWDR(2).fit(rows, PAIRS)
    wanted = (rows.astype(np.float64) - space.mean_) @ space.components_.T.astype(np.float64)
    found = space.transform(rows)
    np.testing.assert_allclose(found, wanted, atol=10.0**-digits * np.abs(wanted).max())


def test_an_array_is_checked_as_scikit_learn_does_it(space):
    rows = X.astype(space.components_.dtype)
    for wrong, message in (
        (rows[:, :5], "X has 5 features"),
        (rows[:0], "0 sample"),
        (rows[0], "Expected 2D array"),
    ):
        with pytest.raises(ValueError, match=message):
            space.transform(wrong)
    frame = pd.DataFrame(rows).add_prefix("x")
    named = BWDR(2).fit(frame, PAIRS)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        named.transform(rows)
