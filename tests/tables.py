"""A table that is not an array: it has a shape and a dtype, and slices by rows."""

import numpy as np


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
