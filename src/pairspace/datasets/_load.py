"""Loading of datasets from all sources in one form."""

from __future__ import annotations

import difflib
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import fetch_openml, load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.utils import Bunch

from pairspace.datasets._catalogue import Entry, catalogue
from pairspace.datasets._synthetic import SYNTHETIC

VARIABLE = "PAIRSPACE_DATA"
SHIPPED: dict[str, Callable[[], Any]] = {
    "digits": load_digits,
    "iris": load_iris,
    "wdbc": load_breast_cancer,
    "wine": load_wine,
}


class Raw(NamedTuple):
    """The data of a source: class codes, and names if the source has them."""

    X: NDArray[Any]
    y: NDArray[np.int64]
    classes: list[str]
    features: list[str] | None = None


def load(
    name: str,
    *,
    data_home: str | os.PathLike[str] | None = None,
    download_if_missing: bool = True,
    return_X_y: bool = False,
    as_frame: bool = False,
) -> Any:
    """Load a dataset by its name in the catalogue, or an ``.npz`` file from a folder.

    The dataset is searched in this order: scikit-learn's and generated datasets; the file
    ``NAME.npz`` in the folder; OpenML, if its number there is known, with scikit-learn's cache.
    Missing values are NaN, nominal columns are integer codes, and nothing is scaled.

    Parameters
    ----------
    name : str
        The name; see :func:`available`.
    data_home : path, default=None
        A folder of ``.npz`` files with the arrays X (2-D), y (codes or names), and optionally
        classes (names of the codes) and features (names of the columns). By default the folder in
        the environment variable ``PAIRSPACE_DATA``, if it is set.
    download_if_missing : bool, default=True
        Whether the dataset may be downloaded from OpenML.
    return_X_y : bool, default=False
        Return only ``(data, target)``.
    as_frame : bool, default=False
        Return pandas objects; needs ``pip install 'pairspace[frames]'``.

    Returns
    -------
    Bunch
        With ``data``, ``target`` (codes), ``feature_names``, ``target_names``, ``frame`` (None
        unless ``as_frame``) and ``DESCR``; or the tuple ``(data, target)``.

    Examples
    --------
    >>> from pairspace.datasets import load
    >>> iris = load("iris")
    >>> iris.data.shape, iris.target_names
    ((150, 4), ['setosa', 'versicolor', 'virginica'])
    >>> X, y = load("noisy_blobs", return_X_y=True)
    """
    entry = catalogue().get(name)
    if name in SHIPPED:
        raw = _from_scikit_learn(SHIPPED[name]())
    elif name in SYNTHETIC:
        X, y = SYNTHETIC[name]()
        raw = Raw(X, y, [f"class {code}" for code in range(int(y.max()) + 1)])
    else:
        raw = _from_elsewhere(name, entry, data_home, download_if_missing)
    if entry is not None and raw.X.shape != (entry.n_samples, entry.n_features):
        raise ValueError(
            f"{name} must have {entry.n_samples} rows and {entry.n_features} columns, but the data "
            f"found has {raw.X.shape[0]} and {raw.X.shape[1]}: save other data under another name"
        )
    description = entry.description if entry is not None else f"{name}: a file in the data folder."
    return _bunch(raw, description, return_X_y=return_X_y, as_frame=as_frame)


def available(
    *, data_home: str | os.PathLike[str] | None = None, download: bool = False
) -> list[str]:
    """List the names that :func:`load` accepts.

    Parameters
    ----------
    data_home : path, default=None
        The folder of ``.npz`` files; by default the one in ``PAIRSPACE_DATA``, if it is set.
    download : bool, default=False
        Also list datasets that would be downloaded from OpenML.

    Returns
    -------
    list of str
        The names, sorted.

    Examples
    --------
    >>> from pairspace.datasets import available
    >>> "digits" in available()
    True
    """
    names = {*SHIPPED, *SYNTHETIC}
    folder = _folder(data_home)
    if folder is not None:
        names |= {file.stem for file in folder.glob("*.npz")}
    if download:
        names |= {name for name, entry in catalogue().items() if entry.openml_id is not None}
    return sorted(names)


# ---- Sources ---------------------------------------------------------------------------------


def _from_scikit_learn(bunch: Any) -> Raw:
    y = np.asarray(bunch.target, dtype=np.int64)
    classes = [str(label) for label in bunch.target_names]
    return Raw(bunch.data, y, classes, [str(feature) for feature in bunch.feature_names])


def _from_elsewhere(
    name: str,
    entry: Entry | None,
    data_home: str | os.PathLike[str] | None,
    download_if_missing: bool,
) -> Raw:
    file = _file_of(name, data_home)
    if file is not None and file.is_file():
        return read_npz(file)
    if entry is None:
        raise ValueError(_unknown(name, data_home))
    if entry.openml_id is not None and download_if_missing:
        return _from_openml(name, entry.openml_id)
    raise FileNotFoundError(f"{_not_available(name, file)} Source: {entry.source}.")


def read_npz(file: Path) -> Raw:
    """Read and check a file of the folder, without pickle."""
    try:
        # Opened here, since np.load does not close a damaged file.
        with open(file, "rb") as opened, zipfile.ZipFile(opened):
            opened.seek(0)
            with np.load(opened, allow_pickle=False) as arrays:
                found = {key: arrays[key] for key in arrays.files}
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(
            f"{file} is not an .npz file of plain arrays ({error}); write it with "
            "np.savez(file, X=X, y=y, classes=names, features=names) and no object arrays"
        ) from error
    for key in ("X", "y"):
        if key not in found:
            raise ValueError(f"{file} must have the arrays X and y; {key!r} is missing")
    X, y = found["X"], found["y"]
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise ValueError(f"{file}: X must be a 2-D array of numbers; got {X.ndim}-D {X.dtype}")
    if y.shape != (len(X),):
        raise ValueError(f"{file}: X has {len(X)} rows, but y has the shape {y.shape}")
    features = found.get("features")
    if features is not None and features.shape != (X.shape[1],):
        raise ValueError(
            f"{file}: X has {X.shape[1]} columns, but features has the shape {features.shape}"
        )
    names = None if features is None else [str(feature) for feature in features]
    return Raw(X, *_codes(y, found.get("classes"), str(file)), names)


def _from_openml(name: str, data_id: int) -> Raw:
    try:
        # liac-arff needs no pandas, and codes nominal columns in the order the file declares.
        bunch = fetch_openml(data_id=data_id, as_frame=False, parser="liac-arff")
    except OSError as error:
        raise OSError(
            f"{name} could not be downloaded from OpenML (number {data_id}): {error}. Try again "
            f"later, or put {name}.npz into a folder and set {VARIABLE} or data_home= to it"
        ) from error
    X = bunch.data.toarray() if hasattr(bunch.data, "toarray") else np.asarray(bunch.data)
    features = [str(feature) for feature in bunch.feature_names]
    y, classes = _codes(np.asarray(bunch.target, dtype=str), None, name)
    return Raw(X.astype(np.float64), y, classes, features)


# ---- Forms -----------------------------------------------------------------------------------


def _codes(
    y: NDArray[Any], classes: NDArray[Any] | None, where: str
) -> tuple[NDArray[np.int64], list[str]]:
    if classes is None:
        found, codes = np.unique(y, return_inverse=True)
        return codes.astype(np.int64), [str(label) for label in found]
    if y.dtype.kind not in "iu" or (len(y) and not 0 <= y.min() <= y.max() < classes.size):
        raise ValueError(f"{where}: y must be codes 0 … {classes.size - 1}, the places in classes")
    return y.astype(np.int64), [str(label) for label in classes.ravel()]


def _bunch(raw: Raw, description: str, *, return_X_y: bool, as_frame: bool) -> Any:
    data: Any = raw.X
    target: Any = raw.y
    features = raw.features or [f"x{column}" for column in range(data.shape[1])]
    frame = None
    if as_frame:
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("as_frame needs pandas: pip install 'pairspace[frames]'") from None
        data = pd.DataFrame(data, columns=features)
        target = pd.Series(target, name="target")
        frame = pd.concat([data, target], axis=1)
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        feature_names=features,
        target_names=raw.classes,
        frame=frame,
        DESCR=description,
    )


def _folder(data_home: str | os.PathLike[str] | None) -> Path | None:
    named = data_home if data_home is not None else os.environ.get(VARIABLE)
    if not named:
        return None
    folder = Path(named).expanduser()
    if not folder.is_dir():
        origin = "data_home" if data_home is not None else VARIABLE
        raise NotADirectoryError(f"{origin}={str(named)!r} is not a folder")
    return folder


def _file_of(name: str, data_home: str | os.PathLike[str] | None) -> Path | None:
    folder = _folder(data_home)
    # A name is a name, never a path out of the folder.
    return folder / f"{name}.npz" if folder is not None and Path(name).name == name else None


def _not_available(name: str, file: Path | None) -> str:
    why = f"{file} does not exist" if file is not None else f"{VARIABLE} is not set"
    return (
        f"{name} is not available: {why}. Put {name}.npz with the arrays X, y, classes and "
        f"features into a folder and set {VARIABLE} or data_home= to it."
    )


def _unknown(name: str, data_home: str | os.PathLike[str] | None) -> str:
    names = sorted({*catalogue(), *available(data_home=data_home)})
    close = difflib.get_close_matches(name, names, n=3)
    hint = f"did you mean {' or '.join(close)}?" if close else f"use one of {', '.join(names)}"
    return f"unknown dataset {name!r}: {hint}"
