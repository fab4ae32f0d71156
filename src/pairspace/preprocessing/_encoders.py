"""Dates and texts as numbers, where scikit-learn has no transformer for a column of a frame."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils.validation import check_is_fitted, validate_data

from pairspace.constraints import is_missing


class DateEncoder(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Turn dates into days since 1970, with fractions for the time of day.

    A missing date becomes NaN, which an imputer after it can replace.

    Attributes
    ----------
    n_features_in_ : int
        The number of columns seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names.

    See Also
    --------
    make_recipe : Encode all columns of a frame.

    Examples
    --------
    >>> import pandas as pd
    >>> DateEncoder().fit_transform(pd.DataFrame({"day": pd.to_datetime(["1970-01-02"])}))
    array([[1.]])
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Remember the names of the columns.

        Parameters
        ----------
        X : DataFrame of shape (n_samples, n_features)
            Columns of dates.
        y : object, default=None
            Not used.

        Returns
        -------
        DateEncoder
            The fitted encoder.
        """
        validate_data(self, X, skip_check_array=True)
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Turn dates into days.

        Parameters
        ----------
        X : DataFrame of shape (n_samples, n_features)
            Columns of dates.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            The days since 1970-01-01 UTC.
        """
        import pandas as pd

        check_is_fitted(self)
        validate_data(self, X, reset=False, skip_check_array=True)
        frame = pd.DataFrame(X)
        days = np.empty(frame.shape)
        for at in range(frame.shape[1]):
            dates = pd.to_datetime(frame.iloc[:, at], utc=True)
            since = dates - pd.Timestamp(0, tz="UTC")
            days[:, at] = since / pd.Timedelta(days=1)
        return days


class TextEncoder(TfidfVectorizer):
    """Turn a column of texts into TF-IDF of its words; a missing text has no words.

    This is scikit-learn's ``TfidfVectorizer``, with the same parameters, which raises an error for
    missing texts.

    See Also
    --------
    make_recipe : Encode all columns of a frame.

    Examples
    --------
    >>> TextEncoder().fit_transform(["a red apple", None, "a green apple"]).shape
    (3, 3)
    """

    def decode(self, doc: Any) -> str:
        """Return the text of a cell.

        Parameters
        ----------
        doc : object
            A text, or a missing value.

        Returns
        -------
        str
            The text; empty if it is missing.
        """
        return "" if is_missing(doc) else super().decode(str(doc))
