"""Cells of text files as numbers and dates: "1.234,50", "$1,200", "12 %", 31/12/2024."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

CURRENCY = (
    r"(?:(?:US|AU|CA|NZ|HK|R)?\$|[€£¥₹₽₩₺]|kr\.?|zł|Fr\.?"
    r"|(?:USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR))"
)
GROUPS = " \u00a0\u202f'’"  # separate thousands in some countries, and nothing else in any
NUMBER = re.compile(
    rf"(?P<open>\()?(?P<sign>[-+−]?)\s*(?P<unit>{CURRENCY})?\s*(?P<minus>[-−]?)"
    rf"(?P<digits>\d[\d.,{GROUPS}]*|[.,]\d+)(?P<power>[eE][-+]?\d+)?"
    rf"\s*(?P<after>{CURRENCY}|%)?(?P<close>\))?"
)
LONGEST = 60  # characters of a number; a longer cell is a text
ISO = re.compile(r"\d{4}([-/])\d{2}\1\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[-+]\d{2}:?\d{2})?)?")
OTHER_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})( \d{1,2}:\d{2}(:\d{2})?)?")


class Convention(NamedTuple):
    """How numbers are written."""

    decimal: str = "."
    thousands: str = ""


PLAIN = Convention()


# ---- Numbers ---------------------------------------------------------------------------------


def to_numbers(column: pd.Series[Any], convention: Convention) -> pd.Series[Any]:
    """The numbers that a column of text means; NaN where a cell is missing or no number.

    Cells with different units, as $ and €, are no numbers.
    """
    values = [value for value in column.unique() if isinstance(value, str)]
    read = {value: _number(value, convention) for value in values}
    units = {unit for number, unit in read.values() if number == number}
    if len(units - {""}) > 1:
        read = {}
    number_of = {value: number for value, (number, _) in read.items()}
    found = [
        number_of.get(value, np.nan) if isinstance(value, str) else _plain(value)
        for value in column
    ]
    return column.__class__(found, index=column.index, name=column.name, dtype="float64")


def _plain(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return np.nan


def _number(text: str, convention: Convention) -> tuple[float, str]:
    """The number in a cell, or NaN, and its unit."""
    found = NUMBER.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if found is None or bool(found["open"]) != bool(found["close"]):
        return np.nan, ""
    if sum(map(bool, (found["open"], found["sign"], found["minus"]))) > 1:
        return np.nan, ""
    groups = re.escape(GROUPS + convention.thousands)
    point = re.escape(convention.decimal)
    digits = found["digits"].strip()
    if not re.fullmatch(
        rf"(?:\d+|\d{{1,3}}(?:[{groups}]\d{{3}})+)(?:{point}\d*)?|{point}\d+", digits
    ):
        return np.nan, ""
    plain = re.sub(f"[{groups}]", "", digits).replace(convention.decimal, ".")
    number = float(plain + (found["power"] or ""))
    negative = found["open"] or found["minus"] or found["sign"] in ("-", "−")
    return -number if negative else number, (found["unit"] or found["after"] or "").strip()


class Evidence(NamedTuple):
    """What the numbers in a sample show about how they are written, each by an example."""

    decimal_comma: str = ""
    decimal_point: str = ""
    thousands_comma: str = ""
    thousands_point: str = ""
    unclear_comma: str = ""  # 3,750 may be either


def evidence_in(columns: Iterable[Iterable[str]], missing: Iterable[str]) -> Evidence:
    """Look at the columns all of whose cells are numbers of some kind."""
    found = dict.fromkeys(Evidence._fields, "")
    left_out = {"", *missing}
    table = [[cell.strip() for cell in column] for column in columns]
    if not any("," in cell or cell.count(".") > 1 for column in table for cell in column):
        return Evidence()  # plain numbers, and nothing else to find
    for column in table:
        cells = [cell for cell in column if cell not in left_out]
        matches = [NUMBER.fullmatch(cell) for cell in cells]
        if not all(matches):
            continue
        for cell, match in zip(cells, matches, strict=True):
            assert match is not None
            for name in _shown_by(match["digits"].strip()):
                found[name] = found[name] or cell
    return Evidence(**found)


def _shown_by(digits: str) -> list[str]:
    if re.fullmatch(r"\d{1,3}(\.\d{3})+,\d+", digits):
        return ["decimal_comma", "thousands_point"]
    if re.fullmatch(r"\d{1,3}(,\d{3})+\.\d+", digits):
        return ["decimal_point", "thousands_comma"]
    if re.fullmatch(r"\d{1,3}(,\d{3}){2,}", digits):
        return ["thousands_comma"]
    if re.fullmatch(r"\d{1,3}(\.\d{3}){2,}", digits):
        return ["thousands_point"]
    if re.fullmatch(r"[1-9]\d{0,2},\d{3}", digits):
        return ["unclear_comma"]
    if re.fullmatch(rf"[\d{GROUPS}]*,\d+", digits):
        return ["decimal_comma"]
    if re.fullmatch(rf"[\d{GROUPS}]*\.\d+", digits) and not re.fullmatch(
        r"[1-9]\d{0,2}\.\d{3}", digits
    ):
        return ["decimal_point"]
    return []


# ---- Dates -----------------------------------------------------------------------------------


def date_order(column: pd.Series[Any]) -> str | None:
    """The order of year, month and day in a column of text; "" if unclear, None if no dates."""
    cells = [value.strip() for value in column.dropna().unique() if isinstance(value, str)]
    if not cells or not all(isinstance(value, str) for value in column.dropna()):
        return None
    if all(ISO.fullmatch(cell) for cell in cells):
        return "year first"
    matches = [OTHER_DATE.fullmatch(cell) for cell in cells]
    if not all(matches):
        return None
    first = max(int(match[1]) for match in matches if match)
    second = max(int(match[3]) for match in matches if match)
    if first > 12 and second > 12:
        return None
    if first > 12 or all(match[2] == "." for match in matches if match):
        return "day first"
    return "month first" if second > 12 else ""


def to_dates(column: pd.Series[Any], order: str) -> pd.Series[Any]:
    """The dates that a column of text means; NaT where a cell is missing or no date.

    Dates with the year first are read whatever the order: they can't be misread.
    """
    import pandas as pd

    if column.dtype.kind == "M":
        return column
    text = column.astype("string").str.strip()
    iso = text.map(lambda cell: bool(ISO.fullmatch(cell)), na_action="ignore").fillna(False)
    iso = iso.astype(bool)
    dates = pd.to_datetime(
        text.where(iso).str.replace("/", "-"), format="ISO8601", errors="coerce", utc=True
    ).dt.tz_localize(None)
    if order == "year first":
        return dates
    text = text.mask(iso).str.replace("/", "-").str.replace(".", "-")
    date = "%d-%m-%Y" if order == "day first" else "%m-%d-%Y"
    for time in ("", " %H:%M", " %H:%M:%S"):
        dates = dates.fillna(pd.to_datetime(text, format=date + time, errors="coerce"))
    return dates
