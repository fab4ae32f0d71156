"""The map: the right plane, in place; colours that mean something; lines that are answers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from pairspace import Constraints
from pairspace.tool.app.colours import FEW, MAX_CATEGORIES, OTHER, by_cluster, by_column, on_dark
from pairspace.tool.app.map import MAX_LINES, Map, legend_html
from pairspace.tool.app.view import View, lines_of, view_of


def space(embedding: Any, clusters: Any) -> Any:
    return SimpleNamespace(embedding=np.asarray(embedding), clusters=np.asarray(clusters))


@pytest.fixture
def blobs() -> tuple[Any, Any]:
    """Three clusters apart in two of five axes; the others are wide noise."""
    X, label = make_blobs(300, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    noise = np.random.default_rng(0).normal(scale=8, size=(300, 3))
    return np.column_stack([noise, X]), label


def test_the_plane_is_the_one_in_which_clusters_are_apart(blobs: tuple[Any, Any]) -> None:
    X, label = blobs
    points = view_of(space(X, label), None).points
    for cluster in range(3):
        own = np.linalg.norm(points - points[label == cluster].mean(axis=0), axis=1)
        assert own[label == cluster].mean() < own[label != cluster].mean() / 3


def test_a_rotated_and_renumbered_space_looks_as_before(blobs: tuple[Any, Any]) -> None:
    X, label = blobs
    before = view_of(space(X, label), None)
    rotation, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 5)))
    after = view_of(space(X @ rotation, (label + 1) % 3), before)
    assert np.allclose(after.points, before.points)
    assert np.array_equal(after.clusters, before.clusters)


def test_a_new_cluster_gets_a_new_number(blobs: tuple[Any, Any]) -> None:
    X, label = blobs
    before = view_of(space(X, label), None)
    split = np.where((label == 2) & (np.arange(300) % 3 == 0), 0, label + 1)
    after = view_of(space(X, split), before)
    assert np.array_equal(after.clusters[split != 0], label[split != 0])
    assert set(after.clusters[split == 0]) == {3}


def test_one_axis_is_a_line() -> None:
    points = view_of(space([[0.0], [1.0], [2.0]], [0, 0, 1]), None).points
    assert points.tolist() == [[-1, 0], [0, 0], [1, 0]]


def test_violated_lines_come_first() -> None:
    answers = Constraints(5, [(0, 1), (0, 4)], [(1, 2), (1, 3)])
    lines = lines_of(answers, [[0.0], [0.1], [3.0], [4.0], [9.0]], 2)
    assert lines.pairs.tolist()[0] == [0, 4]
    assert lines.violated.tolist() == [True, False]
    assert len(lines.pairs) == 2
    assert len(lines_of(Constraints(5), np.zeros((5, 1)), 2).pairs) == 0


def test_the_map_sends_little(blobs: tuple[Any, Any]) -> None:
    X, label = blobs
    found = space(X, label)
    plot = Map(300, lambda row: None, lambda rows: None)
    plot.show_view(view_of(found, None))
    plot.show_colours(by_cluster(found.clusters))
    assert {values.dtype for values in plot._points.data.values()} == {np.dtype(np.float32)}
    sent: list[str] = []
    plot._points.on_change("data", lambda attr, old, new: sent.append(attr))
    many = Constraints.from_labels(label, n_pairs=2 * MAX_LINES, random_state=0)
    plot.show_answers(lines_of(many, X, MAX_LINES))
    plot.mark((3, 4))
    assert sent == []
    assert len(plot._lines.data["x0"]) == MAX_LINES
    assert len(plot._rings.data["x"]) == 2


def test_a_click_means_the_nearest_point_or_none(
    blobs: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    X, label = blobs
    clicked: list[int] = []
    plot = Map(300, clicked.append, lambda rows: None)
    view = view_of(space(X, label), None)
    plot.show_view(view)
    monkeypatch.setattr(plot, "_pixel", lambda: 0.1)  # which the browser tells
    x, y = view.points[7]
    plot._tapped(SimpleNamespace(x=x + 1e-6, y=y))
    plot._tapped(SimpleNamespace(x=x + 1e4, y=y))
    assert clicked == [7]


def test_arrow_keys_go_from_row_to_row() -> None:
    grid = np.array([[x, y] for y in range(3) for x in range(3)], dtype=float)
    plot = Map(9, lambda row: None, lambda rows: None)
    plot.show_view(View(grid, np.zeros(9, dtype=int)))
    assert plot.neighbour(None, "left") == 4  # the middle
    steps = [plot.neighbour(4, arrow) for arrow in ("left", "right", "up", "down")]
    assert steps == [3, 5, 7, 1]
    assert plot.neighbour(3, "left") == 3
    assert plot.nearest(0, 3)[0] == 0
    assert set(plot.nearest(0, 3)) == {0, 1, 3}
    assert plot.middle([0, 1, 2]) == 1
    whole = plot.figure.x_range.end
    plot.zoom("in")
    assert plot.figure.x_range.end < whole
    plot.zoom("all")
    assert plot.figure.x_range.end == whole


def test_colours_on_dark_keep_their_meaning() -> None:
    for cells in (["a", "b"], list(range(100))):
        light = by_column(cells)
        dark = on_dark(light)
        assert [name for name, _ in dark.legend] == [name for name, _ in light.legend]
        assert not {colour for _, colour in dark.legend} & set(FEW)
        assert np.array_equal(dark.values, light.values)


def test_columns_become_categories_or_a_scale() -> None:
    colours = by_column(["a", "b", None, "a"])
    assert [name for name, _ in colours.legend] == ["a", "b", "other"]
    assert colours.palette[int(colours.values[2])] == OTHER
    scale = by_column([*np.linspace(0, 5, 100), None])
    assert (scale.low, scale.high) == pytest.approx((0.05, 4.95))
    assert np.isnan(scale.values[-1])
    many = by_column([f"name {n % 50}" for n in range(500)])
    assert len(many.legend) == MAX_CATEGORIES + 1


def test_legends_are_escaped() -> None:
    assert "<script>" not in legend_html(by_column(["<script>", "b"]))


def test_no_row_is_outside_the_frame_and_outliers_are_marked_at_its_edge() -> None:
    points = np.random.default_rng(0).normal(size=(300, 2))
    spread = np.vstack([points, [[4.5, 0.0]]])
    far = np.vstack([points, [[500.0, -3.0]]])
    for places, n_marked in ((spread, 0), (far, 1)):
        shown = Map(len(places), lambda row: None, lambda rows: None)
        shown.show_view(View(places, np.zeros(len(places), dtype=int)))
        for axis, frame in (("x", shown.figure.x_range), ("y", shown.figure.y_range)):
            drawn = np.asarray(shown._points.data[axis])
            assert frame.start < drawn.min()
            assert drawn.max() < frame.end
        assert len(shown._far.data["x"]) == n_marked
        assert shown.figure.x_range.end - shown.figure.x_range.start < 40
