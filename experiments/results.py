"""Results in an append-only file, one JSON line for each cell."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from experiments.table import Cell, Split

Record = dict[str, Any]


def read(file: Path) -> dict[Cell, Record]:
    """The record of each finished cell. An incomplete last line is ignored."""
    if not file.exists():
        return {}
    found = {}
    for number, line in enumerate(_whole(file).decode().splitlines(), start=1):
        try:
            record = json.loads(line)
            split = Split(*(record[name] for name in Split._fields))
            found[Cell(split, record["method"])] = record
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(
                f"{file}: line {number} is not the result of a cell ({error!r}); delete that line "
                "to run the cell again"
            ) from error
    return found


@contextmanager
def appending(file: Path) -> Iterator[Any]:
    """Give ``write(cell, outcome)``, which writes a line and flushes it to the disk."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.exists():
        whole = len(_whole(file))
        if whole < file.stat().st_size:
            os.truncate(file, whole)
    with open(file, "ab", buffering=0) as opened:

        def write(cell: Cell, outcome: Mapping[str, Any]) -> None:
            record = {**cell.split._asdict(), "method": cell.method, **outcome}
            opened.write((json.dumps(_short(record), ensure_ascii=False) + "\n").encode())
            os.fsync(opened.fileno())

        yield write


def _whole(file: Path) -> bytes:
    """The file up to its last end of line."""
    content = file.read_bytes()
    return content[: content.rfind(b"\n") + 1]


def _short(value: Any) -> Any:
    """Numbers to six digits: more are noise, and make the committed files large."""
    if isinstance(value, dict):
        return {key: _short(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_short(part) for part in value]
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        return _short(value.tolist())
    return float(f"{value:.6g}") if isinstance(value, float) else value
