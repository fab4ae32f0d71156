"""Plots as Bokeh figures."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest
from bokeh.embed import file_html
from bokeh.models import ColorBar, HoverTool, Plot, Scatter, Segment
from bokeh.plotting import figure
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA

from pairspace import AutoReducer, Constraints, plot

X, y = load_iris(return_X_y=True)
PAIRS = Constraints.from_labels(y, per_class=5, random_state=0)


def renderers(made, kind):
    return [each for each in made.renderers if isinstance(each.glyph, kind)]


def test_rows_and_pairs_are_where_they_are_on_axes():
    Z = np.array([[0.0, 0], [0.1, 0], [5, 5], [5.1, 5], [0, 0.05], [9, 9]])
    pairs = Constraints(6, [(0, 1), (2, 3), (0, 5)], [(0, 2), (1, 3), (0, 4)])
    made = plot.scatter(Z, pairs, ["a", "a", "b", "b", None, None], interactive=True)
    assert isinstance(made, figure)
    places = {
        int(row): (x, up)
        for each in renderers(made, Scatter)
        for row, x, up in zip(
            *(each.data_source.data[name] for name in ("row", "x", "y")), strict=True
        )
    }
    assert [places[row] for row in range(6)] == [tuple(at) for at in Z]
    labels = [item.label.value for item in made.legend[0].items]
    assert labels == [
        "violated must-links (1)",
        "must-links (2)",
        "violated cannot-links (1)",
        "cannot-links (2)",
        "unknown",
        "a",
        "b",
    ]
    (first, *_) = renderers(made, Segment)
    data = first.data_source.data
    assert [data[name][0] for name in ("x0", "y0", "x1", "y1")] == [0, 0, 9, 9]
    assert file_html(made, "inline").count("must-links")


def test_the_record_under_the_pointer_is_only_text():
    evil = "<script>alert(1)</script>"
    records = pd.DataFrame({evil: [evil] * len(X), "$x": y, "@y": [None] * len(X)})
    made = plot.scatter(X, labels=y, records=records, interactive=True)
    (hover,) = made.select(HoverTool)
    names = [name for name, _ in hover.tooltips]
    # Bokeh takes names of fields for HTML, but escapes the cells.
    assert not any(sign in name for name in names for sign in "<>&@$")
    assert all("safe" not in cell for _, cell in hover.tooltips)
    assert [cell for _, cell in hover.tooltips] == [
        "@row", "@class", "@{field 0}", "@{field 1}", "@{field 2}",
    ]  # fmt: skip
    data = renderers(made, Scatter)[0].data_source.data
    assert data["field 0"][0] == evil
    assert data["field 2"][0] == ""
    assert evil not in file_html(made, "inline")


def test_numbers_are_shown_on_a_scale():
    made = plot.scatter(X, color=pd.Series(X[:, 2], name="length"), interactive=True)
    (bar,) = made.select(ColorBar)
    assert bar.title == "length"
    (points,) = renderers(made, Scatter)
    np.testing.assert_array_equal(points.data_source.data["value"], X[:, 2])


def test_the_other_plots_are_interactive_too():
    search = AutoReducer(candidates=["PCA", "SSDR"], n_repeats=1, cv=3, random_state=0)
    search.fit(X, PAIRS)
    board = plot.leaderboard(search, interactive=True)
    shown = sorted(
        (name.split(". ", 1)[1], mean)
        for each in renderers(board, Scatter)
        for name, mean in zip(
            each.data_source.data["name"], each.data_source.data["mean"], strict=True
        )
    )
    table = search.leaderboard_
    assert shown == sorted(zip(table["name"], table["mean"], strict=True))
    plain = PCA(2).fit(X)
    (points,) = renderers(plot.spectrum(plain, interactive=True), Scatter)
    np.testing.assert_allclose(points.data_source.data["value"], plain.explained_variance_ratio_)
    grid = plot.compare({"raw": X, "PCA": plain.transform(X)}, PAIRS, interactive=True)
    titles = [each.title.text for each in grid.select({"type": Plot})]
    assert len(titles) == 2
    assert all("pair AUC" in title for title in titles)
    assert file_html(grid, "inline")


def test_what_does_not_fit_is_named(monkeypatch):
    with pytest.raises(ValueError, match="leave out ax"):
        plot.scatter(X, ax=object(), interactive=True)
    with pytest.raises(ValueError, match="150 rows, but there are 3 values"):
        plot.scatter(X, labels=[1, 2, 3], interactive=True)
    with pytest.raises(ValueError, match="150 rows, but there are 2 values"):
        plot.scatter(X, records=pd.DataFrame({"a": [1, 2]}), interactive=True)
    monkeypatch.delitem(sys.modules, "pairspace.plot._bokeh", raising=False)
    monkeypatch.delattr(plot, "_bokeh", raising=False)
    monkeypatch.setitem(sys.modules, "bokeh.layouts", None)
    with pytest.raises(ImportError, match=r"pip install 'pairspace\[app\]'"):
        plot.scatter(X, interactive=True)
