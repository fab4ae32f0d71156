"""PairQuestions: questions, answers, undo."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz.judges import Refused, Unchanged, require, run
from fuzz.tables import Random, any_table
from pairspace.active import PairQuestions
from pairspace.constraints import ContradictionError


def asked(random: Random, log: list[Any]) -> None:
    """A person who errs now and then answers a few questions."""
    table = any_table(random)
    strategy = str(random.choice(["medoids", "uncertain", "uniform", "explore", "wrong"]))
    size = int(random.choice([1, 2, 9]))
    log += [table, strategy, size]
    watched = Unchanged(X=table.given)
    questions = run(
        lambda: PairQuestions(
            table.given, strategy=strategy, n_components=size, random_state=0, test_every=3
        )
    )
    watched.check()
    if isinstance(questions, Refused):
        return
    require(table.is_good, "it took what is no table of finite numbers")
    n, right = len(table.numbers), 0
    for _ in range(int(random.integers(1, 8))):
        pair = run(questions.next)
        if pair is None:
            break
        i, j = pair
        require(0 <= i < n and 0 <= j < n and i != j, f"asked about {pair}")
        same = table.classes[i] == table.classes[j]
        if random.random() < 0.1:
            same = not same
        value = "skip" if random.random() < 0.1 else ("same" if same else "different")
        if run(lambda p=pair, v=value: questions.answer(p, v)) is None:
            right += value != "skip"
    require(len(questions.constraints) == n, "constraints of another length")
    links = len(questions.constraints.must_link) + len(questions.constraints.cannot_link)
    require(links == right, f"{right} answers, {links} links")
    run(questions.undo)
    adopted = run(lambda: questions.adopt(questions.plan().fit()))
    if isinstance(adopted, Refused):
        require(not isinstance(adopted.error, ContradictionError), "answers contradict each other")
    wrong = run(lambda: questions.answer((0, n), "same"), also=(IndexError,))
    require(isinstance(wrong, Refused), "it took an answer about a row outside")
    repr(questions.progress)
    require(np.isfinite(np.asarray(questions.space.embedding)).all(), "the space is not finite")
