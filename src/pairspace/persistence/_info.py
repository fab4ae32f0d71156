"""The description in a model file."""

from __future__ import annotations

import hashlib
import math
import platform
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.compose import ColumnTransformer

from pairspace._core.data import slices
from pairspace._version import __version__
from pairspace.preprocessing import describe_recipe, is_date, is_number

FORMAT = 2  # of the file; raised when older files or older versions of pairspace no longer fit
LIBRARIES = ("numpy", "scipy", "scikit-learn", "skops")
BLOCK_BYTES = 2**24


@dataclass(frozen=True)
class ModelInfo:
    """The description in a model file.

    Parameters
    ----------
    format : int
        The version of the file format.
    versions : dict
        The versions of pairspace, Python and the libraries that wrote the file.
    created : str
        The date and time in UTC.
    steps : list of dict
        The ``name``, ``type`` and ``params`` of each step of the pipeline; of a ColumnTransformer
        also the ``recipe``, what its columns become, in words.
    n_features : int or None
        The number of input columns.
    n_components : int or None
        The number of components.
    features : list of str or None
        The names of the input columns, if they have names.
    training : dict or None
        The number of ``rows`` and the ``fingerprint`` of the training data; ``mean`` and ``std``
        of its columns if all are numeric, otherwise the ``kinds`` of those that are not: "date"
        or "text".
    about : dict
        The entries that were passed to :func:`save`.
    """

    format: int
    versions: dict[str, str]
    created: str
    steps: list[dict[str, Any]]
    n_features: int | None
    n_components: int | None
    features: list[str] | None
    training: dict[str, Any] | None
    about: dict[str, Any]

    @classmethod
    def of(cls, model: Any, X: Any, about: Mapping[str, Any]) -> ModelInfo:
        """Describe a fitted model and, if given, its training data."""
        names = getattr(model, "feature_names_in_", None)
        return cls(
            format=FORMAT,
            versions={
                "pairspace": __version__,
                "python": platform.python_version(),
                **{library: version(library) for library in LIBRARIES},
            },
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            steps=[
                {
                    "name": name,
                    "type": type(step).__name__,
                    "params": {key: _shown(value) for key, value in _own_params(step).items()},
                    **_recipe(step),
                }
                for name, step in getattr(model, "steps", [("model", model)])
            ],
            n_features=getattr(model, "n_features_in_", None),
            n_components=_n_components(model),
            features=None if names is None else [str(name) for name in names],
            training=None if X is None else _describe(X),
            about=dict(about),
        )

    @classmethod
    def from_json(cls, found: Any) -> ModelInfo:
        """Check and read the description in a file."""
        wanted = {field.name for field in fields(cls)}
        if not isinstance(found, dict) or not wanted <= set(found):
            raise ValueError("its description is incomplete")
        for name, kinds in KINDS.items():
            if not isinstance(found[name], kinds) or isinstance(found[name], bool):
                raise ValueError(f"{name} in its description is {found[name]!r:.60}")
        if any(not _is_step(step) for step in found["steps"]):
            raise ValueError("a step in its description is incomplete")
        if any(not isinstance(name, str) for name in found["features"] or ()):
            raise ValueError("a feature in its description is no text")
        if found["training"] and not _is_training(found["training"]):
            raise ValueError("training in its description is incomplete")
        return cls(**{name: found[name] for name in wanted})


# The types of the fields in a file.
KINDS: dict[str, tuple[type, ...]] = {
    "format": (int,),
    "versions": (dict,),
    "created": (str,),
    "steps": (list,),
    "n_features": (int, type(None)),
    "n_components": (int, type(None)),
    "features": (list, type(None)),
    "training": (dict, type(None)),
    "about": (dict,),
}


def _is_step(step: Any) -> bool:
    return (
        isinstance(step, dict)
        and isinstance(step.get("type"), str)
        and isinstance(step.get("params"), dict)
        and isinstance(step.get("recipe", []), list)
    )


def _is_training(training: dict[str, Any]) -> bool:
    return (
        isinstance(training.get("rows"), int)
        and isinstance(training.get("fingerprint"), str)
        and isinstance(training.get("kinds", {}), dict)
    )


def fingerprint(X: Any) -> str:
    """Compute a hash of the columns and values of data, in their order.

    Parameters
    ----------
    X : DataFrame, array or sparse matrix of shape (n_samples, n_features)
        The data.

    Returns
    -------
    str
        "sha256:" and the digest, the same on all machines.
    """
    digest = hashlib.sha256()
    if issparse(X):
        X = X.tocsr()
        parts = [np.asarray(X.shape), X.indptr, X.indices, X.data]
    elif hasattr(X, "columns"):
        parts = [_bytes(X[name]) for name in X.columns]
        digest.update("\0".join(map(str, X.columns)).encode())
    else:
        X = np.asarray(X)
        rows = slices(len(X), BLOCK_BYTES // max(8 * X[:1].size, 1))
        parts = (_bytes(X[block]) for block in rows)  # type: ignore[assignment]
        digest.update(str(X.shape).encode())
    for part in parts:
        digest.update(np.ascontiguousarray(part).data)
    return f"sha256:{digest.hexdigest()}"


def _bytes(values: Any) -> Any:
    """Values as bytes that are the same on all machines."""
    array = np.asarray(values)
    if array.dtype.kind in "fiub":
        return array.astype("<f8")
    if array.dtype.kind == "M":
        return array.astype("datetime64[ns]").astype("<i8")
    return np.frombuffer("\0".join(map(str, array.ravel().tolist())).encode(), dtype=np.uint8)


def _describe(X: Any) -> dict[str, Any]:
    described: dict[str, Any] = {"rows": int(X.shape[0]), "fingerprint": fingerprint(X)}
    if issparse(X):
        return described
    if hasattr(X, "columns"):
        kinds = {
            str(name): "date" if is_date(X[name]) else "text"
            for name in X.columns
            if not is_number(X[name])
        }
        if kinds:
            return described | {"kinds": kinds}
    values = np.asarray(X, dtype=np.float64)
    return described | {
        "mean": np.nanmean(values, axis=0).tolist(),
        "std": np.nanstd(values, axis=0).tolist(),
    }


def _recipe(step: Any) -> dict[str, Any]:
    return {"recipe": describe_recipe(step)} if isinstance(step, ColumnTransformer) else {}


def _n_components(model: Any) -> int | None:
    try:
        return len(model.get_feature_names_out())
    except (AttributeError, ValueError):  # a clusterer, or a step without names
        return None


def _own_params(step: Any) -> dict[str, Any]:
    return step.get_params(deep=False) if hasattr(step, "get_params") else {}


def _shown(value: Any) -> Any:
    """A parameter as JSON can hold it, or else as text."""
    plain = isinstance(value, (str, int, bool, type(None)))
    if plain or (isinstance(value, float) and math.isfinite(value)):
        return value
    return " ".join(repr(value).split())  # that of an estimator takes several lines
