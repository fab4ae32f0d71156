"""Which features weigh most in each component."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing

from pairspace._core.data import slices
from pairspace._core.typing import Floats

BLOCK_VALUES = 2**21
N_TRIED = 20


class Weights(NamedTuple):
    """How far each component moves when a feature grows by one standard deviation."""

    names: list[str]
    values: Floats  # of shape (n_components, n_features)

    def heaviest(self, component: int, n: int = 10) -> list[tuple[str, float]]:
        """The features that move a component most, in either direction."""
        row = self.values[component]
        order = np.argsort(-np.abs(row), kind="stable")[:n]
        return [(self.names[at], float(row[at])) for at in order if row[at]]


def feature_weights(model: Any, X: Any) -> Weights | None:
    """Measure how each feature moves the components of a fitted linear model.

    Each feature is moved from its mean by one standard deviation, and the change of the components
    is measured through all steps of the pipeline. If the first step is a ColumnTransformer, the
    features are its outputs; where a part of it ends in a linear reduction (as TF-IDF followed by
    TruncatedSVD), the features are those before the reduction, for example words.

    Parameters
    ----------
    model : estimator or pipeline
        Fitted.
    X : DataFrame or array of shape (n_samples, n_features)
        Rows like those the model was fitted on, for means and standard deviations.

    Returns
    -------
    Weights or None
        The names of the features and their weights in each component; None if the model is not
        linear.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.decomposition import PCA
    >>> X = pd.DataFrame({"long": [0.0, 10.0, 20.0], "short": [0.0, 1.0, 0.0]})
    >>> feature_weights(PCA(1).fit(X), X).heaviest(0, 1)[0][0]
    'long'
    """
    first = model.steps[0][1] if hasattr(model, "steps") else None
    if hasattr(first, "output_indices_"):
        return _through_columns(model, first, X)
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
    """Whether the midpoint of two rows is mapped to the midpoint of their images."""
    random = np.random.default_rng(0)
    a, b = mean + step * random.standard_normal((2, N_TRIED, len(mean)))
    apart = np.abs(transform((a + b) / 2) - (transform(a) + transform(b)) / 2).max()
    return bool(apart <= 1e-6 * max(np.abs(transform(a)).max(), 1e-300))


def _through_columns(model: Any, first: Any, X: Any) -> Weights | None:
    """The weights behind a ColumnTransformer, of the outputs of its parts or what they reduce."""
    Z = first.transform(X)
    mean, spread = _mean(Z), _spread(Z)
    of_outputs = _by_trying(model[1:].transform, mean, np.ones(len(mean)))
    if of_outputs is None:
        return None
    outputs = _output_names(first, len(mean))
    names: list[str] = []
    values: list[Floats] = []
    for name, transformer, columns in first.transformers_:
        at = first.output_indices_[name]
        reduced = _reduced_features(transformer, _safe_indexing(X, columns, axis=1))
        if reduced is None:
            names += [output.removeprefix(f"{name}__") for output in outputs[at]]
            values.append(of_outputs[:, at] * spread[at])
        else:
            features, components, deviation = reduced
            names += features
            values.append(of_outputs[:, at] @ components * deviation)
    return Weights(names, np.hstack(values))


def _reduced_features(transformer: Any, X: Any) -> tuple[list[str], Floats, Floats] | None:
    """Names, components and deviations of what a part's last step reduces, if that is linear."""
    steps = getattr(transformer, "steps", [])
    if len(steps) < 2 or not hasattr(steps[-1][1], "components_"):
        return None
    features, last = transformer[:-1], steps[-1][1]
    if not hasattr(features, "get_feature_names_out"):
        return None
    F = features.transform(X)
    found, expected = np.asarray(last.transform(F)), np.asarray(F @ last.components_.T)
    # Up to a constant: some centre. Others with components_, as NMF, are no product with them.
    if not np.allclose(found - found.mean(axis=0), expected - expected.mean(axis=0)):
        return None
    return features.get_feature_names_out().tolist(), last.components_, _spread(F)


def _output_names(first: Any, n: int) -> list[str]:
    try:
        return list(map(str, first.get_feature_names_out()))
    except AttributeError:  # a transformer without names
        return [f"x{at}" for at in range(n)]


def _mean(X: Any) -> Floats:
    return np.asarray(X.mean(axis=0)).ravel()


def _spread(X: Any) -> Floats:
    """The standard deviations of dense or sparse columns."""
    if not issparse(X):
        return np.asarray(X).std(axis=0)
    squares = np.asarray(X.multiply(X).mean(axis=0)).ravel()
    return np.sqrt(np.maximum(squares - _mean(X) ** 2, 0))
