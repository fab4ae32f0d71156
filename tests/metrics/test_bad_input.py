"""Labels of every kind: a number, or an error that names the argument."""

import numpy as np
import pandas as pd
import pytest

from pairspace.metrics import (
    normalized_rand_index,
    pair_distances,
    pair_f_score,
    purity,
)

ALL = [normalized_rand_index, pair_f_score, purity]
TRUE = np.array([0, 0, 1, 1, 2])


@pytest.mark.parametrize("metric", ALL)
@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, None, 1, 1, 2], "labels_pred must have a label for every row, but row 1 has none"),
        ([0, pd.NA, 1, 1, 2], "row 1 has none"),
        (np.array([0, np.nan, 1, 1, 2]), "row 1 has none"),
        (["a", 1, "b", "b", "c"], "all strings or all integers"),
        ([[0], [1, 2], [3], [4], [5]], "integers or strings"),
        ([[0, 1], [1, 2]], "1d array"),
        ([object()] * 5, "integers or strings"),
        (np.arange(5).astype("datetime64[D]"), "integers or strings"),
        (np.arange(5) + 1j, "Complex data not supported"),
        (3, "1d array"),
        (TRUE[:4], "labels_true has 5 rows, but labels_pred has 4"),
        (TRUE + 0.5, "integers or strings; got 0.5"),
    ],
)
def test_bad_labels(metric, labels, message):
    with pytest.raises((ValueError, TypeError), match=message):
        metric(TRUE, labels)


@pytest.mark.parametrize("metric", ALL)
def test_no_rows(metric):
    with pytest.raises(ValueError, match="a row or more"):
        metric([], [])


@pytest.mark.parametrize("metric", ALL)
@pytest.mark.parametrize(
    "renamed", [["b", "b", "a", "a", "x"], [7, 7, -1, -1, -5], pd.Series([1.0, 1, 0, 0, 3])]
)
def test_any_names_of_clusters(metric, renamed):
    """−1 is a cluster here, as the noise of DBSCAN is."""
    found = [0, 1, 1, 1, 2]
    assert metric(renamed, found) == metric(TRUE, found)


def test_distances_of_labels():
    with pytest.raises(TypeError, match=r"must be a pairspace.Constraints; got ndarray"):
        pair_distances(np.eye(5), TRUE)
