"""What a column of a frame is: numbers, dates, categories or text."""

from __future__ import annotations

from typing import Any

# A text column is a category if it has at most this many values, each in MIN_ROWS rows on average.
MAX_CATEGORIES = 20
MIN_ROWS = 5
# A column with a larger share of missing values gets a column that says where they are.
MANY_MISSING = 0.05
# A text column with a larger share of missing values is no category by default.
MOSTLY_MISSING = 0.5


def is_number(column: Any) -> bool:
    """Tell whether a column has numbers or truth values.

    Parameters
    ----------
    column : Series
        A column of a frame.

    Returns
    -------
    bool
        True for integers, floats and booleans, also those of pandas that may be missing.
    """
    return getattr(column.dtype, "kind", "O") in "fiub"


def is_date(column: Any) -> bool:
    """Tell whether a column has dates.

    Parameters
    ----------
    column : Series
        A column of a frame.

    Returns
    -------
    bool
        True for dates and times, with and without a time zone.
    """
    return getattr(column.dtype, "kind", "O") == "M"


def is_categorical(column: Any) -> bool:
    """Tell whether a column that has neither numbers nor dates is a category by default.

    Parameters
    ----------
    column : Series
        A column of a frame.

    Returns
    -------
    bool
        True for the categories of pandas, and for text with 2 to 20 values, each in 5 rows or more
        on average, and missing in at most half of the rows.
    """
    if is_number(column) or is_date(column):
        return False
    try:
        n_known, n_values = int(column.notna().sum()), int(column.nunique())
    except TypeError:  # lists and dicts, which can't be counted
        return False
    if n_values < 2 or n_known < (1 - MOSTLY_MISSING) * len(column):
        return False
    if str(column.dtype) == "category":
        return True
    return n_values <= MAX_CATEGORIES and n_values * MIN_ROWS <= n_known
