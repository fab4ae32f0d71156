"""Pictures from one folder, made safe to show: read, checked, and written anew."""

from __future__ import annotations

import base64
import io
import math
import os
from collections import OrderedDict
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import NamedTuple

# Above it a picture costs more memory than a page should take: 8,000 × 8,000.
MAX_PIXELS = 64_000_000
MAX_BYTES = 64_000_000
# What two pictures side by side can show on a large screen.
SHOWN_SIZE = 900
KEPT = 64


class Picture(NamedTuple):
    """A picture as the page gets it."""

    uri: str
    width: int
    height: int


class MissingPictureError(Exception):
    """There is nothing to show, and this is why."""


class Pictures:
    """The pictures of a folder, by the path that the data names.

    Nothing outside the folder is read, whatever the data says, and no file is passed on as it
    is: what the browser gets was decoded and encoded here.

    Parameters
    ----------
    root : path
        The folder; links that lead out of it are not followed.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = Path(root).resolve()
        if not self.root.is_dir():
            raise NotADirectoryError(f"{root}: no such folder of pictures")
        self._kept: OrderedDict[str, Picture] = OrderedDict()

    def get(self, name: str) -> Picture:
        """The picture of that name; a :class:`MissingPictureError` says why there is none."""
        if name not in self._kept:
            self._kept[name] = _read(self._path(name))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(name)
        return self._kept[name]

    def _path(self, name: str) -> Path:
        if not name.strip():
            raise MissingPictureError("no picture is named")
        if "\0" in name:
            raise MissingPictureError("the name is no file name")
        # Both ways of writing paths, wherever we are: data travels between systems.
        for kind in (PurePosixPath(name), PureWindowsPath(name)):
            if kind.is_absolute() or kind.drive or kind.root or ".." in kind.parts:
                raise MissingPictureError("its path leads out of the folder of pictures")
        try:
            path = (self.root / name).resolve()
            is_file = path.is_file()
        except (OSError, RuntimeError):  # a name too long, a link to itself
            raise MissingPictureError("there is no such file") from None
        if not path.is_relative_to(self.root):
            raise MissingPictureError("its path leads out of the folder of pictures")
        if not is_file:
            raise MissingPictureError("there is no such file")
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
            # Known from the head of the file, before anything is unpacked.
            if math.prod(image.size) > MAX_PIXELS:
                raise MissingPictureError(
                    f"it has {image.width:,} × {image.height:,} pixels; "
                    f"up to {MAX_PIXELS:,} are shown"
                )
            image.draft("RGB", (SHOWN_SIZE, SHOWN_SIZE))
            image.load()
            upright = ImageOps.exif_transpose(image)
            plain = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
            size = plain.size
            plain.thumbnail((SHOWN_SIZE, SHOWN_SIZE))
            plain.info = {}  # comments, places and names, which nobody asked to show
            out = io.BytesIO()
            # Small ones are drawings, digits and icons, where each pixel counts.
            lossless = plain.mode == "RGBA" or max(size) <= 256
            plain.save(out, "PNG" if lossless else "JPEG", quality=88)
    except MissingPictureError:
        raise
    except Exception:
        # Decoders meet hostile files with errors of every kind, bombs among them.
        raise MissingPictureError("the file is broken, or no picture") from None
    kind = "png" if lossless else "jpeg"
    encoded = base64.b64encode(out.getvalue()).decode()
    return Picture(f"data:image/{kind};base64,{encoded}", *plain.size)
