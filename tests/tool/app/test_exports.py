"""The groups of all rows as a table: from a notebook and from the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.datasets import load_iris

from pairspace.active import SimulatedPerson
from pairspace.tool.app.labelling import Display, Labelling

IRIS, SPECIES = load_iris(return_X_y=True)
NAMES = ("setosa", "versicolor", "virginica")


@pytest.fixture
def flowers(tmp_path: Path) -> Path:
    """A table with codes that are no numbers; row 150 is equal to row 0, row 151 to row 50."""
    frame = pd.DataFrame(IRIS, columns=["a", "b", "c", "d"])
    frame = pd.concat([frame, frame.iloc[[0, 50]]], ignore_index=True)
    frame.insert(0, "flower", [f"f{row}" for row in range(152)])
    frame.insert(1, "code", [f"{row:04}" for row in range(152)])
    frame.to_csv(tmp_path / "flowers.csv", index=False)
    return tmp_path


def labelling_of(folder: Path) -> Labelling:
    frame = pd.read_csv(folder / "flowers.csv", dtype={"code": str})
    return Labelling(
        frame[["a", "b", "c", "d"]].to_numpy(),
        Display(frame),
        ids=frame["flower"].tolist(),
        answers=folder / "answers.sqlite",
        ask="?",
        title="",
        annotator="ada",
        random_state=0,
        learners=["label spreading, standardised"],
    )


def answer(labelling: Labelling, rows: list[int]) -> None:
    session = labelling.session
    person = SimulatedPerson([*SPECIES, 0, 1])
    for row in rows:
        question = session.board_for("tab", row)
        response = person(question, session.groups())
        said = ("new", NAMES[person.y[row]]) if response == "new" else response
        assert session.answer(question, said, "ada") is None


def test_all_rows_with_how_their_group_is_known(flowers: Path) -> None:
    labelling = labelling_of(flowers)
    rows = [0, 1, 50, 51, 100, 101, 2, 52, 102]
    answer(labelling, rows)
    session = labelling.session
    session.answer(session.board_for("tab", 70), "aside", "ada")
    session.answer(session.board_for("tab", 71), "skip", "ada")
    session.questions.adopt(session.questions.plan().fit())
    found = labelling.groups_
    assert found["flower"].tolist() == [f"f{row}" for row in range(152)]
    assert found["how"][rows].tolist() == ["placed"] * 9
    # An equal row was not asked about, and its group is no guess.
    assert found["how"][[150, 151]].tolist() == ["implied", "implied"]
    assert found["group"][[150, 151]].tolist() == ["setosa", "versicolor"]
    assert found["said"][[70, 71]].tolist() == ["not of interest", "not sure"]
    assert pd.isna(found["group"][70])
    assert found["how"][71] == "predicted"
    right = found["group"][:150].to_numpy() == [NAMES[kind] for kind in SPECIES]
    assert right.mean() > 0.8
    session.close()


def test_the_command_exports_what_the_file_has(flowers: Path, run: Any) -> None:
    labelling = labelling_of(flowers)
    answer(labelling, [0, 1, 50, 51, 100, 101])
    labelling.session.close()
    words = ["label", flowers / "flowers.csv", "--id", "flower", "--columns", "a,b,c,d"]
    words += ["--answers", flowers / "answers.sqlite", "--seed", 0]
    ran = run(*words, "--export", flowers / "groups.csv")
    assert ran.code == 0, ran.err
    assert "of 152 rows are in 3 groups" in ran.out
    found = pd.read_csv(flowers / "groups.csv", dtype=str)
    # The person's own columns are as they were.
    assert found["code"].tolist() == [f"{row:04}" for row in range(152)]
    assert (found["how"] == "placed").sum() == 6
    # Rows 101 and 142 of the irises are equal.
    assert found.index[found["how"] == "implied"].tolist() == [142, 150, 151]
    assert found["group"][150] == "setosa"
    again = run(*words, "--export", flowers / "groups.csv")
    assert again.code == 1
    assert "--force" in again.err
    assert run(*words, "--export", flowers / "groups.parquet").code == 0
    assert len(pd.read_parquet(flowers / "groups.parquet")) == 152
    assert "csv or parquet" in run(*words, "--export", flowers / "groups.npy").err
