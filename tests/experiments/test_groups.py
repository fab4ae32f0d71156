"""The study of groups: answers, wrong answers, the page."""

import numpy as np
import pytest

from experiments import groups
from experiments.groups_page import page
from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.table import Cell, Split
from experiments.tables.groups import TABLE


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(groups, "PLACED", (20, 30))
    monkeypatch.setattr(groups, "PAIRS", (10, 20))


@pytest.fixture(scope="module")
def problem():
    random = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = random.normal(size=(90, 4)) + 4 * np.eye(3, 4)[y]
    return groups.Problem(X, y, 0.0, 0)


def test_both_halves_are_in_it():
    assert set(TABLE.datasets) == {*CHOSEN_ON, *REPORTED_ON}


@pytest.mark.parametrize("method", TABLE.methods)
def test_every_method_groups_three_clouds(short, problem, method):
    found = TABLE.measure(problem, TABLE.methods[method])
    last = max(found, key=lambda name: int(name.split()[-1]) if "ari" in name else 0)
    assert found[last] > 0.8
    if method.startswith("rows placed"):
        assert found["right above .9"] > 0.9


def test_wrong_labels_are_wrong(short, problem):
    wrong = groups.Problem(problem.X, problem.y, 1.0, 0)
    for n_labels, known in groups._random_labels(wrong):
        assert np.count_nonzero(known >= 0) == n_labels
        assert np.all(known[known >= 0] != problem.y[known >= 0])


def test_random_pairs_are_as_wrong_as_asked(problem):
    for wrong in (0.0, 1.0):
        pairs = groups.random_pairs(groups.Problem(problem.X, problem.y, wrong, 0), 20)
        assert len(pairs.must_link) + len(pairs.cannot_link) == 20
        same = [
            problem.y[links[:, 0]] == problem.y[links[:, 1]]
            for links in (pairs.must_link, pairs.cannot_link)
        ]
        assert np.all(same[0] == (wrong == 0))
        assert np.all(same[1] == (wrong == 1))


def test_the_page_has_means_medians_and_the_worst_dataset():
    datasets = REPORTED_ON[:3]
    records = {
        Cell(Split(name, setting, 0, 0), method): {
            "metrics": {f"ari after {n}": 0.1 * number / (1 + at) for n in groups.PLACED}
        }
        for number, name in enumerate(datasets)
        for setting in TABLE.settings
        for at, method in enumerate(TABLE.methods)
    }
    text = page(TABLE, records)
    assert "held-out half, 3 datasets" in text
    assert "| rows placed, chosen by doubt | 0.100 (0.100) |" in text
    assert f"| {datasets[0]} +0.000 |" in text
    assert "share kept" in text
