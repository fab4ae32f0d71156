"""Running times as in the DSP paper: CPU time, as ratios to PCA."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from experiments.papers.dsp import WIDTHS, pairs_of, scaled
from experiments.protocols import ExactPCA, Floats, Ints, Make, fold_numbers
from pairspace import Constraints

if TYPE_CHECKING:
    from experiments.table import Split

OFFLINE, ONLINE = "offline / PCA", "online / PCA"
# These are fitted once and then transform; the others are fitted on all rows they reduce.
LEARN_BEFORE = ("DSPOfWidth", "DSP", "SLPP")


class Timed(NamedTuple):
    """A fifth of the rows for fitting with pairs, all rows to reduce, and the time of PCA."""

    X_train: Floats
    pairs: Constraints
    X: Floats
    all_pairs: Constraints
    n_components: int
    width: float
    seconds_of_pca: float


def prepare_times(
    X: Floats, y: Ints, split: Split, *, per_class: int, n_components: dict[str, int]
) -> Timed:
    """PCA is timed with the methods, in the same minute."""
    X, _ = scaled(split.dataset, X, X)
    fifth = np.flatnonzero(fold_numbers(y, 5, split.row_seed) == 0)
    k = n_components.get(split.dataset, 2)
    return Timed(
        X[fifth],
        pairs_of(y[fifth], split, per_class),
        X,
        pairs_of(y, split, per_class),
        k,
        WIDTHS.get(split.dataset, 1.0),
        shortest(lambda: ExactPCA(k).fit(X).transform(X)),
    )


def shortest(work: Callable[[], Any], n_times: int = 3) -> float:
    """The minimum CPU time of several runs."""
    taken = []
    for _ in range(n_times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def ratios_to_pca(prepared: Timed, make: Make) -> dict[str, float]:
    """Time to fit and time to reduce, which includes fitting for methods fitted on all rows."""

    def fit(X: Floats, pairs: Constraints) -> Any:
        method = make(prepared.n_components)
        if hasattr(method, "set_width"):
            method.set_width(prepared.width)
        return method.fit(X, pairs)

    if type(make(1)).__name__ in LEARN_BEFORE:
        learned = fit(prepared.X_train, prepared.pairs)
        offline = shortest(lambda: fit(prepared.X_train, prepared.pairs))
        online = shortest(lambda: learned.transform(prepared.X), 10)
    else:
        offline = 0.0
        online = shortest(lambda: fit(prepared.X, prepared.all_pairs).transform(prepared.X))
    return {
        OFFLINE: offline / prepared.seconds_of_pca,
        ONLINE: online / prepared.seconds_of_pca,
        "PCA, seconds": prepared.seconds_of_pca,
    }
