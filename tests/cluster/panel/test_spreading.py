"""Label spreading against a dense solve for each fold."""

import numpy as np
import pytest

from oracles import panel as oracle
from pairspace.base import PlacedRows
from pairspace.cluster.panel import LEARNERS, PanelTable
from pairspace.cluster.panel._judging import folds_of
from pairspace.cluster.panel._spreading import ALPHA, NEIGHBORS, affinities, shares, spread


def blobs(n=60, seed=0):
    random = np.random.default_rng(seed)
    y = np.arange(n) % 3
    return random.normal(size=(n, 4)) + 3 * np.eye(3, 4)[y], y


def placed_of(y, rows):
    rows = np.sort(rows)
    return PlacedRows(rows, y[rows], np.ones(len(rows)), 3, len(rows))


def test_the_graph_is_that_of_the_transcription():
    X, _ = blobs()
    np.testing.assert_allclose(
        affinities(X, 0).toarray(), oracle.affinities(X, NEIGHBORS), atol=1e-12
    )


def test_spreading_solves_the_linear_system():
    X, y = blobs()
    S = affinities(X, 0)
    rows = np.array([0, 1, 2, 5])
    labels = np.eye(3)[y[rows]]
    (found,) = spread(S, [(rows, labels)])
    Y = np.zeros((len(X), 3))
    Y[rows] = labels
    exact = np.linalg.solve(np.eye(len(X)) - ALPHA * S.toarray(), Y)
    assert np.abs(found - exact).max() < 2e-4 * np.abs(exact).max()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_all_folds_come_out_of_one_solve(seed):
    X, y = blobs(seed=seed)
    random = np.random.RandomState(seed)
    placed = placed_of(y, random.choice(60, 17, replace=False))
    folds = folds_of(placed.groups, placed.rows, random)
    table = PanelTable(X, np.random.RandomState(0))
    fit = LEARNERS["label spreading, raw"].cross_fit(table, placed, folds, random)
    S = oracle.affinities(X, NEIGHBORS)
    given = placed.rows, placed.groups, 3, ALPHA
    np.testing.assert_allclose(fit.probabilities, oracle.spreading(S, *given), atol=2e-3)
    np.testing.assert_allclose(fit.held_out, oracle.held_out(S, *given, folds), atol=5e-3)


def test_rows_that_no_label_reaches_have_equal_probabilities():
    found = shares(np.array([[0.0, 0.0, 0.0], [2.0, 1.0, 0.0]]), np.array([2.0, 1.0, 0.0]))
    np.testing.assert_allclose(found, [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]])


def test_groups_with_more_labels_do_not_count_for_more():
    np.testing.assert_allclose(shares(np.array([[4.0, 1.0]]), np.array([4.0, 1.0])), [[0.5, 0.5]])
