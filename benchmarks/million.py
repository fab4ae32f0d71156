"""A million rows of a hundred features: time against the floor, and memory beyond X.

The floor is XᵀX, one eigenproblem of its order, and reading once the rows of the classes, or of the
pairs. Targets: 1.5 times the floor, and 300 MB beyond X.
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from fit import METHODS, data, read_pairs, read_rows
from measure import alone, best_seconds, peak_megabytes

from pairspace import Constraints

N_COMPONENTS = 9


def measured(name: str, known: str, n_samples: int, n_features: int) -> dict[str, float]:
    X, y = data(n_samples, n_features)
    answers = Constraints.from_labels(y, n_pairs=100_000, random_state=0)
    links = np.vstack([answers.must_link, answers.cannot_link])
    before = peak_megabytes()
    if name == "floor":
        by_class = np.argsort(y, kind="stable")
        read = {"labels": lambda: read_rows(X, by_class), "pairs": lambda: read_pairs(X, links)}
        seconds = best_seconds(lambda: np.linalg.eigh(X.T @ X), 3)
        return {"seconds": seconds + best_seconds(read[known], 3)}
    given = y if known == "labels" else answers
    METHODS[name](N_COMPONENTS).fit(X, given)
    megabytes = peak_megabytes() - before
    seconds = best_seconds(lambda: METHODS[name](N_COMPONENTS).fit(X, given), 2)
    return {"seconds": seconds, "megabytes": megabytes}


def compare(known: str, n_samples: int, n_features: int) -> None:
    size = str(n_samples), str(n_features)
    floor = alone(__file__, "--alone", "floor", known, *size)["seconds"]
    what = "labels" if known == "labels" else "100,000 pairs"
    print(f"## {n_samples:,} × {n_features}, {what}, {N_COMPONENTS} components\n")
    print("| work | seconds | ÷ floor | MB beyond X |\n|---|---|---|---|")
    print(f"| *XᵀX + eigh + rows of the {known}* | {floor:.3f} | 1.00 | |")
    for name in METHODS:
        found = alone(__file__, "--alone", name, known, *size)
        seconds, megabytes = found["seconds"], found["megabytes"]
        print(f"| {name} | {seconds:.3f} | {seconds / floor:.2f} | {megabytes:.0f} |", flush=True)
    print()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--features", type=int, default=100)
    parser.add_argument("--alone", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        name, known, rows, features = options.alone
        print(json.dumps(measured(name, known, int(rows), int(features))))
    else:
        for known in ("labels", "pairs"):
            compare(known, options.rows, options.features)
