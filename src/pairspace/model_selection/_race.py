"""Candidates scored on the same held-out pairs, fewer of them in each repeat."""

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
from pairspace.model_selection._scorer import PairScorer
from pairspace.model_selection._splits import Split
from pairspace.model_selection._tables import SharedTables
from pairspace.model_selection._validation import placements

KEPT = 0.5  # the share of candidates that go on after each repeat
# Standard errors of the difference to the best. Up to AS_GOOD a candidate counts as good as the
# best. The first candidate is replaced beyond ANCHORED only, since the best of many is ahead by
# chance. Beyond FAR a candidate is dropped after a repeat.
AS_GOOD, ANCHORED, FAR = 1.0, 1.5, 2.0


@dataclass
class Trial:
    """A candidate and its scores."""

    candidate: Candidate
    order: int  # of simplicity
    ranks: list[Floats] = field(default_factory=list)
    n_repeats: int = 0  # in which it was scored
    placements: Floats = field(default_factory=lambda: np.empty(0))  # means over these repeats
    seconds: float = 0.0
    error: str = ""


def race(
    trials: Sequence[Trial],
    tables: SharedTables,
    repeats: Sequence[Sequence[Split]],
    scorer: PairScorer,
    *,
    always_keep: Callable[[Trial], bool],
    n_jobs: int | None,
    log: Callable[[str, int], None],
) -> None:
    """Score all candidates in the first repeat, then the better half and those always kept."""
    running = list(trials)
    for at, repeat in enumerate(repeats, start=1):
        log(f"repeat {at} of {len(repeats)}: {len(running)} candidates × {len(repeat)} folds", 1)
        results = Parallel(n_jobs=n_jobs, return_as="generator")(
            delayed(_scored)(trial.candidate, tables, split, scorer)
            for trial in running
            for split in repeat
        )
        for place, trial in enumerate(running, start=1):
            for ranks, seconds, error in [next(results) for _ in repeat]:
                trial.ranks.append(ranks)
                trial.seconds += seconds
                trial.error = trial.error or error
            if not trial.error:
                trial.n_repeats = at
                trial.placements = placements(scorer, repeats[:at], trial.ranks)
            found = trial.error or f"pair AUC {scorer.mean(trial.placements):.3f}"
            about = f"{trial.candidate.name}: {found} ({trial.seconds:.1f} s)"
            log(f"{place} of {len(running)}, {about}", 2)
        running = [trial for trial in running if not trial.error]
        running.sort(key=lambda trial: -scorer.mean(trial.placements))
        if at < len(repeats) and running:
            n_kept = max(int(np.ceil(KEPT * len(running))), 2)
            running = [
                trial
                for place, trial in enumerate(running)
                if always_keep(trial)
                or (place < n_kept and not behind(trial, running[0], scorer, FAR))
            ]


def behind(trial: Trial, best: Trial, scorer: PairScorer, n_errors: float) -> bool:
    """Whether it is behind by more than this many standard errors of the difference."""
    difference = best.placements - trial.placements
    return scorer.mean(difference) > n_errors * scorer.standard_error(difference)


def _scored(
    candidate: Candidate, tables: SharedTables, split: Split, scorer: PairScorer
) -> tuple[Any, float, str]:
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the chosen one is fitted again and warns then
        try:
            ranks, error = tables.held_out_ranks(candidate, split, scorer), ""
        except Exception as raised:  # reported on the leaderboard; the others go on
            ranks, error = None, f"{type(raised).__name__}: {raised}"
    return ranks, time.perf_counter() - start, error


def choose(
    trials: Sequence[Trial],
    scorer: PairScorer,
    *,
    as_good: float = AS_GOOD,
    anchored: float = ANCHORED,
) -> Trial:
    """The first candidate unless it is clearly behind; then the simplest as good as the best.

    Only candidates scored in all repeats are compared. The standard error is that of the
    difference on the same pairs.
    """
    n_repeats = max(trial.n_repeats for trial in trials)
    finalists = [trial for trial in trials if trial.n_repeats == n_repeats]
    if not n_repeats:
        return min(finalists, key=lambda trial: trial.order)
    best = max(finalists, key=lambda trial: (scorer.mean(trial.placements), -trial.order))
    return min(
        (
            trial
            for trial in finalists
            if not behind(trial, best, scorer, as_good if trial.order else anchored)
        ),
        key=lambda trial: trial.order,
    )
