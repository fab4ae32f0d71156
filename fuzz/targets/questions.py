"""PairQuestions: questions, answers, undo."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz.judges import Refused, Unchanged, require, run
from fuzz.tables import Random, any_table
from pairspace.active import STRATEGIES, PairQuestions, SimulatedPerson
from pairspace.constraints import ContradictionError


def asked(random: Random, log: list[Any]) -> None:
    """A person who errs now and then answers a few questions."""
    table = any_table(random)
    strategy = str(random.choice([*STRATEGIES, "wrong"]))
    kind = str(random.choice(["mixed", "board", "pick", "sweep", "pair"]))
    size = int(random.choice([1, 2, 9]))
    log += [table, strategy, kind, size]
    watched = Unchanged(X=table.given)
    questions = run(
        lambda: PairQuestions(
            table.given,
            kind=kind,
            strategy=strategy,
            n_components=size,
            random_state=0,
            test_every=3,
        )
    )
    watched.check()
    if isinstance(questions, Refused):
        return
    require(table.is_good, "it took what is no table of finite numbers")
    n = len(table.numbers)
    person = SimulatedPerson(table.classes, wrong=0.1, random_state=int(random.integers(100)))
    for _ in range(int(random.integers(1, 8))):
        question = run(questions.next)
        if question is None:
            break
        rows = question.rows
        require(len(set(rows)) == len(rows) > 0, f"asked about {rows}")
        require(all(0 <= row < n for row in rows), f"asked about {rows}")
        response = person(question, questions.groups)
        if question.kind in ("pair", "board") and random.random() < 0.1:
            response = "skip"
        steps = len(questions.history)
        contradiction = run(lambda q=question, r=response: questions.answer(q, r))
        recorded = len(questions.history) - steps
        require(recorded == (contradiction is None), f"{recorded} steps of one answer")
    require(len(questions.constraints) == n, "constraints of another length")
    require(not questions.constraints.contradictions(), "answers contradict each other")
    in_groups = [row for group in questions.groups for row in group.rows]
    require(len(set(in_groups)) == len(in_groups), "a row is in two groups")
    run(questions.undo)
    adopted = run(lambda: questions.adopt(questions.plan().fit()))
    if isinstance(adopted, Refused):
        require(not isinstance(adopted.error, ContradictionError), "answers contradict each other")
    wrong = run(lambda: questions.pair_of(0, n), also=(IndexError,))
    require(isinstance(wrong, Refused), "it took a question about a row outside")
    repr(questions.progress)
    require(np.isfinite(np.asarray(questions.space.embedding)).all(), "the space is not finite")
