"""
Rows on many machines
=====================

A Dask array stays where it is: its workers add up their blocks, and a few small matrices come back.
Here the workers are threads; with ``distributed.Client("address")`` they are a cluster.
"""

import dask.array as da
import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

from pairspace import CFLD, Constraints

# %%
# Sensors of 40 machines, 5,000 readings each, made block by block: 1 block is 1 machine. Every
# machine has offsets of its own, which are larger than what tells the four states apart.
N, D, STATES = 5_000, 30, 4
patterns = np.random.default_rng(0).normal(size=(STATES, D))


def readings(state, block_info=None):
    machine = block_info[0]["chunk-location"][0]
    random = np.random.default_rng(machine)
    offset = 4 * random.normal(size=5) @ np.random.default_rng(99).normal(size=(5, D))
    return patterns[state] + offset + random.normal(size=(len(state), D))


