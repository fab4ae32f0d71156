"""How many components, where nobody said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pairspace.model_selection._candidates import Candidate
from pairspace.model_selection._folds import Fold
from pairspace.model_selection._judge import Judge
from pairspace.model_selection._race import Runner, preferred, race

NUMBERS = (1, 2, 3, 5, 8, 13, 20, 32)  # to choose from, as far as the data has so many
USUAL = 8  # where answers can't tell


def choose_n_components(
    make: Callable[[int], Candidate],
    X: Any,
    repeats: Sequence[Sequence[Fold]],
    judge: Judge,
    n_jobs: int | None,
    say: Callable[[str], None],
) -> int:
    """The number that held-out pairs prefer; of those they can't tell from the best, the nearest
    to the usual one.
    """
    numbers = [k for k in NUMBERS if k <= min(X.shape)]
    by_distance = sorted(numbers, key=lambda k: (abs(NUMBERS.index(k) - NUMBERS.index(USUAL)), k))
    runners = [Runner(make(k), order) for order, k in enumerate(by_distance)]
    race(runners, X, repeats, judge, stay=lambda runner: True, n_jobs=n_jobs, say=say)
    able = [runner for runner in runners if not runner.error]
    if not able:
        raise ValueError(f"{runners[0].candidate.name} failed: {runners[0].error}")
    return by_distance[preferred(able, judge).order]
