"""The demo, on part of the digits."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from pairspace.tool import demo
from pairspace.tool.demo.board import Board, place_rows
from pairspace.tool.demo.rivals import CLASSIFIERS, SPREADING, random_labels
from pairspace.tool.demo.spaces import split_around

N_ROWS = 400


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The results, what was printed, and the figure."""
    lines = []
    output = tmp_path_factory.mktemp("demo") / "digits.png"
    results = demo.run(output, lines.append, n_people=1, n_rows=N_ROWS)
    return results, "\n".join(lines), output


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:N_ROWS], y[:N_ROWS]


def test_every_number_of_the_results_is_printed(shown):
    results, printed, _ = shown
    for curves in results.curves.values():
        for n in demo.REPORTED:
            assert f"{curves[0][n]:.2f}" in printed
    for value in results.unsupervised.values():
        assert f"{value:.2f}" in printed
    for name, judged in results.spaces.items():
        line = next(line for line in printed.splitlines() if line.startswith(name))
        numbers = [judged.nearest_placed, judged.nearest_any, judged.ari]
        assert line.split()[1:] == [str(judged.columns), *(f"{one:.2f}" for one in numbers)]
    for name, values in results.customers.items():
        assert f"{name:<50} ARI {values[0]:.2f}" in printed


def test_the_figure_is_drawn(shown):
    _, printed, output = shown
    assert output.read_bytes().startswith(b"\x89PNG")
    assert f"Figure: {output}" in printed


def test_the_board_knows_only_what_was_placed(shown, digits):
    X, y = digits
    board = shown[0].board
    assert len(board.placed) == demo.REPORTED[-1]  # with second looks, which take a person as long
    assert board.ari[100] == pytest.approx(adjusted_rand_score(y, board.groups))
    # What the person sees in rows that are not placed makes no difference.
    other = y.copy()
    hidden = np.setdiff1d(np.arange(len(y)), board.placed)
    other[hidden] = 0
    again = place_rows(X, other, demo.REPORTED[-1], person=0)
    np.testing.assert_array_equal(again.placed, board.placed)
    np.testing.assert_array_equal(again.groups, board.groups)


def test_placed_rows_are_not_counted_as_right():
    board = Board({}, np.array([0]), np.array([1, 1, 2]), np.array([1.0, 0.95, 0.5]))
    assert board.right(np.array([1, 1, 1])) == (0.5, 2)
    assert board.right(np.array([1, 1, 1]), above=0.9) == (1.0, 1)


def test_rivals_use_labels_of_the_drawn_rows_only(digits):
    X, y = digits
    found = random_labels(X, y, (60,), person=0)
    assert set(found) == {SPREADING, CLASSIFIERS}
    drawn = np.random.RandomState(0).permutation(len(y))[:60]
    known = np.full(len(y), -1)
    known[drawn] = y[drawn]
    from sklearn.semi_supervised import LabelSpreading

    spread = LabelSpreading(kernel="knn").fit(X, known).transduction_
    assert found[SPREADING][60] == pytest.approx(adjusted_rand_score(y, spread))


def test_no_placed_row_is_held_out():
    split = split_around(np.arange(5), 20)
    assert len(split.held_out) == 10
    assert not set(split.held_out.tolist()) & set(range(5))
    assert sorted([*split.held_out, *split.fitted]) == list(range(20))


def test_the_command_gives_the_results_as_json(shown, monkeypatch, capsys):
    typer = pytest.importorskip("typer")
    from pairspace.tool.cli import app

    results, asked = shown[0], []

    def known(output, print_line, *, n_people):
        asked.append(n_people)
        return results

    inspect.signature(demo.run).bind(None, print, n_people=1)
    monkeypatch.setattr("pairspace.tool.demo.run", known)
    with pytest.raises((SystemExit, typer.Exit)):
        app(["demo", "--people", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert asked == [1]
    assert set(found) == {"ari", "spaces", "customers"}
    assert set(found["spaces"]) == set(results.spaces)
    assert found["spaces"]["PairSpace"]["ari"] == results.spaces["PairSpace"].ari
    assert set(found["customers"]) == set(results.customers)
