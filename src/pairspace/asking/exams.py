"""Exams of people: questions that other annotators have answered, asked again to compare."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from pairspace.active import PairQuestions
from pairspace.asking.agreement import Subject
from pairspace.asking.annotators import Annotators
from pairspace.asking.queries import Asked


def next_exam(
    questions: PairQuestions, annotators: Annotators, person: str, kind: str
) -> Asked | None:
    """A question for a person that others have answered.

    Every other exam is about a question on which all programs agree that answered it: an error
    that they share would show in no disagreement.

    Parameters
    ----------
    questions : PairQuestions
        The groups.
    annotators : Annotators
        What each annotator said.
    person : str
        Who is asked.
    kind : {"board", "pair"}
        The kind of question.

    Returns
    -------
    BoardQuestion or PairQuestion, or None
        The question; None if there is none that the person has not answered.
    """
    said: dict[Subject, dict[str, Hashable]] = {}
    for annotator, subject, value in annotators.judgements:
        if subject[0] == kind:
            said.setdefault(subject, {})[annotator] = value
    open_ones = [
        subject for subject, by in said.items() if person not in by and _may_ask(questions, subject)
    ]
    if not open_ones:
        return None
    agreed = [
        subject
        for subject in open_ones
        if len({value for name, value in said[subject].items() if name in annotators.programs}) == 1
    ]
    of_people = [subject for subject in open_ones if set(said[subject]) - annotators.programs]
    n_exams = annotators.exams[person]
    pools = [agreed, of_people] if n_exams % 2 == 0 else [of_people, agreed]
    pool = next((each for each in pools if each), open_ones)
    chosen = sorted(pool)[np.random.RandomState(n_exams).randint(len(pool))]
    if kind == "pair":
        return questions.pair_of(*chosen[1:])._replace(reason="exam")
    return questions.board_of(chosen[1])._replace(reason="exam")


def _may_ask(questions: PairQuestions, subject: Subject) -> bool:
    """Whether a placed row has another row of its group to be compared with."""
    if subject[0] == "pair":
        return True
    group = questions.log.group_of(subject[1])
    return group is not None and len(group.rows) > 1
