"""The trials of knowledge of other shapes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import scale

from experiments import other_knowledge as trials

X, y = load_iris(return_X_y=True)
TRIALS = {
    "cannot-links": trials._cannot_links(20),
    "triplets": trials._triplets(20),
    "weights": trials._sample_weights,
    "targets": trials._targets(20),
}


@pytest.mark.parametrize("name", TRIALS)
def test_a_trial_learns_from_training_rows_alone(name):
    order = np.random.RandomState(0).permutation(len(X))
    train, test = order[:75], order[75:]
    A, B, known = scale(X)[train], scale(X)[test], y[train]
    if name == "targets":
        A, B, known = A[:, :3], B[:, :3], X[train, 3]
    found = TRIALS[name](A, known, B, np.random.RandomState(0))
    again = TRIALS[name](A, known, B[::-1], np.random.RandomState(0))
    assert len(found) > 1
    for method, (Z, of_rows, new) in found.items():
        assert len(Z) == len(of_rows)
        assert new.shape == (75, Z.shape[1])
        assert np.isfinite(new).all()
        np.testing.assert_allclose(again[method][2][::-1], new, rtol=1e-6, atol=1e-8)


def test_the_table_has_means_and_differences_to_the_first_method(capsys):
    scores = {
        "one": {"a": np.array([0.5, 0.25]), "b": np.array([0.75, 0.25])},
        "two": {"a": np.array([0.5, 0.75]), "b": np.array([0.25, 1.0])},
    }
    trials._print("trial", scores)
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in capsys.readouterr().out.strip().splitlines()
    ]
    assert lines[0][:3] == ["trial, 2 datasets", "1-NN", "ARI"]
    assert lines[2] == ["a", "0.500", "0.500", "", "", "", ""]
    assert lines[3] == ["b", "0.500", "0.625", "+0.000", "+0.125", "-0.250", "+0.000"]
