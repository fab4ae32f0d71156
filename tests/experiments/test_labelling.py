"""The study of the labelling page."""

import numpy as np
import pytest

from experiments import labelling
from experiments.groups import Problem
from experiments.halves import REPORTED_ON
from experiments.labelling_page import page
from experiments.table import Cell, Split
from experiments.tables.labelling import TABLE


@pytest.mark.parametrize("method", TABLE.methods)
def test_every_method_groups_three_clouds(monkeypatch, method):
    monkeypatch.setattr(labelling, "MARKS", (30, 60, 100))
    y = np.arange(90) % 3
    X = np.random.default_rng(0).normal(size=(90, 4)) + 5 * np.eye(3, 4)[y]
    found = TABLE.measure(Problem(X, y, 0.0, 0), TABLE.methods[method])
    assert found["ari after 100 s"] > 0.8


def test_the_page_shows_what_is_kept_with_wrong_answers():
    records = {
        Cell(Split(name, setting, 0, 0), method): {
            "metrics": {f"ari after {mark} s": 0.8 - 0.2 * at for mark in labelling.MARKS}
        }
        for name in REPORTED_ON[:2]
        for at, setting in enumerate(TABLE.settings)
        for method in TABLE.methods
    }
    text = page(TABLE, records)
    assert "5 % wrong, held-out half, 2 datasets" in text
    assert "| mixed | 0.750 (2 datasets) | 0.500 (2 datasets) |" in text
