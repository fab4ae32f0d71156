"""The page as a person meets it: the real command, a real browser, a keyboard and a mouse."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from sklearn.datasets import load_digits

from pairspace import Constraints, load
from tool.app.conftest import Start

PATIENCE = 60_000  # milliseconds, for a machine that has other things to do
POINT = """(row) => {
  for (const document of Bokeh.documents)
    for (const model of document._all_models.values()) {
      if (model.type !== "Figure" || model.output_backend !== "webgl") continue;
      const view = Bokeh.index.find_one(model);
      const { x, y } = model.renderers[0].data_source.data;
      const box = view.canvas_view.el.getBoundingClientRect();
      return [
        box.x + view.frame.x_scale.compute(x[row]),
        box.y + view.frame.y_scale.compute(y[row]),
      ];
    }
}"""


class Tab:
    """A tab of the page, and what a person does in it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.wrong: list[str] = []
        self.card = page.locator(".card")

    @property
    def turn(self) -> str:
        return str(self.card.get_attribute("data-turn"))

    @property
    def names(self) -> tuple[str, str]:
        left, right = self.page.locator("figcaption").all_inner_texts()
        return left, right

    @property
    def status(self) -> str:
        return str(self.page.locator(".status").inner_text())

    @property
    def n_answers(self) -> int:
        return int(self.page.locator(".stats b").first.inner_text())

    def press(self, key: str) -> None:
        """A key, and wait until the page has taken it."""
        before = self.turn
        self.page.keyboard.press(key)
        self.wait_for_turn_after(before)

    def wait_for_turn_after(self, turn: str) -> None:
        self.page.locator(f".card:not([data-turn='{turn}'])").wait_for()

    def click_point(self, row: int) -> None:
        before = self.turn
        self.page.mouse.click(*self.page.evaluate(POINT, row))
        self.wait_for_turn_after(before)

    def wait_for_map_of(self, n_answers: int) -> None:
        """Until the map is fitted to so many answers, and drawn."""
        fitted = f"Fitted to {n_answers} of {n_answers} answers"
        self.page.locator(".age", has_text=fitted).wait_for()
        self.page.evaluate("new Promise((go) => requestAnimationFrame(() => setTimeout(go)))")


@contextmanager
def opened(browser: Any, url: str) -> Iterator[Tab]:
    """The page in a fresh browser: no request may leave the machine, nothing may go wrong."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    tab = Tab(page)
    wrong = tab.wrong
    host = urlsplit(url).netloc

    def see(request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != host:
            wrong.append(f"request to {request.url}")

    context.on("request", see)
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: (wrong.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.goto(url)
    page.locator(".card[data-turn] .buttons").wait_for()
    yield tab
    context.close()
    assert wrong == []


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """400 handwritten digits: a table of pixels, and a folder of pictures."""
    folder = tmp_path_factory.mktemp("digits")
    X, digit = load_digits(return_X_y=True)
    (folder / "pictures").mkdir()
    for row, pixels in enumerate(X[:400]):
        grey = (255 - 15.9 * pixels.reshape(8, 8)).astype(np.uint8)
        Image.fromarray(grey).save(folder / "pictures" / f"{row}.png")
    frame = pd.DataFrame(X[:400], columns=[f"pixel{at}" for at in range(64)])
    frame.insert(0, "name", [f"d{row}" for row in range(400)])
    frame.insert(1, "file", [f"{row}.png" for row in range(400)])
    frame.to_csv(folder / "digits.csv", index=False)
    np.save(folder / "digit.npy", digit[:400])
    return folder


def test_a_session_from_the_first_question_to_the_model(
    digits: Path, browser: Any, start: Start
) -> None:
    digit = np.load(digits / "digit.npy")
    answers = digits / "answers.sqlite"
    options = [digits / "digits.csv", "--id", "name", "--answers", answers, "--annotator", "ada"]
    options += ["--image", "file", "--image-root", digits / "pictures", "--classes", 10]
    options += ["--ask", "Do both show the same digit?", "--seed", 0]

    def row(name: str) -> int:
        return int(name.removeprefix("d"))

    def key(tab: Tab) -> str:
        left, right = map(row, tab.names)
        return "s" if digit[left] == digit[right] else "d"

    def stored() -> list[tuple[str, str, int]]:
        with closing(sqlite3.connect(answers)) as connection:
            query = "SELECT a, b, same FROM answers WHERE NOT retracted ORDER BY id"
            return connection.execute(query).fetchall()

    with start(*options) as url, opened(browser, url) as tab:
        assert tab.page.locator("img.picture").count() == 2
        assert urlsplit(tab.page.url).query == ""
        for n in range(30):
            assert len(stored()) == n
            tab.press(key(tab))
        assert [same for *_, same in stored()].count(1) > 0

        # Not sure, and back: by keys alone, but not while a name is typed.
        pair = tab.names
        tab.press("u")
        assert tab.names != pair
        tab.press("z")
        assert tab.names == pair
        name = tab.page.locator("input[type=text]").first
        name.click()
        tab.page.keyboard.type("sdz")
        assert len(stored()) == 30
        name.fill("ada")
        name.press("Enter")
        tab.page.locator("h1.ask").click()
        tab.press("z")
        assert len(stored()) == 29
        assert tab.names == stored_pair_before(answers)
        tab.wait_for_map_of(29)
        tab.press(key(tab))
        assert len(stored()) == 30

        tab.wait_for_map_of(30)
        picture = os.environ.get("PAIRSPACE_SCREENSHOT")
        if picture:  # that of docs/labelling.md
            tab.page.screenshot(path=picture)

        # A contradiction: two points of the map that are known to be the same, said to differ.
        a, b, _ = next(answer for answer in stored() if answer[2] == 1)
        tab.click_point(row(a))
        assert f"{a} is selected" in tab.status
        tab.click_point(row(b))
        assert set(tab.names) == {a, b}
        assert "are the same" in tab.status
        tab.press("d")
        assert "contradict each other" in tab.page.locator(".dialog").inner_text()
        assert len(stored()) == 30
        tab.press("z")  # on second thought
        assert set(tab.names) == {a, b}
        tab.press("d")
        tab.press("1")  # the old answer was wrong
        assert len(stored()) == 30
        assert {(a, b, 0), (b, a, 0)} & set(stored())
        tab.press("z")
        assert len(stored()) == 29

        # A reload, and a second tab, show the same answers and ask for others.
        tab.page.reload()
        tab.page.locator("img.picture").first.wait_for()
        assert tab.n_answers == 29
        other = Tab(tab.page.context.new_page())
        other.page.goto(url)
        other.page.locator("img.picture").first.wait_for()
        other.press(key(other))
        tab.page.locator(".stats b", has_text="30").first.wait_for()
        assert set(tab.names) != set(other.names)
        other.page.close()

        # Download.
        files = {}
        for wanted in ("answers.csv", "embedding.parquet", "model.skops", "report.html"):
            with tab.page.expect_download() as download:
                tab.page.get_by_text(wanted, exact=True).click()
            files[wanted] = digits / f"downloaded.{wanted}"
            download.value.save_as(files[wanted])
    ids = [f"d{number}" for number in range(400)]
    known = Constraints.read(answers, ids)
    assert len(known.must_link) + len(known.cannot_link) == 30
    assert Constraints.read(files["answers.csv"], ids) == known
    assert pd.read_parquet(files["embedding.parquet"])["id"].tolist() == ids
    model = load(files["model.skops"])
    pixels = pd.read_csv(digits / "digits.csv").drop(columns=["name", "file"])
    assert model.transform(pixels).shape[0] == 400
    assert "digits.csv" in files["report.html"].read_text(encoding="utf-8")

    with ExitStack() as still_open:
        with start(*options) as url:
            tab = still_open.enter_context(opened(browser, url))
            assert tab.n_answers == 30
            tab.press(key(tab))
            assert len(stored()) == 31
        # The program has ended, and the page says so.
        assert "new answers are not saved" in tab.page.get_by_role("alert").inner_text()
        tab.wrong.clear()  # the browser's own words about it

    command = [sys.executable, "-m", "pairspace.tool.cli", "fit", str(digits / "digits.csv")]
    command += ["--id", "name", "--pairs", str(answers), "--method", "PairSpace", "--json"]
    command += ["-o", str(digits / "fitted.skops")]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert said["rows"] == 400


def stored_pair_before(answers: Path) -> tuple[str, str]:
    """The pair of the answer that was retracted last."""
    with closing(sqlite3.connect(answers)) as connection:
        query = "SELECT a, b FROM answers WHERE retracted AND same IS NOT NULL ORDER BY id DESC"
        a, b = connection.execute(query).fetchone()
    return a, b


HOSTILE = [
    "<script>alert('script')</script>",
    "<img src='http://example.org/x.png' onerror=alert('img')>",
    '"><svg onload=alert("svg")>',
    "<a href='javascript:alert(1)'>link</a>",
    "<iframe src='https://example.org'></iframe>",
    "👩‍👩‍👧‍👦 مرحبا بالعالم",
]


def test_hostile_data_is_shown_and_not_obeyed(tmp_path: Path, browser: Any, start: Start) -> None:
    frame = pd.DataFrame({"cell": HOSTILE, "id": [f"{cell} id" for cell in HOSTILE]})
    frame["x"] = range(len(frame))
    frame["y"] = [1, 4, 2, 8, 5, 7]
    frame["<b>z</b>"] = [3, 1, 4, 1, 5, 9]
    frame.to_csv(tmp_path / "<i>data.csv", index=False)
    options = (tmp_path / "<i>data.csv", "--id", "id", "--show", "cell,<b>z</b>")
    answers = tmp_path / "answers.sqlite"
    with start(*options, "--answers", answers) as url, opened(browser, url) as tab:
        tab.page.locator("select").select_option("cell")
        tab.page.locator(".legend", has_text="<script>").wait_for()
        seen = set()
        for _ in range(5):
            for cell in tab.page.locator("td").all_inner_texts():
                seen.add(cell)
            if tab.page.locator(".dialog").count():
                break
            tab.press("d")
        assert len(seen & set(HOSTILE)) >= 3
        assert tab.page.locator(".card script, .card iframe, .card svg, .card a").count() == 0
        assert tab.page.locator("b", has_text="z").count() == 0
