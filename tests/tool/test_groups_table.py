"""The table of the groups of all rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pairspace import Constraints, PairClusters
from pairspace.tool.groups_table import COLUMNS, beside, groups_table, table_of

P = np.array([[0.9, 0.1, 0.0], [0.2, 0.7, 0.1], [0.3, 0.3, 0.4], [0.6, 0.0, 0.4], [1.0, 0.0, 0.0]])


def test_each_row_has_two_groups_with_their_probabilities():
    table = groups_table(P, np.array([0]), np.array([0]), names=["a", "b", "c"])
    assert tuple(table.columns) == COLUMNS
    assert table["group_id"].tolist() == [0, 1, 2, 0, 0]
    assert table["group"].tolist() == ["a", "b", "c", "a", "a"]
    assert table["second_group"].tolist() == ["b", "a", "a", "c", "b"]
    assert table["confidence"].tolist() == [0.9, 0.7, 0.4, 0.6, 1.0]
    assert table["second_confidence"].tolist() == [0.1, 0.2, 0.3, 0.4, 0.0]


def test_how_a_group_is_known():
    answers = Constraints(5, must_link=[(0, 3)], cannot_link=[(0, 1), (2, 1), (2, 0)])
    table = groups_table(
        P,
        placed_rows=np.array([0, 1, 2, 3]),
        placed_groups=np.array([0, 1, 1, 0]),  # the learners outvote row 2
        constraints=answers,
    )
    assert table["how"].tolist() == ["placed", "implied", "predicted", "placed", "predicted"]
    assert table["n_answers"].tolist() == [3, 2, 2, 1, 0]
    assert table["group"].tolist()[:2] == ["group 1", "group 2"]
    labelled = groups_table(
        P, np.array([1]), np.array([1]), labelled=[False, True, False, False, False]
    )
    assert labelled["how"].tolist() == ["predicted", "placed", *["predicted"] * 3]
    assert labelled["n_answers"].tolist() == [0, 1, 0, 0, 0]


def test_one_group_has_no_second():
    nobody = np.empty(0, dtype=int)
    table = groups_table(np.ones((3, 1)), nobody, nobody)
    assert table["second_group"].isna().all()
    assert table["second_confidence"].isna().all()
    with pytest.raises(ValueError, match="names must have 1 values"):
        groups_table(np.ones((3, 1)), nobody, nobody, names=["a", "b"])


def test_own_columns_stay_and_names_do_not_clash():
    frame = pd.DataFrame({"group": ["x", "y", "z"], "n": [3, 1, 2]}, index=[7, 8, 9])
    table = groups_table(P[:2], np.array([0]), np.array([0]))
    whole = beside(frame, table, np.array([0, 2]))
    assert whole.columns[:2].tolist() == ["group", "n"]
    assert whole["group"].tolist() == ["x", "y", "z"]
    assert whole["pairspace_group"].tolist()[::2] == ["group 1", "group 2"]
    assert whole["pairspace_group"].isna().tolist() == [False, True, False]
    assert whole["pairspace_group_id"].dropna().tolist() == [0, 1]
    assert "pairspace_pairspace_group" in beside(whole, table, np.array([0, 2]))


def test_the_table_of_fitted_clusters():
    random = np.random.RandomState(0)
    X = np.vstack([random.normal(size=(20, 3)), random.normal(6, size=(20, 3))])
    y = np.full(40, None, dtype=object)
    y[[0, 1, 2]], y[[20, 21, 22]] = "low", "high"
    clusters = PairClusters(random_state=0).fit(X, y)
    table = table_of(clusters, labelled=[label is not None for label in y])
    assert table["group"].tolist() == ["low"] * 20 + ["high"] * 20
    assert np.flatnonzero(table["how"] == "placed").tolist() == [0, 1, 2, 20, 21, 22]
    np.testing.assert_allclose(table["confidence"], clusters.probabilities_.max(axis=1), atol=1e-4)
