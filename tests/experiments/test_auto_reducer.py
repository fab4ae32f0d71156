"""The tables and pages of AutoReducer."""

from experiments import results
from experiments.choosing import page as choosing_page
from experiments.runner import run
from experiments.table import Cell, Split
from experiments.tables import auto_reducer, auto_reducer_rules


def records_of_choosing(accuracies, setting="5 pairs a class"):
    """A record a method and dataset: both folds alike."""
    return {
        Cell(Split(dataset, setting, 0, 0), method): {
            "metrics": {
                "accuracy": accuracy,
                "ari": 0.5,
                "pair_auc": 0.75,
                **({"chosen": "PairSpace, raw"} if method == "AutoReducer" else {}),
            }
        }
        for method, by_dataset in accuracies.items()
        for dataset, accuracy in by_dataset.items()
    }


def test_the_page_of_auto_reducer_compares_on_the_same_datasets():
    records = records_of_choosing(
        {
            "AutoReducer": {"seeds": 0.9, "heart": 0.8},
            "PCA, standardised": {"seeds": 0.85, "heart": 0.75},
            "PairSpace, standardised": {"seeds": 0.9, "heart": 0.83},
            "WBDR, raw": {"seeds": 1.0},  # not on all datasets: not the best
            "UMAP, semi-supervised": {"seeds": 0.95},
        }
    )
    text = choosing_page(auto_reducer.TABLE, records)
    best = "below the best single method, PairSpace, standardised"
    assert f"at most 0.005 {best} | 0.850 | 0.865 | -0.015 | 2 | missed by 0.010 |" in text
    assert "above PCA, standardised | 0.850 | 0.800 | +0.050 | 2 | reached |" in text
    assert "above UMAP, semi-supervised | 0.900 | 0.950 | -0.050 | 1 | missed by 0.050 |" in text
    assert "| PairSpace, raw | 2 |" in text
    assert "| WBDR, raw | 1.000 | 0.500 | 0.750 | 1 |" in text
    assert "10 % of the labels" not in text


def test_auto_reducer_is_measured_with_its_choice(tmp_path):
    cells = [
        cell
        for cell in auto_reducer.TABLE.cells(quick=True)
        if cell.method in ("AutoReducer", "PCA, raw")
        and cell.split[1:] == ("5 pairs a class", 0, 0)
    ]
    file = tmp_path / "auto_reducer.jsonl"
    run(auto_reducer.TABLE, file, cells, n_jobs=1)
    by_method = {cell.method: record for cell, record in results.read(file).items()}
    assert by_method["AutoReducer"]["metrics"]["chosen"].endswith(("standardised", "raw"))
    assert by_method["AutoReducer"]["metrics"]["accuracy"] > 0.85
    assert "chosen" not in by_method["PCA, raw"]["metrics"]


def test_rules_choose_after_the_same_race(tmp_path):
    table = auto_reducer_rules.TABLE
    file = tmp_path / "auto_reducer_rules.jsonl"
    run(table, file, table.cells(quick=True)[:1], n_jobs=1)
    ((cell, record),) = results.read(file).items()
    found = record["metrics"]
    assert set(found) == set(auto_reducer_rules.RULES)
    assert found["always PairSpace, standardised"] > 0.85
    text = auto_reducer_rules.rules_page(table, results.read(file))
    for rule, accuracy in found.items():
        assert f"| {cell.split.setting} | {rule} | {accuracy:.4f} | 1 |" in text
    assert not set(table.datasets) & set(auto_reducer.TABLE.datasets)
