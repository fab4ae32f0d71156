"""Memory that is given back to the system."""

from __future__ import annotations

import ctypes
import sys

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # names of options in glibc's malloc.h
BYTES = 128 * 1024  # glibc's own limits at the start


def give_back_memory() -> None:
    """Keep glibc from raising the limits above which it gives memory back.

    It raises them to 32 MB as a program frees large blocks. A page that runs for hours, with fits
    in the background, then grows to several times what it uses. Elsewhere this does nothing.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):  # another C library
        return
    set_option(TRIM_THRESHOLD, BYTES)
    set_option(MMAP_THRESHOLD, BYTES)
