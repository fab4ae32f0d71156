"""Time until the next question while refits run in the background, and memory.

Target: at 100,000 × 128 within 150 ms at the median, for every strategy; memory linear in the rows.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from measure import peak_megabytes, print_machine
from numpy.typing import NDArray

from pairspace.active import STRATEGIES, PairQuestions, Refit, SimulatedPerson, Space

N_CLASSES = 20


def blobs(n_samples: int, n_features: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Overlapping classes, made in place so that memory beyond X can be measured."""
    random = np.random.default_rng(0)
    labels = random.integers(N_CLASSES, size=n_samples)
    X = random.standard_normal((n_samples, n_features), dtype=np.float32)
    centres = random.standard_normal((N_CLASSES, n_features), dtype=np.float32)
    for label in range(N_CLASSES):
        X[labels == label] += 0.7 * centres[label]
    return X, labels


def timed_fit(job: Refit) -> tuple[Space, float]:
    start = time.perf_counter()
    return job.fit(), time.perf_counter() - start


def wait_for_questions(
    questions: PairQuestions, labels: Any, n_questions: int, seconds_to_answer: float
) -> tuple[list[float], list[float]]:
    """Seconds from an answer until the next question shows, and seconds of each refit.

    A refit always runs in another thread, as on the labelling page. The time includes adopting its
    result and computing the progress after every answer.
    """
    person = SimulatedPerson(labels)
    waits, refits = [], []
    with ThreadPoolExecutor(1) as beside:
        running: Future[tuple[Space, float]] = beside.submit(timed_fit, questions.plan())
        question = questions.next()
        for _ in range(n_questions):
            if question is None:
                break
            time.sleep(seconds_to_answer)
            response = person(question, questions.groups)
            start = time.perf_counter()
            questions.answer(question, response)
            if running.done():
                space, seconds = running.result()
                questions.adopt(space)
                refits.append(seconds)
                running = beside.submit(timed_fit, questions.plan())
            _ = questions.progress
            question = questions.next()
            waits.append(time.perf_counter() - start)
        refits.append(running.result()[1])
    return waits, refits


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--features", type=int, default=128)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--seconds-to-answer", type=float, default=0.5)
    parser.add_argument("--strategies", nargs="+", default=list(STRATEGIES))
    options = parser.parse_args()

    X, labels = blobs(options.samples, options.features)
    print(f"## The next question at {options.samples:,} × {options.features}, during refits\n")
    print_machine()
    print(
        "| strategy | median ms | 95 % ms | worst ms | refits | s a refit, median | MB beyond X |"
    )
    print("|---|---|---|---|---|---|---|")
    before = peak_megabytes()
    for strategy, kind in [*((each, "pair") for each in options.strategies), (None, "mixed")]:
        questions = PairQuestions(X, kind=kind, strategy=strategy, random_state=0)
        waits, refits = wait_for_questions(
            questions, labels, options.questions, options.seconds_to_answer
        )
        median, most, worst = 1000 * np.quantile(waits, [0.5, 0.95, 1])
        name = strategy or "boards and sweeps"
        print(
            f"| {name} | {median:.0f} | {most:.0f} | {worst:.0f} | {len(refits)} | "
            f"{np.median(refits):.1f} | {peak_megabytes() - before:.0f} |"
        )
    print()
