"""Answers of a program that is often wrong, and the clicks of a person who audits it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import RandomState
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.preprocessing import StandardScaler

from experiments.groups import Found, Problem, Run
from experiments.protocols import Floats, Ints, at_most, filled
from pairspace.active import Group, SimulatedPerson
from pairspace.asking import ask
from pairspace.asking.audit import audit_of, audit_result, chances_of_right, next_sweep
from pairspace.constraints.answers_file import AnswerStore
from pairspace.tool.app.shared_session import SharedSession

if TYPE_CHECKING:
    from experiments.table import Split

BUDGET = 300  # answers of the program
RIGHT_CLICKS = 100  # of a person, to compare with
CLICKS = (20, 30, 50)  # of a person who audits the program
MOST_ROWS = 400
REFIT_EVERY = 10  # clicks on boards; sweeps: each screen
PROGRAM, PERSON = "program", "person"
# To bound the time, three of the eight learners, and no space of its own for the page.
OPTIONS: dict[str, Any] = {
    "learners": ["label spreading, raw", "label spreading, standardised", "SVC, standardised"],
    "reducer": PCA(2, random_state=0),
}


def prepare(X: Floats, y: Ints, split: Split) -> Problem:
    """Some rows of a dataset."""
    rows = at_most(y, MOST_ROWS, split.row_seed)
    X, _ = filled(X[rows], X[rows])
    return Problem(X, y[rows], 0.0, split.pair_seed)


def right_person(n_components: int) -> Run:
    """A person who is always right places rows, one a click."""

    def run(problem: Problem) -> Found:
        with TemporaryDirectory() as folder:
            path = Path(folder, "answers.sqlite")
            _ask(problem, problem.y, RIGHT_CLICKS, path)
            session = _session(problem, path)
            found = {"ari": _ari(problem, session)}
            session.close()
        return found

    return run


def audited(n_components: int, *, wrong: float, alike: bool, strategy: str | None = None) -> Run:
    """A program answers, and a person audits it by sweeps or by boards."""

    def run(problem: Problem) -> Found:
        said = wrong_on_look_alikes(problem, wrong) if alike else wrong_at_random(problem, wrong)
        with TemporaryDirectory() as folder:
            path = Path(folder, "answers.sqlite")
            _ask(problem, said, BUDGET, path, strategy)
            session = _session(problem, path)
            rows = list(_audit(session).said)
            found = {
                "ari, 0 clicks": _ari(problem, session),
                "right": float(np.mean(said[rows] == problem.y[rows])),
                "placed": float(len(rows)),
            }
            session.close()
            for name, audit in (("sweeps", _sweeps), ("boards", _boards)):
                copy = path.with_name(f"{name}.sqlite")
                shutil.copy(path, copy)
                found |= _at_marks(problem, copy, name, audit)
        return found

    return run


# ---- Programs --------------------------------------------------------------------------------


def wrong_at_random(problem: Problem, wrong: float) -> Ints:
    """The classes that a program believes in: of random rows another class, drawn at random."""
    random = RandomState(problem.seed)
    said = problem.y.copy()
    for row in random.permutation(len(said))[: round(wrong * len(said))]:
        said[row] = random.choice(np.setdiff1d(problem.y, problem.y[row]))
    return said


def wrong_on_look_alikes(problem: Problem, wrong: float) -> Ints:
    """The same, wrong where a row of another class is nearest, compared with one of its own."""
    Z = StandardScaler().fit_transform(problem.X)
    D = pairwise_distances(Z)
    np.fill_diagonal(D, np.inf)
    same = problem.y[:, None] == problem.y[None]
    others = np.where(same, np.inf, D)
    nearer = others.min(axis=1) / np.maximum(np.where(same, D, np.inf).min(axis=1), 1e-12)
    said = problem.y.copy()
    for row in np.argsort(nearer, kind="stable")[: round(wrong * len(said))]:
        said[row] = problem.y[others[row].argmin()]
    return said


class Auditor(SimulatedPerson):
    """A person who sees what a group of a program is about: the class of most of its rows."""

    def meaning(self, group: Group) -> Any:
        """The class of most of the rows when the person first sees the group."""
        if group.number not in self._means:
            classes, counts = np.unique(self.y[list(group.rows)], return_counts=True)
            self._means[group.number] = classes[counts.argmax()]
        return self._means[group.number]


# ---- Audits ----------------------------------------------------------------------------------

Audit = Callable[[SharedSession, Auditor], Iterator[int]]  # yields the clicks of each screen


def _sweeps(session: SharedSession, person: Auditor) -> Iterator[int]:
    """Each marked row is a click, and storing the screen is one; marked rows are placed after."""
    while True:
        question = next_sweep(session.questions, _audit(session))
        if question is None:
            return
        marked = person(question, session.groups())
        session.answer(question, marked, PERSON)
        yield 1 + len(marked.rows)
        _refit(session)


def _boards(session: SharedSession, person: Auditor) -> Iterator[int]:
    """Each row that is placed again is a click."""
    n_clicks = 0
    while True:
        audit = _audit(session)
        chance = chances_of_right(session.questions)
        log = session.questions.log
        left = [row for row in audit.said if row not in audit.looks and log.group_of(row)]
        if not left:
            return
        row = min(left, key=lambda row: (chance.get(row, 1.0), row))
        question = session.questions.board_of(row, again=True)
        session.answer(question, person(question, session.groups()), PERSON)
        yield 1
        n_clicks += 1
        if n_clicks % REFIT_EVERY == 0:
            _refit(session)


def _at_marks(problem: Problem, path: Path, name: str, audit: Audit) -> Found:
    """The ARI after so many clicks; a screen that would go beyond a mark comes after it."""
    session = _session(problem, path)
    found: Found = {}
    marks, spent = list(CLICKS), 0
    for clicks in audit(session, Auditor(problem.y)):
        spent += clicks
        while marks and spent >= marks[0]:
            _refit(session)
            found |= _measured(problem, session, f"{marks.pop(0)} clicks, {name}")
        if not marks:
            break
    for mark in marks:  # nothing is left to look at
        _refit(session)
        found |= _measured(problem, session, f"{mark} clicks, {name}")
    session.close()
    return found


def _measured(problem: Problem, session: SharedSession, name: str) -> Found:
    audit = _audit(session)
    found = {f"ari, {name}": _ari(problem, session), f"looks, {name}": float(len(audit.looks))}
    result = audit_result(audit)
    if result is not None:
        found |= {f"said right, {name}": result.mean, f"error, {name}": result.standard_error}
    return found


# ---- Parts -----------------------------------------------------------------------------------


def _names(problem: Problem) -> list[str]:
    return [str(row) for row in range(len(problem.y))]


def _ask(
    problem: Problem, said: Ints, budget: int, path: Path, strategy: str | None = None
) -> None:
    ask(
        problem.X,
        SimulatedPerson(said),
        budget,
        ids=_names(problem),
        answers=path,
        annotator=PROGRAM,
        progress=False,
        strategy=strategy,
        random_state=problem.seed % 2**31,
        **OPTIONS,
    )


def _session(problem: Problem, path: Path) -> SharedSession:
    store = AnswerStore(path, _names(problem))
    session = SharedSession(problem.X, store, random_state=problem.seed % 2**31, **OPTIONS)
    _refit(session)
    return session


def _refit(session: SharedSession) -> None:
    session.questions.adopt(session.plan().fit())


def _audit(session: SharedSession) -> Any:
    return audit_of(session.annotators(), PROGRAM)


def _ari(problem: Problem, session: SharedSession) -> float:
    return float(adjusted_rand_score(problem.y, session.questions.space.clusters))
