"""Groups by the seconds of a person's time: kinds of screens, and as many seconds of labelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.random import RandomState
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from experiments.groups import Found, Problem, Run
from experiments.protocols import Ints
from pairspace.active import SECONDS, Kind, Marked, PairQuestions, SimulatedPerson

MARKS = (60, 180, 300)  # seconds
FIRST_FIT = 15  # screens
EVERY = 5  # screens between two fits; the page fits all the time


def asking(n_components: int, *, kind: Kind, grids: float = 1.0) -> Run:
    """A simulated person at the page; grids take so many times the assumed seconds."""
    seconds = {**SECONDS, "pick": grids * SECONDS["pick"], "sweep": grids * SECONDS["sweep"]}

    def run(problem: Problem) -> Found:
        questions = PairQuestions(problem.X, kind=kind, random_state=problem.seed)
        person = SimulatedPerson(problem.y, wrong=problem.wrong, random_state=problem.seed)
        found: Found = {}
        spent, n_screens, marks = 0.0, 0, list(MARKS)
        while marks:
            question = questions.next()
            if question is not None:
                answer = person(question, questions.groups)
                if questions.answer(question, answer) is not None:
                    # It contradicts what the person said before: nothing is stored.
                    skip = "skip" if question.kind in ("pair", "board") else Marked((), True)
                    questions.answer(question, skip)
                spent += seconds[question.kind]
                n_screens += 1
                if n_screens >= FIRST_FIT and n_screens % EVERY == 0:
                    questions.adopt(questions.plan().fit())
            while marks and (question is None or spent >= marks[0]):
                if questions.outdated:
                    questions.adopt(questions.plan().fit())
                found[_after(marks.pop(0))] = _ari(problem.y, questions.space.clusters)
        return found | _estimate(problem.y, questions, person)

    return run


def labelling(n_components: int, *, learner: str) -> Run:
    """As many seconds spent on labels of random rows, at the price of a board each."""
    makers: dict[str, Callable[[], Any]] = {
        "forest": lambda: RandomForestClassifier(200, random_state=0),
        "logistic": lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)),
    }

    def run(problem: Problem) -> Found:
        random = RandomState(problem.seed)
        order = random.permutation(len(problem.y))
        said = problem.y.copy()
        for row in order:
            if random.random_sample() < problem.wrong:
                said[row] = random.choice(np.setdiff1d(problem.y, problem.y[row]))
        found: Found = {}
        for mark in MARKS:
            rows = order[: int(mark / SECONDS["board"])]
            predicted = np.full(len(said), said[rows[0]])
            if len(np.unique(said[rows])) > 1:
                model = makers[learner]().fit(problem.X[rows], said[rows])
                predicted = model.predict(problem.X)
            predicted[rows] = said[rows]
            found[_after(mark)] = _ari(problem.y, predicted)
        return found

    return run


def mean_of(metrics: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of every metric over the repeats."""
    return {name: float(np.mean([cell[name] for cell in metrics])) for name in metrics[0]}


def _after(seconds: float) -> str:
    return f"ari after {seconds:.0f} s"


def _ari(y: Ints, groups: Ints) -> float:
    return float(adjusted_rand_score(y, groups))


def _estimate(y: Ints, questions: PairQuestions, person: SimulatedPerson) -> Found:
    """What the page would say about its groups, and what is true."""
    quality = questions.progress.quality
    if quality is None or quality.about != "rows" or not questions.groups:
        return {}
    means = np.array([person.meaning(group) for group in questions.groups])
    P = questions.group_probabilities()
    right = means[P.argmax(axis=1)] == y
    sure = P.max(axis=1) >= 0.8
    return {
        "right by test questions": quality.mean,
        "right": float(right.mean()),
        "share sure": float(sure.mean()),
        "right if sure": float(right[sure].mean()) if sure.any() else 1.0,
    }
