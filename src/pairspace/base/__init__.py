"""What all methods share: what they are given, and what they declare."""

from pairspace.base._fitting import fitted, labels_of
from pairspace.base._limits import WIDTH
from pairspace.base._needs import Needs
from pairspace.base._reducer import Reducer, unchanged_if_it_fails
from pairspace.base._subsample import subsample
from pairspace.base._supervision import Supervision

__all__ = [
    "WIDTH",
    "Needs",
    "Reducer",
    "Supervision",
    "fitted",
    "labels_of",
    "subsample",
    "unchanged_if_it_fails",
]
