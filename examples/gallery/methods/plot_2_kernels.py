"""
Kernel versions of the linear methods
=====================================

Two rings, one inside the other, overlap in every projection. A kernel map before a linear method
makes it nonlinear: ``KernelPCA`` exactly, ``Nystroem`` with a few rows as landmarks. The rings have
four columns of noise; 150 answers say whether two rows are in the same ring.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_circles
from sklearn.decomposition import KernelPCA
from sklearn.kernel_approximation import Nystroem
from sklearn.pipeline import make_pipeline

from pairspace import LPPSI, SSDR, WBDR, Constraints
from pairspace.metrics import pair_auc
from pairspace.plot import scatter

MAPS = {"the columns": "passthrough", "KernelPCA": KernelPCA(None, kernel="rbf", gamma=0.5)}
MAPS["Nystroem, 50 landmarks"] = Nystroem(n_components=50, gamma=0.5, random_state=0)
METHODS = {"no method": "passthrough", "SSDR": SSDR(2), "WBDR": WBDR(2)}
METHODS |= {"WBDR, shrunk": WBDR(2, shrinkage="auto"), "LPPSI": LPPSI(2)}


def rings(seed):
    X, ring = make_circles(400, factor=0.5, noise=0.1, random_state=seed)
    noise = np.random.default_rng(seed).normal(scale=0.3, size=(400, 4))
    answers = Constraints.from_labels(ring[:200], n_pairs=150, random_state=seed)
    return np.hstack([X, noise]), ring, answers


# %%
# Pair AUC of 200 new rows: how often two of one ring are closer than two of both; the mean of five
# draws. The kernel alone is not enough, and not every method is good after it: 150 answers say
# little about as many directions as there are rows. ``SSDR`` also uses the variance of all rows.
print(f"{'':>14}" + "".join(f"{name:>24}" for name in MAPS))
for name, method in METHODS.items():
    print(f"{name:>14}", end="")
    for before in MAPS.values():
        scores = []
        for X, ring, answers in map(rings, range(5)):
            space = make_pipeline(before, method).fit(X[:200], answers)
            scores.append(pair_auc(space.transform(X[200:]), ring[200:]))
        print(f"{np.mean(scores):>24.2f}", end="")
    print()

# %%
# The answers, and the new rows in the space of ``SSDR``.
X, ring, answers = rings(0)
figure, axes = plt.subplots(1, 4, figsize=(15, 4), layout="constrained")
scatter(X[:200, :2], answers, ring[:200], ax=axes[0])
axes[0].set_title("the rings and the answers (red: violated)")
for ax, (name, before) in zip(axes[1:], MAPS.items(), strict=True):
    space = make_pipeline(before, SSDR(2)).fit(X[:200], answers)
    scatter(space.transform(X[200:]), labels=ring[200:], ax=ax)
    ax.set_title(f"SSDR on {name}")
