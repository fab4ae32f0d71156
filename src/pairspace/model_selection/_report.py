"""The leaderboard and the summary of AutoReducer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pairspace._core.frames import frame_of
from pairspace.model_selection._candidates import UNSUPERVISED
from pairspace.model_selection._race import Trial
from pairspace.model_selection._scorer import MIN_PAIRS, PairScorer

NEGLIGIBLE = 0.005  # of pair AUC: shown as 0.00


def leaderboard(trials: Sequence[Trial], best: Trial, scorer: PairScorer) -> Any:
    """A row for each candidate, by number of repeats, then by pair AUC; failed ones last."""
    pca = best_unsupervised(trials, scorer)
    rows = sorted(trials, key=lambda trial: _place(trial, scorer))
    columns: dict[str, list[Any]] = {"rank": list(range(1, len(rows) + 1))}
    for name in ("name", "method", "scaling"):
        columns[name] = [getattr(trial.candidate, name) for trial in rows]
    columns["mean"] = [_mean(trial, scorer) for trial in rows]
    columns["standard_error"] = [
        scorer.standard_error(trial.placements) if trial.n_repeats else np.nan for trial in rows
    ]
    ahead = [difference(trial, pca, scorer) for trial in rows]
    columns["over_pca"] = [mean for mean, _ in ahead]
    columns["over_pca_error"] = [error for _, error in ahead]
    columns["folds"] = [sum(ranks is not None for ranks in trial.ranks) for trial in rows]
    columns["seconds"] = [trial.seconds for trial in rows]
    columns["chosen"] = [trial is best for trial in rows]
    columns["error"] = [trial.error for trial in rows]
    return frame_of(columns)


def scores(trials: Sequence[Trial], scorer: PairScorer) -> Any:
    """The scores of those that were scored."""
    scored = [trial for trial in trials if trial.n_repeats]
    return frame_of(
        {
            "name": [trial.candidate.name for trial in scored],
            "mean": [_mean(trial, scorer) for trial in scored],
            "standard_error": [scorer.standard_error(trial.placements) for trial in scored],
        }
    )


def summary(trials: Sequence[Trial], best: Trial, scorer: PairScorer) -> str:
    """What was chosen, its score, and whether the answers help."""
    name = best.candidate.name
    answers = f"{scorer.n_must} same, {scorer.n_cannot} different"
    if not best.n_repeats:
        return (
            f"Chosen without cross-validation: {name}. There are too few pairs ({answers}): at "
            f"least {MIN_PAIRS} of a kind are needed."
        )
    chosen = (
        f"Chosen from {len(trials)} candidate{'s' * (len(trials) != 1)}: {name}. Pair AUC "
        f"{_mean(best, scorer):.2f} ± {scorer.standard_error(best.placements):.2f} on held-out "
        f"pairs ({answers})"
    )
    pca = best_unsupervised(trials, scorer)
    if pca is None:
        return f"{chosen}."
    if best.candidate.method == UNSUPERVISED:
        return f"{chosen}. The answers do not help: no method that uses them is clearly better."
    ahead, error = difference(best, pca, scorer)
    compared = (
        f"{chosen}, {abs(ahead):.2f} ± {error:.2f} {'below' if ahead < 0 else 'above'} "
        f"{pca.candidate.name}."
    )
    if abs(ahead) < NEGLIGIBLE:
        return f"{compared} The answers make no difference."
    if ahead > 2 * error:
        return f"{compared} The answers help."
    if ahead > error:
        return f"{compared} The answers seem to help, but this may be chance."
    return f"{compared} The answers are too few to tell the two apart."


def best_unsupervised(trials: Sequence[Trial], scorer: PairScorer) -> Trial | None:
    """The best of the candidates that do not use the answers."""
    found = [
        trial for trial in trials if trial.candidate.method == UNSUPERVISED and trial.n_repeats
    ]
    return max(found, key=lambda trial: _mean(trial, scorer), default=None)


def difference(trial: Trial, other: Trial | None, scorer: PairScorer) -> tuple[float, float]:
    """The difference of two candidates' pair AUC on the same pairs, and its standard error."""
    if other is None or not trial.n_repeats or not other.n_repeats:
        return np.nan, np.nan
    ahead = trial.placements - other.placements
    return scorer.mean(ahead), scorer.standard_error(ahead)


def _place(trial: Trial, scorer: PairScorer) -> tuple[Any, ...]:
    mean = _mean(trial, scorer)
    return bool(trial.error), -trial.n_repeats, -mean if mean == mean else np.inf, trial.order


def _mean(trial: Trial, scorer: PairScorer) -> float:
    return scorer.mean(trial.placements) if trial.n_repeats else np.nan
