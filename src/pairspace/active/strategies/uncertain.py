"""The pairs whose answer is least certain."""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints, Pair
from pairspace.active.strategies.context import QuestionContext


class Uncertain:
    """Pairs of medoids whose probability of being the same is nearest to ½.

    A logistic regression on the answers predicts it from the distance in the space. Only medoids
    are compared: they are typical, whereas the least certain of all rows are outliers.
    """

    def pairs(self, context: QuestionContext) -> Iterator[Pair]:
        """All pairs of medoids, the least certain first."""
        space = context.space
        if len(space.medoids) < 2:
            return
        i, j = np.triu_indices(len(space.medoids), k=1)
        i, j = space.medoids[i], space.medoids[j]
        probability = _probability_of_same(context, _lengths(space.embedding, i, j))
        for at in np.argsort(rounded(np.abs(probability - 0.5)), kind="stable"):
            yield int(i[at]), int(j[at])


def _probability_of_same(context: QuestionContext, lengths: Floats) -> Floats:
    pairs = context.log.constraints
    links = np.vstack([pairs.must_link, pairs.cannot_link])
    same = np.arange(len(links)) < len(pairs.must_link)
    if same.all() or not same.any():
        # Both kinds of answers are needed for a regression: ½ at the median distance.
        return expit(np.median(lengths) - lengths)
    known = _lengths(context.space.embedding, links[:, 0], links[:, 1])
    scale = known.std() or 1.0
    model = LogisticRegression(C=10.0).fit(known[:, None] / scale, same)
    return np.asarray(model.predict_proba(lengths[:, None] / scale)[:, 1])


def _lengths(embedding: Floats, i: Ints, j: Ints) -> Floats:
    return rounded(np.sqrt(np.sum((embedding[i] - embedding[j]) ** 2, axis=1)))
