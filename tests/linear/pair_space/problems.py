"""Data and comparisons that the tests of PairSpace share."""

import numpy as np
import pytest

from oracles.subspaces import principal_angles, same_columns_up_to_sign
from pairspace import Constraints
from pairspace.base import Supervision

SHAPES = {"tall": (45, 6), "square": (30, 30), "wide": (24, 60)}
KINDS = ["pairs", "weighted pairs", "labels", "both"]


def rows_and_classes(shape, seed):
    """Three classes, columns of different spread."""
    n, d = SHAPES[shape]
    random = np.random.default_rng(seed)
    y = random.permutation(np.arange(n) % 3)
    X = random.normal(size=(n, d)) * np.linspace(0.5, 2, d) + 2 * random.normal(size=(3, d))[y]
    return X + 3, y


def pairs_of(c):
    return [tuple(pair) for pair in c.must_link.tolist()]


def weighted(c, seed=0):
    random = np.random.default_rng(seed)
    weights = random.uniform(0.2, 4, len(c.must_link))
    return Constraints(len(c), c.must_link, c.cannot_link, must_weight=weights)


def supervised(kind, y, seed, n_must=14):
    """What to pass to ``fit``, and to the oracle; must-links only, so that nothing is weighted."""
    all_must = Constraints.from_labels(y, fraction=1.0).must_link
    chosen = np.random.default_rng(seed).choice(len(all_must), n_must, replace=False)
    c = Constraints(len(y), all_must[chosen])
    if kind == "weighted pairs":
        c = weighted(c, seed)
    labels = np.where(np.arange(len(y)) % 3 == 0, y, -1)
    ours, theirs = {}, {}
    if kind != "labels":
        ours["constraints"] = c
        theirs |= {"must": pairs_of(c), "weights": c.must_weight.tolist()}
    if kind in ("labels", "both"):
        ours["y"] = labels
        theirs["y"] = labels.tolist()
    return ours, theirs


def check(fitted, X, expected):
    W, values, alpha, B = expected
    found = fitted.components_.T
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=1e-7)
    assert fitted.shrinkage_ == pytest.approx(alpha, abs=1e-9)
    assert principal_angles(found, W) < 1e-6
    assert same_columns_up_to_sign(found, W, rtol=1e-5)
    np.testing.assert_allclose(found.T @ B @ found, np.eye(len(values)), atol=1e-8)
    np.testing.assert_allclose(np.var(fitted.transform(X), axis=0), values, rtol=1e-7)


def same_space(a, b, tolerance=1e-6):
    assert principal_angles(a.components_.T, b.components_.T) < tolerance
    np.testing.assert_allclose(a.eigenvalues_, b.eigenvalues_, rtol=tolerance)


def known_of(kind, seed=0, n=90):
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, n)
    X = random.normal(size=(n, 4)) + 2 * random.normal(size=(3, 4))[y]
    answers = Constraints.from_labels(y, n_pairs=150, random_state=seed)
    labels = np.where(np.arange(n) % 3 == 0, y, -1)
    return (
        X,
        y,
        {
            "pairs": Supervision(answers, None, n),
            "weighted pairs": Supervision(weighted(answers), None, n),
            "labels": Supervision(labels, None, n),
            "both": Supervision(labels, answers, n),
        }[kind],
    )


def classes_across_clusters(seed, n=300):
    """Neighbours share one of four clusters; the classes are in two other, quieter directions."""
    random = np.random.default_rng(seed)
    y, cluster = random.integers(0, 3, n), random.integers(0, 4, n)
    X = random.normal(size=(n, 6))
    X[:, 0] += 12 * (cluster % 2)
    X[:, 1] += 12 * (cluster // 2)
    X[:, 2] += 4 * (y == 1)
    X[:, 3] += 4 * (y == 2)
    return X, y
