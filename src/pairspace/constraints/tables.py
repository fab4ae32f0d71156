"""Pairs in tables: the columns a, b, same, weight, in frames and in files."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pairspace._core.files import (
    COMPRESSED,
    open_maybe_compressed,
    replacing,
    suffix_of,
    text_encoding,
)
from pairspace.constraints import answers_file, label_studio
from pairspace.constraints._labels import is_missing

if TYPE_CHECKING:
    import pandas as pd

    from pairspace.constraints._constraints import Constraints

Columns = Mapping[str, Sequence[Any]]

SAME = dict.fromkeys(("yes", "1", "1.0", "true", "same"), True)
DIFFERENT = dict.fromkeys(("no", "0", "0.0", "false", "different"), False)


def pairs_of_columns(
    columns: Columns, ids: Sequence[Any] | None, n_samples: int | None
) -> dict[str, Any]:
    """The arguments of ``Constraints`` for a table with the columns a, b, same and weight."""
    require_pair_columns(columns)
    for name in ("a", "b", "weight"):
        if len(columns.get(name, columns["same"])) != len(columns["same"]):
            raise ValueError(
                f"the column {name!r} has {len(columns[name])} cells, "
                f"but 'same' has {len(columns['same'])}"
            )
    same = np.array([read_same(v, at) for at, v in enumerate(columns["same"])], dtype=bool)
    weight = np.array([_read_weight(v) for v in columns.get("weight", [None] * len(same))])
    if ids is None:
        pairs = np.array(
            [[read_row_number(columns[name][at], at) for name in "ab"] for at in range(len(same))],
            dtype=np.int64,
        ).reshape(-1, 2)
        if n_samples is None:
            n_samples = int(pairs.max(initial=-1)) + 1
    else:
        row_of = rows_of_ids(ids)
        if n_samples not in (None, len(row_of)):
            raise ValueError(f"n_samples={n_samples} must be {len(row_of)}, the number of ids")
        n_samples = len(row_of)
        pairs = np.array(
            [[_find(row_of, columns[name][at], at) for name in "ab"] for at in range(len(same))],
            dtype=np.int64,
        ).reshape(-1, 2)
    return {
        "n_samples": n_samples,
        "must_link": pairs[same],
        "cannot_link": pairs[~same],
        "must_weight": weight[same],
        "cannot_weight": weight[~same],
    }


def require_pair_columns(columns: Columns) -> None:
    """Raise an error if a table lacks one of the columns a, b and same."""
    for name in ("a", "b", "same"):
        if name not in columns:
            raise ValueError(
                "a table of pairs must have the columns a, b, same and optionally weight; "
                f"{name!r} is missing, the columns are {', '.join(map(repr, columns)) or 'none'}"
            )


def columns_of_pairs(constraints: Constraints, ids: Sequence[Any] | None) -> dict[str, list[Any]]:
    """The table of a ``Constraints``, must-links first."""
    pairs = np.vstack([constraints.must_link, constraints.cannot_link])
    a, b = pairs[:, 0].tolist(), pairs[:, 1].tolist()
    if ids is not None:
        names = np.asarray(ids, dtype=object).tolist()
        if len(rows_of_ids(names)) != constraints.n_samples:
            raise ValueError(
                f"got {len(names)} ids, but the constraints have {constraints.n_samples} rows"
            )
        a, b = [names[i] for i in a], [names[j] for j in b]
    return {
        "a": a,
        "b": b,
        "same": [True] * len(constraints.must_link) + [False] * len(constraints.cannot_link),
        "weight": [*constraints.must_weight.tolist(), *constraints.cannot_weight.tolist()],
    }


def columns_of_frame(frame: Any) -> Columns:
    """The columns of a pandas or polars frame, a pyarrow table or a dict, as lists."""
    names = frame.keys() if isinstance(frame, Mapping) else getattr(frame, "column_names", None)
    if names is None:
        names = getattr(frame, "columns", None)
    if names is None:
        raise TypeError(f"expected a table with the columns a, b, same; got {type(frame).__name__}")
    names = _each_once([*names])
    return {str(name): _listed(frame[name]) for name in names}


def make_frame(columns: Columns) -> pd.DataFrame:
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("to_frame needs pandas: pip install 'pairspace[frames]'") from None
    frame = pd.DataFrame(dict(columns))
    return frame if len(frame) else frame.astype({"a": "int64", "b": "int64", "same": bool})


# ---- Files -----------------------------------------------------------------------------------


def read_columns(path: str | os.PathLike[str], *, by_row: bool) -> Columns:
    if Path(path).suffix.lower() in answers_file.SUFFIXES:
        return answers_file.read_answers(path, by_row=by_row)
    if suffix_of(path) == ".json":
        return label_studio.read_tasks(path, _read_text(path))
    suffix = _suffix(path)
    if suffix == ".parquet":
        return _read_parquet(path)
    text = _read_text(path)
    return _read_csv(path, text) if suffix == ".csv" else _read_jsonl(path, text)


def read_answers_or_groups(path: str | os.PathLike[str], id: str) -> Columns:
    """Read a file of answers about pairs, or of groups, whose column ``id`` is then called so."""
    if suffix_of(path) == ".json":
        text = _read_text(path)
        if label_studio.has_groups(path, text):
            return label_studio.read_group_tasks(path, text, id)
    columns = dict(read_columns(path, by_row=False))
    if id in columns and "group" in columns:
        columns["id"] = columns[id]
    return columns


def _read_text(path: str | os.PathLike[str]) -> str:
    encoding = text_encoding(path)
    try:
        with open_maybe_compressed(path, "rt", encoding=encoding, newline="") as file:
            return str(file.read())
    except UnicodeDecodeError as error:
        byte, at = error.object[error.start], error.start
        raise ValueError(
            f"{path} must be text in UTF-8, but the byte 0x{byte:02x} at {at:,} is none of it, nor "
            f"of {encoding}: save the file with the encoding UTF-8"
        ) from None


def _read_parquet(path: str | os.PathLike[str]) -> Columns:
    parquet = _parquet()
    if not Path(path).is_file():
        raise FileNotFoundError(f"{path} does not exist")
    try:
        return columns_of_frame(parquet.read_table(path))
    except Exception as error:  # pyarrow has many for damaged files
        raise ValueError(f"{path} can't be read as parquet: {error}") from error


def _read_csv(path: str | os.PathLike[str], text: str) -> Columns:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text))
    try:
        names = _each_once([name.strip() for name in next(rows, [])])
        cells = [row for row in rows if row]
    except csv.Error as error:
        raise ValueError(f"{path}: line {rows.line_num} is not csv: {error}") from None
    for at, row in enumerate(cells):
        if len(row) != len(names):
            raise ValueError(
                f"{path}: row {at} of the table has {len(row)} cells, "
                f"but there are {len(names)} columns"
            )
    return {name: [row[at] for row in cells] for at, name in enumerate(names)}


def _separator(text: str) -> str:
    """The separator in the first line, which names a, b and same: a comma, ; tab or |."""
    first = text.partition("\n")[0]
    return max(",;\t|", key=first.count)


def _read_jsonl(path: str | os.PathLike[str], text: str) -> Columns:
    records = []
    for number, line in enumerate(io.StringIO(text, newline=""), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:  # numbers of too many digits; too deep
            raise ValueError(f"{path}: line {number} is not JSON: {error}") from None
        if not isinstance(record, dict):
            raise ValueError(f"{path}: line {number} is not an object with a, b and same")
        records.append(record)
    names = list(dict.fromkeys(name for record in records for name in record))
    return {name: [record.get(name) for record in records] for name in names or ["a", "b", "same"]}


def write_columns(path: str | os.PathLike[str], columns: Columns) -> None:
    try:
        _write(path, columns)
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{path}: an id can't be written as UTF-8, {str(error.object)[:100]!r}: {error.reason}"
        ) from error


def _write(path: str | os.PathLike[str], columns: Columns) -> None:
    suffix = _suffix(path)
    parquet = _parquet() if suffix == ".parquet" else None
    with replacing(path) as temporary:
        if parquet is not None:
            import pyarrow as pa

            try:
                table = pa.table(dict(columns))
            except (pa.ArrowException, TypeError) as error:
                raise ValueError(
                    f"{path}: ids must be all text or all numbers to be written as parquet: {error}"
                ) from error
            parquet.write_table(table, temporary)
            return
        rows = zip(*columns.values(), strict=True)
        opened = COMPRESSED.get(Path(path).suffix.lower(), open)
        with opened(temporary, "wt", encoding="utf-8", newline="") as file:
            if suffix == ".csv":
                # csv leaves a lone "\r" unquoted, and would read it as the end of a row.
                odd = any("\r" in str(name) for end in "ab" for name in columns[end])
                writer = csv.writer(
                    file,
                    lineterminator="\n",
                    quoting=csv.QUOTE_ALL if odd else csv.QUOTE_MINIMAL,
                )
                writer.writerow(columns)
                writer.writerows(rows)
            else:
                for row in rows:
                    record = dict(zip(columns, row, strict=True))
                    file.write(json.dumps(record, ensure_ascii=False, default=str) + "\n")


def _suffix(path: str | os.PathLike[str]) -> str:
    suffix = suffix_of(path)
    if suffix == ".parquet":
        suffix = Path(path).suffix.lower()  # has a compression of its own
    if suffix not in (".csv", ".jsonl", ".parquet"):
        raise ValueError(
            f"{path}: a file of pairs must be .csv, .jsonl or .parquet; got {suffix!r}"
        )
    return suffix


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise ImportError("parquet needs pyarrow: pip install 'pairspace[frames]'") from None
    return pyarrow.parquet


# ---- Cells -----------------------------------------------------------------------------------


def _listed(column: Any) -> list[Any]:
    for name in ("to_list", "to_pylist", "tolist"):  # pandas and polars; pyarrow; NumPy
        if hasattr(column, name):
            return getattr(column, name)()
    return list(column)


def _each_once(names: list[Any]) -> list[Any]:
    for name in ("a", "b", "same", "weight"):
        if names.count(name) > 1:
            raise ValueError(f"the table has {names.count(name)} columns called {name!r}")
    return names


def read_same(value: Any, at: int) -> bool:
    text = str(value).strip().lower()
    answer = (SAME | DIFFERENT).get(text)
    if answer is None:
        allowed = "yes/no, 1/0, true/false or same/different"
        raise ValueError(f"row {at} of the table: same must be {allowed}; got {value!r:.100}")
    return answer


def _read_weight(value: Any) -> float:
    if is_missing(value) or (isinstance(value, str) and not value.strip()):
        return 1.0
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"weight must be a number; got {value!r:.100}") from None


def read_row_number(value: Any, at: int) -> int:
    try:
        number = int(value.strip().removesuffix(".0") if isinstance(value, str) else value)
        if (not isinstance(value, str) and value != number) or abs(number) >= 2**63:
            raise ValueError
        return number
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"row {at} of the table: {value!r:.100} is not a row number; if a and b are ids, "
            "pass the ids of all rows as ids="
        ) from None


def row_numbers(columns: Columns) -> bool:
    """Whether a and b are row numbers, and not ids."""
    return all(
        str(value).strip().removesuffix(".0").isdecimal()
        for end in "ab"
        for value in columns.get(end, ())
    )


def rows_of_ids(ids: Sequence[Any]) -> dict[str, int]:
    row_of: dict[str, int] = {}
    for row, name in enumerate(np.asarray(ids, dtype=object).tolist()):
        if is_missing(name):
            raise ValueError(f"row {row} of the data has no id; got {name!r}")
        first = row_of.setdefault(str(name), row)
        if first != row:
            raise ValueError(
                f"ids must be unique; rows {first} and {row} both have the id {name!r}"
            )
    return row_of


def find_row(row_of: dict[str, int], value: Any) -> int | None:
    """The row with this id, or None; ``row_of`` is that of :func:`rows_of_ids`.

    101.0 finds 101, and 101 finds "101.0": pandas makes floats of integer ids if one is missing.
    """
    if is_missing(value):
        return None
    text = str(value)
    whole = text.strip().removesuffix(".0")
    if text in row_of or not whole.isdecimal():
        return row_of.get(text)
    return row_of.get(whole, row_of.get(f"{whole}.0"))


def _find(row_of: dict[str, int], value: Any, at: int) -> int:
    row = find_row(row_of, value)
    if row is None:
        raise ValueError(f"row {at} of the table: the data has no id {value!r:.100}")
    return row
