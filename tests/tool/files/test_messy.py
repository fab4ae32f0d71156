"""Text files as people have them: separators, encodings, decimal commas, currencies, dates."""

from __future__ import annotations

import gzip

import numpy as np
import pandas as pd
import pytest

from pairspace.tool.files import (
    Convention,
    Selection,
    TextFormat,
    date_order,
    open_source,
    read_data,
    to_dates,
    to_numbers,
)

PLAIN = "name,price,size\nMüller,1.5,10\nÉva,2.25,20\nKöhn,1000.75,30\n"


def written(tmp_path, text, name="x.csv", encoding="utf-8"):
    path = tmp_path / name
    content = text.encode(encoding)
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return path


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.txt", "x.csv.gz"])
def test_separator_encoding_and_compression_are_seen(tmp_path, separator, encoding, name):
    path = written(tmp_path, PLAIN.replace(",", separator), name, encoding)
    data = read_data(path, Selection(id="name"))
    assert data.ids == ["Müller", "Éva", "Köhn"]
    np.testing.assert_array_equal(data.X, [[1.5, 10], [2.25, 20], [1000.75, 30]])
    said = " ".join(data.notes)
    assert ("--encoding" in said) == (encoding in ("latin-1", "utf-16"))
    assert ("--sep" in said) == (separator != ("\t" if name == "x.tsv" else ","))
    blocks = list(open_source(path).blocks(2, ["size"]))
    assert [block["size"].tolist() for block in blocks] == [[10, 20], [30]]


@pytest.mark.parametrize(
    ("cells", "separator", "numbers", "said"),
    [
        (["1,5", "2,25"], ";", [1.5, 2.25], "--decimal ,"),
        (["1.000,5", "2,25"], ";", [1000.5, 2.25], "--decimal , --thousands ."),
        (["1.234.567", "1.000"], ";", [1234567, 1000], "--decimal , --thousands ."),
        (["0,125", "0,250"], ";", [0.125, 0.25], "--decimal ,"),
        (['"3,750"', '"12,000"'], ",", [3750, 12000], "--thousands ,"),
        (['"1,234.5"', "7"], ",", [1234.5, 7], "--thousands ,"),
        (["1,234,567", "7"], ";", [1234567, 7], "--thousands ,"),
        (['"$1,200"', "$35"], ",", [1200, 35], "--thousands ,"),
        (["1.200,50 €", "35 €"], ";", [1200.5, 35], "--decimal ,"),
        (["1 200,5", "35"], ";", [1200.5, 35], "--decimal ,"),
        (["12%", "7.5 %"], ",", [12, 7.5], "'12%'"),
        (["(5)", "-$3"], ",", [-5, -3], "'(5)'"),
        (["1e3", "-2.5E-1"], ",", [1000, -0.25], ""),
        (["1.234", "5.678"], ",", [1.234, 5.678], ""),
    ],
)
def test_numbers_are_read_as_they_are_meant(tmp_path, cells, separator, numbers, said):
    lines = [f"x{separator}y"] + [f"{cell}{separator}{at}" for at, cell in enumerate(cells)]
    data = read_data(written(tmp_path, "\n".join(lines)))
    assert data.X["x"].tolist() == numbers
    assert said in " ".join(data.notes)


@pytest.mark.parametrize(
    ("cells", "separator", "remark"),
    [
        (["3,750", "1,200"], ";", "row 0 has '3,750': give --decimal , or --thousands ,"),
        (["$1", "€2"], ",", "text"),
        (["1", "2", "3", "about 4"], ",", "row 3 has 'about 4'"),
        (["01/02/2020", "03/04/2020"], ",", "can't be told apart"),
        (["x", "x"], ",", "one value"),
    ],
)
def test_what_can_be_read_in_two_ways_is_left_out_with_the_remedy(
    tmp_path, cells, separator, remark
):
    lines = [f"x{separator}y"] + [f"{cell}{separator}{at}" for at, cell in enumerate(cells)]
    data = read_data(written(tmp_path, "\n".join(lines)))
    assert data.features == ["y"]
    assert remark in data.notes[-1]


def test_the_options_decide(tmp_path):
    path = written(tmp_path, "x;y\n3,750;1\n1,200;2\n")
    comma = read_data(path, text_format=TextFormat(decimal=","))
    assert comma.X["x"].tolist() == [3.75, 1.2]
    thousands = read_data(path, text_format=TextFormat(thousands=","))
    assert thousands.X["x"].tolist() == [3750, 1200]
    other = written(tmp_path, "x:y\n1:2\n3:4\n", "other.csv")
    assert read_data(other, text_format=TextFormat(sep=":")).features == ["x", "y"]
    cyrillic = written(tmp_path, "имя,x\nОля,1\nЯна,2\n", "other.csv", "cp1251")
    read = read_data(cyrillic, Selection(id="имя"), text_format=TextFormat(encoding="cp1251"))
    assert read.ids == ["Оля", "Яна"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sep": ";;"}, "--sep must be one character, or tab; got ';;'"),
        ({"encoding": "latin-99"}, "--encoding must be an encoding that Python knows"),
        ({"encoding": "rot13"}, "--encoding must be an encoding that Python knows"),
        ({"encoding": "undefined"}, "--encoding must be an encoding that Python knows"),
        ({"decimal": "x"}, "--decimal must be . or ,; got 'x'"),
        ({"thousands": "xx"}, "--thousands must be one character; got 'xx'"),
        ({"decimal": ",", "thousands": ","}, "--decimal and --thousands must differ"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        TextFormat(**options)


def test_a_wrong_option_is_found_out(tmp_path):
    path = written(tmp_path, PLAIN, encoding="latin-1")
    with pytest.raises(ValueError, match=r"is not utf-8 text .* --encoding cp1252"):
        read_data(path, text_format=TextFormat(encoding="utf-8"))
    with pytest.raises(ValueError, match=r"is not utf-16 text \(.*BOM\): .* --encoding cp1252"):
        read_data(path, text_format=TextFormat(encoding="utf-16"))
    with pytest.raises(ValueError, match=r"has ',' but no '\|': give --sep ','"):
        read_data(path, text_format=TextFormat(sep="|"))
    broken = tmp_path / "x.csv.gz"
    broken.write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"x.csv.gz can't be decompressed"):
        read_data(broken)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks(tmp_path, encoding):
    assert (
        read_data(written(tmp_path, PLAIN, encoding=encoding)).ids
        == read_data(written(tmp_path, PLAIN)).ids
    )


def test_the_index_of_pandas_is_left_out(tmp_path):
    frame = pd.DataFrame({"a": [1.5, 2.5, 4.0], "b": [3, 1, 2]})
    for start, name in ((0, "zero"), (1, "one")):
        frame.set_axis(range(start, start + 3)).to_csv(tmp_path / f"{name}.csv")
        data = read_data(tmp_path / f"{name}.csv")
        assert data.features == ["a", "b"]
        assert "ignored the first column, which has no name and counts the rows" in data.notes
    # A column without a name that does not count is one like others.
    frame.set_axis([5, 3, 9]).to_csv(tmp_path / "other.csv")
    assert read_data(tmp_path / "other.csv").features == ["unnamed_1", "a", "b"]


def test_dates_become_days_and_categories_stay(tmp_path):
    rows = [f"2020-01-{1 + at % 28:02d},{'red' if at % 2 else 'blue'},{at}" for at in range(30)]
    data = read_data(written(tmp_path, "day,colour,x\n" + "\n".join(rows)))
    assert data.kinds == {"day": "date", "colour": "category", "x": "number"}
    assert data.date_order == {"day": "year first"}
    assert data.X["day"].dtype.kind == "M"
    assert "one-hot encoded: colour (2 values)" in " ".join(data.notes)
    ignored = read_data(data.path, Selection(ignore=("day", "colour")))
    assert ignored.features == ["x"]
    named = read_data(data.path, Selection(categories=("x",)))
    assert named.kinds == {"day": "date", "x": "category"}


@pytest.mark.parametrize(
    ("cells", "order", "first"),
    [
        (["2020-12-31", "2020-01-02"], "year first", "2020-12-31"),
        (["2020/12/31 10:30", "2020/01/02 00:00"], "year first", "2020-12-31 10:30"),
        (["2020-12-31T10:30:05Z"], "year first", "2020-12-31 10:30:05"),
        (["31/12/2020", "01/02/2020"], "day first", "2020-12-31"),
        (["12/31/2020", "01/02/2020"], "month first", "2020-12-31"),
        (["05.02.2020", "01.02.2020"], "day first", "2020-02-05"),
        (["31-12-2020 08:15", "01-02-2020 09:00:01"], "day first", "2020-12-31 08:15"),
    ],
)
def test_dates_by_their_order(cells, order, first):
    column = pd.Series([*cells, None])
    assert date_order(column) == order
    dates = to_dates(column, order)
    assert dates.iloc[0] == pd.Timestamp(first)
    assert dates.notna().tolist() == [True] * len(cells) + [False]


@pytest.mark.parametrize(
    "cells", [["31/12/2020", "12/31/2020"], ["2020"], ["a day"], [3.5], [None]]
)
def test_other_cells_are_no_dates(cells):
    assert date_order(pd.Series(cells, dtype=object)) is None


def test_a_day_that_does_not_exist_is_missing():
    assert to_dates(pd.Series(["2020-02-31", "2020-02-01"]), "year first").isna().tolist() == [
        True,
        False,
    ]


@pytest.mark.parametrize("cell", ["1,2", "1.2.3", "12,34,567", "--5", "(5", "5)", "$", "1 2", "x1"])
def test_what_is_no_number(cell):
    assert np.isnan(to_numbers(pd.Series([cell]), Convention(".", ",")).iloc[0])
