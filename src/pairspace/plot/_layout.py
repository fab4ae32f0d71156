"""A curved layout of an embedding in two dimensions, to look at."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.manifold import TSNE
from sklearn.utils import check_array, check_random_state

from pairspace._core.neighbors import nearest_among
from pairspace._core.typing import Floats, Seed

MOST_ROWS = 3_000  # that t-SNE places itself: a minute of one core for more
N_NEAREST = 5  # placed rows, whose mean is the place of another row


def curved_layout(embedding: Any, *, perplexity: float = 30.0, random_state: Seed = 0) -> Floats:
    """Lay out the rows of an embedding in two dimensions with t-SNE, to look at.

    The layout starts from the first two components, so that it keeps their overall order where it
    can. Neighbours in the embedding stay neighbours. Distances between groups, sizes of groups and
    gaps mean nothing: random data have islands, too. Judge a space by held-out answers
    (:func:`pairspace.cross_validate_pairs`), never by its layout.

    Parameters
    ----------
    embedding : array-like of shape (n_samples, n_components)
        The rows after ``transform``, with two components or more.
    perplexity : float, default=30.0
        About the number of neighbours that count; at most a third of the rows.
    random_state : int, RandomState instance or None, default=0
        Draws the 3,000 rows that t-SNE places if there are more. The others are placed at the mean
        of the 5 nearest of these.

    Returns
    -------
    ndarray of shape (n_samples, 2)
        The place of each row.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import PairSpace
    >>> from pairspace.plot import curved_layout
    >>> X, y = load_iris(return_X_y=True)
    >>> curved_layout(PairSpace(3).fit_transform(X, y)).shape
    (150, 2)
    """
    Z = check_array(embedding, dtype=np.float64, ensure_min_samples=4, ensure_min_features=2)
    random = check_random_state(random_state)
    n = len(Z)
    rows = np.arange(n) if n <= MOST_ROWS else np.sort(random.choice(n, MOST_ROWS, replace=False))
    start = Z[rows, :2] - Z[rows, :2].mean(axis=0)
    # As small as t-SNE's own start, or it could not unfold.
    start *= 1e-4 / max(float(start[:, 0].std()), np.finfo(float).tiny)
    tsne = TSNE(
        perplexity=min(float(perplexity), (len(rows) - 1) / 3), init=start, random_state=random
    )
    placed = np.asarray(tsne.fit_transform(Z[rows]), dtype=np.float64)
    if len(rows) == n:
        return placed
    near, _ = nearest_among(Z[rows], Z, N_NEAREST)
    found: Floats = placed[near].mean(axis=1)
    found[rows] = placed
    return found
