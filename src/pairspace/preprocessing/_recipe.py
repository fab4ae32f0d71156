"""The recipe: what each column of a frame becomes, as a ColumnTransformer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from pairspace.preprocessing._columns import MANY_MISSING, is_categorical, is_date, is_number
from pairspace.preprocessing._encoders import DateEncoder, TextEncoder

MAX_WORDS = 20_000
SHOWN = 6  # names of columns in a line


def make_recipe(
    frame: Any,
    *,
    text: Sequence[str] = (),
    categories: Sequence[str] | None = None,
    ignore: Sequence[str] = (),
    impute: bool = True,
    scale: bool = True,
) -> ColumnTransformer:
    """Make a transformer that turns the columns of a frame into numbers.

    Columns without any value are left out.
    Numbers and dates (as days since 1970) are standardised, and missing ones replaced by the
    median. Categories become a column for each value (one-hot), a missing value one more. Texts
    become TF-IDF of their words. The result is an unfitted ``ColumnTransformer``, to look at, to
    change, and to put in front of a method.

    Parameters
    ----------
    frame : DataFrame
        The data, or rows that are like it. Only the types, the numbers of values and the missing
        values of its columns are used.
    text : sequence of str, default=()
        The columns to take as texts.
    categories : sequence of str, default=None
        The columns to take as categories, also if they are numbers. By default those of the type
        "category", and text columns with 2 to 20 values, each in 5 rows or more on average and
        missing in at most half of the rows. Other text columns are left out.
    ignore : sequence of str, default=()
        Columns to leave out, for example ids and labels.
    impute : bool, default=True
        Replace missing numbers and dates by the median. Where more than 5 % are missing, a further
        column says which.
    scale : bool, default=True
        Standardise numbers and dates.

    Returns
    -------
    ColumnTransformer
        Unfitted, with the parts "numbers", "dates", "categories" and ``"text_…"`` that are needed.
        Its result is sparse if there are texts.

    See Also
    --------
    describe_recipe : The recipe in words.

    Examples
    --------
    >>> import pandas as pd
    >>> from pairspace import Constraints, PairSpace, make_recipe
    >>> from sklearn.pipeline import make_pipeline
    >>> frame = pd.DataFrame(
    ...     {"age": [31, 45, None, 28] * 5, "plan": ["basic", "pro", "pro", "basic"] * 5}
    ... )
    >>> recipe = make_recipe(frame)
    >>> print("\\n".join(describe_recipe(recipe)))
    numbers: age → median, with a column for missing, standardised
    categories: plan → one-hot
    >>> model = make_pipeline(recipe, PairSpace(random_state=0))
    >>> model.fit(frame, Constraints(20, must_link=[(0, 3)], cannot_link=[(0, 1)])).transform(
    ...     frame
    ... ).shape
    (20, 2)
    """
    names = _names_of(frame)
    for option, given in (("text", text), ("categories", categories or ()), ("ignore", ignore)):
        if not isinstance(given, Iterable) or isinstance(given, str):
            raise TypeError(f"{option} must be a list of columns; got {given!r}")
        for name in given:
            if name not in names:
                raise ValueError(f"{option} must name columns of the frame; got {name!r}")
    # A column without any value has no median and no scale.
    empty = [name for name in names if not frame[name].notna().any()]
    left = [name for name in names if name not in {*text, *ignore, *empty}]
    if categories is None:
        categories = [name for name in left if is_categorical(frame[name])]
    left = [name for name in left if name not in categories]
    parts: list[tuple[str, Any, Any]] = []
    for kind, belongs, first in (("numbers", is_number, []), ("dates", is_date, [DateEncoder()])):
        columns = [name for name in left if belongs(frame[name])]
        often = [name for name in columns if frame[name].isna().mean() > MANY_MISSING]
        for title, chosen, indicator in (
            (kind, [name for name in columns if not impute or name not in often], False),
            (f"{kind}_often_missing", often if impute else [], True),
        ):
            if chosen:
                steps = [
                    *first,
                    *[SimpleImputer(strategy="median", add_indicator=indicator)] * impute,
                    # Without scaling, too: it makes NaN of pandas' NA, which has no dtype of NumPy.
                    StandardScaler(with_mean=scale, with_std=scale),
                ]
                parts.append((title, make_pipeline(*steps), chosen))
    if categories:
        one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        parts.append(("categories", one_hot, list(categories)))
    for at, name in enumerate(text):
        title = f"text_{at}" if "__" in str(name) else f"text_{name}"
        parts.append((title, TextEncoder(sublinear_tf=True, max_features=MAX_WORDS), name))
    if not parts:
        raise ValueError(
            "the frame has no columns to learn from: it needs numbers, dates or categories, or "
            "text= must name its columns of texts"
        )
    # Texts have thousands of words, of which each text has few. Other columns are few.
    return ColumnTransformer(parts, sparse_threshold=1.0 if text else 0.0)


def _names_of(frame: Any) -> list[Any]:
    """The names of the columns, or an error."""
    if not hasattr(frame, "columns") or not hasattr(frame, "iloc"):
        to_pandas = ": pass frame.to_pandas()" if hasattr(frame, "to_pandas") else ""
        raise TypeError(f"frame must be a pandas DataFrame; got {type(frame).__name__}{to_pandas}")
    names = list(frame.columns)
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"the names of columns must differ; got {twice[0]!r} more than once")
    return names


def describe_recipe(recipe: ColumnTransformer) -> list[str]:
    """Describe a recipe, a line for each part.

    Parameters
    ----------
    recipe : ColumnTransformer
        Fitted or not.

    Returns
    -------
    list of str
        What the columns of each part become.
    """
    lines = []
    for name, transformer, columns in getattr(recipe, "transformers_", recipe.transformers):
        if isinstance(transformer, str) and transformer == "drop":
            continue
        steps = [step for _, step in getattr(transformer, "steps", [("", transformer)])]
        several = isinstance(columns, Iterable) and not isinstance(columns, str)
        listed = [str(column) for column in columns] if several else [str(columns)]
        more = f" and {len(listed) - SHOWN:,} more" if len(listed) > SHOWN else ""
        what = ", ".join(filter(None, map(_in_words, steps)))
        kind = name.split("_")[0]
        lines.append(f"{kind}: {', '.join(listed[:SHOWN])}{more} → {what or 'as they are'}")
    return lines


def _in_words(step: Any) -> str:
    """What a step of a part does."""
    if isinstance(step, TextEncoder):
        n_words = len(getattr(step, "vocabulary_", ()))
        return f"TF-IDF of {n_words:,} words" if n_words else "TF-IDF"
    if isinstance(step, OneHotEncoder):
        n_values = sum(map(len, getattr(step, "categories_", ())))
        return f"one-hot, {n_values} columns" if n_values else "one-hot"
    if isinstance(step, SimpleImputer):
        return f"{step.strategy}{', with a column for missing' * bool(step.add_indicator)}"
    if isinstance(step, StandardScaler):
        return "standardised" if step.with_std else ""
    if isinstance(step, DateEncoder):
        return "days"
    return "" if isinstance(step, str) else type(step).__name__
