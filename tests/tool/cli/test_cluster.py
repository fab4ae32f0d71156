"""``pairspace cluster``, as a person uses it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.metrics import adjusted_rand_score

import pairspace
from pairspace.tool.demo.customers import customers

ADDED = [
    "group_id",
    "group",
    "confidence",
    "second_group",
    "second_confidence",
    "how",
    "n_answers",
]


@pytest.fixture
def shop(tmp_path, monkeypatch, run):
    """customers.csv and answers.csv, as ``pairspace demo --files`` writes them."""
    monkeypatch.chdir(tmp_path)
    assert run("demo", "--files", ".").code == 0
    return tmp_path


def test_all_rows_are_written_as_they_are_with_their_groups(shop, run):
    # Cells that pandas would read as something else.
    frame = pd.read_csv("customers.csv", dtype=str)
    frame["code"] = [f"{row:05d}" for row in range(len(frame))]
    frame["note"] = ["NA", "a, b", 'say "hi"', ""] * (len(frame) // 4)
    frame["paid"] = "1.50"
    frame.to_csv("messy.csv", index=False)
    words = ("--id", "name", "--ignore", "code,note,paid", "--pairs", "answers.csv")
    ran = run("cluster", "messy.csv", *words, "-o", "groups.csv")
    assert ran.code == 0, ran.err
    found = pd.read_csv("groups.csv", dtype=str, keep_default_na=False)
    assert list(found.columns) == [*frame.columns, *ADDED]
    pd.testing.assert_frame_equal(found[frame.columns], frame, check_dtype=False)
    assert adjusted_rand_score(customers()[1], found["group"]) > 0.5
    assert set(found["how"]) == {"placed", "predicted"}
    answers = pd.read_csv("answers.csv")
    counts = pd.concat([answers["a"], answers["b"]]).value_counts()
    told = found.set_index("name")["n_answers"].astype(int)
    assert told[told > 0].to_dict() == counts.to_dict()
    assert found["confidence"].astype(float).between(0.25, 1).all()


def test_labels_name_the_groups(folder, run):
    ran = run("cluster", "wine.csv", "--id", "bottle", "--labels", "kind", "-o", "groups.parquet")
    assert ran.code == 0, ran.err
    found = pd.read_parquet("groups.parquet")
    assert set(found["group"]) == {"class_0", "class_1", "class_2"}
    assert found["alcohol"].dtype == float
    known = found["kind"].notna()
    assert (found["how"] == "placed").tolist() == known.tolist()
    assert (found["group"] == found["kind"])[known].all()
    assert adjusted_rand_score(load_wine().target, found["group"]) > 0.8
    for name in found["group"].unique():
        assert name in ran.out


def test_a_model_predicts_new_rows(folder, run, wine):
    words = ("cluster", "wine.csv", "--id", "bottle", "--labels", "kind")
    ran = run(*words, "-o", "groups.csv", "--model", "groups.skops")
    assert ran.code == 0, ran.err
    shown = run("info", "groups.skops", "wine.csv").out
    assert "3 groups: class_0, class_1, class_2" in shown
    assert "wine.csv is the training data" in shown
    model = pairspace.load("groups.skops")
    predicted = model.predict(wine.drop(columns=["bottle", "region", "kind"]))
    written = pd.read_csv("groups.csv")["group_id"]
    assert (predicted == written).mean() > 0.95
    ran = run("transform", "groups.skops", "wine.csv", "-o", "z.csv")
    assert ran.code == 1
    assert "groups.skops predicts groups and makes no components" in ran.err


def test_rows_with_missing_values_stay_without_a_group(folder, run, wine):
    wine = wine.copy()
    wine.loc[[3, 5], "alcohol"] = None
    wine.to_csv("gaps.csv", index=False)
    words = ("cluster", "gaps.csv", "--id", "bottle", "--labels", "kind")
    assert "--drop-rows" in run(*words, "-o", "out.csv").err
    ran = run(*words, "--drop-rows", "-o", "out.csv")
    assert ran.code == 0, ran.err
    found = pd.read_csv("out.csv")
    assert found["bottle"].tolist() == wine["bottle"].tolist()
    assert found.index[found["group"].isna()].tolist() == [3, 5]
    assert run(*words, "--impute", "median", "-o", "all.csv").code == 0
    assert pd.read_csv("all.csv")["group"].notna().all()


def test_columns_of_the_same_name_are_kept(folder, run, wine):
    wine.rename(columns={"kind": "group"}).to_csv("named.csv", index=False)
    ran = run("cluster", "named.csv", "--id", "bottle", "--labels", "group", "-o", "out.csv")
    assert ran.code == 0, ran.err
    assert "the new columns are called pairspace_group_id" in ran.err
    found = pd.read_csv("out.csv", keep_default_na=False)
    assert found["group"].tolist() == wine["kind"].tolist()
    assert set(found["pairspace_group"]) == {"class_0", "class_1", "class_2"}


def test_errors_come_before_the_work(folder, run):
    words = ("cluster", "wine.csv", "--id", "bottle")
    Path("old.csv").touch()
    for more, message in (
        ((), "cluster needs answers: give --pairs or --labels"),
        (("--pairs", "nowhere.csv"), "nowhere.csv does not exist"),
        (("--pairs", "answers.csv", "-o", "old.csv"), "add --force to overwrite it"),
        (("--pairs", "answers.csv", "--model", "old.csv"), "add --force to overwrite it"),
        (("--pairs", "answers.csv", "-o", "x.npy"), "a .npy file can hold only numbers"),
        (("--pairs", "answers.csv", "-o", "x.xlsx"), "the output must be"),
    ):
        ran = run(*words, *more)
        assert ran.code == 1
        assert message in ran.err
    Path("bad.csv").write_text("a,b,same\nb000,b001,yes\nb001,b002,yes\nb000,b002,no\n")
    ran = run(*words, "--pairs", "bad.csv")
    assert ran.code == 1
    assert "contradict" in ran.err


def test_random_pairs_are_told_apart_from_placed_rows(folder, run):
    ran = run("cluster", "wine.csv", "--id", "bottle", "--pairs", "answers.csv", "--json")
    assert ran.code == 0, ran.err
    assert "the answers place too few rows" in ran.err
    assert ran.json["how"] == {"predicted": 178}
    assert sum(ran.json["groups"].values()) == ran.json["rows"] == 178
