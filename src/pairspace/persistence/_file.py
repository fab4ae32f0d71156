"""Saving and loading whole pipelines with skops: never pickle, never an unknown type."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from pairspace import cluster, linear, manifold
from pairspace._core.files import replacing
from pairspace._version import __version__
from pairspace.persistence._info import FORMAT, ModelInfo

CARD = "pairspace.json"  # our page in skops' archive, which skops leaves alone
# What our estimators keep beside arrays, and SimpleImputer and ColumnTransformer (until 1.6).
PARTS = (
    "numpy.dtype",
    "pairspace._core.kernels._kernel.Kernel",
    "pairspace._core.data._moments.ClassMoments",
    "pairspace.linear._partial_fit.Stream",
    "scipy.sparse._csr.csr_array",
    "sklearn.compose._column_transformer._RemainderColsList",
)


def save(
    model: Any,
    path: str | os.PathLike[str],
    X: Any = None,
    *,
    about: Mapping[str, Any] | None = None,
    trusted: Sequence[str] = (),
) -> None:
    """Write a fitted estimator or pipeline to a file that :func:`load` reads. Whole or not at all.

    The file is in the format of skops (``pip install 'pairspace[models]'``), with a description
    that :func:`pairspace.persistence.read_info` reads without loading anything.

    Parameters
    ----------
    model : estimator
        Fitted. A search, such as ``AutoReducer`` or ``GridSearchCV``, is saved as the estimator it
        chose.
    path : path
        By custom it ends in .skops.
    X : array-like, default=None
        The data it was fitted on, to be described in the file: its fingerprint, means and
        standard deviations. The data itself is not kept.
    about : mapping, default=None
        Whatever else should stand in the description; must be possible in JSON.
    trusted : sequence of str, default=()
        Types of your own that the model has, as "module.Type". ``load`` will want them, too.

    Examples
    --------
    >>> import pairspace, tempfile, os
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), pairspace.PairSpace(random_state=0)).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "iris.skops")
    ...     pairspace.save(model, path, X)
    ...     again = pairspace.load(path)
    >>> bool((again.transform(X) == model.transform(X)).all())
    True
    """
    skops = _skops()
    if isinstance(model, type):
        raise TypeError(f"{model.__name__} is a class: save a fitted {model.__name__}(…)")
    model = getattr(model, "best_estimator_", model)
    check_is_fitted(model)
    dumped = skops.dumps(model, compression=zipfile.ZIP_DEFLATED)
    unknown = _unknown(skops.get_untrusted_types(data=dumped), trusted)
    if unknown:
        raise TypeError(
            f"{_listed(unknown)} could not be loaded again, since only types of scikit-learn, "
            f"NumPy, SciPy and pairspace are known: if they are yours, pass trusted={unknown}"
        )
    info = ModelInfo.of(model, X, about or {})
    card = json.dumps(vars(info), ensure_ascii=False, allow_nan=False)
    with replacing(path) as temporary:
        temporary.write_bytes(dumped)
        with zipfile.ZipFile(temporary, "a", compression=zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(CARD, card)


def load(path: str | os.PathLike[str], *, trusted: Sequence[str] = ()) -> Any:
    """Read a model that :func:`save` wrote.

    Nothing in the file is run. Types other than those of scikit-learn, NumPy, SciPy and pairspace
    are refused by name. scikit-learn itself refuses data whose columns differ from those of the
    training data.

    Parameters
    ----------
    path : path
        Of the model file.
    trusted : sequence of str, default=()
        Types of your own that may be made, as "module.Type".
    """
    skops = _skops()
    read_info(path)
    try:
        found = skops.get_untrusted_types(file=path)
    except Exception as error:  # whatever the damage leads to
        raise _damaged(path, error) from None
    unknown = _unknown(found, trusted)
    if unknown:
        raise TypeError(
            f"{path} has {_listed(unknown)}, which pairspace does not know and will not make: "
            f"if you trust the file and these types, pass trusted={unknown}"
        )
    try:
        return skops.load(path, trusted=found)
    except Exception as error:
        raise _damaged(path, error) from error


def read_info(path: str | os.PathLike[str]) -> ModelInfo:
    """The description in a model file; nothing else is read."""
    if not Path(path).exists():
        raise FileNotFoundError(f"{path}: there is no such file")
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            card = archive.read(CARD) if CARD in archive.namelist() else None
            found = None if card is None else json.loads(card)
    except OSError:
        raise
    except Exception as error:  # whatever zipfile and JSON make of damage
        raise ValueError(f"{path} is not a model of pairspace, or is damaged: {error}") from None
    if broken is not None:
        raise _damaged(path, f"{broken} was changed")
    if card is None:
        raise ValueError(
            f"{path} is not a model of pairspace: it has no {CARD} "
            "(pairspace.save writes such files)"
        )
    if (
        isinstance(found, dict)
        and isinstance(found.get("format"), int)
        and found["format"] > FORMAT
    ):
        author = dict(found.get("versions") or {}).get("pairspace", "a newer version")
        raise ValueError(
            f"{path} was written by pairspace {author}, and this is {__version__}, "
            "which can't read it: upgrade pairspace"
        )
    try:
        return ModelInfo.from_json(found)
    except ValueError as error:
        raise _damaged(path, error) from None


def known_types() -> frozenset[str]:
    """The types a model file may have beside those that skops knows."""
    # By their homes, not by pairspace.__all__, which also names what needs packages of its own.
    public = (getattr(home, name) for home in (cluster, linear, manifold) for name in home.__all__)
    ours = (one for one in public if isinstance(one, type) and issubclass(one, BaseEstimator))
    return frozenset([f"{one.__module__}.{one.__qualname__}" for one in ours] + list(PARTS))


def _unknown(types: Sequence[str], trusted: Sequence[str]) -> list[str]:
    return sorted(set(types) - known_types() - set(trusted))


def _listed(types: Sequence[str]) -> str:
    return f"the type{'s' * (len(types) > 1)} {', '.join(types)}"


def _damaged(path: Any, why: Any) -> ValueError:
    return ValueError(f"{path} is damaged: {why}; save the model again, or take another copy")


def _skops() -> Any:
    try:
        import skops.io
    except ImportError:
        raise ImportError("model files need skops: pip install 'pairspace[models]'") from None
    return skops.io
