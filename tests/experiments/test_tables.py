"""The declared tables, the command that runs them, and the page beside the paper."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from experiments import results
from experiments.__main__ import main
from experiments.figures import figures, mean_deviation
from experiments.papers import bwdr
from experiments.report import page
from experiments.runner import run
from experiments.table import Table, all_tables
from experiments.tables import dsp_table6
from experiments.tables.bwdr_table2 import TABLE as TABLE_2
from pairspace.datasets import catalogue, load

COLUMN = bwdr.BEST
DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("declared", all_tables(), ids=lambda table: table.name)
def test_tables_are_sound(declared):
    assert set(declared.datasets) | set(declared.quick_datasets) <= set(catalogue())
    quick = declared.cells(quick=True)
    assert quick
    for dataset in declared.quick_datasets:
        load(dataset, download_if_missing=False)
    assert len(set(declared.cells())) == len(declared.cells())
    assert {setting for setting, _ in declared.paper} <= set(declared.settings)
    for numbers in declared.paper.values():
        assert set(numbers) <= set(declared.datasets)
        for by_method in numbers.values():
            assert set(by_method) <= set(declared.methods)


def test_a_quick_run_and_its_page(tmp_path, capsys):
    options = ["bwdr_table2", "--results", str(tmp_path)]
    main(["run", *options, "--quick", "--quiet", "--jobs", "1", "--datasets", "wdbc"])
    n_cells = 5 * len(TABLE_2.methods)  # one of three repeats of five folds
    assert f"{n_cells} cells run, 0 already in" in capsys.readouterr().out
    main(["report", *options, "--output", str(tmp_path / "pages")])
    text = (tmp_path / "pages" / "papers" / "bwdr.md").read_text(encoding="utf-8")
    assert f"{n_cells} of {len(TABLE_2.cells()):,} cells" in text
    found = figures(TABLE_2, results.read(tmp_path / "bwdr_table2.jsonl"))
    for method in ("PCA", "BWDR", "WBDR"):
        (figure,) = (f for f in found if (f.method, f.column) == (method, COLUMN))
        assert figure.paper == TABLE_2.paper[figure.setting, COLUMN]["wdbc"][method]
        assert figure.ours == pytest.approx(figure.paper, abs=0.03)
        assert f"*{figure.ours:.3f}* / {figure.paper:.3f}" in text


@pytest.mark.parametrize(
    "declared", [table for table in all_tables() if table.by_default], ids=lambda table: table.name
)
def test_every_table_runs_quickly_and_is_reported(declared, tmp_path):
    """What ``make reproduce-quick`` does, table by table, with a split of some settings.

    All methods run in one setting, the first and the last in the others.
    """
    first, *others = list(declared.settings)[::-2][:3]
    ends = {next(iter(declared.methods)), list(declared.methods)[-1]}
    cells = [
        cell
        for cell in declared.cells(quick=True)
        if (cell.split.repeat, cell.split.fold) == (0, 0)
        and (cell.split.setting == first or (cell.split.setting in others and cell.method in ends))
    ]
    run(declared, tmp_path / declared.results_file, cells, n_jobs=1)
    records = results.read(tmp_path / declared.results_file)
    assert set(cells) <= set(records)
    assert any("metrics" in record for record in records.values())
    if not declared.results:
        for cell in cells:
            if cell.split.setting == first:  # others may be errors that the page shows
                check_metrics(declared, cell, records[cell])
    main(["report", declared.name, "--results", str(tmp_path), "--output", str(tmp_path / "pages")])
    pages = (tmp_path / "pages").rglob("*.md")
    assert any(declared.title in page.read_text(encoding="utf-8") for page in pages)


def check_metrics(declared, cell, record):
    """All columns of the paper are there, and are shares, ratios or counts."""
    if "metrics" not in record:
        assert cell.method == "LDA, shrunk", record  # it takes no pairs, and says so
        return
    found = declared.summarise([record["metrics"]])
    wanted = {column for setting, column in declared.paper if setting == cell.split.setting}
    assert found
    assert wanted <= set(found)
    for name, value in found.items():
        if declared is dsp_table6.TABLE or name.startswith(("same", "n_components")):
            assert value >= 0, name  # ratios of times, and counts
        else:
            assert -1 <= value <= 1, name


def test_an_unknown_table_is_named(capsys):
    with pytest.raises(SystemExit):
        main(["run", "nonsense"])
    assert "got 'nonsense'" in capsys.readouterr().err


def test_the_page_beside_the_paper(table, tmp_path):
    file = tmp_path / "toy.jsonl"
    run(table, file, n_jobs=1)
    found = [f for f in figures(table, results.read(file)) if f.setting == "few"]
    # iris 150.5 against 150, rings 400.5 against 401; wine is not printed.
    assert mean_deviation(f for f in found if f.method == "one") == pytest.approx(0.5)
    assert mean_deviation(f for f in found if f.method == "two") is None
    text = page(replace(table, tolerance=1.0, notes=["Read it so."]), results.read(file))
    assert "Read it so." in text
    assert "*150.500* / 150.000 (+0.500)" in text
    assert "*178.500*" in text
    assert "| few, value | one | 2 | 275.500 | 275.500 | 0.500 | iris +0.500 | reproduces |" in text
    assert "**Reproduces: the mean deviation from the paper is 0.500" in text
    assert "oes not" not in text
    strict = page(replace(table, tolerance=0.1), results.read(file))
    assert "**Does not reproduce:" in strict
    assert "| does not reproduce |" in strict
    assert "eproduce" not in page(replace(table, tolerance=None), results.read(file))
    partly = {cell: record for cell, record in results.read(file).items() if cell.method == "one"}
    assert "**No verdict: 24 of 48 cells have run.**" in page(table, partly)
    assert "0 of 48 cells" in page(table, {})


def test_the_papers_labels(tmp_path, monkeypatch):
    random = np.random.default_rng(0)
    X = random.normal(size=(155, 19))
    X[:, 18] = random.integers(0, 2, 155)
    y = random.integers(0, 2, 155)
    features = [f"f{at}" for at in range(18)] + ["HISTOLOGY"]
    np.savez(tmp_path / "hepatitis.npz", X=X, y=y, classes=["DIE", "LIVE"], features=features)
    y_letters = np.arange(1560) % 26
    letters = [chr(ord("A") + code) for code in range(26)]
    np.savez(tmp_path / "isolet1.npz", X=np.ones((1560, 617)), y=y_letters, classes=letters)
    monkeypatch.setenv("PAIRSPACE_DATA", str(tmp_path))
    new_X, new_y = TABLE_2.load("hepatitis")
    assert np.array_equal(new_y, X[:, 18])
    assert np.array_equal(new_X[:, 18], y)
    assert np.array_equal(new_X[:, :18], X[:, :18])
    assert np.array_equal(TABLE_2.load("isolet1")[1], y_letters >= 13)


def test_the_table_of_the_page_runs(tmp_path):
    text = (DOCS / "develop" / "experiments.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    declared: dict[str, Table] = {}
    exec(code, declared)
    table = declared["TABLE"]
    file = tmp_path / "few_pairs.jsonl"
    run(table, file, table.cells(quick=True), n_jobs=1)
    records = results.read(file)
    assert len(records) == 12
    assert all("metrics" in record for record in records.values())
    assert "/ 0.930" in page(table, records)
