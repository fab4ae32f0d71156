"""Pairs in frames and files: what is read, what is written, and what is refused."""

import json
import stat

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairspace import Constraints

SUFFIXES = ("csv", "jsonl", "parquet")
NAMES = ["é", "007", "a,b", 'say "hi"', "two words", "日本\n"]


@pytest.fixture
def c():
    return Constraints(
        6,
        must_link=[(0, 1), (1, 2)],
        cannot_link=[(2, 4), (0, 3), (4, 5)],
        must_weight=[0.1, 2],
        cannot_weight=[1, 1, 1e-9],
    )


def table(**columns):
    return {"a": [0, 1], "b": [1, 2], "same": ["yes", "no"], **columns}


def write_table(path, columns):
    """Write a table as some other program would."""
    if path.suffix == ".csv":
        pd.DataFrame(columns).to_csv(path, index=False)
    elif path.suffix == ".jsonl":
        rows = zip(*columns.values(), strict=True)
        lines = [json.dumps(dict(zip(columns, row, strict=True))) for row in rows]
        path.write_text("\n".join(lines))
    else:
        pq.write_table(pa.table(columns), path)


# ---- Frames ----------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize("ids", [None, NAMES, list(range(10, 70, 10))])
def test_frames(c, make, ids):
    columns = c.to_frame(ids).to_dict("list")
    assert Constraints.from_frame(make(columns), ids, n_samples=6) == c


def test_to_frame(c):
    frame = c.to_frame()
    assert list(frame.columns) == ["a", "b", "same", "weight"]
    assert frame["a"].tolist() == [0, 1, 0, 2, 4]
    assert frame["b"].tolist() == [1, 2, 3, 4, 5]
    assert frame["same"].tolist() == [True, True, False, False, False]
    assert frame["weight"].tolist() == [0.1, 2, 1, 1, 1e-9]
    assert c.to_frame(NAMES)["a"].tolist() == ["é", "007", "é", "a,b", "two words"]


def test_to_frame_without_pairs_has_typed_columns():
    kinds = {name: dtype.kind for name, dtype in Constraints(3).to_frame().dtypes.items()}
    assert kinds == {"a": "i", "b": "i", "same": "b", "weight": "f"}
    assert Constraints.from_frame(Constraints(3).to_frame(), n_samples=3) == Constraints(3)


def test_number_of_rows():
    assert Constraints.from_frame(table()).n_samples == 3  # the largest row number, and one more
    assert Constraints.from_frame(table(), n_samples=9).n_samples == 9
    assert Constraints.from_frame(table(), ids=range(4)).n_samples == 4
    assert Constraints.from_frame(table(), ids=range(4), n_samples=4).n_samples == 4
    assert Constraints.from_frame({"a": [], "b": [], "same": []}).n_samples == 0
    with pytest.raises(ValueError, match="n_samples=5 must be 4, the number of ids"):
        Constraints.from_frame(table(), ids=range(4), n_samples=5)
    with pytest.raises(ValueError, match=r"cannot_link pair \(1, 2\) is outside the rows 0 … 1"):
        Constraints.from_frame(table(), n_samples=2)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(table(a=[0.0, 1.0])),  # as after a merge
        pd.DataFrame(table()).astype({"a": "Int64", "b": "int8", "same": "category"}),
        pd.DataFrame(table(a=["0", " 1 "])),
        pd.DataFrame(table(), index=[7, 7])[["same", "b", "a"]],
        pd.DataFrame(table(who=["ann", "bob"], time=[1, 2])),
        {name: np.array(column) for name, column in table().items()},
        {name: tuple(column) for name, column in table().items()},
    ],
    ids=["floats", "types", "text", "order", "more columns", "arrays", "tuples"],
)
def test_other_forms(frame):
    assert Constraints.from_frame(frame) == Constraints(3, [(0, 1)], [(1, 2)])


def test_a_pair_given_twice_is_kept_once():
    c = Constraints.from_frame({"a": [0, 1], "b": [1, 0], "same": [1, 1], "weight": [1, 2]})
    assert c == Constraints(2, [(0, 1)], must_weight=[3])


def test_two_answers_to_the_same_question():
    with pytest.raises(ValueError, match=r"pair \(0, 1\) is both a must-link and a cannot-link"):
        Constraints.from_frame({"a": [0, 1], "b": [1, 0], "same": [1, 0]})


# ---- The column `same` -----------------------------------------------------------------------


@pytest.mark.parametrize("value", ["yes", "1", "true", "same", "YES", " True ", 1, 1.0, True])
def test_same(value):
    for form in (value, np.array([value])[0]):
        c = Constraints.from_frame({"a": [0], "b": [1], "same": [form]})
        assert c == Constraints(2, [(0, 1)])


@pytest.mark.parametrize("value", ["no", "0", "false", "different", "No", "FALSE\t", 0, 0.0, False])
def test_different(value):
    for form in (value, np.array([value])[0]):
        c = Constraints.from_frame({"a": [0], "b": [1], "same": [form]})
        assert c == Constraints(2, (), [(0, 1)])


@pytest.mark.parametrize(
    "value",
    ["", "maybe", "y", "n", "t", "not same", "yes.0", "2", "-1", 2, 0.5, None, np.nan, pd.NA],
    ids=repr,
)
def test_neither(value):
    frame = {"a": [0, 1], "b": [1, 2], "same": [1, value]}
    with pytest.raises(
        ValueError, match=f"row 1 of the table: same must be yes/no.*; got {value!r}"
    ):
        Constraints.from_frame(frame)


# ---- Weights ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "weight",
    [
        [2.0, None],
        [2, float("nan")],
        ["2", ""],
        ["2.0", " "],
        pd.array([2, None], dtype="Int64"),
        pl.Series([2.0, None]),
        pa.array([2.0, None]),
    ],
    ids=["None", "NaN", "text", "blank", "pandas", "polars", "pyarrow"],
)
def test_an_empty_weight_is_one(weight):
    c = Constraints.from_frame(table(weight=weight))
    assert (c.must_weight.tolist(), c.cannot_weight.tolist()) == ([2], [1])


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ("much", "weight must be a number; got 'much'"),
        (0, "cannot_weight must be positive and finite; got 0.0"),
        ("-1", "cannot_weight must be positive and finite; got -1.0"),
        ("nan", "cannot_weight must be positive and finite; got nan"),
    ],
)
def test_bad_weight(weight, message):
    with pytest.raises(ValueError, match=message):
        Constraints.from_frame(table(weight=[1, weight]))


# ---- Columns and ids that are wrong ----------------------------------------------------------


@pytest.mark.parametrize("name", ["a", "b", "same"])
@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_missing_column(name, make):
    columns = table()
    del columns[name]
    present = ", ".join(map(repr, columns))
    with pytest.raises(ValueError, match=f"'{name}' is missing, the columns are {present}"):
        Constraints.from_frame(make(columns))


def test_not_a_table():
    for thing in ([(0, 1)], None, "pairs.csv"):
        with pytest.raises(TypeError, match=f"expected a table.*got {type(thing).__name__}"):
            Constraints.from_frame(thing)


@pytest.mark.parametrize("name", ["a", "b", "weight"])
@pytest.mark.parametrize("length", [1, 3])
def test_columns_of_different_lengths(name, length):
    with pytest.raises(ValueError, match=f"'{name}' has {length} cells, but 'same' has 2"):
        Constraints.from_frame(table(**{name: [0] * length}))


def test_a_column_twice():
    frame = pd.DataFrame([[0, 1, 2, 1]], columns=["a", "a", "b", "same"])
    with pytest.raises(ValueError, match="the table has 2 columns called 'a'"):
        Constraints.from_frame(frame)


@pytest.mark.parametrize("value", ["x", 0.5, np.float32(0.5), None, float("nan"), float("inf"), ""])
def test_not_a_row_number(value):
    with pytest.raises(
        ValueError, match=r"row 1 of the table: .* is not a row number.*ids="
    ) as error:
        Constraints.from_frame(table(b=[1, value]))
    assert repr(value) in str(error.value)


def test_negative_row_number():
    with pytest.raises(ValueError, match=r"cannot_link pair \(1, -2\) is outside the rows 0 … 1"):
        Constraints.from_frame(table(b=[1, -2]))


@pytest.mark.parametrize("value", ["z", "X", " x", 7, 0.5, "", None, pd.NA])
def test_unknown_id(value):
    with pytest.raises(ValueError, match="row 1 of the table: the data has no id ") as error:
        Constraints.from_frame(table(a=["x", value], b=["y", "x"]), ids=["x", "y", "None", "0"])
    assert repr(value) in str(error.value)


def test_ids_are_compared_as_text():
    # A file read by another program may have its ids as numbers or as text.
    for names in ([10, 20, 30], ["10", "20", "30"], np.array([10, 20, 30]), pd.Index([10, 20, 30])):
        for a, b in (([10, 20], [20, 30]), (["10", "20"], ["20", "30"])):
            c = Constraints.from_frame(table(a=a, b=b), ids=names)
            assert c == Constraints(3, [(0, 1)], [(1, 2)])


def test_leading_zeros_count():
    c = Constraints.from_frame(table(a=["7", "007"], b=["07", "7"]), ids=["007", "07", "7"])
    assert c == Constraints(3, [(1, 2)], [(0, 2)])
    with pytest.raises(ValueError, match="the data has no id 7"):
        Constraints.from_frame(table(a=[7, 7], b=["07", "007"]), ids=["007", "07"])


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["x", "y", "x"], "ids must be unique; rows 0 and 2 both have the id 'x'"),
        ([1, 2, "1"], "rows 0 and 2 both have the id '1'"),
        (["x", None, "y"], "row 1 of the data has no id; got None"),
        (pd.Series(["x", "y", pd.NA], dtype="string"), "row 2 of the data has no id"),
    ],
)
def test_bad_ids(ids, message, tmp_path):
    c = Constraints(3, [(0, 1)])
    with pytest.raises(ValueError, match=message):
        Constraints.from_frame(table(), ids)
    with pytest.raises(ValueError, match=message):
        c.to_frame(ids)
    with pytest.raises(ValueError, match=message):
        c.write(tmp_path / "pairs.csv", ids)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("n", [2, 4])
def test_another_number_of_ids(n, tmp_path):
    for write in (
        Constraints(3).to_frame,
        lambda ids: Constraints(3).write(tmp_path / "c.csv", ids),
    ):
        with pytest.raises(ValueError, match=f"got {n} ids, but the constraints have 3 rows"):
            write(list(range(n)))


# ---- Files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [*SUFFIXES, "CSV"])
@pytest.mark.parametrize(
    "ids",
    [
        None,
        NAMES,
        np.array(NAMES),
        pd.Series(NAMES, dtype="string", index=list("uvwxyz")),
        pl.Series(NAMES),
        pa.array(NAMES),
        tuple(range(6)),
        np.arange(6) * 10,
        list(np.arange(6)),  # NumPy's integers are not JSON's
        [0.5, 1.0, 2.25, 1e30, 4.0, 5.0],
        pd.date_range("2026-01-01", periods=6),
    ],
    ids=lambda ids: type(ids).__name__,
)
def test_files(c, suffix, ids, tmp_path):
    path = tmp_path / f"pairs.{suffix}"
    c.write(path, ids)
    assert Constraints.read(path, ids, n_samples=6) == c
    assert Constraints.read(str(path), ids, n_samples=6) == c
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def text_ids(n):
    characters = st.characters(exclude_categories=["Cs"])  # surrogates are not text
    return st.lists(st.text(characters, max_size=4), min_size=n, max_size=n, unique=True)


@settings(max_examples=60)
@given(ids=text_ids(4))
def test_any_text_is_an_id(tmp_path_factory, ids):
    c = Constraints(4, [(0, 1)], [(2, 3)])
    folder = tmp_path_factory.mktemp("ids")
    for suffix in SUFFIXES:
        c.write(folder / f"pairs.{suffix}", ids)
        assert Constraints.read(folder / f"pairs.{suffix}", ids) == c


@given(weight=st.floats(min_value=1e-75, max_value=1e75))
def test_weights_are_kept_to_the_last_bit(tmp_path_factory, weight):
    c = Constraints(2, [(0, 1)], must_weight=[weight])
    folder = tmp_path_factory.mktemp("weights")
    for suffix in SUFFIXES:
        c.write(folder / f"pairs.{suffix}")
        assert Constraints.read(folder / f"pairs.{suffix}") == c


def test_csv_is_plain(c, tmp_path):
    c.write(tmp_path / "pairs.csv", NAMES)
    assert (tmp_path / "pairs.csv").read_text(encoding="utf-8").splitlines()[:3] == [
        "a,b,same,weight",
        "é,007,True,0.1",
        '007,"a,b",True,2.0',
    ]


def test_jsonl_is_plain(c, tmp_path):
    c.write(tmp_path / "pairs.jsonl", NAMES)
    first = (tmp_path / "pairs.jsonl").read_text(encoding="utf-8").splitlines()[0]
    assert first == '{"a": "é", "b": "007", "same": true, "weight": 0.1}'


def test_parquet_has_typed_columns(c, tmp_path):
    c.write(tmp_path / "pairs.parquet")
    types = {field.name: str(field.type) for field in pq.read_schema(tmp_path / "pairs.parquet")}
    assert types == {"a": "int64", "b": "int64", "same": "bool", "weight": "double"}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_of_other_programs(suffix, tmp_path):
    path = tmp_path / f"pairs.{suffix}"
    write_table(path, table(note=["clear", "hm, well"]))
    assert Constraints.read(path) == Constraints(3, [(0, 1)], [(1, 2)])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_wrong_in_a_file(suffix, tmp_path):
    path = tmp_path / f"pairs.{suffix}"
    write_table(path, table(same=["yes", "perhaps"]))
    with pytest.raises(ValueError, match=r"row 1 of the table: same must be .*; got 'perhaps'"):
        Constraints.read(path)
    write_table(path, table(a=["x", "z"], b=["y", "y"]))
    with pytest.raises(ValueError, match="row 1 of the table: the data has no id 'z'"):
        Constraints.read(path, ids=["x", "y"])
    with pytest.raises(ValueError, match="row 0 of the table: 'x' is not a row number"):
        Constraints.read(path)
    write_table(path, {"left": [0], "right": [1], "same": [1]})
    with pytest.raises(ValueError, match="'a' is missing, the columns are 'left', 'right', 'same'"):
        Constraints.read(path)


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_byte_order_mark(suffix, tmp_path):
    path = tmp_path / f"pairs.{suffix}"
    write_table(path, table())
    path.write_bytes("\N{BYTE ORDER MARK}".encode() + path.read_bytes())
    assert Constraints.read(path) == Constraints(3, [(0, 1)], [(1, 2)])


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("ids", [None, ["x", "y", "z"]])
def test_no_pairs(suffix, ids, tmp_path):
    path = tmp_path / f"pairs.{suffix}"
    Constraints(3).write(path, ids)
    assert Constraints.read(path, ids, n_samples=3) == Constraints(3)


def test_empty_files(tmp_path):
    (tmp_path / "pairs.csv").touch()
    with pytest.raises(ValueError, match="'a' is missing, the columns are none"):
        Constraints.read(tmp_path / "pairs.csv")
    # This is what no pairs look like in this format.
    (tmp_path / "pairs.jsonl").touch()
    assert Constraints.read(tmp_path / "pairs.jsonl", n_samples=2) == Constraints(2)
    (tmp_path / "pairs.parquet").touch()
    with pytest.raises(ValueError, match=r"pairs\.parquet can't be read.*Parquet file size is 0"):
        Constraints.read(tmp_path / "pairs.parquet")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\n\n"])
def test_line_ends_and_blank_lines(newline, tmp_path):
    for name, lines in {
        "pairs.csv": ["a, b,same ", "0,1,yes", "1, 2,no", ""],
        "pairs.jsonl": ['{"a": 0, "b": 1, "same": 1}', '{"b": 2, "same": "no", "a": 1}', ""],
    }.items():
        (tmp_path / name).write_text(newline.join(lines), newline="")
        assert Constraints.read(tmp_path / name) == Constraints(3, [(0, 1)], [(1, 2)])


def test_broken_csv(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("a,b,same\n0,1,yes\n1,2\n")
    with pytest.raises(
        ValueError, match=r"pairs.csv: row 1 of the table has 2 cells, but .* 3 col"
    ):
        Constraints.read(path)
    path.write_text("a/b/same\n0/1/yes\n")
    with pytest.raises(ValueError, match="'a' is missing, the columns are 'a/b/same'"):
        Constraints.read(path)
    path.write_text("a,b,b,same\n0,1,2,yes\n")
    with pytest.raises(ValueError, match="the table has 2 columns called 'b'"):
        Constraints.read(path)


def test_broken_jsonl(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"a": 0, "b": 1, "same": 1}\n{"a": 0,\n')
    with pytest.raises(ValueError, match=r"pairs.jsonl: line 2 is not JSON"):
        Constraints.read(path)
    path.write_text("\n[0, 1, true]\n")
    with pytest.raises(ValueError, match=r"pairs.jsonl: line 2 is not an object"):
        Constraints.read(path)
    path.write_text('{"a": 0, "b": 1, "same": 1}\n{"a": 0, "b": 2}\n')
    with pytest.raises(ValueError, match=r"row 1 of the table: same must be .*; got None"):
        Constraints.read(path)


@pytest.mark.parametrize("name", ["pairs.txt", "pairs", "pairs.parquet.gz", "pairs.json"])
def test_other_suffixes(c, name, tmp_path):
    # Label Studio's .json is read, not written.
    for use in (c.write,) if name == "pairs.json" else (c.write, Constraints.read):
        with pytest.raises(ValueError, match=r"must be \.csv, \.jsonl or \.parquet; got '"):
            use(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_no_such_file_or_folder(c, tmp_path):
    for suffix in SUFFIXES:
        with pytest.raises(FileNotFoundError):
            Constraints.read(tmp_path / f"none.{suffix}")
        with pytest.raises(FileNotFoundError):
            c.write(tmp_path / "none" / f"pairs.{suffix}")


# ---- Whole or not at all ---------------------------------------------------------------------


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("there", [True, False])
def test_a_failed_write_changes_nothing(c, suffix, there, tmp_path):
    path = tmp_path / f"pairs.{suffix}"
    if there:
        c.write(path)
    before = {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()}
    # No encoding has the last id, and it stands in the last row that is written.
    with pytest.raises(ValueError, match=r"pairs.* can't be written as UTF-8.*surrogates"):
        c.write(path, ids=["v", "w", "x", "y", "z", "\ud800"])
    assert {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()} == before


def test_a_failed_rename_leaves_no_temporary_file(c, tmp_path):
    (tmp_path / "pairs.csv").mkdir()
    with pytest.raises(OSError, match=r"pairs\.csv"):
        c.write(tmp_path / "pairs.csv")
    assert [entry.name for entry in tmp_path.iterdir()] == ["pairs.csv"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_second_write_replaces_the_first(c, suffix, tmp_path):
    path = tmp_path / f"pairs.{suffix}"
    c.write(path)
    c[:3].write(path)
    assert Constraints.read(path) == c[:3]


def test_permissions(c, tmp_path):
    path, other = tmp_path / "pairs.csv", tmp_path / "other"
    other.touch()
    c.write(path)
    assert path.stat().st_mode == other.stat().st_mode  # as any new file
    path.chmod(0o640)
    c.write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640  # as it was


def test_a_bare_name_is_in_the_working_folder(c, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    c.write("pairs.csv")
    assert Constraints.read("pairs.csv", n_samples=6) == c


@pytest.mark.parametrize(
    ("ids", "a"),
    [
        ([101.0, 102.0], "101"),
        ([101.0, 102.0], "101.0"),
        (["101.0", "102.0"], "101"),
        ([101, 102], "101.0"),
        ([101, 102], 101.0),
        (["101", "102"], " 101.0"),
    ],
)
def test_ids_that_pandas_made_floats_are_found(ids, a):
    read = Constraints.from_frame({"a": [a], "b": [ids[1]], "same": ["yes"]}, ids=ids)
    assert read.must_link.tolist() == [[0, 1]]


def test_an_exact_id_comes_before_one_that_is_the_same_number():
    ids = ["101.0", "101", "7"]
    read = Constraints.from_frame({"a": ["101.0"], "b": ["7"], "same": ["yes"]}, ids=ids)
    assert read.must_link.tolist() == [[0, 2]]


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_other_separators_are_recognised(tmp_path, separator):
    lines = ["a,b,same,weight", "x,y,yes,2.5", '"p,q",y,no,']
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(lines[:2]).replace(",", separator), encoding="utf-8-sig")
    read = Constraints.read(path, ids=["x", "y"])
    assert read.must_weight.tolist() == [2.5]


def test_row_numbers_that_pandas_made_floats(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("a,b,same\n0.0,2.0,yes\n")
    assert Constraints.read(path, n_samples=3).must_link.tolist() == [[0, 2]]


@pytest.mark.parametrize("suffix", ["csv.gz", "jsonl.xz", "csv.bz2"])
def test_compressed_files(c, tmp_path, suffix):
    path = tmp_path / f"pairs.{suffix}"
    c.write(path)
    assert not path.read_bytes().startswith((b"a,b", b"{"))
    assert Constraints.read(path, n_samples=6) == c


def test_a_file_of_another_encoding(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_bytes("a;b;same\nMüller;Éva;yes\n".encode("cp1252"))
    assert Constraints.read(path, ids=["Éva", "Müller"]).must_link.tolist() == [[0, 1]]


# ---- Damaged files -----------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"PAR1", b"a,b,same\n1,2,yes\n", b"PAR1" + 40 * b"\0"])
def test_a_damaged_parquet_file_is_named(content, tmp_path):
    path = tmp_path / "pairs.parquet"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"pairs\.parquet can't be read as parquet"):
        Constraints.read(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [("[" * 100_000, "line 1 is not JSON"), ("1" * 5_000, "line 1 is not JSON")],
)
def test_json_that_is_too_deep_or_too_long(line, message, tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        Constraints.read(path)


def test_a_cell_larger_than_csv_allows(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("a,b,same\n" + "1" * 200_000 + ",2,yes\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"pairs\.csv: line 2 is not csv: field larger"):
        Constraints.read(path)


@pytest.mark.parametrize("row", [2**63, 2**70, -(2**70), "9" * 30])
def test_row_numbers_beyond_64_bits(row):
    with pytest.raises(ValueError, match="is not a row number"):
        Constraints.from_frame({"a": [row], "b": [1], "same": [True]})


def test_ids_that_parquet_can_not_hold(tmp_path):
    with pytest.raises(ValueError, match=r"pairs\.parquet: ids must be all text or all numbers"):
        Constraints(3, [(0, 1), (1, 2)]).write(tmp_path / "pairs.parquet", ids=["x", 1, 2.5])
    assert not list(tmp_path.iterdir())
