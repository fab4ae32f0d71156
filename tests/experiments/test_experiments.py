"""The runner keeps what it has, the protocols do what they say, the report counts right."""

import json
import re
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.fixes import parse_version

from experiments import protocols, results
from experiments.__main__ import main
from experiments.choosing import page as choosing_page
from experiments.curves import means_over_sets
from experiments.documents import NOT_IN_HTML
from experiments.figures import figures, mean_deviation
from experiments.halves import CHOSEN_ON, FAMILIES, REPORTED_ON
from experiments.papers import bwdr
from experiments.peers import MetricLearnRCA
from experiments.peers_page import page as peers_page
from experiments.protocols import LabelledLDA, known_of
from experiments.report import page
from experiments.runner import run
from experiments.study import page as study_page
from experiments.table import Cell, Split, Table, all_tables, printed
from experiments.tables import (
    auto_reducer,
    auto_reducer_rules,
    pairspace_peers,
    pairspace_study,
)
from experiments.tables.bwdr_table2 import TABLE as TABLE_2
from experiments.tables.bwdr_table2 import CFLDNotCentred
from pairspace import BWDR, CFLD, WBDR, Constraints
from pairspace.datasets import catalogue, load, make_noisy_blobs
from pairspace.metrics import pair_auc

COLUMN = bwdr.BEST
DOCS = Path(__file__).parents[2] / "docs"


def seed_and_method(X, y, split, **setting):
    return split, len(X), setting


@pytest.fixture
def calls():
    return []


@pytest.fixture
def table(calls):
    """Three datasets × two settings × two repeats × two folds × two methods, at no cost."""

    def measure(prepared, make):
        split, n_rows, setting = prepared
        calls.append((split, make))
        return {"value": n_rows + setting["more"], "seed": split.pair_seed}

    return Table(
        name="toy",
        title="A toy",
        datasets=("iris", "wine", "rings"),
        methods={"one": lambda k: "one", "two": lambda k: "two"},
        settings={"few": {"more": 0.5}, "many": {"more": 1.0}},
        repeats=2,
        folds=2,
        prepare=seed_and_method,
        measure=measure,
        summarise=lambda metrics: {"value": float(np.mean([m["value"] for m in metrics]))},
        paper={("few", "value"): printed("one\n iris 150\n wine -\n rings 401")},
    )


# ---- The runner ------------------------------------------------------------------------------


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
    assert "0 cells run, 0 were there" in said
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


# ---- The tables and the command --------------------------------------------------------------


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
    assert f"{n_cells} cells run, 0 were there" in capsys.readouterr().out
    main(["report", *options, "--output", str(tmp_path / "pages")])
    text = (tmp_path / "pages" / "reproduction" / "bwdr.md").read_text(encoding="utf-8")
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
    """What ``make reproduce-quick`` does, table by table."""
    options = [declared.name, "--results", str(tmp_path)]
    main(["run", *options, "--quick", "--quiet", "--jobs", "1"])
    records = results.read(tmp_path / declared.results_file)
    assert set(declared.cells(quick=True)) <= set(records)
    assert any("metrics" in record for record in records.values())
    main(["report", *options, "--output", str(tmp_path / "pages")])
    pages = (tmp_path / "pages").rglob("*.md")
    assert any(declared.title in page.read_text(encoding="utf-8") for page in pages)


def test_an_unknown_table_is_named(capsys):
    with pytest.raises(SystemExit):
        main(["run", "nonsense"])
    assert "there is no table 'nonsense', only" in capsys.readouterr().err


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
    assert "**Not judged: 24 of 48 cells have run.**" in page(table, partly)
    assert "0 of 48 cells" in page(table, {})


def test_numbers_are_kept_to_six_digits(tmp_path):
    cell = Cell(Split("iris", "", 0, 0), "PCA")
    with results.appending(tmp_path / "a.jsonl") as write:
        write(cell, {"metrics": {"a": [1 / 3], "b": np.float64(2 / 3), "c": np.arange(2)}})
    record = json.loads((tmp_path / "a.jsonl").read_text())
    assert record["metrics"] == {"a": [0.333333], "b": 0.666667, "c": [0, 1]}


# ---- The protocols ---------------------------------------------------------------------------


@pytest.mark.parametrize("n_folds", [2, 5])
def test_folds_are_even_in_every_class(n_folds):
    y = np.repeat([0, 1, 2, 3], [40, 13, 7, 1])
    folds = protocols.fold_numbers(y, n_folds, seed=0)
    assert np.ptp(np.bincount(folds)) <= 1
    for label in range(4):
        assert np.ptp(np.bincount(folds[y == label], minlength=n_folds)) <= 1
    assert np.array_equal(folds, protocols.fold_numbers(y, n_folds, seed=0))
    assert not np.array_equal(folds, protocols.fold_numbers(y, n_folds, seed=1))


def test_a_sample_of_rows_keeps_the_shares():
    y = np.repeat([0, 1], [900, 100])
    rows = protocols.at_most(y, 200, seed=0)
    assert np.bincount(y[rows]).tolist() == [180, 20]
    assert np.all(np.diff(rows) > 0)
    assert np.array_equal(protocols.at_most(y, 1000, seed=0), np.arange(1000))


def test_missing_cells_get_the_training_median():
    train = np.array([[1.0, np.nan], [5.0, np.nan], [3.0, np.nan]])
    test = np.array([[np.nan, 7.0]])
    filled_train, filled_test = protocols.filled(train, test)
    assert filled_test.tolist() == [[3.0, 7.0]]
    assert filled_train[:, 1].tolist() == [0.0, 0.0, 0.0]
    scaled, _ = protocols.filled(train, test, scale=True)
    assert scaled[:, 0].std() == pytest.approx(1.0)
    assert np.isfinite(scaled).all()
    assert protocols.filled(filled_train, filled_test)[0] is filled_train


def test_what_is_known():
    y = np.repeat([0, 1, 2], [50, 40, 3])
    pairs = protocols.known_of(y, 0, per_class=2)
    assert (len(pairs.must_link), len(pairs.cannot_link)) == (6, 6)
    assert len(protocols.known_of(y, 0, per_class=0).must_link) == 0
    share = protocols.known_of(y, 0, fraction=0.1)
    assert len(share.must_link) + len(share.cannot_link) == round(0.1 * 93 * 92 / 2)
    labels = protocols.known_of(y, 0, labels=0.1)
    assert [np.sum(labels == label) for label in range(3)] == [5, 4, 1]
    assert set(labels[labels >= 0] - y[labels >= 0]) == {0}


@pytest.mark.parametrize("make", [protocols.ExactPCA, WBDR, BWDR, lambda k: BWDR(k, threshold=0.5)])
def test_spaces_are_those_of_separate_fits(make):
    X, y = make_noisy_blobs(120, n_classes=4, n_informative=3, n_noise=4, random_state=0)
    known = Constraints.from_labels(y, n_pairs=400, random_state=0)
    found = list(protocols.spaces(make, 5, X, known, X[:7]))
    assert len(found) == 5
    for k, (train, test) in enumerate(found, start=1):
        wanted = make(k).fit(X, known).transform(X)
        np.testing.assert_allclose(np.abs(train), np.abs(wanted), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(test, train[:7], rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("shape", [(300, 150), (40, 300), (50, 4), (150, 400)])
def test_exact_pca_is_pca(shape):
    X = np.random.default_rng(0).normal(size=shape) + 5
    found, wanted = protocols.ExactPCA(4).fit(X, "ignored"), PCA(4, svd_solver="full").fit(X)
    np.testing.assert_allclose(found.transform(X), wanted.transform(X), atol=1e-9)
    assert np.array_equal(found.components_, protocols.ExactPCA(4).fit(X).components_)


def test_a_method_gets_as_many_components_as_it_can():
    X, _ = make_noisy_blobs(60, n_noise=4, random_state=0)
    assert protocols.fitted(PCA, 9, X, None).n_components == 6
    few = Constraints(60, must_link=[(0, 1), (2, 3)])
    assert protocols.fitted(CFLD, 9, X, few).n_components == 2
    with pytest.raises(ValueError, match="needs must-links"):
        protocols.fitted(CFLD, 9, X, Constraints(60, cannot_link=[(0, 1)]))


def test_accuracy_by_dimension_step_by_step():
    X, y = protocols.load_numbers("wine")
    split = Split("wine", "", 0, 3)
    outer, inner, _ = prepared = bwdr.prepare_folds(X, y, split, fraction=0.3)
    n = len(outer.X_train)
    assert len(outer.pairs.must_link) + len(outer.pairs.cannot_link) == round(0.3 * n * (n - 1) / 2)
    assert sum(len(fold.X_test) for fold in inner) == n
    metrics = bwdr.accuracy_by_dimension(prepared, WBDR, 4)
    for k, accuracy in enumerate(metrics["accuracy"], start=1):
        space = WBDR(k).fit(outer.X_train, outer.pairs)
        train, test = space.transform(outer.X_train), space.transform(outer.X_test)
        judge = KNeighborsClassifier(1).fit(train / train.std(axis=0), outer.y_train)
        assert accuracy == judge.score(test / train.std(axis=0), outer.y_test)
    assert metrics["accuracy_of_chosen"] == metrics["accuracy"][metrics["chosen"] - 1]
    alone = [
        bwdr.accuracy_by_dimension(bwdr.Folds(fold, []), WBDR, 4)["accuracy"] for fold in inner
    ]
    assert metrics["chosen"] == np.argmax(np.mean(alone, axis=0)) + 1


def test_the_best_dimension_is_that_of_the_mean():
    cells = [
        {"accuracy": [0.2, 0.9, 0.4], "accuracy_of_chosen": 0.9},
        {"accuracy": [0.8, 0.3], "accuracy_of_chosen": 0.8},
    ]
    assert bwdr.best_and_chosen(cells) == {
        COLUMN: pytest.approx(0.6),
        "K chosen on inner folds": pytest.approx(0.85),
    }


@pytest.mark.parametrize("known", [{"per_class": 5}, {"fraction": 0.01}, {"labels": 0.1}])
def test_held_out_rows_judge_the_space(known):
    X, y = make_noisy_blobs(400, noise=3.0, random_state=0)
    X[::7, 0] = np.nan
    split = Split("blobs", "", 0, 0)
    halves = protocols.prepare_halves(X, y, split, scale=True, max_rows=300, **known)
    other = protocols.prepare_halves(X, y, split._replace(fold=1), max_rows=300, **known)
    assert len(halves.X_train) == len(halves.X_test) == len(other.X_test) == 150
    assert len(halves.known) == 150
    judged = protocols.judge_space(halves, WBDR, 2)
    space = WBDR(2).fit(halves.X_train, halves.known)
    train, test = space.transform(halves.X_train), space.transform(halves.X_test)
    nearest = KNeighborsClassifier(1).fit(train, halves.y_train)
    assert judged["n_components"] == 2
    assert judged["accuracy"] == nearest.score(test, halves.y_test) > 0.4
    assert judged["pair_auc"] == pair_auc(test, halves.test_pairs) > 0.55
    assert 0.0 < judged["ari"] <= 1.0
    assert judged == protocols.judge_space(halves, WBDR, 2)


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


def test_the_wrong_cfld_moves_only_rows_it_was_not_fitted_on():
    X, y = load("iris", return_X_y=True)
    right, wrong = CFLD(1).fit(X, y), CFLDNotCentred(1).fit(X, y)
    np.testing.assert_allclose(wrong.transform(X), right.transform(X))
    moved = wrong.transform(X[:5]) - right.transform(X[:5])
    np.testing.assert_allclose(moved, np.full((5, 1), X.mean(axis=0) @ right.components_[0]))


# Of few pairs with ties, older versions approximate the p-value of Wilcoxon's test.
EXACT_WITH_TIES = parse_version(scipy.__version__) >= parse_version("1.13")


@pytest.mark.filterwarnings("ignore:Exact p-value calculation", "ignore:Sample size too small")
def test_the_committed_pages_are_made_from_the_committed_results(tmp_path):
    main(["report", "--output", str(tmp_path)])
    made = {file.relative_to(tmp_path): file for file in tmp_path.rglob("*.md")}
    papers = {Path("reproduction", f"{name}.md") for name in ("bwdr", "sswmv", "dsp", "lecas")}
    ours = {Path(f"{name}.md") for name in ("asking_study", "choosing_results", "ranks", "study")}
    assert set(made) == {Path("reproduction.md"), *ours, *papers}
    for name, file in made.items():
        committed = (DOCS / name).read_text(encoding="utf-8")
        if name.stem != "sswmv" or EXACT_WITH_TIES:
            assert file.read_text(encoding="utf-8") == committed, "run `make report`"
        # The pictures are compared by name: another matplotlib may draw the same otherwise.
        for picture in re.findall(r"\]\(([^)]*\.svg)\)", committed):
            assert (DOCS / name).parent.joinpath(picture).is_file(), "run `make report`"
    page_of_all = (tmp_path / "reproduction.html").read_text(encoding="utf-8")
    assert len(page_of_all) < 2_000_000
    in_it = [name for name in made if name.stem not in NOT_IN_HTML]
    shown = [re.findall(r"\]\([^)]*\.svg\)", made[name].read_text("utf-8")) for name in in_it]
    assert page_of_all.count("<svg") == sum(map(len, shown))
    # Nothing is fetched: links lead inside the page, and names of XML are not addresses.
    assert not re.search(r"""(?:src|href)=["'](?!#)(?!\w+\.md)""", page_of_all)


def test_the_table_of_the_page_runs(tmp_path):
    text = (DOCS / "experiments.md").read_text(encoding="utf-8")
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
    assert f"| {setting} | 1-NN over PCA | +0.035 | +0.050 | reached |" in text
    assert f"| {setting} | ARI over PCA | +0.120 | +0.050 | missed by 0.070 |" in text
    assert (
        f"| {setting} | mean rank by 1-NN among linear methods | the best | 1.0 | reached |" in text
    )


def records_of(setting, accuracy):
    """One cell for each method and dataset of the reporting half, with this accuracy."""
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
    worst = f"1-NN over PCA on the worst set ({REPORTED_ON[0]})"
    assert f"| {few} | {worst} | -0.020 | -0.030 | missed by 0.010 |" in text
    assert (
        f"| {many} | 1-NN over the best method (WBDR) | -0.005 | -0.100 | missed by 0.095 |" in text
    )
    rank = 1 + 2 / n_sets
    ranked = "mean rank by 1-NN among linear methods"
    assert f"| {few} | {ranked} | the best | {rank:.1f} | reached |" in text


def test_other_libraries_stand_beside_pairspace_on_their_own_datasets():
    setting = "5 pairs a class, standardised"
    accuracy = {"PCA": [0.5, 0.5], "PairSpace": [0.6, 0.9], "metric-learn RCA": [0.55]}
    text = peers_page(pairspace_peers.TABLE, records_of(setting, accuracy))
    row = "| metric-learn RCA | reported on | +0.050 (+0.050) | +0.100 (+0.100) | +0.025 (+0.025) |"
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


def test_wrong_answers_are_the_opposite_of_true_ones():
    y = np.arange(400) % 4
    given = known_of(y, 0, per_class=50, wrong=0.2)
    true = known_of(y, 0, per_class=50)
    assert len(given.must_link) + len(given.cannot_link) == 400
    wrong_must = np.mean(y[given.must_link[:, 0]] != y[given.must_link[:, 1]])
    wrong_cannot = np.mean(y[given.cannot_link[:, 0]] == y[given.cannot_link[:, 1]])
    assert 0.1 < wrong_must < 0.3
    assert 0.1 < wrong_cannot < 0.3
    assert (y[true.must_link[:, 0]] == y[true.must_link[:, 1]]).all()
    assert not len(known_of(y, 0, per_class=0).must_link)


def test_lda_learns_from_the_labelled_rows_only():
    X, y = make_noisy_blobs(random_state=0)
    partial_labels = np.where(np.arange(len(y)) % 3 == 0, y, -1)
    lda = LabelledLDA(9).fit(X, partial_labels)
    assert lda.transform(X).shape == (len(X), len(np.unique(y)) - 1)
    with pytest.raises(ValueError, match="not from pairs"):
        LabelledLDA(2).fit(X, known_of(y, 0, per_class=2))


def test_a_peer_that_is_not_installed_is_named():
    with pytest.raises(ImportError, match="make study-peers"):
        MetricLearnRCA(2).fit(np.eye(4), np.array([0, 0, 1, 1]))


# ---- AutoReducer -----------------------------------------------------------------------------


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
            "WBDR, raw": {"seeds": 1.0},  # not on all: not the best in hindsight
            "UMAP, semi-supervised": {"seeds": 0.95},
        }
    )
    text = choosing_page(auto_reducer.TABLE, records)
    best = "below the best single method in hindsight, PairSpace, standardised"
    assert f"at most 0.01 {best} | 0.850 | 0.865 | -0.015 | 2 | missed by 0.005 |" in text
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
    assert found["PairSpace, standardised, always"] > 0.85
    text = auto_reducer_rules.rules_page(table, results.read(file))
    for rule, accuracy in found.items():
        assert f"| {cell.split.setting} | {rule} | {accuracy:.4f} | 1 |" in text
    assert not set(table.datasets) & set(auto_reducer.TABLE.datasets)
