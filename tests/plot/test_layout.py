"""The curved layout: it keeps neighbours, and starts where it should."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_score

from pairspace.plot import _layout, curved_layout


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(150, 6, centers=4, random_state=0)


def test_neighbours_stay_neighbours(blobs):
    Z, y = blobs
    found = curved_layout(Z)
    assert found.shape == (150, 2)
    assert silhouette_score(found, y) > 0.5
    np.testing.assert_array_equal(found, curved_layout(Z))


def test_it_starts_from_the_first_two_components(blobs, monkeypatch):
    Z, _ = blobs
    starts = []

    class Recorded(_layout.TSNE):
        def __init__(self, *, perplexity, init, random_state):
            starts.append(init)
            super().__init__(perplexity=perplexity, init=init, random_state=random_state)

    monkeypatch.setattr(_layout, "TSNE", Recorded)
    curved_layout(Z)
    centred = Z[:, :2] - Z[:, :2].mean(axis=0)
    np.testing.assert_allclose(starts[0], centred * 1e-4 / centred[:, 0].std())


def test_of_many_rows_a_sample_is_placed_and_the_others_beside_it(blobs, monkeypatch):
    Z, y = blobs
    monkeypatch.setattr(_layout, "MOST_ROWS", 80)
    found = curved_layout(Z)
    assert np.isfinite(found).all()
    assert silhouette_score(found, y) > 0.5


def test_few_rows_and_equal_rows():
    assert curved_layout(np.random.default_rng(0).normal(size=(4, 3))).shape == (4, 2)
    assert np.isfinite(curved_layout(np.ones((10, 2)))).all()
    with pytest.raises(ValueError, match="minimum of 2"):
        curved_layout(np.ones((10, 1)))
