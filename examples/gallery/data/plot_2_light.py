"""
The same things under different light
=====================================

A camera sees each of 600 digits three times, with a lamp at another side each time. That three
pictures show the same thing is known without asking anybody: it did not move. These must-links say
what light does to a picture, and give a space in which it matters less, also for new digits.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from pairspace import Constraints, PairSpace
from pairspace.plot import compare

X, y = load_digits(return_X_y=True)
random = np.random.default_rng(0)
down, across = np.mgrid[-1:1:8j, -1:1:8j].reshape(2, 64)


def under_a_lamp(digits):
    angle = random.uniform(0, 2 * np.pi, (len(digits), 1))
    side = np.cos(angle) * across + np.sin(angle) * down
    return digits * (1 + 0.3 * side) + 16 * side


seen = np.vstack([under_a_lamp(X[:600]) for _ in range(3)])
same_thing = [(i, i + 600 * k) for i in range(600) for k in (1, 2)]
new, digit = under_a_lamp(X[600:]), y[600:]

# %%
# ``teacher=None``: pairs of the same thing do not say what is different, so there are no groups.
space = PairSpace(20, teacher=None, random_state=0).fit(seen, Constraints(len(seen), same_thing))
tables = {
    "even light": X[600:],
    "lamps": new,
    "each standardised": (new - new.mean(axis=1)[:, None]) / new.std(axis=1)[:, None],
    "PCA": PCA(20).fit(seen).transform(new),
    "PairSpace": space.transform(new),
}
# sphinx_gallery_thumbnail_number = 2
print("Share of new digits whose nearest neighbour is the same digit (5-fold):")
for name, table in tables.items():
    print(f"{name:>18}: {cross_val_score(KNeighborsClassifier(1), table, digit).mean():.2f}")

# %%
# Four of the new digits, each under 60 lamps: three of their pictures, and maps of all of them.
things = np.repeat([0, 1, 2, 3], 60)
pictures = under_a_lamp(X[600:604][things])
figure, axes = plt.subplots(1, 12, figsize=(9, 1), layout="constrained")
for ax, picture in zip(axes, pictures[::20], strict=True):
    ax.imshow(picture.reshape(8, 8), cmap="gray")
    ax.set_axis_off()
spaces = {"PCA": PCA(20).fit(seen), "PairSpace": space}
axes = compare({name: each.transform(pictures) for name, each in spaces.items()}, labels=things)
