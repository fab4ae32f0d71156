"""Tables of every kind answer the same questions in the same way."""

import dask.array as da
import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn import config_context

from pairspace._core.data import DenseRows, LazyRows, StoredRows, is_lazy, rows_of
from tables import Stored, memmap_of

N, D = 60, 5
TINY = 2**-10  # MiB: less than 2 of the rows below as a block
X = np.random.default_rng(0).normal(size=(N, D)) + np.arange(D) * 100
CODES = np.where(np.arange(N) % 7 == 0, -1, np.arange(N) % 3)
SIZES = np.bincount(CODES[CODES >= 0])
WEIGHT = np.random.default_rng(1).uniform(size=N)
PAIRS = np.random.default_rng(2).permutation(N)[:40].reshape(-1, 2)
MEMBERS = [np.flatnonzero(CODES == 0)[None, :10], np.arange(2 * 4).reshape(2, 4) * 7]

QUESTIONS = {
    "mean": lambda rows: rows.mean,
    "gram": lambda rows: rows.gram,
    "weighted gram": lambda rows: rows.weighted_gram(WEIGHT),
    "difference gram": lambda rows: rows.difference_gram(PAIRS, WEIGHT[:20] - 0.5),
    "squared lengths": lambda rows: rows.squared_lengths(PAIRS),
    "class gram": lambda rows: rows.class_gram(MEMBERS[1])[0],
    "class grams": lambda rows: np.vstack([np.vstack(t) for t in rows.class_grams(MEMBERS)]),
    "class means": lambda rows: rows.class_means(CODES, SIZES),
    "deviation gram": lambda rows: rows.deviation_gram(
        CODES, rows.class_means(CODES, SIZES), np.array([0.5, -1.0, 2.0, 0.0])[CODES]
    ),
    "squared deviations": lambda rows: rows.squared_deviations(CODES, np.eye(3, D) * 100),
    "fourth moment": lambda rows: rows.fourth_moment(
        CODES, np.eye(3, D) * 100, np.array([0.5, 1.0, 2.0])
    ),
    "products": lambda rows: rows.products(),
    "multiply": lambda rows: rows.multiply(np.eye(D, 2) + 0.3),
    "combine": lambda rows: rows.combine(np.column_stack([WEIGHT, WEIGHT**2])),
    "project": lambda rows: rows.project(np.eye(2, D) + 0.3, np.ones(D)),
}


KINDS = {
    "by column": lambda X, _: np.asfortranarray(X),
    "sparse": lambda X, _: csr_array(X),
    "stored": lambda X, _: Stored(X),
    "stored in chunks": lambda X, _: Stored(X, chunks=(7, D)),
    "stored in large chunks": lambda X, _: Stored(X, chunks=(1000, D)),
    "memmap": memmap_of,
    "dask": lambda X, _: da.from_array(X, chunks=((17, 0, 43), D)),
    "dask, sparse": lambda X, _: da.from_array(X, chunks=(17, D)).map_blocks(
        csr_array, meta=csr_array((0, D))
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("memory", [TINY, 2**-7])
def test_every_kind_of_table_answers_as_an_array(kind, question, memory, tmp_path):
    with config_context(working_memory=memory):
        rows = rows_of(KINDS[kind](X, tmp_path))
        in_memory = kind in ("sparse", "by column") or memory > TINY
        lazy = "dask" in kind or not in_memory
        assert isinstance(rows, LazyRows) == lazy
        found = QUESTIONS[question](rows)
    np.testing.assert_allclose(found, QUESTIONS[question](DenseRows(X)), rtol=1e-9, atol=1e-7)


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_scatter_and_the_mean_of_one_reading_are_those_of_two(offset, dtype):
    random = np.random.default_rng(3)
    table = random.normal(size=(3_000, 4)) * [1, 5, 0, 2] + [offset, 0, 7, -offset]
    table[17, [0, 1, 3]] *= 1_000  # a row far from the others
    rows, expected = DenseRows(table.astype(dtype)), DenseRows(table.astype(dtype))
    expected.mean = table.astype(dtype).astype(np.float64).mean(axis=0)
    size = np.sqrt(np.outer(*2 * [np.diagonal(expected.gram)])) + 1e-9
    assert np.abs((rows.gram - expected.gram) / size).max() < 1e-9
    np.testing.assert_allclose(rows.mean, expected.mean, rtol=1e-12)
    assert not rows.gram[2].any()  # a constant column
    assert rows.mean[2] == 7


def test_the_mean_and_the_scatter_come_from_the_reading_of_the_classes():
    table = Stored(X)
    with config_context(working_memory=TINY):
        rows = rows_of(table)
        rows.class_grams(MEMBERS)
        assert table.n_read == N
        np.testing.assert_allclose(rows.gram, DenseRows(X).gram, rtol=1e-12)
        np.testing.assert_allclose(rows.mean, X.mean(axis=0))
        assert table.n_read == N


def test_no_more_is_read_at_a_time_than_the_working_memory_allows():
    table = Stored(X)
    with config_context(working_memory=4 * 8 * 8 * D / 2**20):
        assert rows_of(table).gram.shape == (D, D)
    assert table.most_rows == 4
    table = Stored(X, chunks=(3, D))
    with config_context(working_memory=4 * 8 * 8 * D / 2**20):
        assert rows_of(table).gram.shape == (D, D)
    assert table.most_rows == 3


def test_few_rows_are_fetched_without_reading_the_others(monkeypatch):
    monkeypatch.setattr("pairspace._core.data._stored.GAP_BYTES", 2 * 8 * D)
    table = Stored(X)
    with config_context(working_memory=TINY):
        found = rows_of(table).fetch(np.array([3, 5, 30, 59]))
    np.testing.assert_array_equal(found, X[[3, 5, 30, 59]])
    assert table.n_read == 5
    table = Stored(np.tile(X, (10, 1)), chunks=(20, D))
    with config_context(working_memory=20 * 8 * 8 * D / 2**20):
        found = rows_of(table).fetch(np.array([3, 15, 25, 41, 59]))
    np.testing.assert_array_equal(found, X[[3, 15, 25, 41, 59]])
    assert table.n_read == 13 + 1 + 19  # a chunk is read once


@pytest.mark.parametrize("dtype", [np.int16, np.float16, np.bool_, np.float32])
def test_other_types_are_converted_as_they_are_read(dtype):
    whole = (X * 0.1).astype(dtype)
    with config_context(working_memory=TINY):
        rows = rows_of(Stored(whole))
        assert rows.dtype == (np.float32 if dtype == np.float32 else np.float64)
        np.testing.assert_allclose(rows.gram, DenseRows(whole.astype(float)).gram, atol=1e-9)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_not_a_number_is_found_while_reading(wrong):
    spoilt = X.copy()
    spoilt[41, 2] = wrong
    with (
        config_context(working_memory=TINY),
        pytest.raises(ValueError, match="NaN or infinity, first in row 41"),
    ):
        rows_of(Stored(spoilt)).weighted_gram(None)


def test_a_sum_that_overflows_is_not_a_missing_value():
    with config_context(working_memory=TINY):
        rows = rows_of(Stored(np.full((N, D), 3e38, dtype=np.float32)))
        np.testing.assert_allclose(rows.mean, np.full(D, 3e38), rtol=1e-6)


def test_what_is_lazy(tmp_path):
    with config_context(working_memory=TINY):
        assert is_lazy(Stored(X))
        assert is_lazy(memmap_of(X, tmp_path))
        for other in (X, csr_array(X), X.tolist(), Stored(X[:, 0])):
            assert not is_lazy(other)
    assert not is_lazy(Stored(X))  # it fits the working memory
    with config_context(working_memory=TINY), pytest.raises(TypeError, match="not in memory"):
        repr(StoredRows(Stored(X)).values)
