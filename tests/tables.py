"""Tables that are not arrays in memory."""

import numpy as np
from sklearn.base import clone


class Stored:
    """What a Zarr or HDF5 array is to us; it counts what is read."""

    def __init__(self, X, chunks=None):
        self._X = np.asarray(X)
        self.shape, self.dtype = self._X.shape, self._X.dtype
        self.chunks = chunks
        self.most_rows = 0
        self.n_read = 0

    def __getitem__(self, key):
        rows = key[0] if isinstance(key, tuple) else key
        if not isinstance(rows, slice) or rows.step not in (None, 1):
            raise TypeError("slices of rows only")
        found = self._X[key].copy()
        self.n_read += len(found)
        if not isinstance(key, tuple):
            self.most_rows = max(self.most_rows, len(found))
        return found


def memmap_of(X, folder):
    """The same numbers in a file."""
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r")


def seeded(estimator):
    """A copy that gives the same every time."""
    estimator = clone(estimator)
    seed = {"random_state": 0} if "random_state" in estimator.get_params() else {}
    return estimator.set_params(**seed)
