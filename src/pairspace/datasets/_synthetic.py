"""Generated datasets with a known structure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.datasets import make_circles
from sklearn.utils import check_random_state

from pairspace._core.typing import Floats, Ints, Seed


def make_noisy_blobs(
    n_samples: int = 300,
    *,
    n_classes: int = 3,
    n_informative: int = 2,
    n_noise: int = 10,
    noise: float = 5.0,
    random_state: Seed = None,
) -> tuple[Floats, Ints]:
    """Generate classes that differ in a few columns, with noise in other columns.

    PCA finds the noise, which has the larger variance. The informative columns come first.

    Parameters
    ----------
    n_samples : int, default=300
        The number of rows; classes are as equal in size as possible.
    n_classes : int, default=3
        The number of classes.
    n_informative : int, default=2
        The number of columns in which the class means differ, by 6 standard deviations or more.
    n_noise : int, default=10
        The number of columns with the same distribution for all classes.
    noise : float, default=5.0
        The standard deviation of the noise; within a class it is 1 in the informative columns.
    random_state : int, RandomState or None, default=None
        Draws the rows.

    Returns
    -------
    X : ndarray of shape (n_samples, n_informative + n_noise)
        The data.
    y : ndarray of shape (n_samples,)
        The classes.

    Examples
    --------
    >>> from pairspace import WBDR, Constraints
    >>> from pairspace.datasets import make_noisy_blobs
    >>> X, y = make_noisy_blobs(random_state=0)
    >>> answers = Constraints.from_labels(y, n_pairs=200, random_state=0)
    >>> WBDR(n_components=2).fit(X, answers).score(X, y) > 0.95
    True
    """
    for name, value, least in (
        ("n_samples", n_samples, 1),
        ("n_classes", n_classes, 1),
        ("n_informative", n_informative, 0),
        ("n_noise", n_noise, 0),
        ("noise", noise, 0),
    ):
        if value < least:
            raise ValueError(f"{name} must be {least} or more; got {value!r}")
    random = check_random_state(random_state)
    y = random.permutation(np.arange(n_samples) % n_classes)
    means = np.zeros((n_classes, n_informative))
    if n_informative:
        # On each axis in turn, then twice as far: all means are different.
        at = np.arange(n_classes)
        means[at, at % n_informative] = 6.0 * (1 + at // n_informative)
    informative = means[y] + random.normal(size=(n_samples, n_informative))
    return np.hstack([informative, random.normal(scale=noise, size=(n_samples, n_noise))]), y


def make_noisy_rings(
    n_samples: int = 400, *, n_noise: int = 2, noise: float = 0.5, random_state: Seed = None
) -> tuple[Floats, Ints]:
    """Generate two concentric rings, with noise in other columns.

    No linear map separates the two classes.

    Parameters
    ----------
    n_samples : int, default=400
        The number of rows, half of them in each ring.
    n_noise : int, default=2
        The number of columns with the same distribution for both classes.
    noise : float, default=0.5
        The standard deviation of the noise; the rings have the radii 0.4 and 1.
    random_state : int, RandomState or None, default=None
        Draws the rows.

    Returns
    -------
    X : ndarray of shape (n_samples, 2 + n_noise)
        The data.
    y : ndarray of shape (n_samples,)
        The classes.
    """
    random = check_random_state(random_state)
    X, y = make_circles(n_samples, noise=0.05, factor=0.4, random_state=random)
    return np.hstack([X, random.normal(scale=noise, size=(n_samples, n_noise))]), y


SYNTHETIC: dict[str, Callable[[], tuple[Floats, Ints]]] = {
    "noisy_blobs": lambda: make_noisy_blobs(random_state=0),
    "wide_blobs": lambda: make_noisy_blobs(
        80, n_classes=4, n_informative=20, n_noise=480, noise=1.0, random_state=0
    ),
    "rings": lambda: make_noisy_rings(random_state=0),
}
