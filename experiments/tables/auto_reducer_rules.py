"""By which rule AutoReducer should choose: tried on datasets that it is not reported on."""

from collections.abc import Callable, Mapping
from functools import partial

from numpy.random import RandomState

from experiments.choosing import rules_page
from experiments.halves import CHOSEN_ON
from experiments.protocols import Halves, judged, mean_of_each, prepare_halves
from experiments.table import Table
from pairspace import AutoReducer
from pairspace.base import Supervision, fitted
from pairspace.model_selection._race import choose

# The first candidate is left if it is more than ``anchored`` standard errors behind the best; then
# the simplest is taken of those that are no more than ``as_good`` behind.
RULES: Mapping[str, Mapping[str, float]] = {
    "PairSpace, standardised, always": {"as_good": 0.0, "anchored": float("inf")},
    "the best as it comes": {"as_good": 0.0, "anchored": 0.0},
    "one standard error": {"as_good": 1.0, "anchored": 1.0},
    "1.5 to leave PairSpace, then one": {"as_good": 1.0, "anchored": 1.5},
    "two to leave PairSpace, then one": {"as_good": 1.0, "anchored": 2.0},
    "1.5 to leave PairSpace, then the best": {"as_good": 0.0, "anchored": 1.5},
}
# Those and their variants are in the table that AutoReducer is reported on.
REPORTED = ("cnae9", "hill_valley_noise", "segment")


def judge_rules(halves: Halves, make: Callable[[int], AutoReducer]) -> dict[str, float]:
    """The 1-NN accuracy of what each rule chooses after one and the same race."""
    X, random = halves.X_train, RandomState(0)
    known = Supervision(halves.known, None, len(X))
    scorer, trials = make(min(9, X.shape[1]))._score_candidates(X, known, random, seed=0)
    able = [trial for trial in trials if not trial.error]
    accuracy: dict[str, float] = {}
    found = {}
    for rule, thresholds in RULES.items():
        chosen = choose(able, scorer, **thresholds).candidate
        if chosen.name not in accuracy:
            space = fitted(chosen.pipeline, X, known)
            accuracy[chosen.name] = judged(halves, space)["accuracy"]
        found[rule] = accuracy[chosen.name]
    return found


TABLE = Table(
    name="auto_reducer_rules",
    title="The rule, chosen on other datasets",
    datasets=tuple(name for name in CHOSEN_ON if name not in REPORTED),
    quick_datasets=("wine",),
    methods={"AutoReducer": AutoReducer},
    settings={
        "5 pairs a class": {"per_class": 5},
        "20 pairs a class": {"per_class": 20},
    },
    folds=2,
    by_default=False,
    prepare=partial(prepare_halves, max_rows=1200),
    measure=judge_rules,
    summarise=mean_of_each,
    document="choosing_results",
    page=rules_page,
    notes=(
        "The half of the study's datasets on which PairSpace was made, without those that are in "
        "the table above: 1-NN of what each rule chooses after the same race.",
    ),
)
