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
cloud, two, side = random.normal(size=(N, 2)), np.arange(N) % 2, random.choice([-4, 4], size=N)
noise = random.normal(size=(N, 4)) * (6, 0.8, 0.8, 0.8)
SHAPES = {
    "blobs": make_blobs(N, centers=[(-3, 0), (3, 0), (0, 4)], random_state=0),
    "stretched": (cloud * (3, 0.5) + np.outer(two, (0, 3)), two),
    "a class of\ntwo clusters": (cloud + np.outer(np.where(two, 0, side), (1, 0)), two),
    "moons": make_moons(N, noise=0.08, random_state=0),
    "rings": make_circles(N, factor=0.4, noise=0.06, random_state=0),
}


def embedded(method, X, labels):  # in two components, or one if the method can't have more
    for n_components in (2, 1):
        try:
            return method(n_components).fit(X, labels).transform(X)
        except ValueError as error:
            if not str(error).startswith("n_components="):
                raise


# %%
# Colours are the classes. A method with one component is drawn with random heights. None is best on
# all shapes, and PCA shows what is gained.
figure, axes = plt.subplots(15, 9, figsize=(12, 17), layout="constrained")
for at, method in enumerate([PCA, *linear.METHODS, *manifold.METHODS]):
    column, shares = axes[at // 9 * 5 : at // 9 * 5 + 5, at % 9], []
    for ax, (name, (X, y)) in zip(column, SHAPES.items(), strict=True):
        X = np.hstack([2.5 * X / X[:, 1].std(), noise])
        labels = np.full(N, -1)
        for k in range(y.max() + 1):
            labels[np.flatnonzero(y == k)[:20]] = k
        Z = embedded(method, X, labels)
        nearest = NearestNeighbors(n_neighbors=1).fit(Z).kneighbors(return_distance=False)[:, 0]
        shares.append(np.mean((y[nearest] == y)[labels < 0]))
        up = Z[:, 1] if Z.shape[1] > 1 else random.random(N)
        ax.scatter(Z[:, 0], up, s=3, color=COLOURS[y])
        ax.text(0.97, 0.03, f"{shares[-1]:.2f}", transform=ax.transAxes, ha="right")
        ax.set(xticks=[], yticks=[], ylabel="" if at % 9 else name)
    column[0].set_title(method.__name__.replace("Laplacian", "Laplacian\n"), fontsize=10)
    print(f"{method.__name__:>18}: {np.mean(shares):.2f}")
