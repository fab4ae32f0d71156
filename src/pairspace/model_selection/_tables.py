"""What the candidates of AutoReducer have in common, computed once."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from pairspace._core.data import rows_of
from pairspace._core.typing import Floats
from pairspace.base import fitted
from pairspace.linear import LinearReducer
from pairspace.model_selection._candidates import AS_GIVEN, UNSUPERVISED, Candidate
from pairspace.model_selection._scorer import PairScorer
from pairspace.model_selection._splits import Split
from pairspace.model_selection._validation import held_out_ranks


class SharedTables:
    """The table in each scaling, with its scatter, coordinates and neighbours.

    Neither depends on what is held out, so all candidates of all folds share them. PCA is fitted
    once for all folds. Estimators of the user are fitted as they are. Parallel workers get the
    table alone, and have what they share for themselves.
    """

    def __init__(self, X: Any) -> None:
        self._X = X
        self._scaled: dict[str, _Scaled] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {"_X": self._X, "_scaled": {}}

    def held_out_ranks(self, candidate: Candidate, split: Split, scorer: PairScorer) -> Floats:
        """Fit a candidate without the held-out pairs, and rank these."""
        if candidate.scaling == AS_GIVEN:
            return held_out_ranks(candidate.pipeline, self._X, split, scorer)
        if candidate.scaling not in self._scaled:
            self._scaled[candidate.scaling] = _Scaled(candidate, self._X)
        table = self._scaled[candidate.scaling]
        return scorer.ranks(table.space(candidate, split), table.X, split.held_out)


class _Scaled:
    def __init__(self, candidate: Candidate, X: Any) -> None:
        before = clone(candidate.pipeline[:-1])
        self.X = before.fit_transform(X) if len(before) else X
        self._rows = rows_of(self.X)
        self._rows.shared = True
        self._pca: Any = None

    def space(self, candidate: Candidate, split: Split) -> Any:
        method = candidate.pipeline[-1]
        if candidate.method == UNSUPERVISED:
            if self._pca is None:
                self._pca = clone(method).fit(self.X)
            return self._pca
        if not isinstance(method, LinearReducer):
            return fitted(method, self.X, split.train)
        return fitted(method, self._rows, split.train)
