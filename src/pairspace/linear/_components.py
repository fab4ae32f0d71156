"""The number of components, where it is not given as an integer: as in PCA, and "auto"."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np

from pairspace._core import linalg
from pairspace._core.data import Rows
from pairspace._core.linalg import Eigen, matrix_fits
from pairspace._core.typing import Floats
from pairspace.base import Supervision
from pairspace.linear._solve import RankError

# "auto": the fewest components, but not fewer than FEWEST, with this share of the spread of the
# first MOST. Held-out pairs would choose too few: their distances depend mostly on the first
# components, but nearest neighbours on later ones too.
MOST, SHARE, FEWEST = 32, 0.9, 2
EQUAL = 1e-9  # shares that differ by less do so by rounding


def solved(method: Any, Z: Rows, known: Supervision) -> Eigen:
    """``method._solve``, with the number of components that ``n_components`` stands for.

    Solutions for different numbers of components need not be nested, so that the problem is solved
    again for the number that was found.
    """
    asked, before = method.n_components, dict(vars(method))
    if isinstance(asked, Integral) or (asked is None and method.solves_none):
        return method._solve(Z, known)
    if Z.in_memory and not matrix_fits(min(Z.shape)):
        raise ValueError(
            f"n_components={asked!r} needs all directions of {Z.shape[0]:,} rows and "
            f"{Z.shape[1]:,} features, more than the working memory holds: pass an integer"
        )
    try:
        found = _with_most(method, Z, known, MOST if asked == "auto" else None)
        if asked is None:
            return found
        spread = np.einsum("ij,ij->j", found.vectors, Z.gram @ found.vectors)
        k = enough(spread, SHARE if asked == "auto" else asked)
        k = min(max(k, FEWEST), len(spread)) if asked == "auto" else k
        if k == len(spread):
            return found
        # With what the first solution has used up.
        vars(method).update({name: before[name] for name in before.keys() - vars(method).keys()})
        method.n_components = k
        return method._solve(Z, known)
    finally:
        method.n_components = asked


def enough(spread: Floats, share: float) -> int:
    """The number of leading components with this share of the spread of all of them.

    The spreads of a whitening method are equal: 9 of 10 have .9 of it, also where rounding makes
    that a little less.
    """
    sums = np.cumsum(spread)
    return min(1 + int(np.searchsorted(sums, share * (1 - EQUAL) * sums[-1])), len(spread))


def _with_most(method: Any, Z: Rows, known: Supervision, most: int | None) -> Eigen:
    """The solution with as many components as there are, or with ``most``."""
    n = linalg.rank_of(Z.gram)
    method.n_components = max(n if most is None else min(n, most), 1)
    before = dict(vars(method))
    with warnings.catch_warnings():
        # Nobody has asked for so many.
        warnings.filterwarnings("ignore", "n_components=.* is more than the rank")
        while True:
            try:
                return method._solve(Z, known)
            except RankError as error:  # that of a method's own scatter
                if not 0 < error.rank < method.n_components:
                    raise
                vars(method).clear()
                vars(method).update(before, n_components=error.rank)
