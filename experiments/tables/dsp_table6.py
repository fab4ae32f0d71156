"""Table 6 of the DSP paper: processor time, as ratios to PCA."""

from functools import partial

from experiments.figures import Figures
from experiments.papers.dsp import DSP_OF_WIDTH, METHODS
from experiments.papers.dsp_times import OFFLINE, ONLINE, prepare_times, ratios_to_pca
from experiments.protocols import mean_of_each
from experiments.table import Claim, Printed, Table, printed
from experiments.tables.dsp_table5 import DIMENSIONS
from pairspace import LPP, LPPSI, SLPP

# Seconds, as printed: d offline, o online.
PAPER = printed("""
           DSPd   SLPPd  PCA    LPP     LPPSI   DSP   SLPP
mfeat_all  26.359 9.453  11.125 11.469  14.203  0.031 0.031
coil20_16  5.031  3.266  1.516  3.531   29.406  0.000 0.000
isolet     22.938 14.125 20.984 129.656 235.828 0.063 0.063
pendigits  6.375  2.047  0.078  182.125 17.016  0.000 0.000
""")
SETTING = "20 pairs a class"


def _ratios(columns: dict[str, str]) -> Printed:
    return {
        dataset: {
            method: (seconds[column] or 0.0) / (seconds["PCA"] or 1.0)
            for method, column in columns.items()
        }
        for dataset, seconds in PAPER.items()
    }


def _cheapest_online(found: Figures) -> tuple[bool, str]:
    online = found.of(column=ONLINE)
    learned = max(f.ours for m in ("SLPP", DSP_OF_WIDTH) for f in online.of(method=m))
    others = min(f.ours for m in ("LPP", "LPPSI") for f in online.of(method=m))
    return (
        learned < others / 10,
        f"at most {learned:.2f} times PCA, the others at least {others:.1f} times",
    )


def _dsp_learns_longer(found: Figures) -> tuple[bool, str]:
    offline = found.of(column=OFFLINE)
    dsp, slpp = (offline.by_dataset(method=m) for m in (DSP_OF_WIDTH, "SLPP"))
    return (
        all(dsp[d] > slpp[d] for d in dsp),
        ", ".join(f"{d} {dsp[d] / slpp[d]:.1f} times" for d in dsp),
    )


TABLE = Table(
    name="dsp_table6",
    title="DSP, Table 6: running time, as a ratio to PCA",
    datasets=tuple(PAPER),
    quick_datasets=("digits",),
    methods={
        "PCA": METHODS["PCA"],
        "LPP": LPP,
        "LPPSI": LPPSI,
        "SLPP": SLPP,
        DSP_OF_WIDTH: METHODS[DSP_OF_WIDTH],
        "DSP, δ searched": partial(METHODS["DSP"]),
    },
    settings={SETTING: {"per_class": 20, "n_components": DIMENSIONS}},
    prepare=prepare_times,
    measure=ratios_to_pca,
    summarise=mean_of_each,
    paper={
        (SETTING, OFFLINE): _ratios({DSP_OF_WIDTH: "DSPd", "SLPP": "SLPPd"}),
        (SETTING, ONLINE): _ratios(
            {method: method for method in ("PCA", "LPP", "LPPSI", "SLPP")} | {DSP_OF_WIDTH: "DSP"}
        ),
    },
    tolerance=None,
    document="papers/dsp",
    claims=[
        Claim(
            "transforming with a fitted model (DSP, SLPP) costs less than a tenth of the others",
            _cheapest_online,
        ),
        Claim("fitting DSP takes longer than fitting SLPP", _dsp_learns_longer),
    ],
    notes=(
        "The entries are CPU seconds of one thread, the minimum of several runs, divided "
        "by those of PCA on the same data (fit and transform of all rows, few components "
        "by Lanczos). The paper's entries are its printed seconds, divided in the same "
        "way. A fifth of the rows is used for fitting, and all rows are transformed. "
        "Ratios of two programs on two machines need not agree closely, so no deviation "
        "is judged. The zeros in the paper are below the resolution of its clock.",
    ),
)
