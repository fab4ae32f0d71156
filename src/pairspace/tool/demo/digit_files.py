"""The digits as files for the labelling page: a table of pixels, and an image of each digit."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

from pairspace._core.files import replacing
from pairspace._core.typing import Ints

TABLE, IMAGES = "digits.csv", "images"


def write_digits(folder: Path) -> tuple[Path, int]:
    """Write digits.csv and the images it names; the digits' labels are not among them.

    Parameters
    ----------
    folder : Path
        Where to write them; made if it does not exist.

    Returns
    -------
    tuple
        The table, and the number of digits.
    """
    import pandas as pd

    pixels = load_digits().images
    (folder / IMAGES).mkdir(parents=True, exist_ok=True)
    names = [f"{IMAGES}/{at:04}.png" for at in range(len(pixels))]
    for name, image in zip(names, pixels, strict=True):
        with replacing(folder / name) as temporary:
            temporary.write_bytes(_png((255 - image * 255 / 16).astype(np.uint8)))
    flat = pixels.reshape(len(pixels), -1).astype(int)
    frame = pd.DataFrame(flat, columns=[f"pixel_{at:02}" for at in range(flat.shape[1])])
    frame.insert(0, "image", names)
    frame.insert(0, "digit", [f"d{at:04}" for at in range(len(pixels))])
    with replacing(folder / TABLE) as temporary:
        frame.to_csv(temporary, index=False)
    return folder / TABLE, len(pixels)


def _png(grey: Ints) -> bytes:
    """A PNG file of 8-bit grey values: pandas, which writes the table, can't write images."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    height, width = grey.shape
    lines = b"".join(b"\0" + line.tobytes() for line in grey)  # 0: lines are stored unfiltered
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(lines))
        + chunk(b"IEND", b"")
    )
