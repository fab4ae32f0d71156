"""Whatever stands in the data, the page shows it and does nothing else with it."""

from __future__ import annotations

import base64
import os
import struct
import tracemalloc
import zlib
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from pairspace.tool.app import images
from pairspace.tool.app.colours import by_column
from pairspace.tool.app.images import MissingPictureError, Pictures
from pairspace.tool.app.items import (
    MAX_CHARACTERS,
    Items,
    PictureItems,
    RecordItems,
    TextItems,
)
from pairspace.tool.texts import as_text, mark_words

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg/onload=alert(1)>',
    "' onmouseover='alert(1)",
    '<a href="javascript:alert(1)">click</a>',
    "javascript:alert(1)",
    "</table></div><iframe src=//example.org>",
    "<!-- <style>*{display:none}</style>",
    "&lt;script&gt;",
    "\u202eright to left\u202c",
    "\ud800 half a character",
    "👩‍👩‍👧‍👦 family",
]
OURS = {"div", "mark", "table", "tr", "th", "td", "bdi", "p", "span", "img", "strong"}
OUR_ATTRIBUTES = {"class", "dir", "src", "alt"}


class Seen(HTMLParser):
    """The elements of a piece of HTML, and the text that a person reads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def assert_harmless(html: str) -> Seen:
    seen = Seen(html)
    for tag, attributes in seen.elements:
        assert tag in OURS
        assert set(attributes) <= OUR_ATTRIBUTES
        if "src" in attributes:
            assert str(attributes["src"]).startswith(("data:image/png;base64,", "data:image/jpeg;"))
    return seen


@pytest.mark.parametrize("cell", HOSTILE)
@pytest.mark.parametrize("kind", ["text", "record", "picture"])
def test_hostile_cells_are_only_shown(cell: str, kind: str, tmp_path: Path) -> None:
    ids = [cell, "other"]
    items: Items = {
        "text": lambda: TextItems(ids, [cell, "plain"]),
        "record": lambda: RecordItems(
            ids,
            # as objects, for Arrow has no half characters
            pd.DataFrame(
                [[cell, 1], ["plain", 2]], columns=pd.Index(["a", cell], dtype=object), dtype=object
            ),
        ),
        "picture": lambda: PictureItems(ids, [cell, "plain.png"], Pictures(tmp_path)),
    }[kind]()
    left, _ = items.side_by_side(0, 1)
    shown = assert_harmless(left).text
    assert cell.encode("utf-8", "replace").decode() in shown
    assert_harmless(items.brief(0))
    assert_harmless(items.caption(0))


def test_a_megabyte_of_text_is_cut_with_a_note() -> None:
    left, right = TextItems(["a", "b"], ["<b>word</b> " * 100_000, "short"]).side_by_side(0, 1)
    assert len(left) < 3 * MAX_CHARACTERS
    assert "Showing the first 20,000 of 1,200,000 characters" in left
    assert_harmless(left)
    assert "short" in right
    record = RecordItems(["a", "b"], pd.DataFrame({"t": ["x" * 10**6, "y"]})).side_by_side(0, 1)[0]
    assert len(record) < 5_000


def test_only_words_that_differ_are_marked() -> None:
    left, right = TextItems(["a", "b"], ["Black anvil, 20 kg", "black Anvil, 25 kg"]).side_by_side(
        0, 1
    )
    assert "<mark>20 </mark>" in left
    assert "<mark>25 </mark>" in right
    assert left.count("<mark>") == right.count("<mark>") == 1


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("", ""),
        ("a", ""),
        ("  two  spaces ", "two spaces"),
        ("a b c", "x y z"),
        ("מילה אחת", "מילה שתיים"),
        ("a " * 5_000, "a b " * 3_000),
        ("one two\nthree", "one\ttwo four"),
    ],
)
def test_marked_parts_are_the_whole_text(left: str, right: str) -> None:
    for text, parts in zip((left, right), mark_words(left, right), strict=True):
        assert "".join(part.text for part in parts) == text
    same, _ = mark_words(left, left)
    assert not any(part.differs for part in same)


def test_texts_without_anything_in_common_are_not_marked() -> None:
    assert not any(part.differs for side in mark_words("a b c", "x y z") for part in side)


def test_words_that_repeat_too_often_are_compared_without_their_order() -> None:
    left, right = mark_words("a " * 1_000, "a b " * 500)
    assert not any(part.differs for part in left)
    assert {part.text for part in right if part.differs} == {"b "}


def test_fields_that_differ_are_marked_and_missing_ones_are_alike() -> None:
    frame = pd.DataFrame({"same": ["x", " x"], "other": [1, 2], "none": [None, np.nan]})
    left, _ = RecordItems(["a", "b"], frame).side_by_side(0, 1)
    rows = [attributes for tag, attributes in Seen(left).elements if tag == "tr"]
    assert [attributes.get("class") for attributes in rows] == [None, "differs", None]


def test_wide_records_are_cut_with_a_note() -> None:
    wide = pd.DataFrame(np.arange(400.0).reshape(2, 200))
    left, _ = RecordItems(["a", "b"], wide).side_by_side(0, 1)
    assert "140 more fields" in left


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (float("nan"), ""),
        (pd.NA, ""),
        (pd.NaT, ""),
        (np.float32(0.1), "0.1"),
        (1 / 3, "0.333333"),
        (7, "7"),
        (True, "True"),
        ([1, 2], "[1, 2]"),  # lists of a parquet file
        (np.array([1, 2]), "[1 2]"),
        ({"a": 1}, "{'a': 1}"),
    ],
)
def test_cells_as_text(value: object, text: str) -> None:
    assert as_text(value) == text


# ---- Pictures --------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "pictures"
    root.mkdir()
    Image.new("RGB", (4, 3), "red").save(root / "red.png")
    Image.new("RGB", (3000, 10), "blue").save(root / "wide.jpg")
    Image.new("P", (5, 5)).save(root / "palette.gif")
    Image.new("I;16", (5, 5)).save(root / "deep.png")
    Image.new("RGB", (4, 4), "green").save(tmp_path / "secret.png")
    (root / "inside.png").symlink_to(root / "red.png")
    (root / "link.png").symlink_to(tmp_path / "secret.png")
    (root / "folder").symlink_to(tmp_path)
    (root / "loop.png").symlink_to(root / "loop.png")
    (root / "text.png").write_text("<svg onload=alert(1)>")
    (root / "vector.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (root / "cut.png").write_bytes((root / "red.png").read_bytes()[:45])
    (root / "empty.png").touch()
    Image.new("RGB", (4, 4)).save(root / "eps.png", format="EPS")  # Pillow would run Ghostscript
    os.mkfifo(root / "pipe.png")
    return root


@pytest.mark.parametrize("name", ["red.png", "wide.jpg", "palette.gif", "deep.png", "inside.png"])
def test_pictures_of_the_folder_are_shown(folder: Path, name: str) -> None:
    picture = Pictures(folder).get(name)
    assert picture.uri.startswith(("data:image/png;base64,", "data:image/jpeg;base64,"))
    assert max(picture.width, picture.height) <= images.SHOWN_SIZE


@pytest.mark.parametrize(
    "name",
    [
        "../secret.png",
        "x/../../secret.png",
        "..\\secret.png",
        "link.png",
        "folder/secret.png",
        "loop.png",
        "/etc/passwd",
        "C:\\secret.png",
        "\\\\server\\share\\x.png",
        "file:///etc/passwd",
        "http://example.org/x.png",
        "text.png",
        "vector.svg",
        "cut.png",
        "empty.png",
        "eps.png",
        "pipe.png",
        "none.png",
        "folder",
        "",
        ".",
        "red.png\0.jpg",
        "x" * 5_000,
    ],
)
def test_everything_else_is_missing_and_says_why(folder: Path, name: str) -> None:
    with pytest.raises(MissingPictureError, match=r"\w"):
        Pictures(folder).get(name)
    left, _ = PictureItems(["a", "b"], [name, "red.png"], Pictures(folder)).side_by_side(0, 1)
    assert "Missing picture" in left
    assert "base64" not in left


def test_absolute_paths_into_the_folder_are_refused_too(folder: Path) -> None:
    with pytest.raises(MissingPictureError, match="outside the folder"):
        Pictures(folder).get(str(folder / "red.png"))


def test_a_bomb_is_not_unpacked(folder: Path) -> None:
    """A small file that says it has 10 billion pixels."""
    side = 100_000

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    bomb = b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(bytes(10**6)))
    (folder / "bomb.png").write_bytes(bomb)
    with pytest.raises(MissingPictureError):
        Pictures(folder).get("bomb.png")


def test_too_many_pixels_or_bytes_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "MAX_PIXELS", 11)
    with pytest.raises(MissingPictureError, match="4 × 3 pixels"):
        Pictures(folder).get("red.png")
    monkeypatch.setattr(images, "MAX_BYTES", 10)
    with pytest.raises(MissingPictureError, match="larger than"):
        Pictures(folder).get("red.png")


def test_pictures_are_written_anew(folder: Path) -> None:
    """What a file hides beside its pixels does not reach the browser."""
    hidden = b"hidden words"
    Image.new("RGB", (400, 400), "red").save(folder / "comment.jpg", comment=hidden)
    assert hidden in (folder / "comment.jpg").read_bytes()
    uri = Pictures(folder).get("comment.jpg").uri
    assert hidden not in base64.b64decode(uri.split(",")[1])


def test_only_some_pictures_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "KEPT", 2)
    pictures = Pictures(folder)
    for name in ("red.png", "wide.jpg", "palette.gif", "red.png"):
        pictures.get(name)
    assert len(pictures._large._kept) == 2


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError, match="does not exist"):
        Pictures(tmp_path / "none")


def test_unrelated_texts_are_not_marked() -> None:
    left = "The ship left the harbour in the morning with a full load of timber."
    right = "Mix the flour with a spoon of yeast, and put the bread in the oven."
    assert not any(part.differs for side in mark_words(left, right) for part in side)
    # A short text inside a long one is not unrelated.
    parts = mark_words("left the harbour", left)
    assert not any(part.differs for part in parts[0])
    assert any(part.differs for part in parts[1])


def test_colours_by_a_column_with_one_huge_cell_take_little_memory() -> None:
    cells = [f"name {row % 40}" for row in range(20_000)] + ["x" * 60_000]
    tracemalloc.start()
    colours = by_column(cells)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 50_000_000
    assert len(colours.values) == len(cells)


def test_colours_by_a_column_of_lists() -> None:
    colours = by_column([np.array([1, 2]), [3], None, np.array([1, 2])])
    assert colours.values[0] == colours.values[3] != colours.values[1]
    assert [name for name, _ in colours.legend][:2] == ["[1 2]", "[3]"]


def test_colours_of_long_names_are_cut() -> None:
    colours = by_column(["a" * 60_000, "b"])
    assert max(len(name) for name, _ in colours.legend) < 1_000
