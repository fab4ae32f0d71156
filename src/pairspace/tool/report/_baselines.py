"""What the chosen space is compared with: the rows without a reduction, and PCA."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Score(NamedTuple):
    """The pair AUC of a space on held-out answers, with its standard error."""

    name: str
    mean: float
    standard_error: float
    chosen: bool = False


def baselines(search: Any) -> list[Score]:
    """The chosen candidate of a search, PCA, and the rows without a reduction, best first."""
    if search is None:
        return []
    board, columns = search.leaderboard_, ("name", "mean", "standard_error")
    found = [
        Score(str(name), float(mean), float(error), bool(chosen))
        for name, mean, error, chosen, method in zip(
            *(board[column] for column in (*columns, "chosen", "method")), strict=True
        )
        if (chosen or method == "PCA") and np.isfinite(mean)
    ]
    found += [
        Score(str(name), float(mean), float(error))
        for name, mean, error in zip(
            *(search.baselines_[column] for column in columns), strict=True
        )
    ]
    return sorted(found, key=lambda score: -score.mean)
