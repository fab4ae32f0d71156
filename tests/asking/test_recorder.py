"""Replies are recorded first and used after; what a person confirmed stands."""

from __future__ import annotations

import numpy as np
import pytest

from pairspace.active import BoardQuestion, PairQuestion
from pairspace.asking import Reply
from pairspace.asking.queries import Items, query_of
from pairspace.asking.recorder import Recorder
from pairspace.constraints.answers_file import AnswerStore, StoreError, read_answers

X = np.random.default_rng(0).standard_normal((40, 3))
IDS = [str(row) for row in range(40)]


def recorder_of(path):
    store = AnswerStore(path, IDS)
    fast = ["label spreading, standardised"]
    return Recorder(X, store, "llm", kind="pair", learners=fast, random_state=0)


def person_says(recorder, question, response):
    """What the page does."""
    step = recorder.questions.step(question, response)
    values = recorder.questions.log.values
    replaced = {pair: values[pair].value for pair in step.retracts}
    with recorder.store.writing():
        recorder.steps.add(step, "ann", replaced)
    recorder._read()


def program_says(recorder, question, answer, *, other_order=False, orders=1, **fields):
    query = query_of(question, recorder.questions.groups, Items(X), ask="", orders=orders)
    query = query.in_other_order() if other_order else query
    recorder.log.add(query, Reply(answer, **fields), "llm")
    return recorder.derive()


def outcomes(recorder):
    return [reply.outcome for reply in recorder.log.all()]


@pytest.fixture
def recorder(tmp_path):
    """A person has made the groups 1 (rows 0, 1) and 2 (rows 20, 21)."""
    recorder = recorder_of(tmp_path / "answers.sqlite")
    person_says(recorder, (0, 1), "same")
    person_says(recorder, (20, 21), "same")
    return recorder


BETWEEN = PairQuestion((0, 20), "strategy", False)


def same(recorder, i, j):
    return recorder.questions.log.known.entails(i, j)


def test_one_same_of_a_program_does_not_join_two_groups_of_a_person(recorder):
    (wanted,) = program_says(recorder, BETWEEN, "same")
    assert wanted == (BETWEEN, True)
    assert same(recorder, 0, 20) is None
    assert outcomes(recorder) == [None]


def test_a_second_answer_joins_them(recorder):
    program_says(recorder, BETWEEN, "same")
    assert program_says(recorder, BETWEEN, "same", other_order=True) == []
    assert same(recorder, 1, 21) is True
    assert outcomes(recorder) == ["used", "used"]


def test_a_verdict_that_flips_is_not_sure(recorder):
    program_says(recorder, BETWEEN, "same")
    assert program_says(recorder, BETWEEN, "different", other_order=True) == []
    assert same(recorder, 0, 20) is None
    assert outcomes(recorder) == ["flipped", "flipped"]
    assert not recorder.questions.log.may_ask((0, 20))


def test_the_panel_may_agree(recorder):
    assert program_says(recorder, BETWEEN._replace(same_cluster=True), "same") == []
    assert same(recorder, 0, 20) is True


def test_a_second_order_that_failed_leaves_the_groups_apart(recorder):
    program_says(recorder, BETWEEN, "same")
    recorder.give_up(BETWEEN)
    assert outcomes(recorder) == ["unconfirmed"]
    assert recorder.derive() == []
    assert same(recorder, 0, 20) is None


def test_different_and_same_with_a_new_row_count_at_once(recorder):
    assert program_says(recorder, BETWEEN, "different") == []
    assert program_says(recorder, PairQuestion((5, 0), "strategy", False), "same") == []
    assert same(recorder, 0, 20) is False
    assert same(recorder, 5, 1) is True


def test_groups_that_programs_made_are_joined_by_one_answer(tmp_path):
    recorder = recorder_of(tmp_path / "answers.sqlite")
    for pair in ((0, 1), (20, 21), (0, 20)):
        assert program_says(recorder, PairQuestion(pair, "strategy", False), "same") == []
    assert same(recorder, 1, 21) is True


def test_a_share_is_asked_in_both_orders(recorder):
    question = PairQuestion((5, 6), "strategy", False)
    assert program_says(recorder, question, "same", orders=2) == [(question, True)]
    assert same(recorder, 5, 6) is None
    program_says(recorder, question, "same", orders=2, other_order=True)
    assert same(recorder, 5, 6) is True


def test_a_program_does_not_take_back_what_a_person_said(recorder):
    person_says(recorder, recorder.questions.board_of(7), 1)
    again = recorder.questions.board_of(7)._replace(reason="recheck")
    assert program_says(recorder, again, 2) == []
    assert outcomes(recorder) == ["disagrees"]
    assert same(recorder, 7, 0) is True
    assert again in recorder.set_aside
    alone = recorder.questions.board_of(30)
    person_says(recorder, alone, "new")  # a group of one row
    again = recorder.questions.board_of(30)._replace(reason="recheck")
    program_says(recorder, again, 1)
    assert outcomes(recorder) == ["disagrees"] * 2
    assert recorder.questions.log.group_of(30) is not None


def test_a_contradiction_is_kept_in_the_log_and_not_used(recorder):
    program_says(recorder, PairQuestion((0, 1), "strategy", True), "different", confidence=0.6)
    (reply,) = recorder.log.all()
    assert (reply.outcome, reply.answer, reply.confidence) == ("contradicts", "different", 0.6)
    assert same(recorder, 0, 1) is True


def test_new_is_asked_again_if_a_group_was_made_meanwhile(recorder):
    board = recorder.questions.board_of(8)
    query = query_of(board, recorder.questions.groups, Items(X), ask="")
    person_says(recorder, recorder.questions.board_of(9), "new")
    recorder.log.add(query, Reply("new"), "llm")
    (wanted,) = recorder.derive()
    assert isinstance(wanted.question, BoardQuestion)
    assert len(wanted.question.cards) == 3
    assert not wanted.other_order
    assert outcomes(recorder) == ["stale"]
    recorder.log.add(query, Reply(1), "llm")
    assert recorder.derive() == []  # in a group that was shown
    assert same(recorder, 8, 0) is True


def test_all_readers_find_the_answers_and_another_program_goes_on(recorder):
    program_says(recorder, PairQuestion((5, 0), "strategy", False), "same")
    path = recorder.store.path
    assert read_answers(path, by_row=True)["a"] == [0, 20, 5]
    other = recorder_of(path)
    assert same(other, 5, 1) is True
    program_says(other, PairQuestion((6, 5), "strategy", False), "same")
    recorder.sync()
    assert same(recorder, 6, 1) is True
    assert recorder.confirmed == {0, 1, 20, 21}


def test_a_reply_that_was_edited_by_hand_is_named(recorder):
    program_says(recorder, BETWEEN, "different")
    with recorder.store.writing():
        recorder.store.connection.execute("UPDATE replies SET question = '{}'")
    with pytest.raises(StoreError, match=r"reply 1 can't be read; was the file changed by hand\?"):
        recorder.log.all()
