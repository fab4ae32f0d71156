"""The pairs of which it is least sure whether they are the same."""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints, Pair
from pairspace.active.strategies.situation import Situation


class Uncertain:
    """Pairs of medoids whose chance to be the same is nearest to ½.

    The chance falls with the distance in the space, as a logistic regression on the answers has it.
    Only medoids of regions are compared: they are typical, where the least certain of all rows are
    outliers.
    """

    def pairs(self, situation: Situation) -> Iterator[Pair]:
        """All pairs of medoids, the least certain first."""
        space = situation.space
        if len(space.medoids) < 2:
            return
        i, j = np.triu_indices(len(space.medoids), k=1)
        i, j = space.medoids[i], space.medoids[j]
        chance = _chance_of_same(situation, _lengths(space.embedding, i, j))
        for at in np.argsort(rounded(np.abs(chance - 0.5)), kind="stable"):
            yield int(i[at]), int(j[at])


def _chance_of_same(situation: Situation, lengths: Floats) -> Floats:
    pairs = situation.answers.constraints
    links = np.vstack([pairs.must_link, pairs.cannot_link])
    same = np.arange(len(links)) < len(pairs.must_link)
    if same.all() or not same.any():
        # Nothing to learn from yet: even chances at the median.
        return expit(np.median(lengths) - lengths)
    known = _lengths(situation.space.embedding, links[:, 0], links[:, 1])
    scale = known.std() or 1.0
    model = LogisticRegression(C=10.0).fit(known[:, None] / scale, same)
    return np.asarray(model.predict_proba(lengths[:, None] / scale)[:, 1])


def _lengths(embedding: Floats, i: Ints, j: Ints) -> Floats:
    return rounded(np.sqrt(np.sum((embedding[i] - embedding[j]) ** 2, axis=1)))
