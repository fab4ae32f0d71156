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
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from pairspace import LPPSI, SSDR, WBDR, Constraints
from pairspace.metrics import pair_auc
from pairspace.plot import scatter

MAPS = {
    "the columns": "passthrough",
    "KernelPCA": KernelPCA(None, kernel="rbf", gamma=0.5),
    "Nystroem, 50 landmarks": Nystroem(n_components=50, gamma=0.5, random_state=0),
}
METHODS = {
    "no method": "passthrough",
    "SSDR": SSDR(2),
    "WBDR": WBDR(2),
    "WBDR, shrunk": WBDR(2, shrinkage="auto"),
    "LPPSI": LPPSI(2),
}


def rings(seed):
    X, ring = make_circles(400, factor=0.5, noise=0.1, random_state=seed)
    noise = np.random.default_rng(seed).normal(scale=0.3, size=(400, 4))
    answers = Constraints.from_labels(ring[:200], n_pairs=150, random_state=seed)
    return np.hstack([X, noise]), ring, answers


# %%
# 1-NN accuracy and pair AUC of 200 new rows, means of five draws. The kernel alone is not enough, and
# not every method is good after it: in as many directions as there are rows, 150 answers determine
# little, so a method needs something else to go by, as ``SSDR`` has, or shrinkage.
print(f"{'':>14}" + "".join(f"{name:>24}" for name in MAPS))
for name, method in METHODS.items():
    line = f"{name:>14}"
    for before in MAPS.values():
        scores = []
        for seed in range(5):
            X, ring, answers = rings(seed)
            Z = make_pipeline(before, method).fit(X[:200], answers).transform(X)
            nearest = KNeighborsClassifier(1).fit(Z[:200], ring[:200]).score(Z[200:], ring[200:])
            scores.append((nearest, pair_auc(Z[200:], ring[200:])))
        line += "{:>18.2f}, {:.2f}".format(*np.mean(scores, axis=0))
    print(line)

# %%
X, ring, answers = rings(0)
figure, axes = plt.subplots(1, 4, figsize=(15, 4), layout="constrained")
scatter(X[:200, :2], answers, ring[:200], ax=axes[0])
axes[0].set_title("150 answers, in the two columns without noise")
for ax, (name, before) in zip(axes[1:], MAPS.items(), strict=True):
    space = make_pipeline(before, SSDR(2)).fit(X[:200], answers)
    scatter(space.transform(X[200:]), labels=ring[200:], ax=ax)
    ax.set_title(f"SSDR on {name}")
