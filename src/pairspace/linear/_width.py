"""The width of DSP's kernel, chosen by the constraints."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.sparse import coo_array
from sklearn.exceptions import ConvergenceWarning

from pairspace._core.data import Rows
from pairspace._core.pairs import MAX_PAIRS
from pairspace._core.threads import one_blas_thread
from pairspace._core.typing import Ints
from pairspace.base import Supervision
from pairspace.cluster import SKKMeans
from pairspace.constraints import Constraints

MULTIPLES = (2.0, 1.0, 0.5, 0.25, 0.125)  # of the median distance; of equally good ones the first
WITHOUT_LINKS = 0.5
SEARCH_ROWS = 1_000  # larger data is subsampled
SEARCH_LINKS = 300  # of either kind, with the rows they join
MEDIAN_PAIRS = 500_000  # more pairs are subsampled


def best_width(
    Z: Rows, known: Supervision, n_components: int, random: np.random.RandomState
) -> float:
    """The width with which SKK-means separates most cannot-links."""
    median = median_distance(Z, random)
    rows, links = _search_rows(known, random)
    cannot = links.cannot_link
    if not len(cannot):
        return WITHOUT_LINKS * median
    X = Z.values[rows]
    # Pairs do not say how many classes there are; k dimensions can separate k + 1.
    n_clusters = min(max(n_clusters_needed(links), n_components + 1), len(rows))
    seed = random.randint(2**31 - 1)  # the same starts for every width
    share, best = -1.0, 0.0
    with one_blas_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a width that separates no rows
        for multiple in MULTIPLES:
            width = multiple * median
            found = SKKMeans(n_clusters, gamma=1 / (2 * width**2), random_state=seed)
            labels = found.fit_predict(X, links)
            separated = float(np.mean(labels[cannot[:, 0]] != labels[cannot[:, 1]]))
            if separated > share:
                share, best = separated, width
    return best


def median_distance(Z: Rows, random: np.random.RandomState) -> float:
    """The median distance of rows; the root mean square if most rows are equal."""
    n = len(Z)
    if n * (n - 1) // 2 <= MEDIAN_PAIRS:
        pairs = np.column_stack(np.triu_indices(n, k=1))
    else:
        pairs = random.randint(n, size=(MEDIAN_PAIRS, 2))
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    median = float(np.median(np.sqrt(Z.squared_lengths(pairs))))
    return median or float(np.sqrt(2 * np.trace(Z.gram) / (n - 1)))


def n_clusters_needed(links: Constraints) -> int:
    """How many clusters satisfy all cannot-links, by greedy colouring of the components.

    Components of most cannot-links choose first, and the first colour that none they may not be
    with has. Classes that are all known to differ are as many colours.
    """
    _, component = np.unique(
        np.where(links.components() < 0, -1 - np.arange(len(links)), links.components()),
        return_inverse=True,
    )
    i, j = component[links.cannot_link].T
    n = component.max() + 1
    apart = coo_array((np.ones(len(i)), (i, j)), shape=(n, n)).tocsr()
    apart = (apart + apart.T).tocsr()
    degree = np.diff(apart.indptr)
    colour = np.full(n, -1)
    for one in np.argsort(-degree, kind="stable")[: np.count_nonzero(degree)]:
        taken = colour[apart.indices[apart.indptr[one] : apart.indptr[one + 1]]]
        colour[one] = np.setdiff1d(np.arange(len(taken) + 1), taken)[0]
    return int(colour.max()) + 1


def _search_rows(known: Supervision, random: np.random.RandomState) -> tuple[Ints, Constraints]:
    """The rows to search on, and the links among them."""
    n, must = len(known.labels), known.implied.must_link
    cannot, _ = known.cannot_pairs(MAX_PAIRS)
    if n <= SEARCH_ROWS:
        return np.arange(n), Constraints(n, must, cannot)
    must, cannot = (
        links[random.choice(len(links), min(SEARCH_LINKS, len(links)), replace=False)]
        for links in (must, cannot)
    )
    linked = np.union1d(must, cannot)
    others = random.choice(n, SEARCH_ROWS, replace=False)
    rows = np.union1d(linked, others[: max(SEARCH_ROWS - len(linked), 0)])
    return rows, Constraints(n, must, cannot)[rows]
