"""Clustering methods of other libraries on the problems of the study of groups.

They run in an environment of their own: ``make study-peers``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import RandomState
from sklearn.cluster import HDBSCAN
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from experiments.groups import PAIRS, Found, Problem, Run, ari_of, random_pairs
from experiments.labelling import MARKS
from experiments.peers import peer
from pairspace.active import SECONDS


def cobras(n_components: int) -> Run:
    """COBRAS, from so many pairs."""

    def run(problem: Problem) -> Found:
        return {f"ari after {n}": ari for n, ari in cobras_after(problem, PAIRS).items()}

    return run


def cobras_by_seconds(n_components: int) -> Run:
    """COBRAS, from so many seconds of a person who answers about pairs."""

    def run(problem: Problem) -> Found:
        n_pairs = {mark: int(mark / SECONDS["pair"]) for mark in MARKS}
        found = cobras_after(problem, tuple(n_pairs.values()))
        return {f"ari after {mark} s": found[n] for mark, n in n_pairs.items()}

    return run


def cobras_after(problem: Problem, counts: Sequence[int]) -> dict[int, float]:
    """The ARI of COBRAS of its authors, which chooses the pairs that it asks.

    Columns are scaled to [0, 1].
    """
    random = RandomState(problem.seed)

    class Querier:
        def query_points(self, i: int, j: int) -> bool:
            same = bool(problem.y[i] == problem.y[j])
            return same != bool(random.random_sample() < problem.wrong)

        def continue_cluster_process(self) -> bool:
            return True

        def update_clustering(self, clustering: Any) -> None:
            pass

        def update_clustering_detailed(self, clustering: Any) -> None:
            pass

    setattr(np, "int", int)  # noqa: B010  # which it uses, and NumPy has no longer
    np.random.seed(problem.seed)  # noqa: NPY002  # it draws from the global state
    asks = peer("cobras_ts.cobras_kmeans").COBRAS_kmeans
    X = MinMaxScaler().fit_transform(problem.X)
    after = asks(X, Querier(), counts[-1]).cluster()[1]
    return {n: ari_of(problem.y, np.array(after[min(n, len(after)) - 1])) for n in counts}


def pc_k_means(n_components: int) -> Run:
    """PCKMeans: random pairs, the true number of classes, standardised columns."""

    def run(problem: Problem) -> Found:
        X = StandardScaler().fit_transform(problem.X)
        module = peer("active_semi_clustering.semi_supervised.pairwise_constraints")
        found: Found = {}
        for n_pairs in PAIRS:
            pairs = random_pairs(problem, n_pairs)
            model = module.PCKMeans(n_clusters=len(np.unique(problem.y)))
            np.random.seed(problem.seed)  # noqa: NPY002  # it draws from the global state
            links = {"ml": pairs.must_link.tolist(), "cl": pairs.cannot_link.tolist()}
            model.fit(X, **links)
            found |= {f"ari after {n_pairs}": ari_of(problem.y, model.labels_)}
        return found

    return run


def umap_hdbscan(n_components: int) -> Run:
    """UMAP to five dimensions, then HDBSCAN with its defaults; no answers."""

    def run(problem: Problem) -> Found:
        X = StandardScaler().fit_transform(problem.X)
        Z = peer("umap").UMAP(n_components=5, random_state=problem.seed).fit_transform(X)
        found = ari_of(problem.y, HDBSCAN(min_cluster_size=15).fit_predict(Z))
        return {f"ari after {n}": found for n in PAIRS}

    return run
