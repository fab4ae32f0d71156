"""Standardising and the linear method after it as one map."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from pairspace.linear import LinearReducer

LARGEST_UNIT = 1e30  # of a column


def fold_scaler(model: Any) -> Any:
    """Fold a StandardScaler into the linear method after it: the same map, in one product.

    A pipeline reads the rows, copies them and reads them again. The folded model multiplies them
    once, and ``transform`` takes a third of the time. Its ``mean_`` and ``components_`` are in
    the units of the columns of X.

    Parameters
    ----------
    model : estimator
        A fitted pipeline, as :func:`load` returns it; of a search, its best estimator.

    Returns
    -------
    estimator
        A linear method, or a pipeline of the steps before the scaler and the method. Only its
        ``transform`` is that of the model, up to rounding: ``inverse_transform`` looks for the
        nearest rows in the units of X, and ``partial_fit`` starts from scratch. A model that
        doesn't end with a StandardScaler and a method of pairspace.linear is returned as it is, and
        so is one of columns with means or deviations beyond 1e±30, which only the scaler can take.

    See Also
    --------
    load : Load a model.
    pairspace.PairSpace : Standardises by itself with ``scaling="standard"``.

    Examples
    --------
    >>> import numpy as np, pairspace
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_wine(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), pairspace.RCA(2)).fit(X, y)
    >>> fast = pairspace.fold_scaler(model)
    >>> fast
    RCA()
    >>> np.allclose(fast.transform(X), model.transform(X))
    True
    """
    model = getattr(model, "best_estimator_", model)
    steps: list[tuple[str, Any]] = getattr(model, "steps", [])
    if len(steps) < 2:
        return model
    (_, scaler), (name, reducer) = steps[-2:]
    if type(scaler) is not StandardScaler or not isinstance(reducer, LinearReducer):
        return model
    check_is_fitted(model)
    if not _in_range(scaler):
        return model
    both = _folded(scaler, reducer)
    return Pipeline([*steps[:-2], (name, both)]) if steps[:-2] else both


def _in_range(scaler: StandardScaler) -> bool:
    """Whether the components of both, and values of X, stay far from the ends of single precision.

    The linear method refuses values that can't be squared, which the scaler makes small.
    """
    spread = scaler.scale_ if scaler.with_std else np.ones(1)
    mean = np.abs(scaler.mean_).max() if scaler.with_mean else 0.0
    return bool(max(spread.max(), 1 / spread.min(), mean) <= LARGEST_UNIT)


def _folded(scaler: StandardScaler, reducer: LinearReducer) -> LinearReducer:
    """Both as one linear method.

    (x − mean) / scale is less the method's own mean and times its components, so the mean of both
    is mean + scale · its mean, and the components are divided by the scale.
    """
    scale = scaler.scale_ if scaler.with_std else np.ones(scaler.n_features_in_)
    mean = scaler.mean_ if scaler.with_mean else np.zeros(scaler.n_features_in_)
    both = copy(reducer)
    both.mean_, both.components_ = mean + scale * reducer.mean_, reducer.components_ / scale
    for name in ("_stream", "feature_names_in_"):  # the sums and the names of standardised rows
        both.__dict__.pop(name, None)
    if hasattr(scaler, "feature_names_in_"):
        both.feature_names_in_ = scaler.feature_names_in_
    return both
