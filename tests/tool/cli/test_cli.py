"""The command, as a person uses it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pairspace
from pairspace.persistence import read_info
from pairspace.tool.cli import app
from pairspace.tool.cli._methods import METHODS

COMMANDS = [command.callback.__name__ for command in app.registered_commands]
FIT = ("fit", "wine.csv", "--id", "bottle", "--pairs", "answers.csv")
DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture
def model(folder, run):
    assert run(*FIT, "--method", "PairSpace", "-o", "wine.skops").code == 0
    return folder / "wine.skops"


# ---- Help and errors -------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run, command):
    ran = run(command, "--help")
    assert ran.code == 0
    assert f"Example: pairspace {command}" in ran.out
    assert "--json" in ran.out
    assert "--debug" in ran.out


def test_without_words_it_shows_the_help(run):
    ran = run()
    assert ran.code == 0
    assert all(command in ran.out + ran.err for command in COMMANDS)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("fti",), 2, "No such command 'fti'"),
        (("fit",), 2, "Missing argument"),
        (("fit", "wine.csv", "--sed", "1"), 2, "--sed"),
        (("fit", "nowhere.csv"), 1, "nowhere.csv does not exist"),
        (("fit", "wine.csv", "--method", "PairSpac"), 1, "did you mean PairSpace?"),
        (
            ("fit", "wine.csv", "--components", "some"),
            1,
            "--components must be a positive integer or auto; got some",
        ),
        (("fit", "wine.csv", "--impute", "mean"), 1, "--impute must be median; got mean"),
        (("fit", "wine.csv", "--impute", "median", "--drop-rows"), 1, "exclude each other"),
        (("fit", "wine.csv", "-o", "nowhere/m.skops"), 1, "the folder nowhere does not exist"),
        (("fit", "wine.csv", "--pairs", "answers.csv"), 1, "--id COLUMN"),
        (("fit", "wine.csv", "--method", "BWDR"), 1, "BWDR requires y"),
        (("fit", "wine.csv", "--method", "PCA", "-k", "99"), 1, "99"),
        (("compare", "wine.csv"), 1, "give --pairs or --labels"),
        (("check", "nowhere.csv"), 1, "nowhere.csv does not exist"),
        (("check", "answers.csv", "--id", "bottle"), 1, "--id needs DATA"),
        (("check", "answers.csv", "wine.csv"), 1, "--id COLUMN"),
        (
            ("check", "answers.csv", "wine.csv", "--id", "x"),
            1,
            "--id x: wine.csv has no such column",
        ),
        (("info", "wine.csv"), 1, "wine.csv is not a pairspace model file"),
        (("export", "wine.csv"), 1, "give --onnx"),
        (("transform", "wine.csv", "wine.csv", "-o", "z.csv"), 1, "is not a pairspace model file"),
        (("transform", "wine.csv", "wine.csv", "-o", "z.doc"), 1, "the output must be .csv"),
    ],
)
def test_errors_take_one_line_with_the_remedy(folder, run, words, code, message):
    before = sorted(folder.iterdir())
    ran = run(*words)
    assert ran.code == code
    error = next(line for line in ran.err.splitlines() if line.startswith("error:"))
    assert ran.err.endswith(error + "\n")
    assert message in error
    assert "Traceback" not in ran.out + ran.err
    assert ran.out == ""
    as_json = run(*words, "--json")
    assert as_json.code == code
    assert message in as_json.json["error"]
    assert as_json.json["exit_code"] == code
    assert sorted(folder.iterdir()) == before


def test_debug_shows_where_it_happened(folder, run):
    ran = run("fit", "nowhere.csv", "--debug")
    assert isinstance(ran.result.exception, FileNotFoundError)


def test_a_bug_says_so(folder, run, monkeypatch):
    def fault(*_, **__):
        raise KeyError("lost")

    monkeypatch.setattr("pairspace.persistence.read_info", fault)
    ran = run("info", "wine.csv")
    assert ran.code == 70
    assert "bug in pairspace, KeyError: 'lost' (run it again with --debug" in ran.err


# ---- fit, transform, info, export ------------------------------------------------------------


def test_fit_chooses_says_why_and_transform_places_the_rows(folder, run, wine):
    ran = run(*FIT, "-o", "wine.skops")
    assert ran.code == 0, ran.err
    assert "ignored 2 columns: region (text), kind (80% missing)" in ran.err
    assert "answers.csv: 13 same, 27 different" in ran.err
    assert "Chosen from 24 candidates: " in ran.out
    assert "on held-out pairs (13 same, 27 different)" in ran.out
    assert run("transform", "wine.skops", "wine.csv", "-o", "z.parquet").code == 0
    placed = pd.read_parquet("z.parquet")
    assert placed.columns.tolist() == ["bottle", "component_1", "component_2"]
    assert placed["bottle"].tolist() == wine["bottle"].tolist()
    loaded = pairspace.load("wine.skops")
    features = wine.drop(columns=["bottle", "region", "kind"])
    np.testing.assert_allclose(placed.iloc[:, 1:], loaded.transform(features))


@pytest.mark.parametrize("method", [method.name for method in METHODS])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_method_can_be_fitted_by_its_name(folder, run, method):
    ran = run(
        "fit", "wine.csv", "--labels", "kind", "--method", method.lower(), "-o", "m.skops", "--json"
    )
    assert ran.code == 0, ran.err + ran.out
    assert ran.json["steps"][-1]["type"] == method
    assert ran.json["steps"][0]["type"] == "StandardScaler"
    assert ran.json["components"] == 2


def test_scaling_is_stated(folder, run):
    ran = run(*FIT, "--method", "PCA", "-o", "a.skops")
    assert "Columns were standardised." in ran.out
    ran = run(*FIT, "--method", "PCA", "--no-scale", "-o", "b.skops")
    assert "Columns were not standardised." in ran.out
    assert [step["type"] for step in read_info("b.skops").steps] == ["PCA"]


def test_the_number_of_components_can_be_chosen(folder, run):
    ran = run(*FIT, "--method", "PairSpace", "--components", "auto", "-o", "m.skops", "--json")
    assert ran.code == 0, ran.err
    assert 1 <= ran.json["components"] <= 13


def test_nothing_is_overwritten_without_force(model, run):
    before = model.read_bytes()
    for words in (
        (*FIT, "-o", "wine.skops"),
        ("transform", "wine.skops", "wine.csv", "-o", "answers.csv"),
        ("export", "wine.skops", "--onnx", "-o", "answers.csv"),
        ("compare", "wine.csv", "--labels", "kind", "-o", "wine.skops"),
        ("demo", "-o", "wine.skops"),
    ):
        ran = run(*words)
        assert ran.code == 1
        assert "add --force to overwrite it" in ran.err
    assert model.read_bytes() == before
    assert run(*FIT, "--method", "PCA", "-o", "wine.skops", "--force").code == 0
    assert model.read_bytes() != before


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "feather", "npy"])
def test_blocks_give_what_the_whole_gives(model, run, wine, suffix):
    run("transform", "wine.skops", "wine.csv", "-o", "whole.parquet")
    ran = run("transform", "wine.skops", "wine.csv", "-o", f"z.{suffix}", "--block-rows", 7)
    assert ran.code == 0, ran.err
    whole = pd.read_parquet("whole.parquet")
    readers = {
        "csv": pd.read_csv,
        "tsv": lambda path: pd.read_csv(path, sep="\t"),
        "parquet": pd.read_parquet,
        "feather": pd.read_feather,
        "npy": lambda path: pd.DataFrame(np.load(path)),
    }
    read = readers[suffix](f"z.{suffix}")
    np.testing.assert_allclose(read.iloc[:, -2:], whole.iloc[:, -2:], rtol=1e-12)
    if suffix != "npy":
        assert read["bottle"].tolist() == wine["bottle"].tolist()


def test_data_of_other_columns_is_refused_by_name(model, run, wine):
    wine.rename(columns={"hue": "tint"}).to_csv("other.csv", index=False)
    ran = run("transform", "wine.skops", "other.csv", "-o", "z.csv")
    assert ran.code == 1
    assert (
        "lacks columns of the training data: hue; its other columns are bottle, tint, region, kind"
        in ran.err
    )
    wine.assign(hue=["deep", *wine["hue"].iloc[1:]]).to_csv("text.csv", index=False)
    ran = run("transform", "wine.skops", "text.csv", "-o", "z.csv")
    assert "the column hue must be numeric, as in the training data; row 0 has 'deep'" in ran.err
    # Another order, and columns that are not needed, are no matter.
    wine.iloc[:, ::-1].drop(columns="kind").to_csv("turned.csv", index=False)
    assert run("transform", "wine.skops", "turned.csv", "-o", "z.csv").code == 0


def test_missing_values_need_a_decision(folder, run, wine):
    holes = wine.copy()
    holes.loc[[3, 5], "hue"] = np.nan
    holes.to_csv("holes.csv", index=False)
    words = (
        "fit",
        "holes.csv",
        "--id",
        "bottle",
        "--pairs",
        "answers.csv",
        "--method",
        "PairSpace",
    )
    ran = run(*words)
    assert ran.code == 1
    assert "hue (2); impute them with --impute median, or ignore the 2 rows" in ran.err
    assert run(*words, "--drop-rows", "-o", "dropped.skops").code == 0
    assert run(*words, "--impute", "median", "-o", "filled.skops").code == 0
    ran = run("transform", "dropped.skops", "holes.csv", "-o", "z.csv", "--block-rows", 4)
    assert ran.code == 1
    assert "the column hue is missing in row 3: ignore such rows with --drop-rows" in ran.err
    assert not Path("z.csv").exists()
    ran = run("transform", "dropped.skops", "holes.csv", "-o", "z.csv", "--drop-rows", "--json")
    assert (ran.json["rows"], ran.json["dropped"]) == (176, 2)
    assert "b003" not in pd.read_csv("z.csv")["bottle"].tolist()
    ran = run("transform", "filled.skops", "holes.csv", "-o", "filled.csv", "--json")
    assert ran.json["rows"] == 178
    for name in ("dropped", "filled"):
        assert run("info", f"{name}.skops", "holes.csv", "--json").json["same_data"] is True


@pytest.mark.usefixtures("few_classifiers")
def test_text_becomes_words_that_are_part_of_the_model(folder, run):
    random = np.random.default_rng(0)
    words = {"ships": ["harbour", "sail", "mast"], "bread": ["flour", "oven", "yeast"]}
    rows = [
        {"text": " ".join(random.choice(words[topic], 8)), "topic": topic, "length": 1.0 * at}
        for at, topic in enumerate(["ships", "bread"] * 20)
    ]
    pd.DataFrame(rows).to_csv("texts.csv", index=False)
    for extra in ((), ("--columns", "length")):
        ran = run(
            "fit", "texts.csv", "--text", "text", "--labels", "topic", "--method", "PairSpace",
            "-k", 1, "-o", "texts.skops", "--force", *extra,
        )  # fmt: skip
        assert ran.code == 0, ran.err
        ran = run("transform", "texts.skops", "texts.csv", "-o", "z.npy", "--force")
        assert ran.code == 0, ran.err
        place = np.load("z.npy")[:, 0]
        ships, bread = np.sort([place[::2].mean(), place[1::2].mean()])
        assert bread - ships > 3 * max(place[::2].std(), place[1::2].std())
    ran = run("export", "texts.skops", "--onnx")
    assert ran.code == 1
    assert "only models of numeric columns can" in ran.err
    ran = run(
        "compare", "texts.csv", "--text", "text", "--labels", "topic", "--methods", "PairSpace,PCA",
        "--folds", 2, "--repeats", 1, "-o", "texts.html",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    page = Path("texts.html").read_text()
    assert all(word in page for word in ("harbour", "flour"))


def test_info_shows_the_description(model, run):
    ran = run("info", "wine.skops", "wine.csv")
    assert "PairSpace(n_components=2" in ran.out
    assert "13 columns: alcohol, malic_acid" in ran.out
    assert "learned from 13 must-links, 27 cannot-links and 0 labels" in ran.out
    assert "wine.csv is the training data" in ran.out
    pd.read_csv("wine.csv").iloc[::-1].to_csv("turned.csv", index=False)
    assert "is not the training data" in run("info", "wine.skops", "turned.csv").out
    assert run("info", "wine.skops", "--json").json["n_components"] == 2


def test_info_on_a_file_of_other_columns_says_which_it_lacks(model, run):
    Path("other.csv").write_text(",name,\n5,x,1\n7,y,2\n")
    ran = run("info", "wine.skops", "other.csv")
    assert ran.code == 0, ran.err
    assert "other.csv is not the training data: it lacks the columns alcohol, malic_acid" in ran.out
    assert run("info", "wine.skops", "other.csv", "--json").json["same_data"] is False


def test_export_writes_onnx_beside_the_model(model, run):
    ran = run("export", "wine.skops", "--onnx", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["difference"] <= 1e-5
    assert Path("wine.onnx").stat().st_size


# ---- check, methods, compare, demo -----------------------------------------------------------


def test_check_counts_and_proves(folder, run):
    ran = run("check", "answers.csv", "wine.csv", "--id", "bottle")
    assert ran.code == 0
    assert "40 answers: 13 same, 27 different" in ran.out
    assert "65 of 178 rows are in an answer (36.5%)" in ran.out
    assert "no contradictions" in ran.out
    Path("bad.csv").write_text(
        "a,b,same\nann,bob,yes\nbob,cy,yes\nann,cy,no\nann,dan,no\ndan,ann,yes\nbob,ann,yes\n"
    )
    ran = run("check", "bad.csv")
    assert ran.code == 3
    assert "6 answers: 2 same, 1 different, 1 repeated" in ran.out
    assert "ann and cy: different, but ann = bob = cy" in ran.out
    assert "ann and dan: answered both same and different" in ran.out
    ran = run("check", "bad.csv", "--json")
    assert ran.code == 3
    assert [one["chain"] for one in ran.json["contradictions"]] == [
        ["ann", "dan"],
        ["ann", "bob", "cy"],
    ]
    many = "".join(f"p{i},q{i},yes\np{i},q{i},no\n" for i in range(12))
    Path("many.csv").write_text("a,b,same\n" + many)
    ran = run("check", "many.csv")
    assert "  and 2 more" in ran.out
    assert "--json lists all contradictions" in ran.err
    assert len(run("check", "many.csv", "--json").json["contradictions"]) == 12
    Path("numbers.csv").write_text("a,b,same\n0,1,yes\n1,2,no\n")
    assert run("check", "numbers.csv", "wine.csv", "--json").json["rows"] == 178


def test_contradicting_pairs_point_to_check(folder, run):
    Path("bad.csv").write_text("a,b,same\nb001,b002,yes\nb002,b001,no\n")
    ran = run("fit", "wine.csv", "--id", "bottle", "--pairs", "bad.csv")
    assert ran.code == 1
    assert "to list all contradictions: pairspace check bad.csv" in ran.err


def test_the_table_of_methods_is_that_of_the_docs(run):
    """``pairspace methods`` and docs/guide/methods.md say the same of every public method."""
    documented = {}
    for line in (DOCS / "guide" / "methods.md").read_text().splitlines():
        cells = [cell.strip().replace("*", "") for cell in line.strip("|").split("|")]
        for name in re.findall(r"`(\w+)`", cells[0]) if len(cells) == 6 else []:
            documented[name] = (*cells[1:4], cells[5])
    ours = {method.name: tuple(method[1:5]) for method in METHODS}
    assert ours.pop("PCA")
    assert ours == {name: documented[name] for name in documented if name in ours}
    assert set(documented) >= set(ours)
    public = {
        getattr(pairspace, name).__name__  # SELF is another name of SELFDA
        for name in pairspace.__all__
        if hasattr(getattr(pairspace, name), "transform")
        and name not in ("AutoReducer", "PairSearchCV", "WMVSearchCV")
    }
    assert public == set(ours)
    ran = run("methods", "--json")
    assert {method["name"] for method in ran.json["methods"]} == {*ours, "PCA"}
    assert "LaplacianEigenmaps" in run("methods").out


@pytest.mark.usefixtures("few_classifiers")
def test_compare_prints_a_leaderboard_and_writes_the_report(folder, run):
    words = ("compare", "wine.csv", "--id", "bottle", "--pairs", "answers.csv", "--labels", "kind")
    few = ("--methods", "PairSpace,PCA", "--methods", "ssdr", "--repeats", 1, "--folds", 3)
    ran = run(*words, *few, "-o", "report.html")
    assert ran.code == 0, ran.err
    assert all(name in ran.out for name in ("PairSpace", "PCA", "SSDR", "chosen", "pair AUC"))
    assert Path("report.html").stat().st_size > 50_000
    ran = run(*words, *few, "-o", "again.html", "--json")
    assert {row["name"] for row in ran.json["leaderboard"]} == {"PairSpace", "PCA", "SSDR"}
    assert sum(row["chosen"] for row in ran.json["leaderboard"]) == 1


def test_candidates_with_fewer_folds_are_listed_apart(folder, run):
    ran = run(
        "compare", "wine.csv", "--id", "bottle", "--pairs", "answers.csv", "--folds", 3,
        "--methods", "PairSpace,PCA,SSDR,MMC,DCA,BWDR,WBDR", "-o", "report.html",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    lines = [line.split() for line in ran.out.splitlines()]
    (apart,) = [
        at for at, line in enumerate(lines) if line[:4] == ["dropped", "after", "3", "folds:"]
    ]
    board = [(at, line) for at, line in enumerate(lines) if line and line[0].isdecimal()]
    folds = {at: int(line[4]) for at, line in board}
    assert {n for at, n in folds.items() if at < apart} == {6}
    assert {n for at, n in folds.items() if at > apart} == {3}
    assert "dropped after 3 folds" in Path("report.html").read_text()


def test_the_digits_are_written_for_the_page(run, tmp_path):
    image = pytest.importorskip("PIL.Image")
    folder = tmp_path / "digits"
    ran = run("demo", "--digits", folder)
    assert ran.code == 0, ran.err
    assert f"next: pairspace label {folder / 'digits.csv'}" in ran.out
    table = pd.read_csv(folder / "digits.csv")
    assert len(table) == 1797
    assert table["digit"].is_unique
    shown = np.asarray(image.open(folder / table["image"][5]))
    pixels = table.filter(like="pixel").loc[5].to_numpy().reshape(8, 8)
    np.testing.assert_allclose(shown, 255 - pixels * 255 / 16, atol=1)
    assert run("demo", "--digits", folder).code == 1
    assert run("demo", "--digits", folder, "--force").code == 0


# ---- Files as people have them ---------------------------------------------------------------


@pytest.fixture
def shop(tmp_path, monkeypatch, run):
    """customers.csv and answers.csv, as ``pairspace demo --files`` writes them."""
    monkeypatch.chdir(tmp_path)
    assert run("demo", "--files", ".").code == 0
    return tmp_path


def test_mixed_columns_are_encoded_kept_in_the_model_and_shown(shop, run):
    words = ("--id", "name", "--pairs", "answers.csv")
    ran = run("fit", "customers.csv", *words, "--method", "PairSpace", "-o", "m.skops")
    assert ran.code == 0, ran.err
    assert "10 numeric columns, 1 date column, 3 categorical columns" in ran.err
    assert "dates as days since 1970: joined (year first)" in ran.err
    assert "one-hot encoded: region (4 values), plan (3 values), device (2 values)" in ran.err
    shown = run("info", "m.skops", "customers.csv").out
    assert "categories: region, plan, device → one-hot, 9 columns" in shown
    assert "dates: joined → days, standardised" in shown
    assert "customers.csv is the training data" in shown
    # The same rows in a file that was written elsewhere.
    frame = pd.read_csv("customers.csv")
    frame["joined"] = pd.to_datetime(frame["joined"])
    frame.to_parquet("customers.parquet")
    frame.to_csv("german.csv.gz", sep=";", decimal=",", encoding="cp1252")
    expected = pairspace.load("m.skops").transform(frame)
    for name in ("customers.csv", "customers.parquet", "german.csv.gz"):
        ran = run("transform", "m.skops", name, "-o", "z.npy", "--block-rows", 7, "--force")
        assert ran.code == 0, ran.err
        placed = np.load("z.npy")
        np.testing.assert_allclose(placed, expected, atol=1e-9)
        assert run("info", "m.skops", name, "--json").json["same_data"] is True


def test_a_value_never_seen_is_no_error_but_another_kind_is(shop, run):
    words = ("--id", "name", "--pairs", "answers.csv", "--method", "PCA", "-o", "m.skops")
    assert run("fit", "customers.csv", *words).code == 0
    frame = pd.read_csv("customers.csv")
    frame.assign(plan="gold").to_csv("gold.csv", index=False)
    assert run("transform", "m.skops", "gold.csv", "-o", "z.csv").code == 0
    frame.assign(joined="31.12.2020").to_csv("dots.csv", index=False)
    ran = run("transform", "m.skops", "dots.csv", "-o", "y.csv")
    assert "the column joined must be dates, year first, as in the training data" in ran.err


def test_missing_values_are_imputed_with_an_indicator_where_they_are_many(shop, run):
    frame = pd.read_csv("customers.csv")
    frame.loc[::5, "basket"] = np.nan
    frame.loc[3, "age"] = np.nan
    frame.loc[::6, "plan"] = np.nan
    frame.to_csv("holes.csv", index=False)
    words = ("--id", "name", "--pairs", "answers.csv", "--method", "PairSpace")
    assert "--impute median" in run("fit", "holes.csv", *words).err
    ran = run("fit", "holes.csv", *words, "--impute", "median", "-o", "m.skops")
    assert ran.code == 0, ran.err
    shown = run("info", "m.skops").out
    assert "numbers: basket → median, with a column for missing, standardised" in shown
    assert "one-hot, 10 columns" in shown
    assert run("transform", "m.skops", "holes.csv", "-o", "z.csv", "--json").json["rows"] == 200


def test_several_text_columns(shop, run):
    frame = pd.read_csv("customers.csv")
    random = np.random.default_rng(0)
    frame["wrote"] = [" ".join(random.choice(["late", "broken", "thanks"], 4)) for _ in range(200)]
    frame["bought"] = [" ".join(random.choice(["tea", "cup", "pot", "jar"], 5)) for _ in range(200)]
    frame.loc[5, "wrote"] = np.nan
    frame.to_csv("texts.csv", index=False)
    ran = run(
        "fit", "texts.csv", "--id", "name", "--pairs", "answers.csv", "--text", "wrote", "--text",
        "bought", "--categories", "plan,rating", "--columns", "age", "-o", "m.skops", "--json",
        "--method", "PairSpace",
    )  # fmt: skip
    assert ran.code == 0, ran.err + ran.out
    assert ran.json["features"] == ["age", "plan", "rating", "wrote", "bought"]
    assert [step["type"] for step in ran.json["steps"]] == ["ColumnTransformer", "PairSpace"]
    assert "text: bought → TF-IDF of 4 words" in ran.json["steps"][0]["recipe"]
    assert run("transform", "m.skops", "texts.csv", "-o", "z.csv").code == 0


def test_compare_shows_pictures_from_one_folder_only(folder, run):
    from PIL import Image

    (folder / "pictures").mkdir()
    Image.new("RGB", (8, 8), "red").save(folder / "pictures" / "a.png")
    Image.new("RGB", (8, 8), "blue").save(folder / "outside.png")
    frame = pd.read_csv(folder / "wine.csv").assign(file="a.png")
    frame.loc[0, "file"] = "../outside.png"
    frame.to_csv(folder / "shown.csv", index=False)
    words = ("compare", "shown.csv", "--id", "bottle", "--pairs", "answers.csv", "--folds", 2)
    words = (*words, "--methods", "PCA", "--ignore", "file", "--image", "file", "-o", "r.html")
    ran = run(*words)
    assert ran.code == 1
    assert "--image-root" in ran.err
    ran = run(*words, "--image-root", "pictures")
    assert ran.code == 0, ran.err
    assert "1 picture could not be read" in ran.err
    assert '"sprite":' in (folder / "r.html").read_text()


@pytest.mark.usefixtures("few_classifiers")
def test_compare_writes_the_model_and_colours_the_map(shop, run):
    words = ("compare", "customers.csv", "--id", "name", "--pairs", "answers.csv", "--folds", 2)
    few = ("--methods", "PairSpace,PCA", "--repeats", 1)
    ran = run(*words, *few, "-o", "r.html", "--model", "m.skops", "--color", "basket")
    assert ran.code == 0, ran.err
    assert "m.skops: 14 columns → 2 components" in ran.out
    assert "Coloured by basket." in Path("r.html").read_text()
    assert "categories: region, plan, device" in Path("r.html").read_text()
    ran = run(*words, *few, "-o", "s.html", "--model", "m.skops")
    assert "m.skops exists" in ran.err
    assert not Path("s.html").exists()
    ran = run(*words, *few, "-o", "s.html", "--color", "hue")
    assert "--color hue: customers.csv has no such column; it has name, age" in ran.err
    assert run(*words, *few, "-o", "s.html", "--color", "plan").code == 0


def test_labels_that_are_numbers_or_ids_are_questioned(shop, run):
    ran = run("fit", "customers.csv", "--labels", "basket")
    assert ran.code == 1
    assert "labelled rows: is it a number? Bin it into classes first" in ran.err
    ran = run("fit", "customers.csv", "--labels", "name")
    assert "200 classes for 200 labelled rows: is it an id? Then give --id name" in ran.err
    assert run("fit", "customers.csv", "--labels", "plan", "--method", "PCA").code == 0
    for kind in ("${:,}", "{} €", "-{}.5", "{}e-3"):
        prices = "".join(f'{row},"{kind.format(1000 + 7 * row)}"\n' for row in range(120))
        Path("prices.csv").write_text(f"visits,price\n{prices}", encoding="utf-8")
        ran = run("fit", "prices.csv", "--labels", "price", "-o", "prices.skops")
        assert "labelled rows: is it a number?" in ran.err


def test_a_missing_input_comes_before_an_existing_output(shop, run):
    Path("model.skops").touch()
    Path("report.html").touch()
    for words in (
        ("fit", "nowhere.csv"),
        ("fit", "customers.csv", "--pairs", "nowhere.csv"),
        ("compare", "nowhere.csv", "--pairs", "answers.csv"),
        ("transform", "model.skops", "nowhere.csv", "-o", "report.html"),
        ("export", "nowhere.csv", "--onnx", "-o", "report.html"),
    ):
        assert "nowhere.csv does not exist" in run(*words).err


def test_the_version(run):
    ran = run("--version")
    assert (ran.code, ran.out) == (0, f"pairspace {pairspace.__version__}\n")


def test_the_files_of_the_demo_are_not_overwritten(shop, run):
    ran = run("demo", "--files", ".")
    assert "customers.csv exists: add --force" in ran.err
    assert run("demo", "--files", ".", "--force").code == 0
    assert "does not exist" in run("demo", "--files", "nowhere").err


# ---- Interrupted -----------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_command_leaves_nothing_behind(model, folder, sent, code):
    rows = pd.concat([pd.read_csv("wine.csv")] * 200)
    rows.to_csv("many.csv", index=False)
    before = sorted(path.name for path in folder.iterdir())
    words = ["transform", "wine.skops", "many.csv", "-o", "out.csv", "--block-rows", "1"]
    # A shell that runs the tests in the background lets its children ignore SIGINT.
    start = (
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "runpy.run_module('pairspace.tool.cli', run_name='__main__')"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", start, *words], stderr=subprocess.PIPE, text=True
    )
    try:
        deadline = time.monotonic() + 120
        while not any(path.stat().st_size for path in folder.glob(".out.csv.*")):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline, "it never began to write"
            time.sleep(0.05)
        process.send_signal(sent)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == code
    assert sorted(path.name for path in folder.iterdir()) == before
    assert "Traceback" not in errors
    if sent == signal.SIGINT:
        assert "error: interrupted: nothing was written" in errors
