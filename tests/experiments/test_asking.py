"""The study of which pairs to ask: curves, wrong answers, the page and its counts."""

import numpy as np
import pytest

from experiments import asking
from experiments.asking_page import answers_until, curves_of, page
from experiments.halves import REPORTED_ON
from experiments.results import read
from experiments.runner import run, run_split
from experiments.table import Cell, Split
from experiments.tables.asking import TABLE
from pairspace.datasets import load


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(asking, "MOST", 20)


def test_it_reports_on_the_half_that_nothing_was_chosen_on():
    assert set(TABLE.datasets) <= set(REPORTED_ON)
    assert len(TABLE.datasets) == 10


def test_curves_start_before_the_first_answer(short):
    split = Split("wine", "no answer wrong", 0, 0)
    results = run_split(TABLE, split, list(TABLE.methods))
    assert [outcome.get("error") for _, outcome in results] == [None] * len(TABLE.methods)
    starts = {outcome["metrics"]["ari"][0] for _, outcome in results}
    assert len(starts) == 1
    for _, outcome in results:
        assert {len(curve) for curve in outcome["metrics"].values()} == {3}
        assert outcome["metrics"]["same"][0] == 0


def test_wrong_answers_are_wrong(short):
    X, y = load("wine", return_X_y=True)
    prepared = asking.prepare_asking(X, y, Split("wine", "", 0, 0), wrong=1.0)
    kept = []

    def make(n_components):
        ask = asking.asking(n_components, strategy="random")

        def keeping(*args, **options):
            kept.append(ask(*args, **options))
            return kept[-1]

        return keeping

    asking.learning_curve(prepared, make)
    (questions,) = kept
    links = questions.constraints
    assert len(links.must_link) + len(links.cannot_link) == 20
    assert np.all(prepared.y[links.must_link[:, 0]] != prepared.y[links.must_link[:, 1]])
    assert np.all(prepared.y[links.cannot_link[:, 0]] == prepared.y[links.cannot_link[:, 1]])


def test_true_quality_counts_pairs():
    y, clusters = np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1])
    assert asking._true_quality(y, clusters) == pytest.approx((1 / 3 + 2 / 3) / 2)


def test_the_page_counts_answers_until_a_level():
    assert answers_until(np.array([0.1, 0.3, 0.2, 0.3, 0.4]), 0.3) == 30
    assert answers_until(np.array([0.1, 0.3, 0.2]), 0.3) is None
    assert answers_until(np.array([0.4, 0.5]), 0.3) == 0


def test_the_page_is_made_from_results(tmp_path):
    file = tmp_path / "asking.jsonl"
    levels = dict(zip(TABLE.methods, (0.5, 0.4, 0.4, 0.3, 0.6, 0.7), strict=True))
    names = ("ari", "k_means_ari", "accuracy", "quality", "quality_error", "true_quality")
    records = {
        Cell(Split("seeds", setting, 0, 0), method): {
            "metrics": {name: (level * np.linspace(0, 1, 16)).tolist() for name in names}
        }
        for setting in TABLE.settings
        for method, level in levels.items()
    }
    assert not read(file)
    assert set(curves_of(TABLE, records, "5 % wrong", "ari")["random"]) == {"seeds"}
    text = page(TABLE, records)
    assert "random pairs after 100 answers: 0.333" in text
    assert "medoids 90, medoids, with test questions 80" in text
    assert "is missed" in text
    assert run(TABLE, file, []).n_cells == 0
