"""Sparse and wide: documents as counts of terms, 50,000 × 100,000, with 2,000 pairs.

Each method is fitted in its own process, so that its peak memory is measured separately. Targets:
less than 2 GB, and less than a minute for methods without neighbours. The floor is the product of
all rows with the differences of the linked rows.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from measure import peak_megabytes, print_machine
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfTransformer

import pairspace
from pairspace import Constraints
from pairspace._core.data import differences, rows_of, slices
from pairspace.base import Supervision

METHODS = ("BWDR", "WBDR", "DCA", "RCA", "CFLD", "SSDR", "MMC", "WMV", "LPP", "PairSpace", "DSP")
N_TOPICS = 20
WORDS = 120  # of a document


def documents(n_samples: int, n_features: int, seed: int = 0) -> tuple[csr_array, np.ndarray]:
    """TF-IDF of documents of 20 topics; term frequencies follow Zipf's law."""
    random = np.random.default_rng(seed)
    topic = random.integers(N_TOPICS, size=n_samples)
    common = 1 / np.arange(1, n_features + 1)
    shared = random.choice(n_features, (n_samples, WORDS // 2), p=common / common.sum())
    # The other half of the words has the same distribution over terms permuted by topic.
    of_topic = np.array([random.permutation(n_features) for _ in range(N_TOPICS)])
    ranks = random.choice(n_features, (n_samples, WORDS - WORDS // 2), p=common / common.sum())
    words = np.hstack([shared, of_topic[topic[:, None], ranks]]).ravel()
    counts = csr_array(
        (np.ones(words.size), (np.repeat(np.arange(n_samples), WORDS), words)),
        shape=(n_samples, n_features),
    )
    return csr_array(TfidfTransformer().fit_transform(counts)), topic


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Wall time and CPU time; the latter is less disturbed by other programs."""
    start, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - cpu


def products(X: csr_array, D: csr_array) -> None:
    for rows in slices(X.shape[0], 2_000):
        (X[rows] @ D.T).toarray()


def one(name: str, n_samples: int, n_features: int, n_pairs: int) -> None:
    X, topic = documents(n_samples, n_features)
    answers = Constraints.from_labels(topic, n_pairs=n_pairs, random_state=0)
    known = Supervision(answers, None, n_samples)
    before = peak_megabytes()
    if name == "floor":
        D = differences(rows_of(X), known.links)
        seconds, cpu = timed(lambda: products(X, D))
        what = "*products with the differences*"
        print(f"| {what} | {seconds:.1f} | {cpu:.1f} | {peak_megabytes():.0f} | | |", flush=True)
        return
    parameters = {"random_state": 0} if name in ("LPP", "PairSpace", "DSP") else {}
    space = getattr(pairspace, name)(n_components=10, **parameters)
    seconds, cpu = timed(lambda: space.fit(X, answers))
    held_out = Constraints.from_labels(topic, n_pairs=4_000, random_state=1)
    print(
        f"| {name} | {seconds:.1f} | {cpu:.1f} | {peak_megabytes():.0f} (data {before:.0f}) "
        f"| {space.n_directions_ or 'all'} | {space.score(X, held_out):.2f} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--features", type=int, default=100_000)
    parser.add_argument("--pairs", type=int, default=2_000)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--alone", help="one method, in this process")
    given = parser.parse_args()
    if given.alone:
        one(given.alone, given.rows, given.features, given.pairs)
        return
    print_machine()
    print(f"## {given.rows:,} documents × {given.features:,} terms, {given.pairs:,} pairs\n")
    print("| method | seconds | of CPU | peak MB | directions | pair AUC |")
    print("|---|---|---|---|---|---|", flush=True)
    sizes = [str(n) for n in (given.rows, given.features, given.pairs)]
    for name in ("floor", *given.methods):
        command = [sys.executable, __file__, "--alone", name]
        for option, size in zip(("--rows", "--features", "--pairs"), sizes, strict=True):
            command += [option, size]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
