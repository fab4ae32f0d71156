"""Table 5 of the DSP paper: rows that were not there when the space was found."""

from experiments.papers.dsp import DSP_OF_WIDTH, METHODS, F, Identity, cluster, prepare_held_out
from experiments.protocols import mean_of_each
from experiments.table import Table, printed

PAPER = printed("""
            all    DSP
mfeat_all   0.7101 0.9459
isolet      0.5311 0.4740
pendigits   0.5502 0.5873
coil20_16   0.5732 0.7872
""")
DIMENSIONS = {"mfeat_all": 20, "isolet": 20, "pendigits": 5, "coil20_16": 20}
SETTING = "20 pairs a class"

TABLE = Table(
    name="dsp_table5",
    title="DSP, Table 5: F-score of k-means on new rows",
    datasets=tuple(PAPER),
    quick_datasets=("digits",),
    methods={
        "all features": Identity,
        **{method: METHODS[method] for method in ("PCA", "DSP", DSP_OF_WIDTH)},
    },
    settings={SETTING: {"per_class": 20, "n_components": DIMENSIONS}},
    folds=5,
    prepare=prepare_held_out,
    measure=cluster,
    summarise=mean_of_each,
    paper={
        (SETTING, F): {
            dataset: {"all features": row["all"], "DSP": row["DSP"], DSP_OF_WIDTH: row["DSP"]}
            for dataset, row in PAPER.items()
        }
    },
    tolerance=0.04,
    document="reproduction/dsp",
)
