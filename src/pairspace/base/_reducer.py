"""What all methods have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags

from pairspace._core.data import is_dask
from pairspace.base._needs import Needs
from pairspace.base._supervision import Supervision
from pairspace.constraints import Constraints
from pairspace.metrics import pair_auc


class Reducer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Base of all methods: they learn from pairs or labels and are scored by the pair AUC."""

    needs: ClassVar[Needs] = Needs()

    def score(
        self,
        X: Any,
        y: Any = None,
        sample_weight: None = None,
        *,
        constraints: Constraints | None = None,
    ) -> float:
        """Return the pair AUC of the space: see :func:`pairspace.metrics.pair_auc`.

        Parameters
        ----------
        X : array-like, sparse matrix or Dask table of shape (n_samples, n_features)
            The data, before ``transform``.
        y : Constraints, or array-like of shape (n_samples,), default=None
            Pairs or labels to score with.
        sample_weight : None, default=None
            Not used; a ``Pipeline`` passes it. Pairs have weights, rows have none.
        constraints : Constraints, default=None
            Pairs to score with, instead of ``y``.

        Returns
        -------
        float
            The pair AUC: 1 if every must-link is shorter than every cannot-link, about 0.5 by
            chance.
        """
        if sample_weight is not None:
            raise ValueError("score takes no sample_weight: give the pairs weights instead")
        if (y is None) == (constraints is None):
            raise ValueError("score needs pairs or labels to judge by: score(X, y)")
        embedded = self.transform(X)
        if not is_dask(embedded):
            embedded = np.asarray(embedded)
        elif np.isnan(embedded.shape[0]):  # that of a frame, whose rows nobody has counted
            embedded = embedded.compute_chunk_sizes()
        return pair_auc(embedded, constraints if y is None else y)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = self.needs.supervision
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _current_needs(self) -> Needs:
        """``needs``, as the parameters make them."""
        return self.needs

    def _require_supervision(self, known: Supervision, y: Any) -> None:
        missing = self._current_needs().missing(known)
        if not missing:
            return
        name = type(self).__name__
        how = (
            "pass labels as y, with -1 for unknown, or constraints: fit(X, Constraints(len(X), "
            f"must_link, cannot_link)); in a pipeline, {name.lower()}__constraints=…"
        )
        if y is None and not known:
            raise ValueError(
                f"{name} requires y to be passed, but the target y is None and there are no "
                f"constraints: {how}"
            )
        raise ValueError(f"{name} needs {missing}: {how}")


@contextmanager
def unchanged_if_it_fails(estimator: Any) -> Iterator[None]:
    """Restore all attributes if the block raises: a fitted estimator stays as it was.

    NumPy does not warn in the block: what overflows is an error where the result is checked.

    Parameters
    ----------
    estimator : object
        The estimator that is fitted in the block.

    Yields
    ------
    None
        Nothing.
    """
    before = dict(vars(estimator))
    try:
        with np.errstate(all="ignore"):
            yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise
