"""What the user knows: pairs that are the same, pairs that are not, and labels."""

from pairspace.constraints._constraints import Constraints
from pairspace.constraints._labels import (
    UNKNOWN,
    classes_and_codes,
    cluster_codes,
    encode_labels,
    is_missing,
)
from pairspace.constraints._logic import Contradiction, ContradictionError, ContradictionWarning

__all__ = [
    "UNKNOWN",
    "Constraints",
    "Contradiction",
    "ContradictionError",
    "ContradictionWarning",
    "classes_and_codes",
    "cluster_codes",
    "encode_labels",
    "is_missing",
]
