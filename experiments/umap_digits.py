"""UMAP and HDBSCAN on the demo's digits, without answers: ``python -m experiments.umap_digits``.

It needs ``pip install umap-learn``, for example in the environment of ``make study-peers``.
"""

from __future__ import annotations

import numpy as np
import umap
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

N_SEEDS = 5
SIZES = (5, 15, 50, 100)  # HDBSCAN's min_cluster_size; 5 is its default


def main() -> None:
    """Print the median, lowest and highest ARI over seeds of UMAP, which has its defaults."""
    X, y = load_digits(return_X_y=True)
    spaces = [umap.UMAP(random_state=seed).fit_transform(X) for seed in range(N_SEEDS)]
    clusterers = {f"HDBSCAN(min_cluster_size={size})": HDBSCAN(size) for size in SIZES}
    clusterers |= {"KMeans(10)": KMeans(10, n_init=5, random_state=0)}
    for name, clusterer in clusterers.items():
        found = [adjusted_rand_score(y, clusterer.fit_predict(Z)) for Z in spaces]
        print(f"{name}: {np.median(found):.2f} ({min(found):.2f} to {max(found):.2f})")


if __name__ == "__main__":
    main()
