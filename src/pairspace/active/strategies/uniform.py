"""Pairs drawn at random: the baseline."""

from collections.abc import Iterator

import numpy as np

from pairspace._core.typing import Pair
from pairspace.active.strategies.context import QuestionContext

TRIES = 100  # pairs to draw before giving up: nearly all may be known


def random_pairs(n_rows: int, random: np.random.RandomState) -> Iterator[Pair]:
    """Pairs of different rows, drawn uniformly."""
    for _ in range(TRIES):
        i = int(random.randint(n_rows))
        j = int(random.randint(n_rows - 1))
        yield i, j + (j >= i)


class Random:
    """Uniform over all pairs."""

    def pairs(self, context: QuestionContext) -> Iterator[Pair]:
        """Random pairs."""
        return random_pairs(len(context.space.embedding), context.random)
