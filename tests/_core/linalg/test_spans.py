"""The row space: coordinates of the rows, and the way back to the features."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from pairspace._core.linalg import RowSpan, Span, span_of

WIDE = np.random.default_rng(0).normal(size=(9, 50)) + 100


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_wide_data_is_seen_in_its_row_space(kind, dtype):
    X = WIDE.astype(dtype)
    span = span_of(kind(X))
    assert isinstance(span, RowSpan)
    coordinates = span.rows.centred()
    assert coordinates.shape == (9, 8)  # centred: one less than the rows
    Z = X.astype(float) - X.mean(axis=0, dtype=float)
    np.testing.assert_allclose(coordinates @ coordinates.T, Z @ Z.T, atol=1e-5)
    basis = span.lift(np.eye(8))
    np.testing.assert_allclose(basis.T @ basis, np.eye(8), atol=1e-5)
    np.testing.assert_allclose(Z @ basis, coordinates, atol=1e-5)


def test_tall_data_is_taken_as_it_is():
    X = np.random.default_rng(0).normal(size=(50, 9))
    span = span_of(X)
    assert type(span) is Span
    np.testing.assert_array_equal(span.lift(np.eye(9)), np.eye(9))
    np.testing.assert_allclose(span.mean, X.mean(axis=0))


def test_blocks_of_columns_add_up(monkeypatch):
    whole = span_of(WIDE)
    monkeypatch.setattr("pairspace._core.data._base.BLOCK_BYTES", 8 * 9 * 7)
    parts = span_of(WIDE)
    np.testing.assert_allclose(
        np.abs(parts.lift(np.eye(8)).T @ whole.lift(np.eye(8))), np.eye(8), atol=1e-9
    )


def test_of_a_scatter_in_other_coordinates_only_directions_of_rounding_are_taken_out():
    """A direction that counts may have a small part along one of the coordinates."""
    rows = span_of(WIDE).rows
    floor = rows.rounding[0]
    vector = np.sqrt(floor) * np.append(np.full(7, 100.0), 0.5)
    scatter = np.outer(vector, vector)
    np.testing.assert_allclose(rows.without_rounding(scatter, 1.0), scatter, rtol=1e-6)
    noisy = scatter.copy()
    noisy[-1, -1] += floor / 2
    found = rows.without_rounding(noisy, 1.0)
    assert np.linalg.matrix_rank(found, tol=1e-3 * floor) == 1
    np.testing.assert_allclose(found, scatter, rtol=1e-3)


def test_identical_rows_have_one_coordinate_which_is_zero():
    span = span_of(np.ones((3, 10)))
    assert span.rows.shape == (3, 1)
    np.testing.assert_array_equal(span.rows.centred(), np.zeros((3, 1)))
    assert np.all(span.lift(np.eye(1)) == 0)
