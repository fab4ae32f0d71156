"""Candidates judged by the same held-out pairs, fewer of them in each repeat."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from pairspace._core.typing import Floats
from pairspace.model_selection._candidates import Candidate
from pairspace.model_selection._folds import Fold
from pairspace.model_selection._judge import Judge
from pairspace.model_selection._validation import held_out_ranks, placements

KEPT = 0.5  # the share of candidates that go on after each repeat
# Standard errors of the difference to the best: no more are as good; the first candidate is left
# for more only, for the best of many is ahead by chance; more are not worth another repeat.
AS_GOOD, ANCHORED, FAR = 1.0, 1.5, 2.0


@dataclass
class Runner:
    """A candidate, and how it did."""

    candidate: Candidate
    order: int  # of simplicity
    ranks: list[Floats] = field(default_factory=list)
    n_repeats: int = 0  # that it was judged in
    placements: Floats = field(default_factory=lambda: np.empty(0))  # of those repeats
    seconds: float = 0.0
    error: str = ""


def race(
    runners: Sequence[Runner],
    X: Any,
    repeats: Sequence[Sequence[Fold]],
    judge: Judge,
    *,
    stay: Callable[[Runner], bool],
    n_jobs: int | None,
    say: Callable[[str, int], None],
) -> None:
    """Judge all in the first repeat, and the better half and those that ``stay`` in each next."""
    running = list(runners)
    for at, repeat in enumerate(repeats, start=1):
        say(f"repeat {at} of {len(repeats)}: {len(running)} candidates × {len(repeat)} folds", 1)
        trials = Parallel(n_jobs=n_jobs, return_as="generator")(
            delayed(_tried)(runner.candidate, X, fold, judge)
            for runner in running
            for fold in repeat
        )
        for place, runner in enumerate(running, start=1):
            for ranks, seconds, error in [next(trials) for _ in repeat]:
                runner.ranks.append(ranks)
                runner.seconds += seconds
                runner.error = runner.error or error
            if not runner.error:
                runner.n_repeats = at
                runner.placements = placements(judge, repeats[:at], runner.ranks)
            found = runner.error or f"pair AUC {judge.mean(runner.placements):.3f}"
            about = f"{runner.candidate.name}: {found} ({runner.seconds:.1f} s)"
            say(f"{place} of {len(running)}, {about}", 2)
        running = [runner for runner in running if not runner.error]
        running.sort(key=lambda runner: -judge.mean(runner.placements))
        if at < len(repeats) and running:
            n_kept = max(int(np.ceil(KEPT * len(running))), 2)
            running = [
                runner
                for place, runner in enumerate(running)
                if stay(runner) or (place < n_kept and not behind(runner, running[0], judge, FAR))
            ]


def behind(runner: Runner, best: Runner, judge: Judge, n_errors: float) -> bool:
    """Whether it is behind by more than so many standard errors of the difference."""
    difference = best.placements - runner.placements
    return judge.mean(difference) > n_errors * judge.standard_error(difference)


def _tried(candidate: Candidate, X: Any, fold: Fold, judge: Judge) -> tuple[Any, float, str]:
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the one that is chosen is fitted again, and heard
        try:
            ranks, error = held_out_ranks(candidate.pipeline, X, fold, judge), ""
        except Exception as raised:  # whatever a candidate raises is its own failure
            ranks, error = None, f"{type(raised).__name__}: {raised}"
    return ranks, time.perf_counter() - start, error


def preferred(
    runners: Sequence[Runner],
    judge: Judge,
    *,
    as_good: float = AS_GOOD,
    anchored: float = ANCHORED,
) -> Runner:
    """The first candidate if the pairs can't tell it from the best; else the simplest that is as
    good as that by one standard error.

    Only runners of all repeats are compared; the error is that of the difference on the same pairs.
    """
    n_repeats = max(runner.n_repeats for runner in runners)
    finalists = [runner for runner in runners if runner.n_repeats == n_repeats]
    if not n_repeats:
        return min(finalists, key=lambda runner: runner.order)
    best = max(finalists, key=lambda runner: (judge.mean(runner.placements), -runner.order))
    return min(
        (
            runner
            for runner in finalists
            if not behind(runner, best, judge, as_good if runner.order else anchored)
        ),
        key=lambda runner: runner.order,
    )
