"""Linear spaces from placed rows, judged on rows that were neither placed nor fitted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace._core.typing import Floats, Ints
from pairspace.linear import PairSpace
from pairspace.tool.demo.rivals import k_means

N_COMPONENTS = 9


@dataclass(frozen=True)
class Judged:
    """A space and its scores on held-out rows.

    Parameters
    ----------
    columns : int
        The number of columns.
    nearest_placed : float
        The accuracy of the nearest placed row.
    nearest_any : float
        The accuracy of the nearest of all fitted rows, with all their labels known.
    ari : float
        The ARI of k-means.
    """

    columns: int
    nearest_placed: float
    nearest_any: float
    ari: float


@dataclass(frozen=True)
class Split:
    """Rows to fit on, among them all placed ones, and as many held-out rows."""

    fitted: Ints
    held_out: Ints


def split_around(placed: Ints, n_rows: int) -> Split:
    """Draw half of the rows, none of them placed, to be held out."""
    others = np.setdiff1d(np.arange(n_rows), placed)
    held_out = np.random.RandomState(0).permutation(others)[: n_rows // 2]
    return Split(np.setdiff1d(np.arange(n_rows), held_out), np.sort(held_out))


def judge_spaces(X: Floats, y: Ints, placed: Ints, split: Split) -> dict[str, Judged]:
    """Fit each space on half of the rows, and judge it on the others."""
    known = np.full(len(y), -1)
    known[placed] = y[placed]
    steps: dict[str, Any] = {
        "raw": "passthrough",
        "standardised": StandardScaler(),
        "PCA": PCA(N_COMPONENTS, svd_solver="full"),
        "PairSpace": PairSpace(N_COMPONENTS, random_state=0),
    }
    found = {}
    for name, step in steps.items():
        model = make_pipeline(step).fit(X[split.fitted], known[split.fitted])
        Z = model.transform(X)
        new, truth = Z[split.held_out], y[split.held_out]
        of_placed, of_any = (
            float(KNeighborsClassifier(1).fit(Z[rows], y[rows]).score(new, truth))
            for rows in (placed, split.fitted)
        )
        groups = k_means(new, len(np.unique(y)))
        found[name] = Judged(
            Z.shape[1], of_placed, of_any, float(adjusted_rand_score(truth, groups))
        )
    return found
