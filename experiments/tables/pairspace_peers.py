"""Other libraries' methods on the splits of our study. ``make study-peers`` runs it."""

from experiments.peers import (
    MOST_FEATURES_OF_ITML,
    MOST_FEATURES_OF_MMC,
    MetricLearnITML,
    MetricLearnMMC,
    MetricLearnRCA,
    SemiSupervisedUMAP,
)
from experiments.peers_page import page
from experiments.protocols import ExactPCA, judge_space, mean_of_each
from experiments.table import Table
from experiments.tables import pairspace_study

KNOWN = ("5 pairs a class", "20 pairs a class", "10 % of the labels")

TABLE = Table(
    name="pairspace_peers",
    title="Other libraries",
    datasets=pairspace_study.TABLE.datasets,
    quick_datasets=pairspace_study.TABLE.quick_datasets,
    methods={
        "PCA": ExactPCA,
        "PairSpace": pairspace_study.METHODS["PairSpace"],
        "metric-learn RCA": MetricLearnRCA,
        "metric-learn ITML": MetricLearnITML,
        "metric-learn MMC": MetricLearnMMC,
        "UMAP, semi-supervised": SemiSupervisedUMAP,
    },
    settings={
        setting: how
        for setting, how in pairspace_study.TABLE.settings.items()
        if setting in {f"{known}, standardised" for known in KNOWN}
    },
    folds=2,
    by_default=False,
    prepare=pairspace_study.TABLE.prepare,
    measure=judge_space,
    summarise=mean_of_each,
    document="results/study",
    page=page,
    notes=(
        "The splits are the same. Entries are differences from PCA as above, for the other method "
        "and for PairSpace on the same datasets. metric-learn's methods learn a metric and keep "
        f"all dimensions of the data. ITML was run with at most {MOST_FEATURES_OF_ITML} features "
        f"and MMC with at most {MOST_FEATURES_OF_MMC}, because with more a single fit takes "
        "minutes. UMAP has nine components and learns from labels only. *sets* is the number of "
        "datasets of the half on which the method ran.",
    ),
)
