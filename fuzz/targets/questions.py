"""PairQuestions: questions, answers, and what a person does to groups and earlier answers."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from fuzz.judges import Refused, Unchanged, require, require_finite, run
from fuzz.tables import Random, any_table, good_table
from pairspace.active import STRATEGIES, Marked, PairQuestions, SimulatedPerson
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
    _judge(questions, n)
    run(questions.undo)
    adopted = run(lambda: questions.adopt(questions.plan().fit()))
    if isinstance(adopted, Refused):
        require(not isinstance(adopted.error, ContradictionError), "answers contradict each other")
    wrong = run(lambda: questions.pair_of(0, n), also=(IndexError,))
    require(isinstance(wrong, Refused), "it took a question about a row outside")
    P = run(questions.group_probabilities)
    require_finite("group_probabilities", P, (n, len(questions.groups)))
    repr(questions.progress)
    require(np.isfinite(np.asarray(questions.space.embedding)).all(), "the space is not finite")


def sorted_out(random: Random, log: list[Any]) -> None:
    """Random actions, good and bad: each is recorded whole or not at all, and undone exactly."""
    table = good_table(random, most_rows=25)
    n = len(table.numbers)
    log.append(table)
    questions = run(lambda: PairQuestions(table.numbers, learners=LEARNERS, random_state=0))
    if isinstance(questions, Refused):
        return
    for _ in range(int(random.integers(1, 25))):
        before = _state(questions)
        name = str(random.choice(sorted(ACTIONS)))
        outcome = run(lambda name=name: ACTIONS[name](random, questions, n, log))
        log[-1] = f"{name} {log[-1]}: {outcome!r:.80}"
        steps = len(questions.history) - len(before[0])
        if isinstance(outcome, Refused) or outcome is not None:  # an error, or a contradiction
            require(_state(questions) == before, "it was refused, but something changed")
        elif steps == 1:
            _judge(questions, n)
            after = _state(questions)
            run(questions.undo)
            require(_state(questions) == before, "undo leaves something")
            run(lambda was=after: questions.restore(was[0]))
            require(_state(questions) == after, "the same steps give another state")
        _judge(questions, n)
    continued = run(
        lambda: PairQuestions(
            table.numbers, answers=questions.history, learners=LEARNERS, random_state=0
        )
    )
    require(not isinstance(continued, Refused), f"its own history is refused: {continued!r}")
    require(_state(continued) == _state(questions), "continued in another state")


LEARNERS = [
    "logistic regression, standardised"
]  # the quickest: what is asked matters here, not the groups


def _state(questions: PairQuestions) -> tuple[Any, ...]:
    log = questions.log
    kept = dict(log.values), dict(log.piles), list(log.tests), deepcopy(vars(log.looks))
    return questions.history, list(questions.groups), *kept


def _judge(questions: PairQuestions, n: int) -> None:
    require(len(questions.constraints) == n, "constraints of another length")
    require(not questions.constraints.contradictions(), "answers contradict each other")
    rows = [row for group in questions.groups for row in group.rows]
    require(len(set(rows)) == len(rows), "a row is in two groups")
    numbers = [group.number for group in questions.groups]
    require(len(set(numbers)) == len(numbers), "two groups have one number")
    require(all(group.anchor in group.rows for group in questions.groups), "anchor outside")
    labels = questions.labels
    require(set(labels[labels >= 0].tolist()) <= set(numbers), "labels of no group")


# ---- Actions: each appends what it tries to the log, and returns what the method returns --------


def _answer(random: Random, questions: PairQuestions, n: int, log: list[Any]) -> Any:
    kind = str(random.choice(["mixed", "board", "pick", "sweep", "pair"]))
    question = questions.next(kind)
    response = None if question is None else _response(random, question, questions)
    log.append((question, response))
    return None if question is None else questions.answer(question, response)


def _choose(random: Random, questions: PairQuestions, n: int, log: list[Any]) -> Any:
    rows = [_row(random, n) for _ in range(int(random.integers(1, 6)))]
    number = _number(random, questions)
    kind = str(random.choice(["pair", "board", "pick", "sweep", "members"]))
    log.append((kind, rows, number))
    if kind == "pair":
        question: Any = questions.pair_of(*rows[:2])
    elif kind == "board":
        question = questions.board_of(rows[0])
    elif kind == "pick":
        question = questions.pick_of(rows[0], rows[1:])
    else:
        question = questions.sweep_of(number, rows if kind == "sweep" else None)
    response = _response(random, question, questions)
    log[-1] = (question, response)
    return questions.answer(question, response)


def _merge(random: Random, questions: PairQuestions, n: int, log: list[Any]) -> Any:
    pair = _number(random, questions), _number(random, questions)
    log.append(pair)
    return questions.merge(*pair)


def _split(random: Random, questions: PairQuestions, n: int, log: list[Any]) -> Any:
    number = _number(random, questions)
    rows = [row for group in questions.groups if group.number == number for row in group.rows]
    some = [row for row in rows if random.random() < 0.5] or [_row(random, n)]
    log.append((number, some))
    return questions.split(number, some)


def _rename(random: Random, questions: PairQuestions, n: int, log: list[Any]) -> Any:
    name = ["cats", "", " a  b ", "<b>", "Ärger 🙂", "x" * 200][int(random.integers(6))]
    log.append(name)
    return questions.rename(_number(random, questions), name)


def _retract(random: Random, questions: PairQuestions, n: int, log: list[Any]) -> Any:
    pairs = [*questions.log.values, (_row(random, n), _row(random, n))]
    pair = pairs[int(random.integers(len(pairs)))]
    log.append(pair)
    return questions.retract(pair)


def _take_back(random: Random, questions: PairQuestions, n: int, log: list[Any]) -> Any:
    at = int(random.integers(-1, len(questions.history) + 1))
    log.append(at)
    return questions.take_back(at)


def _refit(random: Random, questions: PairQuestions, n: int, log: list[Any]) -> Any:
    log.append("")
    return questions.adopt(questions.plan().fit()) if random.random() < 0.3 else None


ACTIONS = {
    "answer": _answer,
    "answer again": _answer,
    "choose": _choose,
    "choose another": _choose,
    "merge": _merge,
    "split": _split,
    "rename": _rename,
    "retract": _retract,
    "take back": _take_back,
    "refit": _refit,
}


def _row(random: Random, n: int) -> Any:
    if random.random() < 0.03:
        return [-1, n, 0.5, None, True, "0", 10**30][int(random.integers(7))]
    return int(random.integers(n))


def _number(random: Random, questions: PairQuestions) -> Any:
    numbers = [group.number for group in questions.groups]
    if not numbers or random.random() < 0.05:
        return [0, -1, 99, None, "1", 1.5][int(random.integers(6))]
    return numbers[int(random.integers(len(numbers)))]


def _response(random: Random, question: Any, questions: PairQuestions) -> Any:
    if random.random() < 0.05:
        wrong = [None, "wrong", 99, -1, True, ("new",), ("new", 3), [10**30], Marked((-1,)), {}]
        return wrong[int(random.integers(len(wrong)))]
    if question.kind == "pair":
        return str(random.choice(["same", "different", "skip"]))
    if question.kind == "board":
        words: list[Any] = ["new", ("new", "dogs"), "none", "skip", "aside"]
        words += [group.number for group in questions.groups] * 3
        return words[int(random.integers(len(words)))]
    rows = tuple(row for row in question.candidates if random.random() < 0.4)
    return Marked(rows, bool(random.random() < 0.3))
