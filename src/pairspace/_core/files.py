"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
