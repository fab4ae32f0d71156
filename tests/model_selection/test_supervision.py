"""What is known about a part of the rows."""

import numpy as np

from pairspace import Constraints
from pairspace.base import Supervision


def test_what_is_known_about_some_rows_is_numbered_anew():
    labels = np.array([4, -1, 7, 7, -1, 4])
    known = Supervision(labels, Constraints(6, [(0, 1), (2, 4)], [(1, 4), (3, 4)]), 6)
    part = known.on(np.array([1, 3, 4]))
    assert part.labels.tolist() == [-1, 1, -1]
    assert part.pairs == Constraints(3, (), [(0, 2), (1, 2)])
    assert len(known.on(np.array([5])).pairs) == 1
