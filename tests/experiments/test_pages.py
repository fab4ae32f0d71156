"""The pages of our own studies count right, and the committed ones are up to date."""

import re
from pathlib import Path

import pytest
import scipy
from matplotlib.figure import Figure
from sklearn.utils.fixes import parse_version

from experiments.__main__ import main
from experiments.curves import means_over_sets
from experiments.figures import figures
from experiments.halves import CHOSEN_ON, FAMILIES, REPORTED_ON
from experiments.label_study import page as label_study_page
from experiments.peers_page import page as peers_page
from experiments.study import page as study_page
from experiments.table import Cell, Split
from experiments.tables import label_study, pairspace_peers, pairspace_study

DOCS = Path(__file__).parents[2] / "docs"
# Of few pairs with ties, older versions approximate the p-value of Wilcoxon's test.
EXACT_WITH_TIES = parse_version(scipy.__version__) >= parse_version("1.13")


@pytest.mark.filterwarnings("ignore:Exact p-value calculation", "ignore:Sample size too small")
def test_the_committed_pages_are_made_from_the_committed_results(tmp_path, monkeypatch):
    # The pictures are compared by name, since another matplotlib may draw the same otherwise: to
    # write them would take most of the time. The quick runs of test_tables.py write some.
    monkeypatch.setattr(Figure, "savefig", lambda figure, file, **_: file.write("<svg>"))
    main(["report", "--output", str(tmp_path)])
    made = {file.relative_to(tmp_path): file for file in tmp_path.rglob("*.md")}
    papers = {"bwdr", "sswmv", "dsp", "lecas", "reproduction"}
    ours = {
        *("auto_reducer", "groups_study", "label_study", "labelling_study"),
        *("programs_study", "ranks", "study"),
    }
    pages = [Path("papers", f"{name}.md") for name in papers]
    assert set(made) == {*pages, *(Path("results", f"{name}.md") for name in ours)}
    for name, file in made.items():
        committed = (DOCS / name).read_text(encoding="utf-8")
        if name.stem != "sswmv" or EXACT_WITH_TIES:
            assert file.read_text(encoding="utf-8") == committed, "run `make report`"
        for picture in re.findall(r"\]\(([^)]*\.svg)\)", committed):
            assert (DOCS / name).parent.joinpath(picture).is_file(), "run `make report`"


def test_the_study_compares_with_pca_on_both_halves():
    study = pairspace_study.TABLE
    setting = "5 pairs a class, standardised"
    records = {}
    for number, dataset in enumerate((*CHOSEN_ON, *REPORTED_ON)):
        for method, gain in (("PCA", 0.0), ("PairSpace", 0.05 if number else -0.15)):
            metrics = {"accuracy": 0.5 + gain, "ari": 0.5 + gain, "pair_auc": 0.5}
            records[Cell(Split(dataset, setting, 0, 0), method)] = {"metrics": metrics}
    text = study_page(study, records)
    chosen, reported = 0.05 - 0.2 / len(CHOSEN_ON), 0.05
    row = next(
        line for line in text.splitlines() if line.startswith(f"| {setting} | {chosen:+.3f}")
    )
    assert f"{chosen:+.3f} (-0.150)" in row
    assert f"{reported:+.3f} (+0.050)" in row
    assert f"| {setting} | 1-NN minus PCA | +0.035 | +0.050 | reached |" in text
    assert f"| {setting} | ARI minus PCA | +0.120 | +0.050 | missed by 0.070 |" in text
    assert (
        f"| {setting} | mean rank by 1-NN among linear methods | the best | 1.0 | reached |" in text
    )


def records_of(setting, accuracy):
    """One cell for each method and dataset of the held-out half, with this accuracy."""
    return {
        Cell(Split(dataset, setting, 0, 0), method): {
            "metrics": {"accuracy": value, "ari": value / 2, "pair_auc": 0.5}
        }
        for method, of_sets in accuracy.items()
        for dataset, value in zip(REPORTED_ON, of_sets, strict=False)
    }


def test_targets_are_checked_on_the_worst_set_the_best_method_and_the_ranks():
    n_sets = len(REPORTED_ON)
    few, many = "5 pairs a class, standardised", "30 % of all pairs, standardised"
    of_few = {
        "PCA": [0.5] * n_sets,
        "PairSpace": [0.47] + [0.6] * (n_sets - 1),
        "SSDR": [0.48] + [0.59] * (n_sets - 1),
        "LE": [1.0] * n_sets,  # not linear
        "LDA, shrunk": [0.99],  # not on every dataset: it is not ranked
    }
    of_many = {
        "PCA": [0.5] * n_sets,
        "PairSpace": [0.6] * n_sets,
        "WBDR": [0.7] * n_sets,
        "LDA, shrunk": [0.99],
    }
    text = study_page(
        pairspace_study.TABLE, {**records_of(few, of_few), **records_of(many, of_many)}
    )
    worst = f"1-NN minus PCA on the worst dataset ({REPORTED_ON[0]})"
    assert f"| {few} | {worst} | -0.020 | -0.030 | missed by 0.010 |" in text
    assert (
        f"| {many} | 1-NN minus the best method (WBDR) | -0.005 | -0.100 | missed by 0.095 |"
        in text
    )
    rank = 1 + 2 / n_sets
    ranked = "mean rank by 1-NN among linear methods"
    assert f"| {few} | {ranked} | the best | {rank:.1f} | reached |" in text


def test_other_libraries_stand_beside_pairspace_on_their_own_datasets():
    setting = "5 pairs a class, standardised"
    accuracy = {"PCA": [0.5, 0.5], "PairSpace": [0.6, 0.9], "metric-learn RCA": [0.55]}
    text = peers_page(pairspace_peers.TABLE, records_of(setting, accuracy))
    row = "| metric-learn RCA | held-out | +0.050 (+0.050) | +0.100 (+0.100) | +0.025 (+0.025) |"
    assert row in text
    assert "UMAP, semi-supervised |" not in text
    assert "20 pairs a class" not in text


def test_a_curve_has_only_points_of_the_whole_half():
    n_sets = len(REPORTED_ON)
    records = {
        **records_of("0 pairs, standardised", {"SSDR": [0.4] * (n_sets - 1)}),
        **records_of("2 pairs a class, standardised", {"SSDR": [0.5] * n_sets}),
        **records_of("50 pairs a class, standardised", {"SSDR": [0.8] * n_sets}),
    }
    values = figures(pairspace_study.TABLE, records)
    assert means_over_sets(values, "accuracy", "SSDR") == pytest.approx({2: 0.5, 50: 0.8})
    assert means_over_sets(values, "ari", "SSDR") == pytest.approx({2: 0.25, 50: 0.4})
    assert means_over_sets(values, "ari", "PCA") == {}


def test_halves_share_no_dataset_and_no_family():
    assert not set(CHOSEN_ON) & set(REPORTED_ON)
    for family in FAMILIES:
        assert set(family) <= set(CHOSEN_ON) or set(family) <= set(REPORTED_ON)


def test_the_study_of_labels_compares_with_pairspace():
    study = label_study.TABLE
    gains = {"PCA": 0.0, "PairSpace": 0.1, "SDA": 0.05, "LFDA": 0.15}
    records = {}
    for number, dataset in enumerate(study.datasets):
        for setting in study.settings:
            for method, gain in gains.items():
                found = 0.5 + gain + (0.01 * (number % 2) if method == "LFDA" else 0.0)
                metrics = {"accuracy": found, "ari": found, "pair_auc": found}
                records[Cell(Split(dataset, setting, 0, 0), method)] = {"metrics": metrics}
    rows = [line.split(" | ") for line in label_study_page(study, records).splitlines()]
    beside = {(row[0], row[1]): row[2:] for row in rows if len(row) == 9}
    n_held_out = len(REPORTED_ON)
    assert beside["| SDA", "5"][0] == "-0.050 ± 0.000"
    assert beside["| SDA", "20"][-1].startswith(f"0 of {n_held_out}")
    assert beside["| LFDA", "10"][-1].startswith(f"{n_held_out} of {n_held_out}")
    clear = {row[0]: row[1:] for row in rows if len(row) == 3}
    assert clear["| SDA"] == ["none", f"{len(study.datasets)} |"]
    assert clear["| LFDA"] == [", ".join(study.datasets), "0 |"]
