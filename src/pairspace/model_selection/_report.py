"""What AutoReducer says about its choice: a table and a few sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pairspace.model_selection._candidates import UNSUPERVISED
from pairspace.model_selection._judge import MIN_JUDGED, Judge
from pairspace.model_selection._race import Runner

WORTH_SAYING = 0.005  # of pair AUC: what is shown as 0.00 helps nobody, however sure it is


def leaderboard(runners: Sequence[Runner], best: Runner, judge: Judge) -> Any:
    """A row for each candidate: those of most repeats first, by pair AUC; failed ones last."""
    plain = best_plain(runners, judge)
    rows = sorted(runners, key=lambda runner: _place(runner, judge))
    columns: dict[str, list[Any]] = {"rank": list(range(1, len(rows) + 1))}
    for name in ("name", "method", "scaling"):
        columns[name] = [getattr(runner.candidate, name) for runner in rows]
    columns["mean"] = [_mean(runner, judge) for runner in rows]
    columns["standard_error"] = [
        judge.standard_error(runner.placements) if runner.n_repeats else np.nan for runner in rows
    ]
    ahead = [difference(runner, plain, judge) for runner in rows]
    columns["over_pca"] = [mean for mean, _ in ahead]
    columns["over_pca_error"] = [error for _, error in ahead]
    columns["folds"] = [sum(ranks is not None for ranks in runner.ranks) for runner in rows]
    columns["seconds"] = [runner.seconds for runner in rows]
    columns["chosen"] = [runner is best for runner in rows]
    columns["error"] = [runner.error for runner in rows]
    try:
        import pandas as pd
    except ImportError:
        return columns
    return pd.DataFrame(columns)


def summary(runners: Sequence[Runner], best: Runner, judge: Judge) -> str:
    """What was chosen and how sure that is."""
    name = best.candidate.name
    answers = f"{judge.n_must} same and {judge.n_cannot} different"
    if not best.n_repeats:
        return (
            f"{name} was taken without trying: {answers} are too few to hold some out "
            f"(at least {MIN_JUDGED} of a kind are needed)."
        )
    score = f"{_mean(best, judge):.2f} ± {judge.standard_error(best.placements):.2f}"
    said = (
        f"{name} was chosen of {len(runners)} candidate{'s' * (len(runners) != 1)}: held-out pairs "
        f"({answers}) give it a pair AUC of {score}"
    )
    plain = best_plain(runners, judge)
    if plain is None:
        return f"{said}."
    if best.candidate.method == UNSUPERVISED:
        return (
            f"{said}, and no method that learns from the answers does better by more than chance: "
            "here they do not help."
        )
    ahead, error = difference(best, plain, judge)
    how = f"{ahead:+.2f} ± {error:.2f} against {plain.candidate.name}"
    if abs(ahead) < WORTH_SAYING:
        return f"{said}, {how}: as good as without answers."
    if ahead > 2 * error:
        return f"{said}, {how}: the answers help."
    if ahead > error:
        return f"{said}, {how}: the answers seem to help, but it may be chance."
    return f"{said}, {how}: these answers can't tell the two apart."


def best_plain(runners: Sequence[Runner], judge: Judge) -> Runner | None:
    """The better of the candidates that learn nothing from the answers."""
    plain = [
        runner for runner in runners if runner.candidate.method == UNSUPERVISED and runner.n_repeats
    ]
    return max(plain, key=lambda runner: _mean(runner, judge), default=None)


def difference(runner: Runner, other: Runner | None, judge: Judge) -> tuple[float, float]:
    """How far it is ahead of another on the same pairs, and the standard error of that."""
    if other is None or not runner.n_repeats or not other.n_repeats:
        return np.nan, np.nan
    ahead = runner.placements - other.placements
    return judge.mean(ahead), judge.standard_error(ahead)


def _place(runner: Runner, judge: Judge) -> tuple[Any, ...]:
    mean = _mean(runner, judge)
    return bool(runner.error), -runner.n_repeats, -mean if mean == mean else np.inf, runner.order


def _mean(runner: Runner, judge: Judge) -> float:
    return judge.mean(runner.placements) if runner.n_repeats else np.nan
