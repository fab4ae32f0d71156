"""What SDA, LFDA and SELF take from cannot-links."""

from __future__ import annotations

import numpy as np

from pairspace._core.graphs import Edges, Graph
from pairspace.base import Supervision


def told_apart(known: Supervision) -> Graph:
    """The cannot-links, over the number of rows of which something is known."""
    some = known.labels >= 0
    some[known.linked_rows] = True
    weight = known.pairs.cannot_weight / max(int(np.count_nonzero(some)), 1)
    return Edges(len(some), known.pairs.cannot_link, weight)


def most_directions_apart(known: Supervision) -> int:
    """A bound of the rank of the scatter between class means and along cannot-links."""
    n_classes = int(np.count_nonzero(known.classes.sizes))
    return max(n_classes - 1, 0) + len(known.pairs.cannot_link)
