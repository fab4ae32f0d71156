"""Rows spread over machines: two worker processes find what one process finds in memory."""

import subprocess
import sys

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask import delayed
from scipy.linalg import subspace_angles
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import make_blobs

from dask_blocks import counted, deadly, readings
from estimators import LINEAR, MANIFOLD
from pairspace import (
    BWDR,
    CFLD,
    LPP,
    RCA,
    SLPP,
    SSDR,
    WMV,
    Constraints,
    PairSpace,
    SKKMeans,
    WMVSearchCV,
)
from pairspace._core.data import _dask
from pairspace._core.data._dask import dask_array
from pairspace._core.linalg import _spans
from pairspace.base import _subsample

pytestmark = pytest.mark.usefixtures("cluster")

CHUNKS = ((100, 0, 149, 1, 250, 100), 8)
SPREAD = np.array([3.0, 2.0, 1.0, 1.0, 0.5, 0.5, 0.2, 0.1])


@pytest.fixture(scope="module")
def data():
    """Rows far from the origin, in blocks of any length, and what is known about them."""
    X, y = make_blobs(600, 8, centers=3, cluster_std=2.0, random_state=0)
    X = 100 + X * SPREAD
    labels = np.where(np.arange(600) % 4 == 0, y, -1)
    pairs = Constraints.from_labels(y, n_pairs=80, random_state=0)
    return X, y, labels, pairs


@pytest.fixture(params=[*LINEAR, SLPP(weights="heat")], ids=lambda e: type(e).__name__)
def linear(request):
    linear = clone(request.param)
    return linear.set_params(random_state=0) if "random_state" in linear.get_params() else linear


def spread(X):
    return da.from_array(X, chunks=CHUNKS)


def check_same(found, wanted, rtol=1e-6):
    for name in ("components_", "mean_", "eigenvalues_"):
        a, b = getattr(found, name), getattr(wanted, name)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * np.abs(b).max(), err_msg=name)
        assert a.dtype == b.dtype
    assert found.rank_ == wanted.rank_


# ---- Equal to the result in memory -------------------------------------------------------------


@pytest.mark.parametrize("kind", ["pairs", "labels", "both"])
def test_equal_to_the_result_in_memory_after_one_reading(linear, data, kind, tmp_path):
    X, y, labels, pairs = data
    given, constraints = {
        "pairs": (pairs, None),
        "labels": (y, None),
        "both": (labels, pairs),
    }[kind]
    log = tmp_path / "log"
    found = clone(linear).fit(counted(spread(X), log), given, constraints=constraints)
    check_same(found, linear.fit(X, given, constraints=constraints))
    # How far a row is from its class is seen when the means, or all rows with labels, are there.
    by_distance = CFLD(shrinkage="auto"), SLPP(weights="heat")
    again = str(linear) in map(str, by_distance) and kind != "pairs"
    n_read = readings(log)
    assert n_read.max() == 1 + again
    assert n_read.astype(bool).tolist() == [n > 0 for n in CHUNKS[0]]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_transform_is_lazy_and_keeps_the_type_and_the_blocks(data, dtype):
    X, y, _, _ = data
    X = X.astype(dtype)
    linear = CFLD().fit(spread(X), y)
    embedded = linear.transform(spread(X))
    assert isinstance(embedded, da.Array)
    assert embedded.chunks == (CHUNKS[0], (linear.n_components,))
    assert embedded.dtype == embedded._meta.dtype == linear.components_.dtype == dtype
    assert linear.mean_.dtype == dtype
    wanted = linear.transform(X)
    np.testing.assert_allclose(embedded.compute(), wanted, rtol=1e-5)
    assert embedded.compute().dtype == dtype
    back = linear.inverse_transform(embedded)
    assert isinstance(back, da.Array)
    np.testing.assert_allclose(back.compute(), linear.inverse_transform(wanted), rtol=1e-5)


def test_float32_is_summed_in_float64(linear, data):
    X, _, labels, _ = data
    X = X.astype(np.float32)
    found = clone(linear).fit(spread(X), labels)
    assert found.components_.dtype == found.mean_.dtype == np.float32
    check_same(found, linear.fit(X, labels), rtol=1e-4)


def test_blocks_may_be_sparse(linear):
    X = np.random.default_rng(0).poisson(0.6, size=(90, 12)).astype(float)
    y = np.arange(90) % 3
    sparse = da.from_array(X, chunks=(40, 12)).map_blocks(csr_array, meta=csr_array((0, 12)))
    found = clone(linear).fit(sparse, y)
    check_same(found, linear.fit(csr_array(X), y))
    np.testing.assert_allclose(found.transform(sparse).compute(), linear.transform(X), atol=1e-8)


def counts_of_words(n_rows, n_words):
    """Documents of four topics, each with words of its own, and their topics."""
    random = np.random.default_rng(0)
    y = np.arange(n_rows) % 4
    topical = random.integers(0, n_words // 8, size=(n_rows, 6)) * 4 + y[:, None]
    words = np.hstack([topical, random.integers(0, n_words, size=(n_rows, 4))])
    rows = np.repeat(np.arange(n_rows), words.shape[1])
    weights = random.uniform(1, 2, size=words.size)
    X = csr_array((weights, (rows, words.ravel())), shape=(n_rows, n_words))
    X.sum_duplicates()
    return X, y


def sparse_blocks(X, size):
    numbers = da.arange(X.shape[0], chunks=size)[:, None]
    options = {"dtype": X.dtype, "chunks": (numbers.chunks[0], X.shape[1:])}
    return numbers.map_blocks(_rows_of, table=delayed(X), meta=csr_array((0, 0)), **options)


def _rows_of(numbers, table):
    return table[numbers.ravel()]


@pytest.mark.parametrize("linear", [SSDR(2), CFLD(2), RCA(2)])
@pytest.mark.parametrize("given", ["few pairs", "labels"])
def test_too_wide_for_a_scatter_matrix(linear, given, monkeypatch):
    monkeypatch.setattr(_dask, "MAX_SCATTER_BYTES", 8 * 100**2)
    monkeypatch.setattr(_spans, "LINKS_FROM", 100)
    X, y = counts_of_words(400, 120)
    n_pairs = 30 if given == "few pairs" else 200
    known = y if given == "labels" else Constraints.from_labels(y, n_pairs=n_pairs, random_state=0)
    found = clone(linear).fit(sparse_blocks(X, 150), known)
    check_same(found, linear.fit(X, known))


def test_dense_blocks_that_are_too_wide_keep_their_digits(data, monkeypatch):
    monkeypatch.setattr(_dask, "MAX_SCATTER_BYTES", 1)
    X, y, _, _ = data
    check_same(SSDR(2).fit(spread(X + 1e5), y), SSDR(2).fit(X + 1e5, y), rtol=1e-5)


def test_more_words_than_a_scatter_matrix_can_have():
    X, y = counts_of_words(18_000, 17_000)
    table = sparse_blocks(X, 6_000)
    answers = Constraints.from_labels(y, n_pairs=400, random_state=0)
    found = WMV(3).fit(table, y)
    assert found.n_directions_ == 300
    assert subspace_angles(found.components_.T, WMV(3).fit(X, y).components_.T).max() < 0.15
    assert found.transform(table).shape == (18_000, 3)
    space = PairSpace(3, teacher=None, random_state=0).fit(table, answers)
    assert len(space.learned_rows_) == 18_000  # sparse rows stay so
    assert space.score(X, y) > 0.9


@pytest.mark.parametrize("linear", [BWDR(), CFLD(shrinkage="auto"), SSDR(), LPP()])
def test_more_features_than_rows(linear, data, tmp_path):
    X, y, _, _ = data
    X, y = X[:40].repeat(8, axis=1) ** np.arange(1, 65), y[:40]
    X /= X.std(axis=0)
    pairs = Constraints.from_labels(y, n_pairs=200, random_state=0)
    log = tmp_path / "log"
    found = clone(linear).fit(counted(da.from_array(X, chunks=(15, 64)), log), pairs)
    check_same(found, linear.fit(X, pairs), rtol=1e-4)
    assert readings(log).tolist() == [1, 1, 1]


def test_blocks_of_columns_are_put_together(data):
    X, y, _, _ = data
    tiles = da.from_array(X, chunks=(250, 3))
    found = CFLD().fit(tiles, y)
    check_same(found, CFLD().fit(X, y))
    np.testing.assert_allclose(found.transform(tiles).compute(), found.transform(X), atol=1e-8)


def test_labels_may_be_a_dask_array_or_column(data):
    X, _, labels, _ = data
    wanted = CFLD().fit(X, labels)
    check_same(CFLD().fit(spread(X), da.from_array(labels, chunks=77)), wanted)
    names = pd.Series(np.array(["a", "b", "c", None], dtype=object)[labels])
    check_same(CFLD().fit(spread(X), dd.from_pandas(names, npartitions=3)), wanted)


def test_frames(data):
    X, _, _, pairs = data
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(8)])
    spread_frame = dd.from_pandas(frame, npartitions=4)
    found = BWDR().fit(spread_frame, pairs)
    assert list(found.feature_names_in_) == list(frame.columns)
    check_same(found, BWDR().fit(frame, pairs))
    embedded = found.transform(spread_frame)
    assert isinstance(embedded, da.Array)
    np.testing.assert_allclose(embedded.compute(), found.transform(frame), atol=1e-10)
    assert found.score(spread_frame, pairs) == pytest.approx(found.score(frame, pairs))
    with pytest.raises(ValueError, match="feature names"):
        found.transform(spread_frame.rename(columns={"f0": "other"}))


def test_the_search_for_beta(data):
    X, _, labels, _ = data
    search = WMVSearchCV(betas=[-1.0, -0.1], max_components=3)
    found, wanted = clone(search).fit(spread(X), labels), search.fit(X, labels)
    assert found.best_params_ == wanted.best_params_
    check_same(found, wanted)


def test_the_score_asks_for_known_rows_only(data, tmp_path):
    X, y, _, pairs = data
    space = BWDR().fit(X, pairs)
    assert space.score(spread(X), y) == pytest.approx(space.score(X, y))
    some = Constraints(600, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2), (1, 3)])
    log = tmp_path / "log"
    assert space.score(counted(spread(X), log), some) == pytest.approx(space.score(X, some))
    assert readings(log).tolist() == [1]


# ---- Rows to learn from, where neighbours are searched -------------------------------------------


@pytest.mark.parametrize("estimator", [e for e in LINEAR if "random_state" in e.get_params()])
def test_neighbours_are_searched_among_a_sample(estimator, data, monkeypatch):
    X, _, labels, pairs = data
    monkeypatch.setattr(_subsample, "MOST_ROWS", 300)
    estimator = clone(estimator).set_params(random_state=0)
    found = clone(estimator).fit(spread(X), labels, constraints=pairs)
    rows = found.learned_rows_
    assert len(rows) == 300
    assert np.isin(np.vstack([pairs.must_link, pairs.cannot_link]), rows).all()
    check_same(found, estimator.fit(X[rows], labels[rows], constraints=pairs[rows]))
    assert found.transform(spread(X)).shape == (600, estimator.n_components)


# ---- What a fit costs --------------------------------------------------------------------------


def test_little_travels(cluster):
    """Less than a tenth of X leaves a worker, for whatever other process."""
    n, d = 40_000, 40
    X = da.random.default_rng(0).normal(size=(n, d), chunks=(1_000, d))
    y = np.arange(n) % 4
    pairs = Constraints.from_labels(y, n_pairs=100, random_state=0)
    for given in (pairs, y):
        before = sent(cluster)
        CFLD().fit(X, given)
        assert sent(cluster) - before < X.nbytes / 10


def sent(cluster):
    """The bytes that workers have sent to each other, to the scheduler and to this process."""
    totals = cluster.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total)
    return sum(totals.values())


# ---- What goes wrong ----------------------------------------------------------------------------


def test_a_killed_worker_changes_nothing(cluster, data, tmp_path):
    X, _, labels, pairs = data
    before = set(cluster.scheduler_info()["workers"])
    marker = tmp_path / "killed"
    broken = deadly(spread(X), 3, marker)
    check_same(
        CFLD().fit(broken, labels, constraints=pairs), CFLD().fit(X, labels, constraints=pairs)
    )
    assert marker.exists()
    cluster.wait_for_workers(2)
    assert set(cluster.scheduler_info()["workers"]) != before


def with_value(X, value):
    X = X.copy()
    X[260, 2] = value
    return X


@pytest.mark.parametrize("estimator", [BWDR(), LPP()])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_not_numbers_are_found_on_the_workers(estimator, data, value):
    X, y, _, _ = data
    broken = spread(with_value(X, value))
    message = "Input X contains NaN or infinity, first in row 10 of block 4"
    with pytest.raises(ValueError, match=message):
        clone(estimator).fit(broken, y)
    embedded = clone(estimator).fit(X, y).transform(broken)
    with pytest.raises(ValueError, match=message):
        embedded.compute()
    sparse = broken.map_blocks(csr_array, meta=csr_array((0, 8)))
    with pytest.raises(ValueError, match=message):
        clone(estimator).fit(sparse, y)


def test_blocks_of_whole_rows_are_not_too_large():
    """Of blocks as high as those of da.zeros, each would have 1 GB."""
    read = dask_array(da.zeros((40_000, 30_000)), count_rows=True)
    assert read.numblocks[1] == 1
    assert max(read.chunks[0]) * 30_000 * 8 <= 2**27


def test_tables_that_can_not_be_read(data):
    X, y, _, pairs = data
    unknown = dd.from_pandas(pd.DataFrame(X), npartitions=2).to_dask_array()
    message = r"X\.compute_chunk_sizes\(\).*\.to_dask_array\(lengths=True\)"
    with pytest.raises(ValueError, match=message):
        BWDR().fit(unknown, pairs)
    # A space may be applied to rows whose number is not known.
    space = BWDR().fit(X, pairs)
    np.testing.assert_allclose(space.transform(unknown).compute(), space.transform(X))
    for wrong, text in (
        (spread(X)[:, 0], "Expected 2D array, got 1D array"),
        (spread(X).astype(complex), "dtype=complex128 of X"),
        (spread(X).astype(str), "dtype=<U32 of X"),
        (spread(X)[:1], "1 sample"),
        (spread(X)[:, :0], "0 feature"),
    ):
        with pytest.raises(ValueError, match=text):
            BWDR().fit(wrong, pairs)
    with pytest.raises(ValueError, match="X has 4 features, but BWDR is expecting 8"):
        space.transform(spread(X)[:, :4])
    with pytest.raises(ValueError, match="X has 600 rows, but y has 599 labels"):
        BWDR().fit(spread(X), da.from_array(y[1:]))


@pytest.mark.parametrize("estimator", [*MANIFOLD, SKKMeans(3)])
def test_graph_methods_and_clusterings_need_rows_in_memory(estimator, data):
    X, _, _, pairs = data
    name = type(estimator).__name__
    with pytest.raises(TypeError, match=rf"{name} needs all rows in memory.*X\.compute\(\)"):
        clone(estimator).fit(spread(X), pairs)
    frame = dd.from_pandas(pd.DataFrame(X), npartitions=2)
    with pytest.raises(TypeError, match=rf"{name} needs all rows in memory.*X\.compute\(\)"):
        clone(estimator).fit(frame, pairs)


def test_a_frame_in_memory_is_not_made_by_accident(data):
    X, _, _, pairs = data
    space = BWDR().fit(X, pairs).set_output(transform="pandas")
    with pytest.raises(ValueError, match=r"set_output\(transform='default'\)"):
        space.transform(spread(X))


def test_dask_is_imported_for_dask_data_only():
    code = (
        "import sys, numpy as np, pairspace; X = np.eye(6); pairspace.CFLD(1).fit(X, [0, 0, 0, 1,"
        "1, 1]).transform(X); sys.exit(bool({'dask', 'distributed'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
