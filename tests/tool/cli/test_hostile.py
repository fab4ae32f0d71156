"""Files that want to harm: the command says what is wrong with them, and nothing else happens."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pairspace
from pairspace import PairSpace
from pairspace.constraints.answers_file import AnswerStore
from pairspace.tool.cli._screen import printable, printable_json

ESCAPE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 3)), columns=["a", "b", "c"])
    path = tmp_path / "m.skops"
    fitted = PairSpace(random_state=0).fit(X, np.arange(30) % 2)
    # As the labelling page saves it: without a number of labels.
    pairspace.save(fitted, path, X, about={"data": "x.csv", "must_links": 3, "cannot_links": 12})
    return path


def with_card(model: Path, **change: Any) -> Path:
    other = model.with_name("other.skops")
    with zipfile.ZipFile(model) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "pairspace.json":
                content = json.dumps(json.loads(content) | change).encode()
            new.writestr(name, content)
    return other


def test_info_on_a_model_of_the_page(model: Path, run: Any) -> None:
    ran = run("info", model)
    assert ran.code == 0
    assert "learned from 3 must-links, 12 cannot-links and 0 labels" in ran.out


@pytest.mark.parametrize(
    "about",
    [
        {"must_links": "many", "cannot_links": None},
        {"must_links": 3},
        {"data": 7, "summary": "text"},
        {"summary": [1, None, {}]},
        {"text": 5},
    ],
    ids=str,
)
def test_info_on_odd_descriptions(model: Path, run: Any, about: dict[str, Any]) -> None:
    ran = run("info", with_card(model, about=about))
    assert ran.code == 0
    assert "fitted on 30 rows" in ran.out


def test_descriptions_do_not_command_the_terminal(model: Path, run: Any) -> None:
    other = with_card(
        model, created=ESCAPE, features=[ESCAPE, "b", "c"], about={"data": ESCAPE, ESCAPE: ESCAPE}
    )
    for more in ((), ("--json",)):
        ran = run("info", other, *more)
        assert ran.code == 0
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(ran.out + ran.err)
    assert ran.json["about"]["data"] == ESCAPE


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_ids_and_names_do_not_command_the_terminal(tmp_path: Path, run: Any, more: Any) -> None:
    pairs = tmp_path / "pairs.csv"
    rows = [f"{ESCAPE},b,yes", "b,c,yes", f"{ESCAPE},c,no"]
    pairs.write_text("a,b,same\n" + "\n".join(rows) + "\n", encoding="utf-8")
    ran = run("check", pairs, *more)
    assert ran.code == 3
    assert "owned" in ran.out
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(ran.out + ran.err)


def test_what_is_shown_instead() -> None:
    assert printable("a\tb\nc\x1b[0m é \u202e\ud800") == "a\tb\nc\\x1b[0m é \\u202e\\ud800"
    assert json.loads(printable_json(json.dumps("\x1b\x9b\u202e", ensure_ascii=False))) == (
        "\x1b\x9b\u202e"
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("p.csv", "a,b,same\n" + "9" * 200_000 + ",1,yes\n"),
        ("p.csv", "a,b,same\n1,2," + "y" * 200_000 + "\n"),
        ("p.csv", "a,b,same\n1,99999999999999999999,yes\n"),
        ("p.jsonl", '{"a": ' + "[" * 100_000 + "\n"),
        ("p.jsonl", '{"a": 1' + "0" * 6_000 + ', "b": 2, "same": true}\n'),
    ],
    ids=["cell", "answer", "number", "deep", "long number"],
)
def test_pairs_that_no_one_can_mean(tmp_path: Path, run: Any, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    for command in (("check",), ("check", "--json")):
        ran = run(*command, tmp_path / name)
        assert ran.code == 1, ran.err
        assert len(ran.out + ran.err) < 1_000


def test_row_numbers_that_are_large_take_no_memory(tmp_path: Path, run: Any) -> None:
    path = tmp_path / "p.csv"
    path.write_text("a,b,same\n0,3000000000000,yes\n3000000000000,7,no\n", encoding="utf-8")
    ran = run("check", path, "--json")
    assert ran.code == 0
    assert (ran.json["same"], ran.json["different"]) == (1, 1)


def test_a_view_without_end_is_refused(tmp_path: Path, run: Any) -> None:
    path = tmp_path / "a.sqlite"
    AnswerStore(path, [str(row) for row in range(5)]).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE answers")
        columns = "1 AS id, n AS a, n + 1 AS b, 1 AS same"
        connection.execute(
            "CREATE VIEW answers AS WITH RECURSIVE c(n) AS "
            f"(SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT {columns} FROM c"
        )
        connection.commit()
    ran = run("check", path)
    assert ran.code == 1
    assert "choose another file" in ran.err


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        ("fit wine.csv --labels kind -o wine.csv", "wine.csv"),
        ("fit wine.csv --id bottle --pairs answers.csv -o ./answers.csv", "answers.csv"),
        ("transform m.skops wine.csv -o wine.csv", "wine.csv"),
        ("export m.skops --onnx -o m.skops", "m.skops"),
        ("cluster wine.csv --labels kind -o wine.csv", "wine.csv"),
        ("cluster wine.csv --labels kind -o out.csv --model wine.csv", "wine.csv"),
        ("cluster wine.csv --labels kind -o out.csv --model out.csv", "wine.csv"),
        ("compare wine.csv --labels kind -o wine.csv", "wine.csv"),
        ("compare wine.csv --labels kind -o out.html --model out.html", "wine.csv"),
        ("label wine.csv --export wine.csv", "wine.csv"),
    ],
)
def test_a_file_that_is_read_is_not_written(
    folder: Path, model: Path, run: Any, command: str, kept: str
) -> None:
    before = (folder / kept).read_bytes()
    ran = run(*command.split(), "--force")
    assert ran.code == 1
    assert "choose another name for the output" in ran.err
    assert (folder / kept).read_bytes() == before
    assert not list(folder.glob("out.*"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b,same,weight\n0,1,yes,-1\n", "must_weight must be positive and finite; got -1.0"),
        ("a,b,same,weight\n0,1,no,1e300\n", "cannot_weight must be positive and finite; got 1e"),
        ("A,B,Same\n0,1,yes\n", "'a' is missing, the columns are 'A', 'B', 'Same'"),
        ("", "'a' is missing, the columns are none"),
    ],
)
def test_check_finds_what_fit_refuses(tmp_path: Path, run: Any, content: str, message: str) -> None:
    (tmp_path / "p.csv").write_text(content, encoding="utf-8")
    ran = run("check", tmp_path / "p.csv")
    assert ran.code == 1
    assert message in ran.err


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("check answers.csv --sep ;", "say how DATA is written: give it, too"),
        ("fit wine.csv --labels kind --jobs 0", "--jobs must be a number of processes, or -1"),
        ("cluster wine.csv --labels kind --groups 999", "n_clusters=999 must be at most 178"),
        ("demo -o x.xyz", "x.xyz: the figure must be .png, .svg or .pdf; got '.xyz'"),
        ("fit text.npy --labels kind", "it is no file of NumPy, or holds Python objects"),
        ("fit text.npz --labels kind", "it is no file of NumPy, or holds Python objects"),
    ],
)
def test_options_and_files_that_can_not_be_used_are_named(
    folder: Path, run: Any, command: str, message: str
) -> None:
    for name in ("text.npy", "text.npz"):
        (folder / name).write_text("text", encoding="ascii")
    ran = run(*command.split())
    assert ran.code == 1
    assert message in ran.err


# ---- label -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "more", "message", "never"),
    [
        ("x,y\n1,2\n,3\n4,5\n", (), "--impute median", "--drop-rows"),
        ("x,y\n1,2\n", (), "has only one row", "Traceback"),
        ("p\na.png\nb.png\n", ("--image", "p"), "with --embeddings", "--text"),
    ],
)
def test_label_names_remedies_that_it_has(
    tmp_path: Path, run: Any, content: str, more: Any, message: str, never: str
) -> None:
    (tmp_path / "x.csv").write_text(content, encoding="utf-8")
    ran = run("label", tmp_path / "x.csv", *more, "--image-root", tmp_path, "--no-browser")
    assert ran.code == 1
    assert message in ran.err
    assert never not in ran.err


def test_transform_safe_csv(model: Path, run: Any, tmp_path: Path) -> None:
    data = pd.DataFrame({"id": ["=1+1", "b"], "a": [1.0, 2], "b": [2.0, 1], "c": [0.0, 1]})
    data.to_csv(tmp_path / "x.csv", index=False)
    out = tmp_path / "z.csv"
    ran = run("transform", model, tmp_path / "x.csv", "--id", "id", "-o", out, "--safe-csv")
    assert ran.code == 0, ran.err
    assert pd.read_csv(out)["id"].tolist() == ["'=1+1", "b"]
