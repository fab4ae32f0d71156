"""Methods of other libraries behind our interface, in an environment of their own."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from pairspace import Constraints

Floats = NDArray[np.float64]

# With more, a single fit takes minutes.
MOST_FEATURES_OF_ITML, MOST_FEATURES_OF_MMC = 60, 7


class Peer(TransformerMixin, BaseEstimator):
    """A method of another library. Those that only learn a metric ignore ``n_components``."""

    def __init__(self, n_components: int) -> None:
        self.n_components = n_components

    def _fitted(self, X: Floats, known: Any) -> Any:
        raise NotImplementedError

    def fit(self, X: Floats, known: Any) -> Self:
        """Fit to a ``Constraints`` or labels."""
        self.peer_ = self._fitted(X, known)
        return self

    def transform(self, X: Floats) -> Floats:
        """Transform by the other library."""
        return np.asarray(self.peer_.transform(X))


class MetricLearnRCA(Peer):
    """Without its own reduction, which gives complex numbers."""

    def _fitted(self, X: Floats, known: Any) -> Any:
        chunks = known.components() if isinstance(known, Constraints) else known
        return peer("metric_learn").RCA().fit(X, chunks)


class MetricLearnITML(Peer):
    """From pairs."""

    def _fitted(self, X: Floats, known: Any) -> Any:
        return (
            peer("metric_learn").ITML(random_state=0).fit(*_pairs(X, known, MOST_FEATURES_OF_ITML))
        )


class MetricLearnMMC(Peer):
    """From pairs."""

    def _fitted(self, X: Floats, known: Any) -> Any:
        return peer("metric_learn").MMC(random_state=0).fit(*_pairs(X, known, MOST_FEATURES_OF_MMC))


class MetricLearnNCA(Peer):
    """From the rows that have labels."""

    def _fitted(self, X: Floats, known: Any) -> Any:
        nca = peer("metric_learn").NCA(n_components=self.n_components, random_state=0)
        return nca.fit(*_labelled(X, known))


class MetricLearnLMNN(Peer):
    """From the rows that have labels, with as many neighbours as the smallest class has."""

    def _fitted(self, X: Floats, known: Any) -> Any:
        rows, labels = _labelled(X, known)
        n_neighbors = min(3, int(np.bincount(labels)[np.unique(labels)].min()) - 1)
        if n_neighbors < 1:
            raise ValueError("LMNN needs at least two labelled rows of every class")
        lmnn = peer("metric_learn").LMNN(
            n_neighbors=n_neighbors, n_components=self.n_components, random_state=0
        )
        return lmnn.fit(rows, labels)


class SemiSupervisedUMAP(Peer):
    """From labels, −1 for unknown."""

    def _fitted(self, X: Floats, known: Any) -> Any:
        _require_labels(known)
        umap = peer("umap").UMAP(n_components=min(self.n_components, len(X) - 2), random_state=0)
        return umap.fit(X, known)


def peer(name: str) -> Any:
    """A module of another library."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"{name} is not installed: run `make study-peers`") from error


def _require_labels(known: Any) -> None:
    if isinstance(known, Constraints):
        raise ValueError("this method needs labels; got pairs")


def _labelled(X: Floats, known: Any) -> tuple[Floats, NDArray[np.int64]]:
    _require_labels(known)
    return X[known >= 0], known[known >= 0]


def _pairs(X: Floats, known: Any, most_features: int) -> tuple[Floats, NDArray[np.int64]]:
    if not isinstance(known, Constraints):
        raise ValueError("this method needs pairs; got labels")
    if X.shape[1] > most_features:
        raise ValueError(
            f"X has {X.shape[1]} features; must be at most {most_features}, or a fit takes minutes"
        )
    pairs = np.vstack([known.must_link, known.cannot_link])
    return X[pairs], np.repeat([1, -1], [len(known.must_link), len(known.cannot_link)])
