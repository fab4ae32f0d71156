"""NumPy's numbers as parameters: their range and precision do not reach the results."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from pairspace import LPP, NPE, SCPLE, SELFDA, SSDR, WMMC, SKKMeans

X, Y = load_wine(return_X_y=True)
X = scale(X)


@pytest.mark.parametrize(
    ("method", "name", "value", "plain"),
    [
        (SCPLE(), "n_neighbors", np.uint8(160), 160),  # a wrong space: 2 · 160 is 64
        (LPP(), "n_neighbors", True, 1),
        (LPP(), "sigma", np.float32(2), 2.0),  # NumPy's warning of an overflow
        (LPP(), "sigma", np.float16(2), 2.0),
        (NPE(), "reg", np.float32(0.5), 0.5),
        (WMMC(), "weight", np.longdouble(0.5), 0.5),  # "float128 is unsupported in linalg"
        (SELFDA(), "beta", np.longdouble(0.5), 0.5),
    ],
    ids=str,
)
def test_a_number_of_numpy_is_the_plain_one(method, name, value, plain):
    wanted = method.set_params(**{name: plain}).fit(X, Y).transform(X)
    method.set_params(**{name: value})
    np.testing.assert_array_equal(method.fit(X, Y).transform(X), wanted)
    assert method.get_params()[name] is value


def test_the_parameters_stay_what_they_were_if_fit_fails():
    method = LPP(n_neighbors=np.int8(3))
    with pytest.raises(ValueError, match="identical"):
        method.fit(np.ones((9, 2)))
    assert isinstance(method.n_neighbors, np.int8)


def test_integers_too_large_for_a_float_are_refused():
    with pytest.raises(ValueError, match="alpha is an integer too large for a float"):
        SSDR(alpha=10**400).fit(X, Y)


def test_clusters():
    found = SKKMeans(n_clusters=np.uint8(3), gamma=np.float32(0.1), random_state=0).fit(X)
    gamma = float(np.float32(0.1))
    wanted = SKKMeans(n_clusters=3, gamma=gamma, random_state=0).fit(X)
    np.testing.assert_array_equal(found.labels_, wanted.labels_)
