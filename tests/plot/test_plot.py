"""Pictures: what is drawn, where, and that many points do not break them."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace import AutoReducer, Constraints, PairSpace, plot
from pairspace.plot import style

X, y = load_iris(return_X_y=True)
PAIRS = Constraints.from_labels(y, per_class=5, random_state=0)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def search():
    return AutoReducer(
        candidates=["PairSpace", "PCA", "SSDR"], n_repeats=2, cv=3, random_state=0
    ).fit(X, PAIRS)


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_scatter_draws_rows_names_and_pairs():
    Z = np.array([[0.0, 0], [0.1, 0], [5, 5], [5.1, 5], [0, 0.05], [9, 9]])
    pairs = Constraints(6, [(0, 1), (2, 3), (0, 5)], [(0, 2), (1, 3), (0, 4)])
    ax = plot.scatter(Z, pairs, ["a", "a", "b", "b", None, None])
    assert legend(ax) == [
        "violated must-links (1)",
        "must-links (2)",
        "violated cannot-links (1)",
        "cannot-links (2)",
    ]
    assert {text.get_text() for text in ax.texts} == {"a", "b"}
    lines = ax.collections[-4:]
    red = matplotlib.colors.to_rgba(style.VIOLATED_COLOUR)
    colours = [tuple(line.get_color()[0][:3]) for line in lines]
    assert [colour == red[:3] for colour in colours] == [True, False, True, False]
    np.testing.assert_array_equal(lines[0].get_segments()[0], Z[[0, 5]])
    ax.figure.canvas.draw()


def test_names_are_no_formulas_and_leave_room():
    names = ["costs $1 to $2_$", "x" * 500]
    ax = plot.scatter(X, labels=[names[row % 2] for row in range(len(X))])
    ax.figure.canvas.draw()
    assert {text.get_text() for text in ax.texts} == {names[0], "x" * 23 + "…"}
    (first, *_) = plot.compare({names[0]: X})
    first.figure.canvas.draw()
    assert first.get_title() == names[0]


def test_axes_go_in_and_come_out():
    figure, axes = plt.subplots(1, 2)
    assert plot.scatter(X[:, :2], ax=axes[0]) is axes[0]
    assert plot.compare({"a": X, "b": X[:, :1]}, PAIRS, axes=axes)[1] is axes[1]
    assert "a: pair AUC" in axes[0].get_title()
    figure.canvas.draw()
    with pytest.raises(ValueError, match="3 embeddings need as many axes; got 2"):
        plot.compare({"a": X, "b": X, "c": X}, axes=axes)
    with pytest.raises(ValueError, match="at least one entry"):
        plot.compare({})


def test_many_pairs_are_drawn_in_part_and_counted():
    pairs = Constraints.from_labels(y, n_pairs=2_000, random_state=0)
    ax = plot.scatter(X, pairs, max_lines=10)
    assert any(text.startswith("cannot-links (10 of ") for text in legend(ax))


def test_a_hundred_thousand_points_are_drawn_as_pixels():
    random = np.random.default_rng(0)
    ax = plot.scatter(random.standard_normal((100_000, 2)), labels=random.integers(-1, 25, 100_000))
    assert all(points.get_rasterized() for points in ax.collections)
    ax.figure.canvas.draw()


def test_wrong_sizes_are_named():
    with pytest.raises(ValueError, match="150 rows, but there are 3 labels"):
        plot.scatter(X, labels=[1, 2, 3])
    with pytest.raises(ValueError, match=r"components=\(0, 7\) must be between 0 and 3"):
        plot.scatter(X, components=(0, 7))
    with pytest.raises(ValueError, match="150 rows, but the constraints are on 3"):
        plot.scatter(X, Constraints(3))


def test_colours_of_classes_can_be_told_apart_by_everybody():
    """In the eyes of the two common kinds of colour blindness (Viénot's matrices) and in grey."""
    rgb = np.array([matplotlib.colors.to_rgb(colour) for colour in style.PALETTE])
    linear = np.where(rgb > 0.04045, ((rgb + 0.055) / 1.055) ** 2.4, rgb / 12.92)
    for eye in (
        [[0.112, 0.888, 0], [0.112, 0.888, 0], [0.004, -0.004, 1]],
        [[0.292, 0.708, 0], [0.292, 0.708, 0], [-0.022, 0.022, 1]],
        np.eye(3),
    ):
        seen = np.clip(linear @ np.array(eye).T, 0, 1) ** (1 / 2.4)
        distance = np.linalg.norm(seen[:, None] - seen[None], axis=2)
        assert distance[np.triu_indices(len(seen), 1)].min() > 0.1
    looks = {style.of_class(number) for number in range(49)}
    assert len(looks) == 49


def test_the_leaderboard_shows_every_candidate_with_its_error(search):
    ax = plot.leaderboard(search)
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == search.leaderboard_["name"].tolist()
    assert "chosen" in legend(ax)
    few = plot.leaderboard(search.leaderboard_, n_shown=1)
    shown = [label.get_text() for label in few.get_yticklabels()]
    assert search.best_name_ in shown
    assert "PCA, raw" in shown
    ax.figure.canvas.draw()
    untried = search.leaderboard_.assign(mean=np.nan)
    with pytest.raises(ValueError, match="no candidate was scored"):
        plot.leaderboard(untried)


def test_the_spectrum_is_that_of_the_last_step(search):
    model = make_pipeline(StandardScaler(), PairSpace(3, random_state=0)).fit(X, y)
    ax = plot.spectrum(model)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), model[-1].eigenvalues_)
    plain = PCA(2).fit(X)
    drawn = plot.spectrum(plain).lines[0].get_ydata()
    np.testing.assert_allclose(drawn, plain.explained_variance_ratio_)
    assert plot.spectrum(search) is not None
    with pytest.raises(ValueError, match="StandardScaler has no eigenvalues_"):
        plot.spectrum(StandardScaler())
