"""The runner runs each cell once and keeps what it has."""

import json
import warnings
from dataclasses import replace

import numpy as np
import pytest

from experiments import protocols, results
from experiments.__main__ import main
from experiments.figures import figures
from experiments.report import page
from experiments.runner import run
from experiments.table import Cell, Split
from experiments.tables.bwdr_table2 import TABLE as TABLE_2


def test_every_cell_runs_once_and_is_kept(table, calls, tmp_path):
    file = tmp_path / "deep" / "toy.jsonl"
    assert run(table, file, n_jobs=1) == (48, {})
    assert len(calls) == 48
    assert set(results.read(file)) == set(table.cells())
    assert run(table, file, n_jobs=1).n_cells == 0
    assert len(calls) == 48
    assert len(file.read_text().splitlines()) == 48


def test_an_interrupted_run_goes_on_where_it_was(table, calls, tmp_path):
    file, measure = tmp_path / "toy.jsonl", table.measure

    def interrupted(prepared, make):
        if len(calls) == 21:
            raise KeyboardInterrupt
        return measure(prepared, make)

    with pytest.raises(KeyboardInterrupt):
        run(replace(table, measure=interrupted), file, n_jobs=1)
    kept = results.read(file)
    assert 0 < len(kept) <= 21
    assert run(table, file, n_jobs=1).n_cells == 48 - len(kept)
    assert len(file.read_text().splitlines()) == 48
    assert {**results.read(file), **kept} == results.read(file)


def test_a_torn_last_line_runs_again(table, tmp_path):
    file = tmp_path / "toy.jsonl"
    run(table, file, n_jobs=1)
    content = file.read_bytes()
    for lost in (1, 10, len(content.splitlines()[-1])):
        file.write_bytes(content[:-lost])
        assert len(results.read(file)) == 47
        assert run(table, file, n_jobs=1).n_cells == 1
        assert len(file.read_text().splitlines()) == 48
        assert set(results.read(file)) == set(table.cells())


def test_a_broken_line_is_named(table, tmp_path):
    file = tmp_path / "toy.jsonl"
    run(table, file, n_jobs=1)
    lines = file.read_text().splitlines()
    for broken in ("{", "[]", '{"dataset": "iris"}'):
        file.write_text("\n".join([lines[0], broken, *lines[2:]]) + "\n")
        with pytest.raises(ValueError, match=r"toy\.jsonl: line 2 is not the result of a cell"):
            run(table, file, n_jobs=1)


def test_a_method_that_raises_stops_no_other(table, tmp_path):
    def fails_on_wine(prepared, make):
        if make(1) == "two" and prepared[0].dataset == "wine":
            raise ValueError("two has no wine")
        return {"value": 1.0}

    file = tmp_path / "toy.jsonl"
    run(replace(table, measure=fails_on_wine), file, n_jobs=1)
    errors = [cell for cell, record in results.read(file).items() if "error" in record]
    assert {(cell.split.dataset, cell.method) for cell in errors} == {("wine", "two")}
    assert len(errors) == 8
    assert "- wine, two, 8 cells: ValueError: two has no wine" in page(table, results.read(file))
    assert run(table, file, n_jobs=1).n_cells == 0
    assert run(table, file, n_jobs=1, retry_errors=True).n_cells == 8
    assert not any("error" in record for record in results.read(file).values())


def test_a_split_that_cannot_be_made_is_an_error_of_its_cells(table, tmp_path):
    def prepare(X, y, split, **setting):
        if split.dataset == "wine":
            raise ValueError("no wine")
        return split, len(X), setting

    file = tmp_path / "toy.jsonl"
    assert run(replace(table, prepare=prepare), file, n_jobs=1).n_cells == 48
    errors = [record["error"] for record in results.read(file).values() if "error" in record]
    assert errors == ["ValueError: no wine"] * 16


def test_absent_data_waits_for_another_time(table, calls, tmp_path, monkeypatch, capsys):
    def load_but_wine(name):
        if name == "wine":
            raise OSError("no wine today")
        return protocols.load_numbers(name)

    file = tmp_path / "toy.jsonl"
    ran = run(replace(table, load=load_but_wine), file, n_jobs=1)
    assert ran == (32, {"wine": "no wine today"})
    assert run(table, file, n_jobs=1) == (16, {})

    monkeypatch.setenv("PAIRSPACE_DATA", str(tmp_path))
    options = ["--results", str(tmp_path), "--quiet", "--jobs", "1"]
    main(["run", "bwdr_table2", *options, "--datasets", "climate"])
    said = capsys.readouterr().out
    assert "0 cells run, 0 already in" in said
    assert "not run on climate: climate is not available" in said


def test_warnings_are_kept_with_the_cell(table, tmp_path):
    def warns(prepared, make):
        warnings.warn("few pairs", UserWarning, stacklevel=2)
        return {"value": 1.0}

    file = tmp_path / "toy.jsonl"
    run(replace(table, measure=warns), file, n_jobs=1)
    assert {str(record["warnings"]) for record in results.read(file).values()} == {
        "['UserWarning: few pairs']"
    }


def test_a_dataset_is_loaded_once(table, tmp_path):
    loaded = []

    def counting(name):
        loaded.append(name)
        return protocols.load_numbers(name)

    run(replace(table, load=counting), tmp_path / "toy.jsonl", n_jobs=1)
    assert loaded == ["iris", "wine", "rings"]


def test_seeds_come_from_names_and_not_from_settings_or_methods():
    split = Split("iris", "few", 0, 0)
    assert split.row_seed == Split("iris", "many", 0, 1).row_seed
    assert split.pair_seed == Split("iris", "many", 0, 0).pair_seed
    assert split.pair_seed == 2819044175
    others = [Split("wine", "few", 0, 0), Split("iris", "few", 1, 0), Split("iris", "few", 0, 1)]
    assert len({split.pair_seed, *(other.pair_seed for other in others)}) == 4


def without_time(file):
    return {
        cell: {key: value for key, value in record.items() if key != "seconds"}
        for cell, record in results.read(file).items()
    }


def test_workers_and_order_change_nothing(tmp_path, capsys):
    cells = TABLE_2.cells(quick=True, datasets=["iris"])
    run(TABLE_2, tmp_path / "a.jsonl", cells[::-1], n_jobs=1)
    run(TABLE_2, tmp_path / "b.jsonl", cells, n_jobs=2, progress=True)
    assert f"{len(cells)}/{len(cells)}" in capsys.readouterr().out
    assert without_time(tmp_path / "a.jsonl") == without_time(tmp_path / "b.jsonl")


def test_peers_run_apart_and_are_reported_together(table, tmp_path):
    table = replace(table, peers={"other": lambda k: "other"})
    file = tmp_path / "toy.jsonl"
    assert run(table, file, n_jobs=1).n_cells == 48
    assert run(table, file, table.cells(peers=True), n_jobs=1).n_cells == 24
    assert {figure.method for figure in figures(table, results.read(file))} == {
        "one",
        "two",
        "other",
    }


def test_numbers_are_kept_to_six_digits(tmp_path):
    cell = Cell(Split("iris", "", 0, 0), "PCA")
    with results.appending(tmp_path / "a.jsonl") as write:
        write(cell, {"metrics": {"a": [1 / 3], "b": np.float64(2 / 3), "c": np.arange(2)}})
    record = json.loads((tmp_path / "a.jsonl").read_text())
    assert record["metrics"] == {"a": [0.333333], "b": 0.666667, "c": [0, 1]}
