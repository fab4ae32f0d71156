"""A method that is fitted on answers that can't all be true says so, once."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone

from estimators import LINEAR
from pairspace import (
    DCA,
    DSP,
    LFDA,
    S2PPCA,
    SDA,
    SELFDA,
    Constraints,
    ContradictionError,
    ContradictionWarning,
    PairSpace,
)

NEED_CLASSES = (DCA, DSP, LFDA, S2PPCA, SDA, SELFDA)  # so that they can't use contradictions

RANDOM = np.random.default_rng(0)
Y = np.arange(40) % 2
X = RANDOM.normal(size=(40, 5)) + 2 * RANDOM.normal(size=(2, 5))[Y]
MORE = Constraints.from_labels(np.where(np.arange(40) < 6, -1, Y), per_class=8, random_state=0)
CHAIN = Constraints(40, [(0, 2), (2, 4)], [(0, 4)]) | MORE


@pytest.mark.parametrize("estimator", LINEAR, ids=lambda e: type(e).__name__)
def test_linear_methods_warn_with_the_first_chain(estimator):
    fit = clone(estimator).fit
    if isinstance(estimator, NEED_CLASSES):
        with pytest.raises(ContradictionError, match="0 = 2 = 4"):
            fit(X, CHAIN)
        return
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        fit(X, CHAIN)
    told = [one for one in found if issubclass(one.category, ContradictionWarning)]
    assert len(told) == int(estimator.needs.uses_links)
    assert all("0 and 4 are different, but 0 = 2 = 4" in str(one.message) for one in told)


def test_the_number_of_others_is_told():
    answers = CHAIN | Constraints(40, [(1, 3)]) | Constraints(40, [(3, 5)], [(1, 5)])
    with pytest.warns(ContradictionWarning, match=r"\(and 1 more\)"):
        PairSpace(2, random_state=0).fit(X, answers)


def test_the_warning_is_about_the_callers_line():
    with pytest.warns(ContradictionWarning) as told:
        PairSpace(2, random_state=0).fit(X, CHAIN)
    assert told[0].filename == __file__
    assert told[0].message.contradiction.chain == (0, 2, 4)
    again = pickle.loads(pickle.dumps(told[0].message))
    assert (str(again), again.contradiction) == (
        str(told[0].message),
        told[0].message.contradiction,
    )


def test_labels_that_a_chain_joins_are_a_contradiction_too():
    labels = np.full(40, -1)
    labels[[0, 4]] = 0, 1
    with pytest.warns(ContradictionWarning, match="0 and 4 are different, but 0 = 2 = 4"):
        PairSpace(2).fit(X, labels, constraints=Constraints(40, [(0, 2), (2, 4)]))
