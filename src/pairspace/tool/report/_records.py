"""What the report shows of each row: a record, a text or a picture."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import issparse

from pairspace._core.typing import Floats
from pairspace.tool.texts import as_text

if TYPE_CHECKING:
    import pandas as pd

MAX_FIELDS = 60  # columns of a record that are shown
SPRITE_PIXELS = 6_000_000  # of all thumbnails together
THUMBNAIL = 48  # the longest side of a thumbnail on the map
PICTURE = 200  # the longest side of a picture in a pair


@dataclass(frozen=True)
class Records:
    """The rows as people know them.

    Parameters
    ----------
    frame : DataFrame or None
        A column for each field.
    ids : sequence of str
        The names of the rows.
    text : str or None
        The column with the texts that the rows are.
    images : sequence or None
        Arrays or Pillow images, or None where one is missing.
    """

    frame: pd.DataFrame | None
    ids: Sequence[str]
    text: str | None = None
    images: Sequence[Any] | None = None

    @cached_property
    def fields(self) -> list[int]:
        """The numbers of the columns that are shown; a text comes first."""
        if self.frame is None:
            return []
        names = list(self.frame.columns)
        first = [names.index(self.text)] if self.text is not None else []
        return [*first, *(at for at in range(len(names)) if at not in first)][:MAX_FIELDS]

    def name(self, field: int) -> str:
        """The name of a column."""
        assert self.frame is not None
        return as_text(self.frame.columns[field])

    def cell(self, row: int, field: int) -> Any:
        """A cell of the frame."""
        assert self.frame is not None
        return self.frame.iat[row, field]

    @cached_property
    def spread(self) -> dict[int, float]:
        """The standard deviations of the columns that are numbers."""
        assert self.frame is not None
        found = {}
        for field in self.fields:
            column = self.frame.iloc[:, field]
            if is_number(column):
                found[field] = float(np.nanstd(column.to_numpy(dtype=float, na_value=np.nan)))
        return found

    def picture(self, row: int) -> str | None:
        """The picture of a row as a data URL."""
        if self.images is None or self.images[row] is None:
            return None
        return _encoded(_resized(self._image(row), PICTURE))

    def max_thumbnails(self) -> int:
        """The number of rows whose thumbnails fit into the page."""
        return SPRITE_PIXELS // self._cell**2

    def sprite(self, rows: Sequence[int]) -> dict[str, Any]:
        """One picture with the thumbnails of these rows, and where they are in it."""
        from PIL import Image

        across = max(int(np.ceil(np.sqrt(len(rows)))), 1)
        height = -(-len(rows) // across)
        grey = self._cell <= 32 and all(image.mode == "L" for image in self._some)
        sheet = Image.new("L" if grey else "RGB", (across * self._cell, height * self._cell))
        for at, row in enumerate(rows):
            if self.images is None or self.images[row] is None:
                continue
            small = _resized(self._image(row), self._cell)
            corner = (at % across * self._cell, at // across * self._cell)
            sheet.paste(small.convert(sheet.mode), corner)
        return {"cell": self._cell, "across": across, "url": _encoded(sheet, self._cell)}

    @cached_property
    def _some(self) -> list[Any]:
        assert self.images is not None
        rows = [row for row, image in enumerate(self.images) if image is not None][:50]
        return [self._image(row) for row in rows]

    @cached_property
    def _cell(self) -> int:
        return min(max((max(image.size) for image in self._some), default=1), THUMBNAIL)

    @cached_property
    def _range(self) -> tuple[float, float]:
        """Black and white of arrays that are not bytes: the extremes of all of them."""
        assert self.images is not None
        arrays = [np.asarray(image) for image in self.images if image is not None]
        return min(float(each.min()) for each in arrays), max(float(each.max()) for each in arrays)

    def _image(self, row: int) -> Any:
        from PIL import Image

        assert self.images is not None
        image = self.images[row]
        if not isinstance(image, Image.Image):
            values: Floats = np.asarray(image)
            if values.dtype != np.uint8:
                low, high = self._range
                values = (255 * (values - low) / max(high - low, 1e-300)).astype(np.uint8)
            image = Image.fromarray(values)
        if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
            flat = Image.new("RGB", image.size, "white")
            flat.paste(image, mask=image.convert("RGBA").getchannel("A"))
            return flat
        return image if image.mode in ("L", "RGB") else image.convert("RGB")


def records_of(
    X: Any, records: Any, ids: Sequence[Any] | None, text: str | None, images: Any
) -> Records:
    """What to show of the rows of X: ``records``, or else X itself unless the rows are pictures."""
    n = X.shape[0]
    if records is None and images is None and not issparse(X):
        records = X
    if records is not None and not hasattr(records, "iat"):
        import pandas as pd

        if not hasattr(records, "columns"):
            records = np.asarray(records)
            records = pd.DataFrame(records, columns=[f"x{at}" for at in range(records.shape[1])])
        records = pd.DataFrame(records)
    for what, given in (("records", records), ("images", images), ("ids", ids)):
        if given is not None and len(given) != n:
            raise ValueError(f"{what} has {len(given):,} rows, but X has {n:,}")
    if text is not None and (records is None or text not in records.columns):
        raise ValueError(f"text={text!r} is not a column of records")
    names = [str(row) for row in range(n)] if ids is None else [as_text(each) for each in ids]
    return Records(records, names, text, images)


def is_number(column: Any) -> bool:
    """Whether a column of a frame is of numbers that single precision can show."""
    kind = getattr(column.dtype, "kind", "O")
    if kind in "iu":
        return bool(len(column) == 0 or column.abs().max() < 2**24)
    return kind == "f"


def _resized(image: Any, side: int) -> Any:
    if max(image.size) <= side:
        return image
    image = image.copy()
    image.thumbnail((side, side))
    return image


def _encoded(image: Any, cell: int | None = None) -> str:
    """A picture encoded again, so that nothing else of its file gets into the page."""
    image.info = {}
    file = io.BytesIO()
    kind = "png" if (cell or max(image.size)) <= 32 else "jpeg"
    image.save(file, kind.upper(), quality=80, optimize=True)
    return f"data:image/{kind};base64,{base64.b64encode(file.getvalue()).decode()}"
