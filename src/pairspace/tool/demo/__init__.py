"""The demo: groups from a few clicks, the space that follows from them, and a mixed table.

A simulated person places handwritten digits beside the groups found so far. Beside this stand what
scikit-learn finds without answers, and what it learns from as many labels of random digits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, cpu_count, delayed, parallel_config
from sklearn.datasets import load_digits

from pairspace.tool.demo.board import Board, place_rows
from pairspace.tool.demo.rivals import CLASSIFIERS, SPREADING, clusterings, random_labels
from pairspace.tool.demo.shop import group_customers, unsupervised_customers
from pairspace.tool.demo.spaces import Judged, Split, judge_spaces, split_around

N_PEOPLE = 5
REPORTED = (30, 60, 100)  # placed rows
OURS = "rows placed on the board"
SURE = 0.9
MOST_PROCESSES = 8  # each has a copy of scikit-learn in memory

Curves = list[dict[int, float]]  # for each person, the ARI after so many rows
Print = Callable[[str], None]


@dataclass(frozen=True)
class Results:
    """What the demo measured on the digits.

    Parameters
    ----------
    curves : dict
        For ours and the rivals, the ARI of each person after so many rows.
    unsupervised : dict
        The ARI of clusterings without answers.
    board : Board
        The work of the first person.
    spaces : dict
        The spaces from the rows that the first person placed.
    split : Split
        The rows that the spaces were fitted to and judged on.
    customers : dict
        The ARI on a mixed table, for each person.
    """

    curves: dict[str, Curves]
    unsupervised: dict[str, float]
    board: Board
    spaces: dict[str, Judged]
    split: Split
    customers: dict[str, list[float]]


def run(
    output: Path | None = None,
    print_line: Print = print,
    *,
    n_people: int = N_PEOPLE,
    n_rows: int | None = None,
) -> Results:
    """Print the tables, and draw a figure if a path is given.

    Parameters
    ----------
    output : Path or None
        The figure to write.
    print_line : callable
        Prints a line.
    n_people : int
        The number of simulated people.
    n_rows : int or None
        Use only so many digits.

    Returns
    -------
    Results
        All that was measured.
    """
    X, y = load_digits(return_X_y=True)
    X, y = X[:n_rows], y[:n_rows]
    print_line(
        f"{len(X):,} handwritten digits of {X.shape[1]} pixels. A simulated person places up to "
        f"{REPORTED[-1]} of them,\neach beside the digits that are the same; "
        f"{_people(n_people)}.\n"
    )
    results = _measure(X, y, n_people)
    _print_groups(results, y, print_line)
    _print_spaces(results, print_line)
    _print_customers(results, print_line)
    if output is not None:
        from pairspace.tool.demo.picture import draw

        draw(results, X, y, output)
        print_line(f"\nFigure: {output}")
    print_line(
        "\nPlace the same digits yourself:\n"
        "  pairspace demo --digits digits\n"
        "  pairspace label digits/digits.csv --id digit --image image --image-root digits"
    )
    return results


def _people(n: int) -> str:
    return "one person" if n == 1 else f"{n} people with other first digits"


def _measure(X: Any, y: Any, n_people: int) -> Results:
    people = range(n_people)
    tasks = [delayed(place_rows)(X, y, REPORTED[-1], person) for person in people]  # the longest
    tasks += [delayed(random_labels)(X, y, REPORTED, person) for person in people]
    tasks += [delayed(group_customers)(person) for person in people]
    # One thread a process: the matrices are too small for more.
    with parallel_config("loky", inner_max_num_threads=1):
        done = Parallel(n_jobs=min(MOST_PROCESSES, cpu_count()) if n_people > 1 else 1)(tasks)
    boards, rivals, shops = (done[at * n_people : (at + 1) * n_people] for at in range(3))
    no_answers = unsupervised_customers()
    split = split_around(boards[0].placed, len(y))
    return Results(
        {OURS: [board.ari for board in boards]}
        | {name: [found[name] for found in rivals] for name in (SPREADING, CLASSIFIERS)},
        clusterings(X, y),
        boards[0],
        judge_spaces(X, y, boards[0].placed, split),
        split,
        {f"no answers, {name}": [value] for name, value in no_answers.items()}
        | {name: [shop[name] for shop in shops] for name in shops[0]},
    )


def _print_groups(results: Results, y: Any, print_line: Print) -> None:
    n_people = len(results.curves[OURS])
    spread = "median (lowest to highest)" if n_people > 1 else "one person"
    print_line(f"Groups of all digits: ARI, {spread}, after so many rows\n")
    print_line(f"{'':<42}" + "".join(f"{n:^21}" for n in REPORTED))
    for name, curves in results.curves.items():
        cells = [_range([curve[n] for curve in curves]) for n in REPORTED]
        print_line(f"{name:<42}" + "".join(f"{cell:^21}" for cell in cells))
    best = max(results.unsupervised, key=results.unsupervised.__getitem__)
    for name, value in results.unsupervised.items():
        mark = "  (the best without answers)" if name == best else ""
        print_line(f"no answers, {len(np.unique(y))} clusters, {name:<25} {value:.2f}{mark}")
    board = results.board
    (right, n_others), (right_sure, n_sure) = board.right(y), board.right(y, above=SURE)
    print_line(
        f"\nPerson 1, {len(board.placed)} rows: of the other {n_others:,} digits {right:.1%} are "
        f"right; of the {n_sure:,} with a probability above {SURE}, {right_sure:.1%}."
    )


def _range(values: list[float]) -> str:
    if len(values) == 1:
        return f"{values[0]:.2f}"
    return f"{np.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def _print_spaces(results: Results, print_line: Print) -> None:
    print_line(
        f"\nA linear space from the rows that person 1 placed, on {len(results.split.held_out)} "
        "digits that it has not seen\n"
    )
    heads = ("columns", "1-NN, placed rows", "1-NN, all labels", "ARI of k-means")
    print_line(f"{'':<14}" + "".join(f"{head:>20}" for head in heads))
    for name, judged in results.spaces.items():
        numbers = judged.nearest_placed, judged.nearest_any, judged.ari
        cells = f"{judged.columns:>20}" + "".join(f"{number:>20.2f}" for number in numbers)
        print_line(f"{name:<14}{cells}")


def _print_customers(results: Results, print_line: Print) -> None:
    print_line(
        "\nA table of mixed columns: 200 customers of a shop in 4 groups; numbers, dates and "
        "categories through make_recipe\n"
    )
    for name, values in results.customers.items():
        print_line(f"{name:<50} ARI {_range(values)}")


__all__ = ["REPORTED", "Results", "run"]
