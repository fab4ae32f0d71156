"""pairspace.ask: what programs get, what they may return, and what is kept."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score

import pairspace
from pairspace.active import SimulatedPerson
from pairspace.asking import AnswerError, Reply
from pairspace.asking.queries import Items
from pairspace.constraints.answers_file import read_answers
from pairspace.persistence import fingerprint


def outcomes(clusters):
    return clusters.answers_["outcome"].tolist()


@pytest.mark.parametrize("kind", ["board", "pair"])
def test_right_answers_give_the_groups(run, truth, blobs, kind):
    clusters = run(truth, 25, kind=kind)
    assert adjusted_rand_score(blobs[1], clusters.labels_) == 1
    assert clusters.stopped_ == "budget reached"
    assert len(clusters.answers_) == 25
    assert clusters.cost_ == 0
    assert set(clusters.answers_["kind"]) == {kind}
    assert set(clusters.answers_["annotator"]) == {"rule"}


def test_a_simulated_person_is_a_program(run, blobs):
    clusters = run(SimulatedPerson(blobs[1]), 15)
    assert len(clusters.groups_) == 3
    assert adjusted_rand_score(blobs[1], clusters.labels_) == 1


def test_sync_async_batch_and_threads_reach_the_same_groups(run, truth, blobs):
    sizes, threads = [], set()

    async def slow(query):
        await asyncio.sleep(0)
        return truth(query)

    class Batch:
        def batch(self, queries):
            sizes.append(len(queries))
            return [truth(query) for query in queries]

    class AsyncBatch:
        async def batch(self, queries):
            return [truth(query) for query in queries]

    def threaded(query):
        threads.add(threading.current_thread().name)
        return truth(query)

    for answer, options in (
        (slow, {}),
        (Batch(), {}),
        (AsyncBatch(), {}),
        (threaded, {"workers": 3}),
    ):
        clusters = run(answer, 20, **options)
        assert adjusted_rand_score(blobs[1], clusters.labels_) == 1
        assert len(clusters.groups_) == 3  # none was founded twice by rows asked about at once
    assert max(sizes) == 3  # as many as there are groups
    assert all(name.startswith("ask") for name in threads)


def test_rows_asked_about_at_once_are_asked_again_when_a_group_is_new(run, truth):
    clusters = run(truth, 30, workers=8)
    assert len(clusters.groups_) == 3
    assert set(outcomes(clusters)) <= {"used", "stale"}


def test_the_query_has_what_is_shown(run, truth, blobs):
    seen = []

    def look(query):
        seen.append(query)
        return truth(query)

    texts = [f"row {row}" for row in range(60)]
    run(look, 8, items=texts, ask="Same colour?")
    last = seen[-1]
    assert last.items == (texts[last.rows[0]],)
    assert last.as_json() == {
        "id": last.id,
        "kind": "board",
        "ask": "Same colour?",
        "row": texts[last.rows[0]],
        "groups": [
            {"group": g.number, "name": "", "examples": [texts[row] for row in g.rows]}
            for g in last.groups
        ],
        "allowed": [*(group.number for group in last.groups), "new", "none", "not sure"],
    }
    frame = pd.DataFrame(
        {"a": np.arange(60), "b": [None, float("nan"), pd.Timestamp("2020-01-01")] * 20}
    )
    run(look, 3, items=frame, kind="pair")
    i, j = seen[-1].rows
    assert seen[-1].as_json()["row"]["a"] == i
    assert seen[-1].as_json()["other"]["a"] == j
    assert {query.as_json()["row"]["b"] for query in seen[8:]} <= {None, "2020-01-01 00:00:00"}


def test_names_confidence_and_cost_are_kept(run, truth):
    def answer(query):
        word = truth(query)
        return {
            "answer": word,
            "confidence": 0.75,
            "cost": 0.5,
            "name": f"kind {len(query.groups)}",
        }

    clusters = run(answer, 10)
    assert clusters.cost_ == 5
    assert clusters.answers_["confidence"].tolist() == [0.75] * 10
    assert [group.name for group in clusters.groups_] == ["kind 0", "kind 1", "kind 2"]


@pytest.mark.parametrize(
    "returned",
    ["same", "SAME ", ("same", 0.9), Reply("same"), {"answer": "same"}, {"answer": "Same", "x": 1}],
)
def test_forms_of_an_answer(run, returned):
    clusters = run(lambda query: returned, 2, kind="pair", test_every=None)
    assert clusters.answers_["answer"].tolist() == ["same", "same"]


def test_not_sure_is_kept_and_says_nothing(run):
    clusters = run(lambda query: "not sure", 4, kind="pair")
    assert outcomes(clusters) == ["not sure"] * 4
    assert not clusters.groups_


# ---- Failures --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("maybe", r"the answer must be one of 'same', 'different', 'not sure'; got 'maybe'"),
        (None, "got None"),
        (True, "got True"),
        (7, "got 7"),
        (("same", 85), "confidence must be a number from 0 to 1; got 85"),
        (("same", float("nan")), "confidence must be"),
        ({"word": "same"}, "a reply needs the field answer"),
        (Reply("same", cost=-1), "cost must be a number of at least 0; got -1"),
    ],
)
def test_a_word_that_is_not_allowed_is_a_failure_and_no_answer(run, returned, message, tmp_path):
    calls = []
    file = tmp_path / "answers.sqlite"

    def bad(query):
        calls.append(query)
        return returned

    with pytest.raises(AnswerError, match="5 questions in a row failed") as error:
        run(bad, kind="pair", answers=file)
    assert message in str(error.value)
    assert len(calls) == 15  # five questions, three times each
    assert len({query.id for query in calls}) == 5
    assert not read_answers(file, by_row=True)["a"]


def test_failures_are_asked_again_with_growing_pauses(run, truth, pauses):
    failures = iter([True, True, False] * 4)

    def shaky(query):
        if next(failures):
            raise AnswerError("busy", retry=True, cost=0.25)
        return truth(query)

    clusters = run(shaky, 4)
    assert pauses == [1, 2] * 4
    assert clusters.cost_ == 2  # also failures cost
    assert outcomes(clusters).count("failed") == 8
    assert outcomes(clusters).count("used") == 4


def test_a_rate_limit_says_how_long_to_wait(run, truth, pauses):
    waits = iter([7.0, None, 3600.0, None, None, None])

    def limited(query):
        wait = next(waits)
        if wait is not None:
            raise AnswerError("slow down", retry=True, retry_after=wait)
        return truth(query)

    clusters = run(limited, 4)
    assert pauses == [7]  # an hour is too long: that question is left out
    assert outcomes(clusters).count("failed") == 2
    assert len(clusters.answers_) == 6


def test_what_can_not_succeed_is_not_asked_again(run, truth, pauses):
    rows = []

    def refuses(query):
        rows.append(query.rows[0])
        if len(rows) % 2:
            raise AnswerError("refused")
        return truth(query)

    run(refuses, 4)
    assert not pauses
    assert len(set(rows)) == len(rows) == 8


def test_an_error_in_the_program_is_raised_and_nothing_is_lost(run, truth, tmp_path):
    calls = []

    def breaks(query):
        calls.append(query)
        if len(calls) == 4:
            raise ZeroDivisionError("mine")
        return truth(query)

    file = tmp_path / "answers.sqlite"
    with pytest.raises(ZeroDivisionError, match="mine"):
        run(breaks, 6, answers=file)
    clusters = run(breaks, 6, answers=file)
    assert len(calls) == 7
    assert len(clusters.answers_) == 6


# ---- Stopping and going on -------------------------------------------------------------------


def test_an_interrupt_keeps_everything_and_the_next_call_goes_on(run, truth, tmp_path, blobs):
    calls = []

    def interrupted(query):
        calls.append(query.id)
        if len(calls) == 8:
            raise KeyboardInterrupt
        return truth(query)

    file = tmp_path / "answers.sqlite"
    with pytest.warns(UserWarning, match="interrupted after 7 answers"):
        first = run(interrupted, 20, answers=file)
    assert first.stopped_ == "interrupted"
    assert len(first.answers_) == 7
    second = run(interrupted, 20, answers=file)
    assert second.stopped_ == "budget reached"
    assert len(second.answers_) == 20
    assert len(calls) == 21  # only the question that was interrupted is asked twice
    assert adjusted_rand_score(blobs[1], second.labels_) == 1
    assert len(run(interrupted, 20, answers=file).answers_) == 20
    assert len(calls) == 21


def test_replies_that_were_stored_and_not_used_are_used_first(run, truth, tmp_path):
    calls = []

    class Batch:
        async def one(self, query):
            calls.append(query)
            return truth(query)

    batch = Batch()
    file = tmp_path / "answers.sqlite"
    run(truth, 6, answers=file)

    def interrupt(status):
        if status.answers == 8:  # two of three replies are stored
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="interrupted after 8"):
        run(truth, 9, answers=file, workers=3, progress=interrupt)
    clusters = run(batch.one, 9, answers=file, workers=1)
    assert len(clusters.answers_) == 9
    assert len(calls) <= 1
    assert set(outcomes(clusters)) <= {"used", "stale"}


def test_the_cost_is_a_limit(run, truth):
    clusters = run(lambda query: Reply(truth(query), cost=0.3), 50, max_cost=1)
    assert clusters.stopped_ == "maximum cost reached"
    assert clusters.cost_ == pytest.approx(1.2)
    assert len(clusters.answers_) == 4


def test_it_stops_when_nothing_is_left_to_ask(truth, blobs):
    X, _ = blobs
    clusters = pairspace.ask(X[[0, 1, 20, 21]], lambda query: "new", 50, random_state=0)
    assert clusters.stopped_ == "nothing left to ask"
    assert len(clusters.groups_) == 4


def test_progress_is_told(run, truth):
    seen = []
    run(truth, 5, progress=seen.append)
    assert [status.answers for status in seen] == [0, 1, 2, 3, 4, 5]
    assert str(seen[-1]) == f"5 of 5 answers, {seen[-1].groups} groups"


def test_the_bar_needs_a_terminal(run, truth, capsys):
    run(truth, 2)
    assert capsys.readouterr().err == ""
    run(truth, 2, progress=True)
    assert "2 of 2 answers" in capsys.readouterr().err


def test_a_model_file_has_no_answers(run, truth, tmp_path, blobs):
    clusters = run(truth, 12)
    pairspace.save(clusters, tmp_path / "model.skops", blobs[0])
    again = pairspace.load(tmp_path / "model.skops")
    assert not hasattr(again, "answers_")
    np.testing.assert_array_equal(again.predict(blobs[0]), clusters.predict(blobs[0]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "sweep"}, "kind must be one of 'board', 'pair'; got 'sweep'"),
        ({"budget": -1}, "budget must be an integer of at least 0; got -1"),
        ({"workers": 0}, "workers must be an integer of at least 1; got 0"),
        ({"max_cost": float("nan")}, "max_cost must be a number"),
        ({"items": ["a"]}, "items has 1 rows, but X has 60"),
    ],
)
def test_bad_options(run, truth, options, message):
    with pytest.raises(ValueError, match=message):
        run(truth, **options)
    with pytest.raises(TypeError, match="answer must be a function"):
        run("same")


def test_the_page_can_open_the_file(blobs):
    X, _ = blobs
    frame = pd.DataFrame(X, columns=[f"x{at}" for at in range(4)])  # as the page shows an array
    assert Items(X).digest() == Items(frame).digest() == fingerprint(frame).encode()
