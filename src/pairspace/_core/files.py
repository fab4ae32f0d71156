"""Files that are written whole or not at all; files of text, compressed and in any encoding."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

COMPRESSED: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
BLOCK = 2**20  # bytes
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before that of UTF-16, which it begins with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside ``path``; rename it to ``path`` if the block succeeds."""
    target = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        # mkstemp makes files private; a saved file keeps its permissions, or gets those of any
        # new file.
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def suffix_of(path: str | os.PathLike[str]) -> str:
    """The suffix in lower case; that before ".gz" of a compressed file."""
    path = Path(path)
    inner = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return inner.suffix.lower()


def open_maybe_compressed(path: str | os.PathLike[str], mode: str = "rb", **options: Any) -> Any:
    """Open a file, decompressed by its suffix .gz, .bz2 or .xz."""
    return COMPRESSED.get(Path(path).suffix.lower(), open)(path, mode, **options)


def text_encoding(path: str | os.PathLike[str]) -> str:
    """The encoding of a text: by its byte-order mark, UTF-8 if it is valid, otherwise Windows'.

    Any text that is no UTF-8 but has letters with accents in Western Europe is most likely cp1252,
    which has the same letters as Latin-1.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    with open_maybe_compressed(path) as file:
        block = file.read(BLOCK)
        for mark, encoding in MARKS.items():
            if block.startswith(mark):
                return encoding
        try:
            while block:
                decoder.decode(block)
                block = file.read(BLOCK)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8"
