"""Pictures from one folder, checked and encoded again so that they are safe to show."""

from __future__ import annotations

import base64
import io
import math
import os
from collections import OrderedDict
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

# 8,000 × 8,000: larger pictures would take too much memory.
MAX_PIXELS = 64_000_000
MAX_BYTES = 64_000_000
# Two pictures of this width fit side by side on a large screen.
SHOWN_SIZE = 900
KEPT = 64


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
        self._kept: OrderedDict[str, Picture] = OrderedDict()

    def get(self, name: str) -> Picture:
        """The picture with this path, or a :class:`MissingPictureError`."""
        if name not in self._kept:
            self._kept[name] = _read(self._path(name))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(name)
        return self._kept[name]

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


def _read(path: Path) -> Picture:
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise ImportError("pictures need Pillow: pip install 'pairspace[app]'") from None
    try:
        if path.stat().st_size > MAX_BYTES:
            raise MissingPictureError(f"the file is larger than {MAX_BYTES // 10**6} MB")
        with Image.open(path) as image:
            # The size is in the header, so a huge picture is never decoded.
            if math.prod(image.size) > MAX_PIXELS:
                raise MissingPictureError(
                    f"the picture has {image.width:,} × {image.height:,} pixels; "
                    f"the limit is {MAX_PIXELS:,}"
                )
            image.draft("RGB", (SHOWN_SIZE, SHOWN_SIZE))
            image.load()
            upright = ImageOps.exif_transpose(image)
            plain = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
            size = plain.size
            plain.thumbnail((SHOWN_SIZE, SHOWN_SIZE))
            plain.info = {}  # may hold comments, places and names
            out = io.BytesIO()
            # In small pictures, such as digits and icons, each pixel counts.
            lossless = plain.mode == "RGBA" or max(size) <= 256
            plain.save(out, "PNG" if lossless else "JPEG", quality=88)
    except MissingPictureError:
        raise
    except Exception:
        # Decoders raise errors of every kind on broken and hostile files.
        raise MissingPictureError("the file is damaged or not a picture") from None
    kind = "png" if lossless else "jpeg"
    encoded = base64.b64encode(out.getvalue()).decode()
    return Picture(f"data:image/{kind};base64,{encoded}", *plain.size)
