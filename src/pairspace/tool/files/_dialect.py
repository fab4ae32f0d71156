"""How a text file is written: separator, encoding, decimal comma, thousands."""

from __future__ import annotations

import csv
import gzip
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from pairspace._core.files import open_maybe_compressed, suffix_of, text_encoding
from pairspace.tool.files._cells import PLAIN, Convention, evidence_in

SEPARATORS = (",", ";", "\t", "|")
NAMED = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
N_SAMPLED = 1_000  # rows that are looked at
# Missing values in numeric columns; "?" is used by the UCI repository.
MISSING = (
    "", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "None", "?", "<NA>", "NaT", "-",
)  # fmt: skip


@contextmanager
def large_cells() -> Iterator[None]:
    """Let csv read cells of more than 131,072 characters, as pandas does."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


@dataclass(frozen=True)
class TextFormat:
    """How a csv or tsv file is written, as far as the user says.

    Parameters
    ----------
    sep : str or None
        The separator of the cells; "tab" is a tab.
    encoding : str or None
        The encoding of the characters.
    decimal : str or None
        The decimal separator, "." or ",".
    thousands : str or None
        The separator of thousands in numbers.
    """

    sep: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    thousands: str | None = None

    def __post_init__(self) -> None:
        separator = self.separator
        if separator is not None and len(separator) != 1:
            raise ValueError(f"--sep must be one character, or tab; got {self.sep!r}")
        if self.encoding is not None:
            try:
                "".encode(self.encoding)
            except (LookupError, UnicodeError):  # also of codecs that are not for text, as rot13
                raise ValueError(
                    f"--encoding must be an encoding that Python knows, as utf-8 or cp1252; "
                    f"got {self.encoding!r}"
                ) from None
        if self.decimal not in (None, ".", ","):
            raise ValueError(f"--decimal must be . or ,; got {self.decimal!r}")
        if self.thousands is not None and len(self.thousands) != 1:
            raise ValueError(f"--thousands must be one character; got {self.thousands!r}")
        if self.decimal is not None and self.decimal == self.thousands:
            raise ValueError(f"--decimal and --thousands must differ; both are {self.decimal!r}")

    @property
    def separator(self) -> str | None:
        return None if self.sep is None else NAMED.get(self.sep, self.sep)


AS_SEEN = TextFormat()


@dataclass
class Dialect:
    """How a file is written, and notes on what was found that the user did not say."""

    separator: str
    encoding: str
    convention: Convention = PLAIN
    notes: list[str] = field(default_factory=list)


def dialect_of(path: Path, given: TextFormat) -> Dialect:
    """What the user says, completed by what the first rows show where they leave no doubt."""
    usual = "\t" if suffix_of(path) == ".tsv" else ","
    options = []
    encoding = given.encoding or ""
    try:
        encoding = encoding or text_encoding(path)
        with open_maybe_compressed(path, "rt", encoding=encoding, newline="") as file:
            lines = list(islice(file, N_SAMPLED))
    except UnicodeError as error:
        raise not_decoded(path, encoding, error) from None
    except (gzip.BadGzipFile, lzma.LZMAError, EOFError) as error:
        raise ValueError(f"{path} can't be decompressed: {error}") from None
    found = Dialect(usual, encoding)
    if encoding not in ("utf-8", "utf-8-sig") and given.encoding is None:
        options.append(f"--encoding {encoding}")
    found.separator = given.separator or _separator(lines, usual)
    if found.separator != usual and given.separator is None:
        shown = {"\t": "tab", ";": "';'", "|": "'|'"}.get(found.separator, found.separator)
        options.append(f"--sep {shown}")
    found.convention = _convention(lines, found.separator, given, options)
    if options:
        found.notes.append(
            f"{path}: read with {' '.join(options)}; give other options if that is wrong"
        )
    return found


def not_decoded(path: Path, encoding: str, error: UnicodeError) -> ValueError:
    why = error.reason if isinstance(error, UnicodeDecodeError) else error
    other = "latin-1" if encoding == "cp1252" else "cp1252"
    return ValueError(
        f"{path} is not {encoding} text ({why}): give its encoding, as --encoding {other}"
    )


def _separator(lines: list[str], usual: str) -> str:
    """The separator that splits all lines into the same number of cells, two or more."""
    best, most = usual, 1
    for separator in (usual, *(each for each in SEPARATORS if each != usual)):
        with large_cells():
            widths = {len(row) for row in csv.reader(lines, delimiter=separator) if row}
        if len(widths) == 1 and min(widths) > most:
            best, most = separator, min(widths)
    if most == 1 and lines:  # rows of different lengths: by the names of the columns
        best = max((usual, *SEPARATORS), key=lines[0].count)
    return best


def _convention(
    lines: list[str], separator: str, given: TextFormat, options: list[str]
) -> Convention:
    """How numbers are written; adds what was found to the options."""
    with large_cells():
        rows = [row for row in csv.reader(lines, delimiter=separator) if row][1:]
    width = max(map(len, rows), default=0)
    shown = evidence_in(
        ([row[at] for row in rows if at < len(row)] for at in range(width)), MISSING
    )
    decimal, thousands = given.decimal, given.thousands
    commas = shown.decimal_comma or (shown.thousands_point and not shown.thousands_comma)
    if decimal is None and commas and not shown.decimal_point and thousands != ",":
        decimal = ","
        options.append("--decimal ,")
    if thousands is None and decimal == "," and shown.thousands_point:
        thousands = "."
        options.append("--thousands .")
    # In a file of commas and points, nobody quotes a cell for a decimal comma.
    clear = shown.thousands_comma or (
        shown.unclear_comma and (shown.decimal_point or separator == ",")
    )
    if thousands is None and decimal != "," and clear and not shown.decimal_comma:
        thousands = ","
        options.append("--thousands ,")
    return Convention(decimal or ".", thousands or "")
