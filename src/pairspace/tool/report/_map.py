"""The data of the interactive map: a sample of the rows, bounded in size."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairspace._core.typing import Floats, Ints
from pairspace.constraints import Constraints
from pairspace.metrics import PairDistances
from pairspace.plot import style
from pairspace.tool.report._records import Records, is_number
from pairspace.tool.texts import as_text, cut

MAX_ROWS = 20_000
MAX_BYTES = 5_000_000  # of coordinates and records
MAX_AXES = 20  # components of a space to choose from
MAX_LINES = 400  # with more nothing could be seen
MAX_CATEGORIES = 1_000  # different values of a column that are stored once
MAX_CELL, MAX_TEXT = 200, 600  # characters
NO_CATEGORY = 2**16 - 1


class Shown(NamedTuple):
    """The coordinates of all rows, a remark, and what an axis is called."""

    Z: Floats
    note: str = ""
    axis: str = "component"


Spaces = Mapping[str, Shown]


class Column:
    """Values to show and to colour by."""

    def __init__(self, name: str, values: Any, length: int = MAX_CELL) -> None:
        self.name = name
        self._values = values
        self._length = length
        self._number = is_number(values) if hasattr(values, "dtype") else False

    def encoded(self, rows: Ints) -> dict[str, Any]:
        """The values of some rows."""
        if self._number:
            numbers = self._values.to_numpy(dtype=np.float32, na_value=np.nan)
            return {"name": self.name, "kind": "number", "data": _base64(numbers[rows])}
        values = list(self._values)
        cells = [cut(as_text(values[row]), self._length) for row in rows]
        names = sorted({cell for cell in cells if cell})
        if len(names) > min(MAX_CATEGORIES, max(len(rows) // 2, 20)):
            return {"name": self.name, "kind": "text", "values": cells}
        code = {name: at for at, name in enumerate(names)}
        codes = np.array([code.get(cell, NO_CATEGORY) for cell in cells], dtype=np.uint16)
        data = _base64(codes)
        return {"name": self.name, "kind": "category", "values": names, "data": data}


def map_data(
    spaces: Spaces,
    pairs: Constraints,
    distances: PairDistances | None,
    records: Records,
    columns: Sequence[Column],
    first: Sequence[int],
) -> tuple[str, Ints]:
    """The data of the map as JSON that can stand in a page, and the rows that it has.

    Parameters
    ----------
    spaces : mapping of names to Shown
        The spaces to choose from.
    pairs : Constraints
        The pairs to draw.
    distances : PairDistances or None
        Of the pairs.
    records : Records
        The rows.
    columns : sequence of Column
        Further values to colour by, before the fields of the records.
    first : sequence of int
        Rows that have to be there.
    """
    lines = _lines(pairs, distances)
    n = len(records.ids)
    order = _order(n, np.concatenate([np.asarray(first, dtype=int), lines[:, :2].ravel()]))
    size = min(n, MAX_ROWS)
    if records.images is not None:
        size = min(size, records.max_thumbnails())
    fields = _fields(records)
    while True:
        rows = np.sort(order[:size])
        found = _payload(spaces, lines, records, [*columns, *fields], rows)
        text = _for_a_page(found)
        if len(text.encode()) <= MAX_BYTES or size <= 2:
            break
        size = max(2, int(min(0.9 * MAX_BYTES / len(text.encode()), 0.9) * size))
    if records.images is not None:
        text = _for_a_page({**found, "sprite": records.sprite(rows.tolist())})
    return text, rows


def _order(n: int, first: Ints) -> Ints:
    """All rows: the ones that have to be there, then the others in random order."""
    order = np.concatenate([first, np.random.default_rng(0).permutation(n)])
    _, at = np.unique(order, return_index=True)
    return np.asarray(order[np.sort(at)])


def _payload(
    spaces: Spaces, lines: Ints, records: Records, columns: Sequence[Column], rows: Ints
) -> dict[str, Any]:
    place = np.full(len(records.ids), -1)
    place[rows] = np.arange(len(rows))
    kept = place[lines[:, :2]].min(axis=1, initial=0) >= 0
    return {
        "total": len(records.ids),
        "ids": [cut(records.ids[row], MAX_CELL) for row in rows],
        "spaces": [
            {
                "name": name,
                "axis": space.axis,
                "axes": min(space.Z.shape[1], MAX_AXES),
                "data": _base64(space.Z[rows, :MAX_AXES].T.astype(np.float32)),
                "note": space.note,
            }
            for name, space in spaces.items()
        ],
        "columns": [column.encoded(rows) for column in columns],
        "fields": len(records.fields),
        "lines": np.column_stack([place[lines[kept, :2]], lines[kept, 2:]]).tolist(),
        "palette": style.PALETTE,
        "scale": _scale_colours(),
    }


def _fields(records: Records) -> list[Column]:
    if records.frame is None:
        return []
    return [
        Column(
            cut(records.name(field), MAX_CELL),
            records.frame.iloc[:, field],
            MAX_TEXT if records.frame.columns[field] == records.text else MAX_CELL,
        )
        for field in records.fields
    ]


def _lines(pairs: Constraints, distances: PairDistances | None) -> Ints:
    """Pairs of rows, whether they are must-links, and whether they are violated; violated first."""
    if distances is None:
        return np.empty((0, 4), dtype=int)
    links = np.vstack([pairs.must_link, pairs.cannot_link]).reshape(-1, 2)
    same = np.arange(len(links)) < len(pairs.must_link)
    violated = np.concatenate([distances.must_violated, distances.cannot_violated])
    lines = np.column_stack([links, same, violated]).astype(int)
    # Some of both kinds: a random order, the violated ones first.
    mixed = np.random.default_rng(0).permutation(len(lines))
    order = mixed[np.argsort(~violated[mixed], kind="stable")]
    return np.asarray(lines[order[:MAX_LINES]])


def _scale_colours() -> list[str]:
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    return [to_hex(colormaps["viridis"](share)) for share in np.linspace(0, 1, 16)]


def _base64(values: NDArray[Any]) -> str:
    little = values.astype(values.dtype.newbyteorder("<"), copy=False)
    return base64.b64encode(np.ascontiguousarray(little).tobytes()).decode()


def _for_a_page(value: Any) -> str:
    """JSON without the characters that end a script element or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
