"""Pictures from one folder, checked and encoded again so that they are safe to show."""

from __future__ import annotations

import base64
import io
import math
import os
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

# 8,000 × 8,000: larger pictures would take too much memory.
MAX_PIXELS = 64_000_000
MAX_BYTES = 64_000_000
# Two pictures of this width fit side by side on a large screen.
SHOWN_SIZE = 900
SMALL_SIZE = 160  # in grids and on cards
KEPT = 64
KEPT_SMALL = 2_000  # some 5 kB each
# Other formats of Pillow start programs (EPS: Ghostscript) or are rarely tested.
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP", "PPM", "ICO", "MPO")


class Picture(NamedTuple):
    """A picture for the page."""

    uri: str
    width: int
    height: int


class MissingPictureError(Exception):
    """A picture can't be shown; the message says why."""


class Pictures:
    """The pictures of a folder, by their paths in the data.

    Nothing outside the folder is read, and no file is sent as it is: every picture is decoded and
    encoded again.

    Parameters
    ----------
    root : path
        The folder. Links to files outside it are not followed.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = Path(root).resolve()
        if not self.root.is_dir():
            raise NotADirectoryError(f"the folder of pictures {root} does not exist")
        self._large = _Kept(SHOWN_SIZE, KEPT)
        self._small = _Kept(SMALL_SIZE, KEPT_SMALL)

    def get(self, name: str) -> Picture:
        """The picture with this path, or a :class:`MissingPictureError`."""
        return self._large.get(name, self._path)

    def small(self, name: str) -> Picture:
        """A small version of a picture, or a :class:`MissingPictureError`."""
        return self._small.get(name, self._path)

    def _path(self, name: str) -> Path:
        if not name.strip():
            raise MissingPictureError("the path is empty")
        if "\0" in name:
            raise MissingPictureError("the path is not a file name")
        # Paths of both kinds on every system: the data may come from another.
        for kind in (PurePosixPath(name), PureWindowsPath(name)):
            if kind.is_absolute() or kind.drive or kind.root or ".." in kind.parts:
                raise MissingPictureError("the path is outside the folder of pictures")
        try:
            path = (self.root / name).resolve()
            is_file = path.is_file()
        except (OSError, RuntimeError):  # a name too long, a link to itself
            raise MissingPictureError("the file does not exist") from None
        if not path.is_relative_to(self.root):
            raise MissingPictureError("the path is outside the folder of pictures")
        if not is_file:
            raise MissingPictureError("the file does not exist")
        return path


class _Kept:
    """The pictures of one size that were used last."""

    def __init__(self, size: int, most: int) -> None:
        self._size = size
        self._most = most
        self._kept: OrderedDict[str, Picture] = OrderedDict()

    def get(self, name: str, path_of: Callable[[str], Path]) -> Picture:
        if name not in self._kept:
            self._kept[name] = _read(path_of(name), self._size)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(name)
        return self._kept[name]


def _read(path: Path, shown_size: int) -> Picture:
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise ImportError("pictures need Pillow: pip install 'pairspace[app]'") from None
    try:
        if path.stat().st_size > MAX_BYTES:
            raise MissingPictureError(f"the file is larger than {MAX_BYTES // 10**6} MB")
        with Image.open(path, formats=FORMATS) as image:
            # The size is in the header, so a huge picture is never decoded.
            if math.prod(image.size) > MAX_PIXELS:
                raise MissingPictureError(
                    f"the picture has {image.width:,} × {image.height:,} pixels; "
                    f"the limit is {MAX_PIXELS:,}"
                )
            image.draft("RGB", (shown_size, shown_size))
            image.load()
            upright = ImageOps.exif_transpose(image)
            plain = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
            size = plain.size
            plain.thumbnail((shown_size, shown_size))
            plain.info = {}  # may hold comments, places and names
            out = io.BytesIO()
            # In small pictures, such as digits and icons, each pixel counts.
            lossless = plain.mode == "RGBA" or max(size) <= 256
            plain.save(out, "PNG" if lossless else "JPEG", quality=88)
    except MissingPictureError:
        raise
    except Exception:
        # Decoders raise errors of every kind on broken and hostile files.
        raise MissingPictureError(
            "the file is damaged or not a picture of a known format (PNG, JPEG, GIF, WebP, TIFF, …)"
        ) from None
    kind = "png" if lossless else "jpeg"
    encoded = base64.b64encode(out.getvalue()).decode()
    return Picture(f"data:image/{kind};base64,{encoded}", *plain.size)
