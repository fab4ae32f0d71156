"""
Rows on many machines
=====================

A Dask array stays where it is: its workers add up their blocks, and a few small matrices come back.
Here the workers are threads; with ``distributed.Client("address")`` they are those of a cluster.
"""

import dask.array as da
import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

from pairspace import CFLD, Constraints

# %%
# 40 machines of 5,000 readings each, a block of the array for each machine. Machines differ more
# from each other than the states that they are in.
N, D = 5_000, 30
random = np.random.default_rng(0)
state = random.integers(4, size=40 * N)
patterns, directions = 2 * random.normal(size=(4, D)), random.normal(size=(5, D))


def readings(states, block_info=None):
    (machine,) = block_info[0]["chunk-location"]
    random = np.random.default_rng(machine)
    offset = 4 * random.normal(size=5) @ directions
    return patterns[states] + offset + random.normal(size=(len(states), D))


states = da.from_array(state, chunks=N)
X = states.map_blocks(readings, dtype=float, chunks=(N, D), new_axis=1)
print(X)

# %%
# 400 must-links between rows of any two machines: "these are the same state". ``transform`` gives a
# Dask array, too, and nothing is computed before it is asked for.
answers = Constraints.from_labels(state, per_class=100, random_state=0)
space = CFLD(3, shrinkage="auto").fit(X, Constraints(len(X), answers.must_link))
embedded = space.transform(X)

# %%
# Three machines of the 40, by colour. In the space, each state is in one place for all of them.
sample = np.arange(0, 3 * N, 20)
tables = {"PCA": PCA(3).fit(X[::50].compute()).transform(X[sample].compute())}
tables["CFLD"] = embedded[sample].compute()
figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for ax, (name, table) in zip(axes, tables.items(), strict=True):
    for machine, colour in enumerate(("#0072b2", "#e69f00", "#009e73")):
        rows = sample // N == machine
        ax.scatter(*table[rows, :2].T, s=4, color=colour, label=f"machine {machine}")
    found = KMeans(4, n_init=5, random_state=0).fit_predict(table)
    score = adjusted_rand_score(state[sample], found)
    ax.set(title=f"{name}: k-means has ARI {score:.2f}")
    print(f"{name}: ARI of k-means {score:.2f}")
axes[0].legend(markerscale=3)
