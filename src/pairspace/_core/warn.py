"""Warnings that point at the line of the user's program that led to them."""

from __future__ import annotations

import os
import sys
import warnings

import sklearn

# Its wrappers stand between the user and a method.
OURS = tuple(
    os.path.dirname(os.path.abspath(path)) + os.sep
    for path in (os.path.dirname(__file__), sklearn.__file__)
)


def warn_caller(message: str | Warning, category: type[Warning] = UserWarning) -> None:
    """Warn about the first line, from here outwards, that is neither ours nor scikit-learn's.

    Parameters
    ----------
    message : str or Warning
        What to say.
    category : type, default=UserWarning
        The kind of warning, if the message is a text.
    """
    level = 1
    while sys._getframe(level).f_code.co_filename.startswith(OURS) and sys._getframe(level).f_back:
        level += 1
    warnings.warn(message, category, stacklevel=level + 1)
