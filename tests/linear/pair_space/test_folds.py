"""The folds of PairSpace: what is held out, and what it is scored on."""

import numpy as np
import pytest

from linear.pair_space.problems import KINDS, known_of
from oracles import pair_space as oracle
from pairspace import Constraints
from pairspace._core.data import rows_of
from pairspace._within import _weighting
from pairspace.base import Supervision


@pytest.fixture
def left_out(monkeypatch):
    """The rows that were held out, and what was left, of each fold."""
    calls = []
    without = Supervision.without

    def recorded(self, rows):
        left = without(self, rows)
        calls.append((rows.copy(), left))
        return left

    monkeypatch.setattr(Supervision, "without", recorded)
    return calls


def folds_of(X, known, seed=0):
    return list(_weighting.held_out_folds(rows_of(X), known, np.random.RandomState(seed)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_nothing_about_a_held_out_row_is_learned(kind, seed, left_out):
    X, _, known = known_of(kind, seed)
    folds = folds_of(X, known, seed)
    assert len(folds) == len(left_out) == 4
    times_held_out = sum(held_out.astype(int) for held_out, _ in left_out)
    touched = known.labels >= 0
    touched[known.pairs.must_link] = True
    np.testing.assert_array_equal(times_held_out, touched.astype(int))
    for fold, (held_out, seen) in zip(folds, left_out, strict=True):
        assert held_out.any()
        assert not held_out[seen.pairs.must_link].any()
        assert not held_out[seen.pairs.cannot_link].any()
        assert (seen.labels[held_out] == -1).all()
        np.testing.assert_array_equal(seen.labels[~held_out], known.labels[~held_out])

        # what is learned is what the rest alone says, by the transcription
        kept = ~held_out[known.pairs.must_link].any(axis=1)
        must = [tuple(pair) for pair in known.pairs.must_link[kept].tolist()]
        labels = np.where(held_out, -1, known.labels).tolist()
        differences = oracle.of_must_links(X, must, known.pairs.must_weight[kept])
        differences += oracle.of_labels(X, labels)
        assert fold.learned.weight == pytest.approx(sum(f * w for _, f, w in differences))
        np.testing.assert_allclose(
            fold.learned.covariance, oracle.must_covariance(differences), atol=1e-9
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_fold_is_scored_on_pairs_of_its_held_out_rows(kind, seed, left_out):
    X, y, known = known_of(kind, seed)
    folds = folds_of(X, known, seed)
    given_cannot = {tuple(pair) for pair in known.pairs.cannot_link.tolist()}
    given_must = {tuple(pair) for pair in known.pairs.must_link.tolist()}
    scored = []
    assert len(folds) == 4
    for fold, (held_out, _) in zip(folds, left_out, strict=True):
        assert held_out[fold.must].all()
        assert (y[fold.must[:, 0]] == y[fold.must[:, 1]]).all()
        assert (y[fold.cannot[:, 0]] != y[fold.cannot[:, 1]]).all()
        assert len({tuple(sorted(pair)) for pair in fold.must.tolist()}) == len(fold.must)
        of_pairs = [pair for pair in fold.must.tolist() if (known.labels[pair] < 0).all()]
        assert {tuple(pair) for pair in of_pairs} <= given_must
        scored += of_pairs
        for pair in fold.cannot.tolist():
            assert tuple(pair) in given_cannot or (
                held_out[pair].all() and (known.labels[pair] >= 0).all()
            )
        labelled = known.labels[held_out & (known.labels >= 0)]
        of_labels = sum(int(np.sum(labelled == label)) - 1 for label in set(labelled.tolist()))
        assert fold.n_independent == len(of_pairs) + of_labels
    rows = [row for pair in scored for row in pair]
    assert len(rows) == len(set(rows)), "two of these must-links share a row"
    if kind == "pairs":
        assert len(scored) >= 12
        sizes = [len(fold.must) for fold in folds]
        assert max(sizes) - min(sizes) <= 1


def test_many_held_out_pairs_are_subsampled(monkeypatch):
    X, y, _ = known_of("labels")
    known = Supervision(y, None, len(y))
    for fold in folds_of(X, known):
        assert min(len(fold.must), len(fold.cannot)) > 50
    monkeypatch.setattr(_weighting, "MAX_JUDGED", 10)
    folds = folds_of(X, known)
    assert len(folds) == 4
    for fold in folds:
        # As many of each class as make 10, so fewer if a class has too few.
        assert 8 <= len(np.unique(fold.must, axis=0)) == len(fold.must) <= 10
        assert len(np.unique(fold.cannot, axis=0)) == len(fold.cannot) == 10
        assert (y[fold.must[:, 0]] == y[fold.must[:, 1]]).all()
        assert (y[fold.cannot[:, 0]] != y[fold.cannot[:, 1]]).all()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_all_must_links_of_many_small_classes_are_held_out(seed, left_out):
    """Pairs drawn at random would hardly ever be of one class."""
    y = np.repeat(np.arange(800), 2)
    X = np.random.default_rng(0).normal(size=(1600, 5))
    folds = folds_of(X, Supervision(y, None, len(y)), seed)
    assert len(folds) == 4
    for fold, (held_out, _) in zip(folds, left_out, strict=True):
        both_rows = np.flatnonzero(held_out.reshape(-1, 2).all(axis=1))
        np.testing.assert_array_equal(np.sort(y[fold.must[:, 0]]), both_rows)
        assert fold.n_independent == len(both_rows) > 30
        assert len(fold.cannot) == 1_000


def test_many_cannot_links_judge_without_learned_rows(left_out):
    """With many pairs, cannot-links of learned rows would favour a space that is fitted to them."""
    X, y, _ = known_of("pairs")
    few = Supervision(Constraints.from_labels(y, n_pairs=60, random_state=0), None, len(y))
    for fold in folds_of(X, few):
        assert len(fold.cannot) == len(few.pairs.cannot_link)
    y = np.arange(120) % 3
    X = np.random.default_rng(0).normal(size=(120, 5))
    left_out.clear()
    many = Supervision(Constraints.from_labels(y, fraction=1.0), None, 120)
    folds = folds_of(X, many)
    assert len(folds) == 4
    for fold, (held_out, seen) in zip(folds, left_out, strict=True):
        assert held_out[fold.cannot].all()
        assert not np.isin(fold.cannot, seen.pairs.must_link).any()
        assert len(fold.cannot) >= 200
