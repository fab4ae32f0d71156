"""Columns of mixed types as numbers: what each kind of column becomes."""

from pairspace.preprocessing._columns import (
    MANY_MISSING,
    MAX_CATEGORIES,
    is_categorical,
    is_date,
    is_number,
)
from pairspace.preprocessing._encoders import DateEncoder, TextEncoder
from pairspace.preprocessing._recipe import describe_recipe, make_recipe

__all__ = [
    "MANY_MISSING",
    "MAX_CATEGORIES",
    "DateEncoder",
    "TextEncoder",
    "describe_recipe",
    "is_categorical",
    "is_date",
    "is_number",
    "make_recipe",
]
