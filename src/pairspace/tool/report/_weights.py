"""Which features weigh most in each component."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from pairspace._core.data import slices
from pairspace._core.typing import Floats

BLOCK_VALUES = 2**21
N_TRIED = 20


class Weights(NamedTuple):
    """How far a component moves when a feature grows by one standard deviation."""

    names: list[str]
    values: Floats  # of shape (n_components, n_features)

    def heaviest(self, component: int, n: int = 10) -> list[tuple[str, float]]:
        """The features that move a component most, either way."""
        row = self.values[component]
        order = np.argsort(-np.abs(row), kind="stable")[:n]
        return [(self.names[at], float(row[at])) for at in order if row[at]]


def feature_weights(model: Any, X: Any) -> Weights | None:
    """The weights of a fitted linear pipeline, found by trying; None if it is not linear.

    Whatever the scalers before the method, the same is done: each feature is moved from its mean
    by one standard deviation. Words, if the pipeline reads text, are moved likewise.

    Parameters
    ----------
    model : pipeline
        Fitted.
    X : DataFrame or array of shape (n_samples, n_features)
        Rows like those it was fitted on, for means and deviations.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.decomposition import PCA
    >>> X = pd.DataFrame({"long": [0.0, 10.0, 20.0], "short": [0.0, 1.0, 0.0]})
    >>> feature_weights(PCA(1).fit(X), X).heaviest(0, 1)[0][0]
    'long'
    """
    front = model.steps[0][1] if hasattr(model, "steps") else None
    if hasattr(front, "transformers_"):
        return _through_words(model, front, X)
    columns = getattr(X, "columns", None)
    values = np.asarray(X, dtype=np.float64)
    names = (
        [f"x{at}" for at in range(values.shape[1])] if columns is None else list(map(str, columns))
    )

    def transform(rows: Floats) -> Floats:
        if columns is None:
            return np.asarray(model.transform(rows))
        import pandas as pd

        return np.asarray(model.transform(pd.DataFrame(rows, columns=columns)))

    found = _by_trying(transform, np.nanmean(values, axis=0), np.nanstd(values, axis=0))
    return None if found is None else Weights(names, found)


def _by_trying(transform: Any, mean: Floats, step: Floats) -> Floats | None:
    if not _is_linear(transform, mean, step):
        return None
    start = transform(mean[None])
    parts = []
    for block in slices(len(mean), BLOCK_VALUES // len(mean)):
        rows = np.repeat(mean[None], block.stop - block.start, axis=0)
        at = np.arange(block.stop - block.start)
        rows[at, block.start + at] += step[block]
        parts.append(transform(rows) - start)
    return np.vstack(parts).T


def _is_linear(transform: Any, mean: Floats, step: Floats) -> bool:
    """Whether the middle of two rows comes to the middle of their places."""
    random = np.random.default_rng(0)
    a, b = mean + step * random.standard_normal((2, N_TRIED, len(mean)))
    apart = np.abs(transform((a + b) / 2) - (transform(a) + transform(b)) / 2).max()
    return bool(apart <= 1e-6 * max(np.abs(transform(a)).max(), 1e-300))


def _through_words(model: Any, front: Any, X: Any) -> Weights | None:
    """Of words and numbers that a ColumnTransformer reads, through the directions of the words."""
    Z = np.asarray(front.transform(X))
    on_topics = _by_trying(model[1:].transform, Z.mean(axis=0), np.ones(Z.shape[1]))
    if on_topics is None:
        return None
    names: list[str] = []
    parts: list[Floats] = []
    start = 0
    for name, transformer, columns in front.transformers_:
        if name == "words":
            words, topics = (step for _, step in transformer.steps)
            seen = words.transform(X[columns])
            width = len(topics.components_)
            names += words.get_feature_names_out().tolist()
            parts.append(on_topics[:, start : start + width] @ topics.components_ * _spread(seen))
        else:
            width = len(columns)
            names += list(columns)
            parts.append(
                on_topics[:, start : start + width] * Z[:, start : start + width].std(axis=0)
            )
        start += width
    return Weights(names, np.hstack(parts))


def _spread(X: Any) -> Floats:
    """The standard deviations of sparse columns."""
    assert issparse(X)
    mean = np.asarray(X.mean(axis=0)).ravel()
    squares = np.asarray(X.multiply(X).mean(axis=0)).ravel()
    return np.sqrt(np.maximum(squares - mean**2, 0))
