"""AutoReducer on the datasets of the BWDR/WBDR paper, against every single method and others."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from experiments.choosing import page
from experiments.papers.bwdr import load_as_in_the_paper
from experiments.peers import (
    MetricLearnITML,
    MetricLearnLMNN,
    MetricLearnMMC,
    MetricLearnNCA,
    MetricLearnRCA,
    SemiSupervisedUMAP,
)
from experiments.protocols import ExactPCA, Halves, fitted, judged, mean_of_each, prepare_halves
from experiments.table import Table
from experiments.tables import bwdr_table2, pairspace_study
from pairspace import AutoReducer, PairSpace

# Compared as one method for all datasets. Left out: methods that take only labels, and methods
# that are far behind in the study.
SINGLE = (
    "PCA",
    "PairSpace",
    "PairSpace, fixed weights",
    "BWDR, shrunk",
    "WBDR",
    "WBDR, shrunk",
    "SSDR",
    "CFLD, shrunk",
    "DCA, shrunk",
    "MMC",
    "WMV",
    "LPP",
)


def standardised(make: Callable[[int], Any], n_components: int) -> Any:
    """The method after a scaler."""
    return make_pipeline(StandardScaler(), make(n_components))


def all_components(n_components: int) -> Any:
    """PairSpace as a metric: no dimension is dropped."""
    return PairSpace(None, teacher=None, random_state=0)


def itml_then_pca(n_components: int) -> Any:
    """ITML's space has all dimensions of the data; this one has as many as the others."""
    return make_pipeline(MetricLearnITML(n_components), ExactPCA(n_components))


def judge_choice(halves: Halves, make: Callable[[int], Any]) -> dict[str, Any]:
    """A space of at most 9 components, and which method it is of if that was chosen."""
    space = fitted(make, 9, halves.X_train, halves.known)
    found: dict[str, Any] = judged(halves, space)
    return {**found, "chosen": space.best_name_} if hasattr(space, "best_name_") else found


def mean_of_numbers(metrics: Sequence[Any]) -> dict[str, float]:
    """The mean of every metric over the folds; names are counted on the page."""
    return mean_of_each(
        [{name: cell[name] for name in cell if name != "chosen"} for cell in metrics]
    )


TABLE = Table(
    name="auto_reducer",
    title="AutoReducer against the best single method, PCA and other libraries",
    datasets=bwdr_table2.TABLE.datasets,
    quick_datasets=("wine",),
    methods={
        "AutoReducer": partial(AutoReducer, random_state=0),
        **{
            f"{name}, standardised": partial(standardised, pairspace_study.METHODS[name])
            for name in SINGLE
        },
        "PairSpace, all components, standardised": partial(standardised, all_components),
        **{f"{name}, raw": pairspace_study.METHODS[name] for name in SINGLE},
    },
    peers={
        name: partial(standardised, make)
        for name, make in {
            "metric-learn RCA": MetricLearnRCA,
            "metric-learn ITML": MetricLearnITML,
            "metric-learn ITML, then PCA": itml_then_pca,
            "metric-learn MMC": MetricLearnMMC,
            "metric-learn NCA": MetricLearnNCA,
            "metric-learn LMNN": MetricLearnLMNN,
            "UMAP, semi-supervised": SemiSupervisedUMAP,
        }.items()
    },
    settings={
        "5 pairs a class": {"per_class": 5},
        "10 % of the labels": {"labels": 0.1},
    },
    folds=2,
    load=load_as_in_the_paper,
    prepare=partial(prepare_halves, max_rows=1200),
    measure=judge_choice,
    summarise=mean_of_numbers,
    document="results/auto_reducer",
    page=page,
    notes=(
        "One half of the rows is for training, with pairs or labels of some of them. The "
        "other half evaluates a space of at most nine components by 1-NN: the share of "
        "its rows whose nearest training row has the same label. The halves are swapped "
        "once. At most 1,200 rows are used. AutoReducer gets raw columns and chooses the "
        "scaling. Every other method of this package is run on standardised and on raw "
        "columns, those of other libraries on standardised columns. A single method that "
        "can't have nine components gets as many as it can. AutoReducer drops such a "
        "candidate. The *best single method* is the one with the best mean in the results, which "
        "nobody knows beforehand.",
        "metric-learn's RCA, ITML and MMC take pairs and keep all dimensions of the data, "
        "which can be an advantage over nine; ITML is therefore also run with PCA after "
        "it. ITML was run with at most 100 features and MMC with at most 15, because with "
        "more a single fit takes minutes. RCA also takes labels. NCA, LMNN and UMAP take "
        "only labels; NCA and LMNN use the labelled rows alone.",
        "Nothing about AutoReducer was chosen on these datasets. Three of them (cnae9, "
        "hill_valley_noise and a variant of segment2100) are in the development half of "
        "PairSpace.",
    ),
)
