"""Groups by the seconds of a person's time: kinds of screens, and as many seconds of labelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import RandomState
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from experiments.groups import Found, Problem, Run
from experiments.protocols import Floats, Ints, at_most, filled
from pairspace.active import SECONDS, Kind, Marked, PairQuestions, Question, SimulatedPerson

if TYPE_CHECKING:
    from experiments.table import Split

MARKS = (60, 180, 300)  # seconds
EVERY = 2  # screens between two fits; the page fits all the time
MOST_ROWS = 400
MORE_ROWS = 1_200  # of which sweeps reach a smaller part
# What is assumed about grids, which nobody has timed: times the seconds of a pick or a sweep.
GRIDS = {"": 1.0, ", grids in half the time": 0.5, ", grids in twice the time": 2.0}


def prepare(
    X: Floats, y: Ints, split: Split, *, wrong: float, most_rows: int = MOST_ROWS
) -> Problem:
    """Some rows of a dataset."""
    rows = at_most(y, most_rows, split.row_seed)
    X, _ = filled(X[rows], X[rows])
    return Problem(X, y[rows], wrong, split.pair_seed)


def asking(n_components: int, *, kind: Kind) -> Run:
    """A simulated person at the page, who takes as long for each screen as is assumed."""
    clocks = {name: _seconds(factor) for name, factor in GRIDS.items()}
    if kind in ("board", "pair"):
        clocks = {"": SECONDS}

    def run(problem: Problem) -> Found:
        questions = PairQuestions(problem.X, kind=kind, random_state=problem.seed)
        person = SimulatedPerson(problem.y, wrong=problem.wrong, random_state=problem.seed)
        found: Found = {}
        spent = dict.fromkeys(clocks, 0.0)
        ahead = [(mark, name) for name in clocks for mark in MARKS]
        n_screens = 0
        while ahead:
            question = questions.next()
            if question is not None:
                _answer(questions, person, question)
                for name, seconds in clocks.items():
                    spent[name] += seconds[question.kind]
                n_screens += 1
            due = [each for each in ahead if question is None or spent[each[1]] >= each[0]]
            if (n_screens % EVERY == 0 or due) and questions.outdated:
                questions.adopt(questions.plan().fit())
            for mark, name in due:
                found[_after(mark) + name] = _ari(problem.y, questions.space.clusters)
                if (mark, name) == (MARKS[-1], ""):
                    found |= _estimate(problem.y, questions, person)
            ahead = [each for each in ahead if each not in due]
        return found

    return run


def _seconds(factor: float) -> dict[str, float]:
    grids = {kind: factor * SECONDS[kind] for kind in ("pick", "sweep")}
    return {**SECONDS, **grids}


def _answer(questions: PairQuestions, person: SimulatedPerson, question: Question) -> None:
    if questions.answer(question, person(question, questions.groups)) is not None:
        # It contradicts what the person said before: nothing is stored.
        skip = "skip" if question.kind in ("pair", "board") else Marked((), True)
        questions.answer(question, skip)


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
