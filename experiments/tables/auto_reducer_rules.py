"""Selection rules of AutoReducer, compared on datasets that are not in its results."""

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

# The first candidate (PairSpace) is chosen unless it is more than ``anchored`` standard errors (SE)
# behind the best. Otherwise the simplest that is at most ``as_good`` behind the best is chosen.
RULES: Mapping[str, Mapping[str, float]] = {
    "always PairSpace, standardised": {"as_good": 0.0, "anchored": float("inf")},
    "the best candidate": {"as_good": 0.0, "anchored": 0.0},
    "PairSpace unless 1 SE behind, else the simplest within 1 SE": {
        "as_good": 1.0,
        "anchored": 1.0,
    },
    "PairSpace unless 1.5 SE behind, else the simplest within 1 SE": {
        "as_good": 1.0,
        "anchored": 1.5,
    },
    "PairSpace unless 2 SE behind, else the simplest within 1 SE": {
        "as_good": 1.0,
        "anchored": 2.0,
    },
    "PairSpace unless 1.5 SE behind, else the best": {"as_good": 0.0, "anchored": 1.5},
}
# Those and their variants are in the results of AutoReducer.
REPORTED = ("cnae9", "hill_valley_noise", "segment")


def judge_rules(halves: Halves, make: Callable[[int], AutoReducer]) -> dict[str, float]:
    """The 1-NN accuracy of what each rule chooses after the same cross-validation."""
    X, random = halves.X_train, RandomState(0)
    known = Supervision(halves.known, None, len(X))
    scorer, trials, _ = make(min(9, X.shape[1]))._score_candidates(X, known, random, seed=0)
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
    document="results/auto_reducer",
    page=rules_page,
    notes=(
        "1-NN accuracy of the method that each selection rule chooses after the same "
        "cross-validation. The datasets are the development half of the study, without "
        "those of the table above. SE is the standard error of the difference.",
    ),
)
