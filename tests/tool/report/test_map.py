"""The report's map in a real browser: pointing, zooming, colours, pictures, hostile values."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace import Constraints, PairSpace
from pairspace.tool.report import _map, write_report
from tests.tool.report.test_report import Visit

HOSTILE = [
    "<img src=x onerror=\"document.title='taken'\">",
    "</script><script>document.title='taken'</script>",
    "<!--<script>",
    "\u2028{{ 7 * 7 }}${alert(1)}",
]


@pytest.fixture(scope="module")
def fitted():
    X, y = load_wine(return_X_y=True, as_frame=True)
    pairs = Constraints.from_labels(y, n_pairs=60, random_state=0)
    model = make_pipeline(StandardScaler(), PairSpace(3, random_state=0)).fit(X, pairs)
    names = np.array(["Barolo", "Grignolino", "Barbera"])[y]
    return model, X, pairs, names


@pytest.fixture
def visit(browser, fitted, tmp_path):
    model, X, pairs, names = fitted
    records = X.assign(grape=names)
    write_report(tmp_path / "r.html", model, X, labels=names, constraints=pairs, records=records)
    visit = Visit(browser, tmp_path / "r.html")
    yield visit
    assert visit.complaints == []
    visit.page.close()


def view(page):
    page.wait_for_function("document.querySelector('#map canvas').dataset.view")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return json.loads(page.locator("#map canvas").first.get_attribute("data-view"))


def place_of(page, x, y):
    """The place in the window of a point of the space."""
    found = view(page)
    (x0, x1, y0, y1), frame = found["view"], found["frame"]
    box = page.locator("#map canvas").first.bounding_box()
    return (
        box["x"] + frame["left"] + (x - x0) / (x1 - x0) * frame["width"],
        box["y"] + frame["top"] + (y1 - y) / (y1 - y0) * frame["height"],
    )


def test_pointing_at_a_row_shows_its_record(visit, fitted):
    model, X, _, names = fitted
    Z, page = model.transform(X), visit.page
    row = int(Z[:, 0].argmax())  # at the edge: no other row is as near
    page.locator("#map canvas").first.scroll_into_view_if_needed()
    page.mouse.move(*place_of(page, *Z[row, :2]))
    tip = page.locator(".map-tip")
    assert tip.get_attribute("data-row") == str(row)
    assert f"{X['alcohol'].iloc[row]:g}" in tip.inner_text()
    page.mouse.down()
    page.mouse.up()
    record = page.locator(".map-record").inner_text()
    assert names[row] in record
    assert f"{X['proline'].iloc[row]:g}" in record


def test_zoom_and_components(visit, fitted):
    model, X, _, _ = fitted
    Z, page = model.transform(X), visit.page
    x0, x1, y0, y1 = view(page)["view"]
    assert x0 < Z[:, 0].min() < Z[:, 0].max() < x1
    assert y0 < Z[:, 1].min() < Z[:, 1].max() < y1
    page.click("[data-zoom=in]")
    near = view(page)["view"]
    assert near[1] - near[0] == pytest.approx((x1 - x0) / 1.5)
    page.click("[data-zoom=reset]")
    page.select_option("[name=up]", label="component 3")
    _, _, y0, y1 = view(page)["view"]
    margin = 0.05 * np.ptp(Z[:, 2])
    assert y0 == pytest.approx(Z[:, 2].min() - margin, rel=1e-4)
    assert y1 == pytest.approx(Z[:, 2].max() + margin, rel=1e-4)
    for _ in range(60):  # has an end, where the ticks can still be told apart
        page.click("[data-zoom=in]")
    x0, x1, *_ = view(page)["view"]
    assert x1 - x0 > 1e-5 * np.ptp(Z[:, 0])


def test_the_curved_layout_stands_beside_its_score(browser, fitted, tmp_path):
    model, X, pairs, _ = fitted
    write_report(tmp_path / "r.html", model, X, constraints=pairs, layout=True)
    visit = Visit(browser, tmp_path / "r.html")
    page = visit.page
    spaces = page.locator("[name=space] option").all_inner_texts()
    assert spaces == ["PairSpace", "PCA", "PairSpace, curved layout"]
    page.locator("[name=space]").select_option(label=spaces[-1])
    assert page.locator("[name=across] option").all_inner_texts() == ["layout 1", "layout 2"]
    note = page.locator(".map-note").inner_text()
    scores = re.search(r"answers: (0\.\d+) ± .* in the layout, (0\.\d+) ± .* in the space", note)
    assert scores is not None, note
    assert all(0.7 < float(score) <= 1 for score in scores.groups())
    assert "the gaps mean nothing" in note
    assert visit.complaints == []
    page.close()


def test_a_layout_without_answers_has_no_score(fitted, tmp_path):
    model, X, _, _ = fitted
    write_report(tmp_path / "r.html", model, X.head(20), layout=True)
    assert "too few answers to judge it by" in (tmp_path / "r.html").read_text()


def test_the_map_is_coloured_by_any_column(visit):
    page = visit.page
    legend = page.locator(".map-legend")
    assert "Barolo (59)" in re.sub(r"\s+", " ", legend.inner_text())
    page.select_option("[name=colour]", label="proline")
    shown = re.sub(r"\s+", " ", legend.inner_text())
    assert "Barolo" not in shown
    assert legend.locator("canvas").count() == 1  # a scale
    page.select_option("[name=colour]", label="nothing")
    assert legend.inner_text() == ""


def test_at_first_the_colours_are_no_ids(browser, fitted, tmp_path):
    model, X, pairs, names = fitted
    days = pd.Timestamp("2024-03-01") + pd.to_timedelta(np.arange(len(X)), unit="D")
    records = X.assign(bottle=[f"b{row:03}" for row in range(len(X))], filled=days)
    for extra, colour in (({}, "nothing"), ({"grape": names}, "grape")):
        shown = records.assign(**extra)[["bottle", "filled", "hue", *extra]]
        write_report(tmp_path / "r.html", model, X, constraints=pairs, records=shown)
        visit = Visit(browser, tmp_path / "r.html")
        chosen = visit.page.locator("[name=colour]").evaluate("s => s.selectedOptions[0].label")
        assert chosen == colour
        visit.page.close()
    page = (tmp_path / "r.html").read_text()
    assert "2024-03-01" in page
    assert "00:00:00" not in page


def test_names_of_classes_do_not_cover_each_other(browser, fitted, tmp_path):
    model, X, pairs, _ = fitted
    mixed = [f"a rather long name {row % 12}" for row in range(len(X))]  # all medians are close
    write_report(tmp_path / "r.html", model, X, labels=mixed, constraints=pairs)
    visit = Visit(browser, tmp_path / "r.html")
    boxes = [each.bounding_box() for each in visit.page.locator(".map-names span").all()]
    assert len(boxes) == 12
    for at, a in enumerate(boxes):
        for b in boxes[:at]:
            apart_x = abs(a["x"] + a["width"] / 2 - b["x"] - b["width"] / 2)
            apart_y = abs(a["y"] + a["height"] / 2 - b["y"] - b["height"] / 2)
            assert apart_x >= (a["width"] + b["width"]) / 2 or apart_y >= a["height"]
    visit.page.close()


def test_a_violated_pair_is_shown_on_the_map(visit):
    page = visit.page
    card = page.locator(".pair").first
    names = card.locator("thead th").all_inner_texts()[1:]
    card.locator("button").click()
    titles = page.locator(".map-record b").all_inner_texts()
    assert titles == names


def test_hostile_values_do_not_run(browser, fitted, tmp_path):
    model, X, pairs, _ = fitted
    values = [HOSTILE[row % len(HOSTILE)] for row in range(len(X))]
    records = X.assign(kind=values, text=[f"{value} {row}" for row, value in enumerate(values)])
    write_report(
        tmp_path / "r.html", model, X, labels=values, constraints=pairs,
        records=records.rename(columns={"proline": HOSTILE[0]}), text="text", title="mine",
    )  # fmt: skip
    visit = Visit(browser, tmp_path / "r.html")
    page = visit.page
    page.locator("#map canvas").first.focus()
    for key in ("ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    assert any(value in page.locator(".map-record").inner_text() for value in HOSTILE[:3])
    page.select_option("[name=colour]", label="kind")
    assert HOSTILE[1] in page.locator(".map-legend").inner_text()
    assert page.locator("script").count() == 2
    assert page.title() == "mine · pairspace"
    assert visit.complaints == []
    assert [url for url in visit.requests if not url.startswith("data:")] == [
        (tmp_path / "r.html").as_uri()
    ]
    page.close()


def test_the_policy_stops_scripts_that_are_not_ours(browser, fitted, tmp_path):
    """Also if a value of the data were written into the page as it is."""
    model, X, pairs, _ = fitted
    path = tmp_path / "r.html"
    write_report(path, model, X, constraints=pairs, title="mine")
    page = path.read_text()
    assert page.count("</main>") == 1
    path.write_text(
        page.replace("</main>", f"{HOSTILE[0]}<script>document.title='taken'</script></main>")
    )
    visit = Visit(browser, path)
    assert visit.page.title() == "mine · pairspace"
    assert sum("Content Security Policy" in text for text in visit.complaints) >= 2
    assert visit.page.locator("#map canvas").first.is_visible()
    visit.page.close()


def test_pictures_of_the_rows_are_shown(browser, tmp_path):
    random = np.random.default_rng(0)
    X = random.random((30, 16))
    pairs = Constraints(30, [(0, 1)], [(2, 3)])
    images = [None, *X.reshape(30, 4, 4)[1:]]
    model = PairSpace(2, random_state=0).fit(X, pairs)
    write_report(tmp_path / "r.html", model, X, constraints=pairs, images=images)
    visit = Visit(browser, tmp_path / "r.html")
    visit.page.check("[name=pictures]")
    Z = model.transform(X)
    row = int(Z[:, 0].argmax())  # no other row is as near
    visit.page.locator("#map canvas").first.scroll_into_view_if_needed()
    visit.page.mouse.move(*place_of(visit.page, *Z[row, :2]))
    assert visit.page.locator(".map-tip").get_attribute("data-row") == str(row)
    visit.page.fill("[name=find]", "7")
    box = visit.page.locator(".map-record .map-thumbnail")
    assert box.evaluate("each => getComputedStyle(each).backgroundImage").startswith('url("data:')
    assert visit.complaints == []
    visit.page.close()
    with pytest.raises(ValueError, match="images has 2 rows, but X has 30"):
        write_report(tmp_path / "r.html", model, X, images=images[:2])


def test_the_data_of_the_map_is_bounded(fitted, monkeypatch, tmp_path):
    model, X, pairs, _ = fitted
    monkeypatch.setattr(_map, "MAX_BYTES", 20_000)
    records = pd.DataFrame({"text": [f"{row} " + "long " * 40 for row in range(len(X))]})
    write_report(tmp_path / "r.html", model, X, constraints=pairs, records=records, text="text")
    page = (tmp_path / "r.html").read_text()
    data = re.search(r'id="map-data">(.*?)</script>', page, re.S).group(1)
    assert len(data.encode()) <= 20_000
    n = len(json.loads(data)["ids"])
    assert f"The map shows {n} of 178 rows" in page


def test_without_scripts_there_is_a_still_picture(browser, fitted, tmp_path):
    model, X, pairs, names = fitted
    write_report(tmp_path / "r.html", model, X, labels=names, constraints=pairs)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "r.html").as_uri())
    assert page.locator("#map-still img").is_visible()
    assert not page.locator("#map").is_visible()
    context.close()
