"""The study of programs that answer."""

import numpy as np
import pytest

from experiments import programs
from experiments.groups import Problem
from experiments.halves import REPORTED_ON
from experiments.programs import BUDGET, CLICKS, wrong_at_random, wrong_on_look_alikes
from experiments.programs_page import PERSON, page, pictures, program_name
from experiments.table import Cell, Split
from experiments.tables.programs import TABLE

Y = np.arange(90) % 3
PROBLEM = Problem(np.random.default_rng(0).normal(size=(90, 4)) + 3 * np.eye(3, 4)[Y], Y, 0.0, 0)


@pytest.mark.parametrize("make", [wrong_at_random, wrong_on_look_alikes])
def test_programs_are_wrong_as_often_as_they_say(make):
    said = make(PROBLEM, 0.2)
    assert np.sum(said != Y) == 18
    assert set(said) == {0, 1, 2}


def test_look_alikes_are_nearer_to_the_class_that_they_are_taken_for():
    said = wrong_on_look_alikes(PROBLEM, 0.1)
    means = np.array([PROBLEM.X[y == Y].mean(axis=0) for y in range(3)])
    wrong = said != Y
    away = np.linalg.norm(PROBLEM.X[:, None] - means, axis=2)
    rows = np.arange(len(Y))
    nearer = away[rows, said] - away[rows, Y]
    others = away[~wrong][:, :, None] - away[~wrong][:, None]
    assert nearer[wrong].mean() < np.abs(others[others != 0]).mean() / 2


def test_audits_help(monkeypatch):
    monkeypatch.setattr(programs, "BUDGET", 90)
    monkeypatch.setattr(programs, "CLICKS", (10, 20))
    monkeypatch.setattr(programs, "RIGHT_CLICKS", 30)
    found = TABLE.measure(PROBLEM, TABLE.methods[program_name(0.15, alike=True)])
    for audit in ("sweeps", "boards"):
        assert found[f"ari, 20 clicks, {audit}"] > found["ari, 0 clicks"]
    assert abs(found["right"] - 0.85) < 0.1
    assert TABLE.measure(PROBLEM, TABLE.methods[PERSON])["ari"] > 0.8


def test_the_page_says_whether_the_target_is_reached():
    marks = {f"ari, {n} clicks, {audit}": 0.8 for n in CLICKS for audit in ("sweeps", "boards")}
    said = {f"said right, {n} clicks, sweeps": 0.9 for n in CLICKS}
    said |= {f"error, {n} clicks, sweeps": 0.01 for n in CLICKS}
    of_program = {"ari, 0 clicks": 0.5, "right": 0.85, **marks, **said}
    records = {
        Cell(Split(name, "", 0, 0), method): {
            "metrics": {"ari": 0.7 + 0.05 * at} if method == PERSON else of_program
        }
        for at, name in enumerate(REPORTED_ON[:2])
        for method in TABLE.methods
    }
    text = page(TABLE, records)
    assert "The held-out half, 2 datasets" in text
    assert f"| {BUDGET} answers, 15 % wrong at random | 0.500 (0.500) |" in text
    assert "| 15 % wrong at random | sweeps | +0.075 | reached | 0 of 2 |" in text
    assert "| 15 % wrong at random, 30 clicks | 0.900 | 0.850 | 0.010 | 2 of 2 |" in text
    assert pictures(TABLE, records)["programs_study"].startswith("<svg")
