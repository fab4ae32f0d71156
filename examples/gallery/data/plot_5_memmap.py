"""
Tables larger than memory
=========================

A table on a disk is read in blocks, by ``fit`` and by ``transform``. What scikit-learn calls
``working_memory`` is all the memory that is used for it. The result is that of a fit in memory.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from sklearn import config_context
from sklearn.decomposition import IncrementalPCA

from pairspace import CFLD, Constraints
from pairspace.metrics import pair_auc
from pairspace.plot import compare

folder = TemporaryDirectory()
path = Path(folder.name, "X.npy")
X = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(200_000, 60))
random = np.random.default_rng(0)
kind = random.integers(4, size=len(X))
centres = 2 * random.normal(size=(4, 60)) * (np.arange(60) < 8)
for start in range(0, len(X), 20_000):  # it never is in memory as a whole
    block = slice(start, start + 20_000)
    noise = random.normal(size=(20_000, 60)) * np.where(np.arange(60) < 40, 1, 4)
    X[block] = centres[kind[block]] + noise
X = np.load(path, mmap_mode="r")
print(f"{path.stat().st_size / 2**20:.0f} MiB on the disk")

# %%
# 2,000 pairs of rows, and 16 MiB to work in. Only ``working_memory`` has to be set, and only if its
# default of 1,024 MiB is too much. Zarr, HDF5 and Dask arrays are used in the same way.
answers = Constraints.from_labels(kind, n_pairs=2_000, random_state=0)
with config_context(working_memory=16):
    space = CFLD(3, shrinkage="auto").fit(X, answers)
    embedded = space.transform(X)
in_memory = CFLD(3, shrinkage="auto").fit(np.array(X), answers)
difference = np.abs(in_memory.components_ - space.components_).max()
print(f"largest difference from the fit in memory: {difference:.1e}")

# %%
# PCA in batches finds the columns with the largest variance, which are noise here.
pca = IncrementalPCA(3, batch_size=20_000).fit(X).transform(X)
shown = slice(None, None, 200)
axes = compare({"IncrementalPCA": pca[shown], "CFLD": embedded[shown]}, labels=kind[shown])
print(f"pair AUC of all rows: PCA {pair_auc(pca, kind):.2f}, CFLD {pair_auc(embedded, kind):.2f}")
del X  # before its file goes
folder.cleanup()
