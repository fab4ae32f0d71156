"""Saving and loading of pipelines with skops: no pickle, no unknown types."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from pairspace import cluster, linear, manifold, preprocessing
from pairspace._core.files import replacing
from pairspace._version import __version__
from pairspace.persistence._info import FORMAT, ModelInfo

CARD = "pairspace.json"  # our description in skops' archive, which skops ignores
MAX_CARD = 2**26  # bytes: the names, means and deviations of a million columns
# Types other than arrays that our estimators and SimpleImputer keep.
PARTS = (
    "numpy.dtype",
    "pairspace._core.kernels._kernel.Kernel",
    "pairspace._core.data._moments.ClassMoments",
    "pairspace.asking.groups.AskedClusters",
    "pairspace.base._placed.PlacedRows",
    "pairspace.cluster.groups.Answers",
    "pairspace.cluster.groups.Groups",
    "pairspace.cluster.panel._learners.MarginSVC",
    "pairspace.cluster.panel._new_rows.GroupClassifier",
    "pairspace.cluster.panel._new_rows.ModelVote",
    "pairspace.cluster.panel._new_rows.NeighborVote",
    "pairspace.cluster.panel._panel.Panel",
    "pairspace.cluster.panel._table.Projection",
    "pairspace.cluster.region_groups.RegionGroups",
    "pairspace.cluster.regions.RegionClustering",
    "pairspace.linear._partial_fit.Stream",
    "scipy.sparse._csr.csr_array",
    "sklearn.tree._tree.Tree",
)
OLD_PARTS = ("sklearn.compose._column_transformer._RemainderColsList",)  # until scikit-learn 1.6


def save(
    model: Any,
    path: str | os.PathLike[str],
    X: Any = None,
    *,
    about: Mapping[str, Any] | None = None,
    trusted: Sequence[str] = (),
) -> None:
    """Save a fitted estimator or pipeline to a file that :func:`load` reads.

    The file has the format of skops (``pip install 'pairspace[models]'``), with a description that
    :func:`pairspace.persistence.read_info` reads without loading the model. An existing file is
    replaced only when the new one is complete.

    Parameters
    ----------
    model : estimator
        A fitted estimator. Of a search, such as ``AutoReducer`` or ``GridSearchCV``, the best
        estimator is saved.
    path : path
        The file, usually with the suffix .skops.
    X : array-like, default=None
        The training data. Its fingerprint, means and standard deviations are stored in the file,
        but not the data itself.
    about : mapping, default=None
        Further entries of the description, which JSON can represent.
    trusted : sequence of str, default=()
        Types of your own that the model contains, as "module.Type". ``load`` needs them too.

    See Also
    --------
    load : Load a saved model.

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
        raise TypeError(f"model must be a fitted estimator; got the class {model.__name__}")
    model = getattr(model, "best_estimator_", model)
    check_is_fitted(model)
    dumped = skops.dumps(model, compression=zipfile.ZIP_DEFLATED)
    unknown = _unknown(skops.get_untrusted_types(data=dumped), trusted)
    if unknown:
        raise TypeError(
            f"the model contains {_listed(unknown)}, but only types of scikit-learn, NumPy, SciPy "
            f"and pairspace can be loaded: to allow others, pass trusted={unknown}"
        )
    info = ModelInfo.of(model, X, about or {})
    card = json.dumps(vars(info), ensure_ascii=False, allow_nan=False)
    with replacing(path) as temporary:
        temporary.write_bytes(dumped)
        with zipfile.ZipFile(temporary, "a", compression=zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(CARD, card)


def load(path: str | os.PathLike[str], *, trusted: Sequence[str] = ()) -> Any:
    """Load a model that :func:`save` wrote.

    No code in the file is run. Types other than those of scikit-learn, NumPy, SciPy and pairspace
    raise an error that names them.

    Parameters
    ----------
    path : path
        The model file.
    trusted : sequence of str, default=()
        Types of your own that the file may contain, as "module.Type".

    Returns
    -------
    estimator
        The fitted estimator or pipeline.

    See Also
    --------
    save : Save a model.
    """
    skops = _skops()
    read_info(path)
    try:
        found = skops.get_untrusted_types(file=path)
    except Exception as error:  # a damaged file may raise anything
        raise _damaged(path, error) from None
    unknown = _unknown(found, trusted)
    if unknown:
        raise TypeError(
            f"{path} contains {_listed(unknown)}, unknown to pairspace: "
            f"if you trust the file, pass trusted={unknown}"
        )
    try:
        return skops.load(path, trusted=found)
    except Exception as error:
        raise _damaged(path, error) from error


def read_info(path: str | os.PathLike[str]) -> ModelInfo:
    """Read the description in a model file, without loading the model.

    Parameters
    ----------
    path : path
        The model file.

    Returns
    -------
    ModelInfo
        The description.
    """
    if not Path(path).exists():
        raise FileNotFoundError(f"{path} does not exist")
    with open(path, "rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                card = _read_card(archive) if CARD in archive.namelist() else None
                found = None if card is None else json.loads(card)
        except Exception as error:  # a damaged file may raise anything
            raise ValueError(
                f"{path} is not a pairspace model file, or is damaged: {error}"
            ) from None
    if card is None:
        raise ValueError(
            f"{path} is not a pairspace model file: it has no {CARD}; "
            "write model files with pairspace.save"
        )
    _check_format(path, found)
    try:
        return ModelInfo.from_json(found)
    except ValueError as error:
        raise _damaged(path, error) from None


def _read_card(archive: zipfile.ZipFile) -> bytes:
    """The description; of a file that unpacks to gigabytes not more than a limit is read."""
    with archive.open(CARD) as file:
        card = file.read(MAX_CARD + 1)
    if len(card) > MAX_CARD:
        raise ValueError(f"{CARD} has more than {MAX_CARD:,} bytes")
    return card


def _check_format(path: str | os.PathLike[str], found: Any) -> None:
    written = found.get("format") if isinstance(found, dict) else None
    if not isinstance(written, int) or written == FORMAT:
        return  # without a format, the description is incomplete, which is checked next
    if written < FORMAT:
        raise ValueError(
            f"{path} was written by an earlier development version of pairspace: "
            "fit and save the model again"
        )
    author = dict(found.get("versions") or {}).get("pairspace", "a newer version")
    raise ValueError(
        f"{path} was written by pairspace {author}, which is newer than {__version__}: "
        "upgrade pairspace"
    )


def known_types() -> frozenset[str]:
    """The types that a model file may contain, in addition to those that skops trusts."""
    # Not by pairspace.__all__, which also has names that need further packages.
    homes = (cluster, linear, manifold, preprocessing)
    public = (getattr(home, name) for home in homes for name in home.__all__)
    ours = (one for one in public if isinstance(one, type) and issubclass(one, BaseEstimator))
    return frozenset(
        [f"{one.__module__}.{one.__qualname__}" for one in ours] + [*PARTS, *OLD_PARTS]
    )


def _unknown(types: Sequence[str], trusted: Sequence[str]) -> list[str]:
    return sorted(set(types) - known_types() - set(trusted))


def _listed(types: Sequence[str]) -> str:
    return f"the type{'s' * (len(types) > 1)} {', '.join(types)}"


def _damaged(path: Any, why: Any) -> ValueError:
    return ValueError(f"{path} is damaged: {why}; save the model again, or use another copy")


def _skops() -> Any:
    try:
        import skops.io
    except ImportError:
        raise ImportError("model files need skops: pip install 'pairspace[models]'") from None
    return skops.io
