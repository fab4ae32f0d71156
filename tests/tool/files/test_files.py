"""Data in files of all formats, and what is said about it."""

from __future__ import annotations

import csv
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pairspace.tool.files import Selection, _sources, open_source, read_data, write_blocks

NUMBERS = pd.DataFrame({"a": [1.5, -2.0, 3.25, 0.0, 9.0], "b": [1.0, 2.0, 3.0, 4.0, 5.0]})


def write(frame: pd.DataFrame, path: Path) -> Path:
    write_blocks(path, [frame])
    return path


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".feather"])
@pytest.mark.parametrize("size", [None, 1, 2, 5, 100])
def test_tables_come_back_whole_and_in_blocks(tmp_path, suffix, size):
    frame = NUMBERS.assign(name=["007", "NA", "ü", "x,y", 'a"b'])
    source = open_source(write(frame, tmp_path / f"table{suffix}"))
    assert source.columns == ["a", "b", "name"]
    blocks = list(source.blocks(size, as_text=["name"]))
    assert all(len(block) <= (size or 5) for block in blocks)
    read = pd.concat(blocks, ignore_index=True)
    assert read["name"].tolist() == frame["name"].tolist()
    np.testing.assert_array_equal(read[["a", "b"]], NUMBERS)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".feather", ".npy"])
def test_blocks_are_written_one_below_the_other(tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    assert write_blocks(path, (NUMBERS.iloc[at : at + 2] for at in (0, 2, 4))) == 5
    (read,) = open_source(path).blocks()
    np.testing.assert_array_equal(read, NUMBERS)
    if suffix == ".npy":
        assert np.load(path).shape == (5, 2)


def test_many_rows_fit_into_the_head_of_an_npy_file(tmp_path):
    frame = pd.DataFrame({"x": np.arange(1_000.0)})
    write_blocks(tmp_path / "x.npy", [frame] * 1_200)
    assert np.load(tmp_path / "x.npy").shape == (1_200_000, 1)


def test_a_failing_block_leaves_nothing(tmp_path):
    def blocks() -> Any:
        yield NUMBERS
        raise ValueError("no more")

    for suffix in (".csv", ".parquet", ".feather", ".npy"):
        with pytest.raises(ValueError, match="no more"):
            write_blocks(tmp_path / f"out{suffix}", blocks())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [None, 2])
def test_arrays_have_columns_by_number_or_by_name(tmp_path, size):
    X = np.arange(10, dtype=np.float32).reshape(5, 2)
    np.save(tmp_path / "X.npy", X)
    np.savez(tmp_path / "X.npz", X=X, y=[0, 1, 0, 1, -1], features=["long", "wide"], classes=["a"])
    plain, named = open_source(tmp_path / "X.npy"), open_source(tmp_path / "X.npz")
    assert plain.columns == ["x0", "x1"]
    assert named.columns == ["long", "wide", "y"]
    np.testing.assert_array_equal(pd.concat(plain.blocks(size)), X)
    read = pd.concat(named.blocks(size, columns=["y", "wide"]))
    assert read.columns.tolist() == ["y", "wide"]
    np.testing.assert_array_equal(read["wide"], X[:, 1])
    assert read_data(tmp_path / "X.npy").X.dtypes.tolist() == [np.float32] * 2


def test_columns_that_are_not_numbers_are_left_out_and_said(tmp_path, wine):
    data = read_data(write(wine, tmp_path / "wine.csv"), Selection(id="bottle", labels="kind"))
    assert len(data.features) == 13
    assert data.notes == [
        "ignored 1 column: region (text); to learn from the words of a column, give --text NAME"
    ]
    assert data.ids[:2] == ["b000", "b001"]
    assert data.labels[:6] == ["class_0", None, None, None, None, "class_0"]


def test_a_mostly_numeric_column_says_which_cell_is_not(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n3,two\n5,6\n7,8\n")
    assert read_data(tmp_path / "x.csv").notes == ["ignored 1 column: b (row 1 has 'two')"]


def test_likely_ids_among_the_features_are_pointed_out(tmp_path):
    (tmp_path / "x.csv").write_text("customer_id,b\n17,2\n23,3\n")
    (note,) = read_data(tmp_path / "x.csv").notes
    assert "--id customer_id" in note


def test_columns_are_chosen_by_name_and_pattern(tmp_path, wine):
    path = write(wine, tmp_path / "wine.csv")
    chosen = read_data(path, Selection(columns=("hue", "*phenols", "hue")))
    assert chosen.features == ["hue", "total_phenols", "nonflavanoid_phenols"]
    with pytest.raises(ValueError, match=r"--columns colour: .* has no such column; it has bottle"):
        read_data(path, Selection(columns=("colour",)))
    with pytest.raises(
        ValueError, match=r"--columns region: this column can't be used .*--text region"
    ):
        read_data(path, Selection(columns=("region",)))
    with pytest.raises(ValueError, match=r"--labels sort: .* has no such column"):
        read_data(path, Selection(labels="sort"))


def test_missing_values_are_counted_and_the_remedies_named(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b,c\n1,2,3\n,?,4\n5,NA,6\n7,8,9\n")
    with pytest.raises(
        ValueError,
        match=r"in 2 columns: a \(1\), b \(2\); impute them with --impute "
        r"median, or ignore the 2 rows with --drop-rows",
    ):
        read_data(path)
    dropped = read_data(path, drop_rows=True)
    assert dropped.rows.tolist() == [0, 3]
    assert "ignored 2 rows with missing values: a (1), b (2)" in dropped.notes
    kept = read_data(path, allow_missing=True)
    assert kept.X.isna().to_numpy().sum() == 3


def test_pairs_follow_the_rows_that_are_left(tmp_path):
    path, pairs = tmp_path / "x.csv", tmp_path / "pairs.csv"
    path.write_text("name,a\nann,1\nbob,\ncy,3\ndan,4\n")
    pairs.write_text("a,b,same\nann,bob,yes\ncy,dan,no\n")
    data = read_data(path, Selection(id="name"), drop_rows=True)
    left = data.constraints(pairs)
    assert left.n_samples == 3
    assert left.must_link.tolist() == []
    assert left.cannot_link.tolist() == [[1, 2]]
    assert "ignored 1 pair with an ignored row" in data.notes


def test_names_without_their_column_are_explained(tmp_path):
    path, pairs = tmp_path / "x.csv", tmp_path / "pairs.csv"
    path.write_text("name,a\nann,1\nbob,2\n")
    pairs.write_text("a,b,same\nann,bob,yes\n")
    with pytest.raises(ValueError, match="--id COLUMN"):
        read_data(path).constraints(pairs)
    pairs.write_text("a,b,same\n0,1,yes\n")
    assert read_data(path).constraints(pairs).must_link.tolist() == [[0, 1]]


def npy_of(shape: str) -> bytes:
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + bytes(80)


def test_the_time_to_open_a_wide_file_does_not_grow_with_the_square_of_its_columns(tmp_path):
    """It took 30 seconds; now a small part of one."""
    names = [f"c{number}" for number in range(40_000)]
    (tmp_path / "wide.csv").write_text(",".join(names) + "\n" + "1," * 39_999 + "1\n")
    start = time.process_time()
    assert list(open_source(tmp_path / "wide.csv").columns) == names
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", b"", "is empty: the first line must name the columns"),
        ("x.csv", b"1,2\n3,4\n", "the first line must name the columns; got 1, 2"),
        ("x.csv", b"a,a\n1,2\n", "several columns called 'a'"),
        ("x.csv", b"a,b\n", "has no rows"),
        ("x.csv", b"a,b\nx,y\n", "has no columns to learn from"),
        ("x.csv", b"a,b\n1,inf\n", "has infinite values: b (1)"),
        ("x.npy", b"nothing", "can't be read as an array"),
        ("x.npy", npy_of("(-1, 3)"), "can't be read as an array"),
        ("x.npy", npy_of("(4611686018427387904, 3)"), "can't be read as an array"),
        ("x.npz", b"nothing", "can't be read as arrays"),
        ("x.parquet", b"nothing", "can't be read as a parquet file"),
        ("x.feather", b"nothing", "can't be read as a feather file"),
        ("x.parquet", b"nothing", "x.parquet"),
        ("x.feather", b"nothing", "x.feather"),
        ("x.xlsx", b"nothing", ".npy or .npz; got '.xlsx': save the sheet as csv"),
    ],
)
def test_bad_files_get_an_error_that_names_them(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        read_data(path)
    assert message in str(caught.value)
    assert name in str(caught.value)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"X": np.zeros(3)}, "2-D array of numbers"),
        ({"a": np.zeros((2, 2)), "b": np.zeros((2, 2))}, "must contain a 2-D array X"),
        ({"X": np.array([["a", "b"]])}, "2-D array of numbers"),
        ({"X": np.array([[None]])}, "can't be read as arrays"),
        ({"indptr": np.zeros(2), "shape": np.zeros(2), "data": np.zeros(1)}, "sparse"),
    ],
)
def test_bad_arrays_are_explained(tmp_path, arrays, message):
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(ValueError, match=message):
        read_data(tmp_path / "x.npz")


@pytest.mark.parametrize("lines", ["a,b\n1,2\n1,2,3\n", "a,b\n1,2,3\n1,2\n"])
@pytest.mark.parametrize("columns", [None, ["b"]])
def test_lines_of_more_cells_than_names_are_refused(tmp_path, lines, columns):
    (tmp_path / "x.csv").write_text(lines)
    with pytest.raises(ValueError, match=r"x\.csv"):
        list(open_source(tmp_path / "x.csv").blocks(columns=columns))


def test_cells_of_a_megabyte_are_read(tmp_path):
    (tmp_path / "x.csv").write_text("note,a\n" + "w" * 10**6 + ",1\nshort,2\n")
    before = csv.field_size_limit()
    assert read_data(tmp_path / "x.csv").X["a"].tolist() == [1, 2]
    assert csv.field_size_limit() == before


@pytest.mark.parametrize("shape", ["(-1, 4)", "(-4, -4)", f"({2**40}, {2**40})", "(2.5, 4)"])
@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_arrays_of_impossible_shapes_are_explained(tmp_path, shape, suffix):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
    path = tmp_path / f"x{suffix}"
    if suffix == ".npy":
        path.write_bytes(content + bytes(128))
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("X.npy", content + bytes(128))
    with pytest.raises(ValueError, match=rf"x\{suffix}"):
        read_data(path)


def test_arrays_without_rows_are_refused(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros((0, 3)))
    with pytest.raises(ValueError, match="has no rows"):
        read_data(tmp_path / "x.npy")


@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
def test_lists_and_records_are_read_as_text(tmp_path, suffix):
    frame = pd.DataFrame({"a": [1.0, 2, 3], "l": [[1, 2], None, []], "r": [{"k": 1}, None, {}]})
    path = tmp_path / f"x{suffix}"
    frame.to_parquet(path) if suffix == ".parquet" else frame.to_feather(path)
    (whole,) = open_source(path).blocks()
    assert whole["l"].fillna("none").tolist() == ["[1, 2]", "none", "[]"]
    assert whole["r"][0] == "{'k': 1}"
    assert list(read_data(path).X.columns) == ["a"]


def test_many_columns_are_compared_in_one_pass(tmp_path):
    """Counts comparisons, not seconds."""
    compared = 0

    class Name(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other):
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)

    class Wide:
        columns = [Name(f"c{at}") for at in range(2_000)]  # noqa: RUF012

        def __init__(self, *_):
            pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(_sources.FORMATS, ".npy", Wide)
        open_source(_written(tmp_path / "x.npy"))
    assert compared < 20_000


def _written(path):
    np.save(path, np.ones((2, 2)))
    return path


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_safe_csv_has_no_formulas(tmp_path, suffix):
    cells = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "plain", ""]
    frame = pd.DataFrame({"=id": cells, "x": np.arange(-4.0, 4)})
    path = tmp_path / f"z{suffix}"
    write_blocks(path, [frame], safe_csv=True)
    sep = "," if suffix == ".csv" else "\t"
    again = pd.read_csv(path, sep=sep, keep_default_na=False)
    assert list(again.columns) == ["'=id", "x"]
    assert again["'=id"].tolist() == [f"'{c}" for c in cells[:6]] + ["plain", ""]
    assert again["x"].tolist() == frame["x"].tolist()
    write_blocks(path, [frame])
    assert pd.read_csv(path, sep=sep, keep_default_na=False)["=id"].tolist() == cells
