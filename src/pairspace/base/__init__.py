"""What all methods share: what they are given, and what they declare."""

from pairspace.base._fitting import fitted, labels_of
from pairspace.base._limits import WIDTH
from pairspace.base._needs import Needs
from pairspace.base._placed import PlacedRows, placed_rows
from pairspace.base._plain_numbers import with_plain_numbers
from pairspace.base._reducer import Reducer, unchanged_if_it_fails
from pairspace.base._subsample import rows_to_learn_from, subsample
from pairspace.base._supervision import Supervision
from pairspace.base._tables import validated_rows

__all__ = [
    "WIDTH",
    "Needs",
    "PlacedRows",
    "Reducer",
    "Supervision",
    "fitted",
    "labels_of",
    "placed_rows",
    "rows_to_learn_from",
    "subsample",
    "unchanged_if_it_fails",
    "validated_rows",
    "with_plain_numbers",
]
