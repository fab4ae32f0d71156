"""
All methods on five toy shapes
==============================

Each shape is two columns of six; the others are noise, one of them with more variance than the
shape. A method gets 20 labels a class, and the rows without labels. The number is the share of
unlabelled rows whose nearest other row is of the same class; methods have their default parameters.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from pairspace import linear, manifold

N, COLOURS = 300, np.array(["#0072b2", "#e69f00", "#009e73"])
random = np.random.default_rng(0)
middle, side = random.normal(size=(N, 2)), np.where(random.random(N) < 0.5, -4, 4)
two = np.arange(N) % 2
arms = np.linspace(0.5, 3, N)[:, None] * 2
SHAPES = {
    "blobs": make_blobs(N, centers=[(-3, 0), (3, 0), (0, 4)], random_state=0),
    "stretched": (middle * (4, 0.5) + np.outer(two, (0, 3)), two),
    "a class of\ntwo clusters": (middle + np.outer(np.where(two, 0, side), (1, 0)), two),
    "moons": make_moons(N, noise=0.08, random_state=0),
    "rings": make_circles(N, factor=0.4, noise=0.06, random_state=0),
}
METHODS = [PCA, *linear.METHODS, *manifold.METHODS]


def embedded(method, X, labels):
    """Two components, or one if the method can't have more."""
    for n_components in (2, 1):
        try:
            return method(n_components).fit(X, labels).transform(X)
        except ValueError as error:
            if not str(error).startswith("n_components="):
                raise


# %%
figure, axes = plt.subplots(len(METHODS), 5, figsize=(8, 1.4 * len(METHODS)), layout="constrained")
print("mean over the shapes:")
for line, method in zip(axes, METHODS, strict=True):
    shares = []
    for ax, (name, (X, y)) in zip(line, SHAPES.items(), strict=True):
        noise = np.random.default_rng(0).normal(size=(N, 4)) * (6, 0.8, 0.8, 0.8)
        X = np.hstack([X*(1 if X.std()>2 else 2.5), noise])
        labels = np.full(N, -1)
        for k in np.unique(y):
            labels[np.flatnonzero(y == k)[:20]] = k
        Z = embedded(method, X, labels)
        nearest = NearestNeighbors(n_neighbors=1).fit(Z).kneighbors(return_distance=False)[:, 0]
        shares.append(np.mean((y[nearest] == y)[labels < 0]))
        across, up = Z[:, 0], Z[:, 1] if Z.shape[1] > 1 else random.random(N)
        ax.scatter(across, up, s=3, color=COLOURS[y])
        ax.text(0.98, 0.02, f"{shares[-1]:.2f}", transform=ax.transAxes, ha="right")
        ax.set(xticks=[], yticks=[], title=name if method is PCA else "")
    line[0].set_ylabel(method.__name__, rotation=0, ha="right")
    print(f"{method.__name__:>18}: {np.mean(shares):.2f}")
