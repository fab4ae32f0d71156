"""All methods on three toy shapes with a few labels: one picture.

Each shape is two columns of six. The others are noise, one of them with more variance than the
shape. A method gets 20 labels a class, and the rows without labels. Rows are drawn in the first two
components, in the colour of their class, and labelled rows are circled. The number is 1-NN: the
share of rows without a label whose nearest other row is of the same class. A method that can't have
two components is drawn in one.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from sklearn.decomposition import PCA
from sklearn.metrics import pairwise_distances
from threadpoolctl import threadpool_limits

from pairspace.linear import METHODS as LINEAR
from pairspace.manifold import METHODS as MANIFOLD

N_ROWS, N_LABELS = 300, 20
NOISE = (6.0, 0.8, 0.8, 0.8)  # standard deviations of the other columns
COLOURS = np.array(["#0072b2", "#e69f00", "#009e73"])
METHODS = [PCA, *LINEAR, *MANIFOLD]
METHODS_A_BAND = 9


def clouds(random):
    """Three clouds at the corners of a triangle."""
    y = np.arange(N_ROWS) % 3
    corners = np.array([[-3.0, 0.0], [3.0, 0.0], [0.0, 4.0]])
    return corners[y] + random.normal(size=(N_ROWS, 2)), y


def several_clusters(random):
    """A class of two clusters, with the other class between them."""
    y = np.arange(N_ROWS) % 2
    side = np.where(random.random(N_ROWS) < 0.5, -4.0, 4.0)
    middle = np.column_stack([np.where(y == 0, side, 0.0), np.zeros(N_ROWS)])
    return middle + random.normal(size=(N_ROWS, 2)), y


def arcs(random):
    """Two arcs, one inside the other."""
    y = np.arange(N_ROWS) % 2
    angle = random.uniform(0, np.pi, N_ROWS)
    radius = np.where(y == 0, 2.0, 5.0) + random.normal(scale=0.4, size=N_ROWS)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), y


SHAPES = {"clouds": clouds, "a class of two clusters": several_clusters, "arcs": arcs}


def data(shape):
    """The rows, their classes, and the labels that are known."""
    random = np.random.default_rng(0)
    X, y = shape(random)
    X = np.hstack([X, random.normal(size=(N_ROWS, len(NOISE))) * NOISE])
    labels = np.full(N_ROWS, -1)
    for c in np.unique(y):
        labels[random.permutation(np.flatnonzero(y == c))[:N_LABELS]] = c
    return X, y, labels


def embedded(method, X, labels):
    """Two components, or one if the method can't have more."""
    for n_components in (2, 1):
        estimator = method(n_components)
        if "random_state" in estimator.get_params():
            estimator.set_params(random_state=0)
        try:
            return estimator.fit(X, labels).transform(X)
        except ValueError as error:
            if n_components == 1 or not str(error).startswith("n_components="):
                raise
    return None


def share_of_right_neighbours(Z, y, labels):
    distances = pairwise_distances(Z)
    np.fill_diagonal(distances, np.inf)
    right = y[distances.argmin(axis=1)] == y
    return right[labels < 0].mean()


def main(output: Path) -> None:
    n_bands = -(-len(METHODS) // METHODS_A_BAND)
    figure, axes = plt.subplots(
        n_bands * len(SHAPES), METHODS_A_BAND, figsize=(13, 1.55 * n_bands * len(SHAPES))
    )
    for axis in axes.flat:
        axis.set_axis_off()
    for row, (name, shape) in enumerate(SHAPES.items()):
        X, y, labels = data(shape)
        for at, method in enumerate(METHODS):
            band, column = divmod(at, METHODS_A_BAND)
            axis = axes[band * len(SHAPES) + row, column]
            Z = embedded(method, X, labels)
            # One component goes from left to right; chance spreads the rows over the height.
            shown = Z if Z.shape[1] > 1 else np.column_stack([Z, np.sin(np.arange(len(Z)))])
            draw(axis, shown, y, labels, share_of_right_neighbours(Z, y, labels))
            if not row:
                axis.set_title(method.__name__, fontsize=8)
            if not column:
                axis.set_ylabel(name, fontsize=7)
    figure.tight_layout(pad=0.3)
    output.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(output, dpi=75)
    Image.open(output).quantize(48).save(output, optimize=True)  # a third of the size
    print(f"The picture: {output}")


def draw(axis, Z, y, labels, score):
    known = labels >= 0
    axis.set_axis_on()
    axis.scatter(*Z[~known].T, s=3, color=COLOURS[y[~known]], linewidths=0)
    axis.scatter(*Z[known].T, s=9, color=COLOURS[y[known]], edgecolors="black", linewidths=0.5)
    axis.text(0.98, 0.02, f"{score:.2f}", transform=axis.transAxes, ha="right", fontsize=7)
    axis.set(xticks=[], yticks=[])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("shapes.png"))
    warnings.filterwarnings("ignore", "the graph has .* connected components")
    warnings.filterwarnings("ignore", "no direction spreads more")  # SSWMV with its defaults
    with threadpool_limits(1):  # small matrices: more threads would be slower
        main(parser.parse_args().output)
