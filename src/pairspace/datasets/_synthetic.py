"""Small datasets made here, for which it is known what a method should find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import make_circles
from sklearn.utils import check_random_state

from pairspace._core.typing import Floats, Ints


def make_noisy_blobs(
    n_samples: int = 300,
    *,
    n_classes: int = 3,
    n_informative: int = 2,
    n_noise: int = 10,
    noise: float = 5.0,
    random_state: Any = None,
) -> tuple[Floats, Ints]:
    """Classes that differ in a few columns, beside columns of larger noise.

    PCA follows the noise; a few pairs say which columns count. The informative columns come first.

    Parameters
    ----------
    n_samples : int, default=300
        Rows; the classes are as equal in size as can be.
    n_classes : int, default=3
        Classes.
    n_informative : int, default=2
        Columns in which the means of the classes differ, by 6 standard deviations or so.
    n_noise : int, default=10
        Columns that are the same for all classes.
    noise : float, default=5.0
        Their standard deviation; it is 1 in the other columns, within a class.
    random_state : int, RandomState or None, default=None
        Draws the rows.

    Returns
    -------
    X : ndarray of shape (n_samples, n_informative + n_noise)
    y : ndarray of shape (n_samples,)

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
        # On each axis in turn, then twice as far: no two classes share a mean.
        at = np.arange(n_classes)
        means[at, at % n_informative] = 6.0 * (1 + at // n_informative)
    informative = means[y] + random.normal(size=(n_samples, n_informative))
    return np.hstack([informative, random.normal(scale=noise, size=(n_samples, n_noise))]), y


def make_noisy_rings(
    n_samples: int = 400, *, n_noise: int = 2, noise: float = 0.5, random_state: Any = None
) -> tuple[Floats, Ints]:
    """A ring within a ring, beside columns of noise: no linear map parts the two classes.

    Parameters
    ----------
    n_samples : int, default=400
        Rows, half of them in each ring.
    n_noise : int, default=2
        Columns that are the same for both classes.
    noise : float, default=0.5
        Their standard deviation; the rings have the radii 0.4 and 1.
    random_state : int, RandomState or None, default=None
        Draws the rows.

    Returns
    -------
    X : ndarray of shape (n_samples, 2 + n_noise)
    y : ndarray of shape (n_samples,)
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
