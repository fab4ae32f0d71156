"""A small file of data as people have it, answers about it, and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from typer.testing import CliRunner

from pairspace import Constraints
from pairspace.tool import classifiers
from pairspace.tool.cli import app


@pytest.fixture(scope="session")
def wine() -> pd.DataFrame:
    """178 bottles: a name, 13 numbers, a region (text), and the kind of every fifth."""
    bunch = load_wine(as_frame=True)
    frame = bunch.data.copy()
    frame.insert(0, "bottle", [f"b{row:03d}" for row in range(len(frame))])
    frame["region"] = [f"village {row % 89}" for row in range(len(frame))]
    names = bunch.target_names[bunch.target]
    frame["kind"] = [str(name) if row % 5 == 0 else "" for row, name in enumerate(names)]
    return frame


@pytest.fixture
def few_classifiers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two classifiers instead of five to compare with: forests take most of the time."""
    quick = [KNeighborsClassifier(1), SVC(C=10.0)]
    monkeypatch.setattr(classifiers, "GRID", [{"scale": ["passthrough"], "learn": quick}])


@pytest.fixture
def folder(wine: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """wine.csv and answers.csv in a folder of their own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    wine.to_csv("wine.csv", index=False)
    kinds = load_wine().target
    pairs = Constraints.from_labels(kinds, n_pairs=40, random_state=0)
    pairs.write("answers.csv", ids=wine["bottle"].tolist())
    return tmp_path


class Ran:
    """What a command did."""

    def __init__(self, result: Any) -> None:
        self.code, self.out, self.err = result.exit_code, result.stdout, result.stderr
        self.result = result

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run ``pairspace`` with some words."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*words: Any) -> Ran:
        return Ran(CliRunner().invoke(app, [str(word) for word in words]))

    return run
