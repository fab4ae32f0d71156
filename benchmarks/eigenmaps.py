"""Laplacian eigenmaps against scikit-learn's best solver, nearest neighbours included.

Targets: at most half of its time at a residual a hundred times smaller; LE-CAS within 1.5 times of
our Laplacian eigenmaps. ``--fashion`` adds 70,000 × 784 images, which takes minutes, from the
directory that PAIRSPACE_DATA names.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import warnings
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from measure import best_seconds, peak_megabytes, print_machine
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import laplacian
from sklearn.datasets import load_digits
from sklearn.manifold import SpectralEmbedding
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

from pairspace import LECAS, LaplacianEigenmaps

N_COMPONENTS, N_NEIGHBORS = 9, 10


def digits_like(n_samples: int) -> NDArray[np.float64]:
    """Mixtures of a digit with others near it, and noise: ten classes on curved sheets."""
    random = np.random.default_rng(0)
    digits = load_digits().data
    near = NearestNeighbors(n_neighbors=15).fit(digits).kneighbors(digits, return_distance=False)
    X = 0.5 * random.standard_normal((n_samples, digits.shape[1]))
    for row, i in zip(X, random.integers(0, len(digits), n_samples), strict=True):
        row += random.dirichlet(np.full(15, 0.5)) @ digits[near[i]]
    return X


def residual(W: csr_array, Y: NDArray[np.floating]) -> float:
    """The largest ‖Au − λu‖ of the unit vectors u = D^½y, λ their Rayleigh quotients."""
    W = csr_array(W, dtype=np.float64)
    W.setdiag(0)  # scikit-learn's rows are neighbours of themselves, which its Laplacian ignores
    root = np.sqrt(W.sum(axis=1))
    U = Y * root[:, None]
    U = U / np.linalg.norm(U, axis=0)
    A = laplacian(W, normed=True)
    return float(np.linalg.norm(A @ U - U * np.einsum("ij,ij->j", U, A @ U), axis=0).max())


def scikit_learn(solver: str) -> SpectralEmbedding:
    return SpectralEmbedding(
        N_COMPONENTS,
        affinity="nearest_neighbors",
        n_neighbors=N_NEIGHBORS,
        eigen_solver=solver,
        random_state=0,
    )


def compare(name: str, X: NDArray[np.floating], repeats: int, theirs: list[str]) -> None:
    print(f"## {name}: {N_COMPONENTS} components, {N_NEIGHBORS} neighbours\n")
    methods = {f"scikit-learn, {solver}": scikit_learn(solver) for solver in theirs}
    ours = {
        "LaplacianEigenmaps": LaplacianEigenmaps(N_COMPONENTS, random_state=0),
        "LECAS": LECAS(N_COMPONENTS, random_state=0),
    }
    seconds, residuals = {}, {}
    for label, method in (methods | ours).items():
        seconds[label] = best_seconds(lambda m=method: m.fit(X), repeats)
        residuals[label] = residual(method.affinity_matrix_, method.embedding_)
    print_table(seconds, residuals, ours["LaplacianEigenmaps"].n_connected_components_)


def compare_large(name: str, X: NDArray[np.floating]) -> None:
    """The same, but scikit-learn's neighbours are searched once for all its solvers."""
    print(f"## {name}: {N_COMPONENTS} components, {N_NEIGHBORS} neighbours\n")
    ours = {
        "LaplacianEigenmaps": LaplacianEigenmaps(N_COMPONENTS, random_state=0, verbose=True),
        "LECAS": LECAS(N_COMPONENTS, random_state=0, verbose=True),
    }
    seconds, residuals = {}, {}
    print("```text", flush=True)  # the progress messages of the methods
    for label, method in ours.items():
        seconds[label] = best_seconds(lambda m=method: m.fit(X), 1)
        residuals[label] = residual(method.affinity_matrix_, method.embedding_)
    start = time.perf_counter()
    graph = kneighbors_graph(X, N_NEIGHBORS, include_self=True)
    search = time.perf_counter() - start
    graph = (graph + graph.T) / 2
    print(f"scikit-learn's kneighbors_graph {search:.1f} s\n```\n")
    # Without "arpack": it factorises the graph, which is too slow for so many rows.
    for solver in ["lobpcg", *(["amg"] if find_spec("pyamg") else [])]:
        label = f"scikit-learn, {solver}"
        method = scikit_learn(solver).set_params(affinity="precomputed")
        seconds[label] = search + best_seconds(lambda m=method: m.fit(graph.copy()), 1)
        residuals[label] = residual(graph, method.embedding_)
    print_table(seconds, residuals, ours["LaplacianEigenmaps"].n_connected_components_)


def print_table(seconds: dict[str, float], residuals: dict[str, float], n_parts: int) -> None:
    methods = [label for label in seconds if label.startswith("scikit-learn")]
    best = min(methods, key=lambda label: seconds[label])
    print("| fit | seconds | ÷ scikit-learn's best | residual |\n|---|---|---|---|")
    for label in seconds:
        ratio = seconds[label] / seconds[best]
        print(f"| {label} | {seconds[label]:.2f} | {ratio:.2f} | {residuals[label]:.0e} |")
    lecas = seconds["LECAS"] / seconds["LaplacianEigenmaps"]
    print(f"\nLE-CAS ÷ Laplacian eigenmaps {lecas:.2f}; connected components: {n_parts}\n")


def print_memory(row_counts: list[int]) -> None:
    """Peak memory of each fit, in a process of its own.

    A process inherits the peak of its parent, so this runs first.
    """
    print("Peak memory beyond X, in MB:\n")
    print("| rows | LaplacianEigenmaps | LECAS |\n|---|---|---|")
    for n_samples in row_counts:
        peaks = []
        for method in ("LaplacianEigenmaps", "LECAS"):
            command = [sys.executable, __file__, "--memory-of", method, "--rows", str(n_samples)]
            peaks.append(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(f"| {n_samples:,} | {peaks[0].strip()} | {peaks[1].strip()} |")
    print()


def memory_of(method: str, n_samples: int) -> None:
    X = digits_like(n_samples)
    before = peak_megabytes()
    {"LaplacianEigenmaps": LaplacianEigenmaps, "LECAS": LECAS}[method](
        N_COMPONENTS, random_state=0
    ).fit(X)
    print(f"{peak_megabytes() - before:.0f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--fashion", action="store_true")
    parser.add_argument("--memory-of", help=argparse.SUPPRESS)
    parser.add_argument("--rows", type=int, nargs="*", default=[5_000, 20_000])
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # about disconnected graphs, and scikit-learn's residuals
    if options.memory_of:
        memory_of(options.memory_of, options.rows[0])
        sys.exit()
    print_machine()
    solvers = ["arpack", "lobpcg", *(["amg"] if find_spec("pyamg") else [])]
    print_memory(options.rows)
    for n_samples in options.rows:
        X = digits_like(n_samples)
        compare(f"{n_samples:,} × {X.shape[1]}, like digits", X, options.repeats, solvers)
    if options.fashion:
        directory = os.environ.get("PAIRSPACE_DATA")
        path = Path(directory or "") / "fashion_mnist.npz"
        if not directory or not path.exists():
            sys.exit("--fashion needs fashion_mnist.npz in the folder PAIRSPACE_DATA")
        X = np.load(path)["X"].astype(np.float32)
        compare_large(f"{X.shape[0]:,} × {X.shape[1]}, fashion_mnist", X)
