"""Commands that answer: lines of JSON, and every way in which a program can go wrong."""

from __future__ import annotations

import sys
import textwrap

import pytest
from sklearn.metrics import adjusted_rand_score

from pairspace.active import PairQuestion
from pairspace.asking import AnswerError
from pairspace.asking.process import Command, find_json
from pairspace.asking.queries import Query
from pairspace.asking.replies import reply_of

QUERY = Query(PairQuestion((0, 1), "strategy"), (0, 1), ("red apple", "green\napple {"))

LOOP = """
import json, os, sys, time
for n, line in enumerate(sys.stdin):
    q = json.loads(line)
    def say(**fields):
        print(json.dumps({"id": q["id"], **fields}), flush=True)
"""


@pytest.fixture
def command(tmp_path):
    """A command of a few lines, which is ended after the test."""
    made = []

    def command(body, *, timeout=30.0):
        script = tmp_path / f"program{len(made)}.py"
        script.write_text(LOOP + textwrap.indent(textwrap.dedent(body), "    "))
        made.append(Command(f'"{sys.executable}" "{script}"', timeout=timeout))
        return made[-1]

    yield command
    for each in made:
        each.close()


def answer_of(command):
    return reply_of(QUERY, command(QUERY))


def failure_of(command):
    with pytest.raises(AnswerError) as error:
        answer_of(command)
    return error.value


def test_a_question_and_its_reply_are_one_line_each(command):
    program = command("say(answer='same', confidence=.9, cost=.01, saw=[q['row'], q['other'], n])")
    first = answer_of(program)
    assert first[:3] == ("same", 0.9, 0.01)
    assert '"saw": ["red apple", "green\\napple {", 0]' in first.raw
    assert ", 1]" in answer_of(program).raw  # the same process


def test_json_is_picked_out_of_chatter(command):
    program = command(
        """
        print("Loading …")
        print("Sure! " + json.dumps({"id": q["id"], "answer": "same"}) + " Bye", flush=True)
        """
    )
    assert answer_of(program).answer == "same"
    assert find_json('a {b} {"c": 1} {"d": 2}') == {"c": 1}
    assert find_json("[1, 2]") is None
    assert find_json("{" * 10_000) is None


def test_a_program_that_is_too_slow_is_ended_and_started_again(command):
    program = command("print('thinking', flush=True); time.sleep(600)", timeout=0.5)
    failure = failure_of(program)
    assert "time-out: no answer in 0.5 seconds; it wrote 'thinking'" in str(failure)
    assert failure.retry
    assert failure.retry_after is None  # with a growing pause
    assert "time-out" in str(failure_of(program))


def test_a_crash_names_the_code_and_the_last_error(command):
    failure = failure_of(command("raise SystemExit('no such model')"))
    assert str(failure) == "the program ended with code 1 before it answered: 'no such model'"
    assert failure.retry


def test_a_program_that_crashes_once_is_started_again(command):
    program = command(
        """
        if os.path.exists("crashed"):
            say(answer="same")
        else:
            open("crashed", "w").close()
            os._exit(3)
        """.replace('"crashed"', "__file__ + '.crashed'")
    )
    assert "code 3" in str(failure_of(program))
    assert answer_of(program).answer == "same"


@pytest.mark.parametrize("line", ['{"id": "', '{"id": 1, "answer"', "{answer: same}"])
def test_malformed_and_partial_lines(command, line):
    program = command(
        f"print({line!r} if n == 0 else json.dumps(dict(id=q['id'], answer='same')))\n"
        "sys.stdout.flush()"
    )
    failure = failure_of(program)
    assert str(failure).startswith("malformed line: ")
    assert failure.raw == line
    assert failure.retry_after == 0
    assert answer_of(program).answer == "same"  # the process goes on


def test_the_answer_to_another_question_is_no_answer(command):
    program = command(
        "print(json.dumps(dict(id='other', answer='different')), flush=True)\n"
        "if n: say(answer='same')",
        timeout=0.5,
    )
    assert "it answered another question, id 'other'" in str(failure_of(program))
    program.timeout = 30
    twice = command("say(answer='same'); say(answer='different')")
    assert answer_of(twice).answer == "same"
    other = Query(PairQuestion((1, 2), "strategy"), (1, 2), ("a", "b"))
    assert twice(other)["answer"] == "same"  # not the second line of the first question


def test_a_rate_limit_and_an_error_that_stays(command):
    limited = failure_of(command("say(error='slow down', retry_after=12, cost=.5)"))
    assert (limited.retry, limited.retry_after, limited.cost) == (True, 12, 0.5)
    assert str(limited) == "the program reports: 'slow down'"
    refused = failure_of(command("say(error='refused')"))
    assert not refused.retry
    assert not failure_of(command("say(error='odd', retry_after='soon', cost='much')")).retry


def test_a_word_outside_the_set_is_a_failure(command):
    failure = failure_of(command("say(answer='probably', cost=.25)"))
    assert "got 'probably'" in str(failure)
    assert failure.cost == 0.25


def test_a_program_that_does_not_read_is_a_time_out(command, tmp_path):
    script = tmp_path / "deaf.py"
    script.write_text("import time; time.sleep(600)")
    deaf = Command(f'"{sys.executable}" "{script}"', timeout=0.5)
    long = Query(QUERY.question, QUERY.rows, ("x" * 2_000_000, "y"))
    with pytest.raises(AnswerError, match="time-out"):
        deaf(long)
    deaf.close()


def test_a_line_without_end_is_malformed(command):
    program = command("sys.stdout.write('{' * 3_000_000); sys.stdout.flush(); time.sleep(600)")
    assert str(failure_of(program)).startswith("malformed line")


def test_commands_that_can_not_start():
    with pytest.raises(ValueError, match="'no-such-program' can't be started: No such file"):
        Command("no-such-program --fast")(QUERY)
    with pytest.raises(ValueError, match="the command is empty"):
        Command(" ")
    with pytest.raises(ValueError, match="can't be read"):
        Command("python 'a")
    with pytest.raises(ValueError, match="timeout must be more than 0 seconds; got 0"):
        Command("python", timeout=0)


def test_a_changed_script_is_another_version(tmp_path):
    script = tmp_path / "rule.py"
    script.write_text("1")
    command = Command(f"python {script}")
    before = command.version()
    assert command.name == "rule.py"
    assert command.version("model 2") != before
    script.write_text("2")
    assert command.version() != before
    assert Command("service --fast").name == "service"


BY_SIGN = """
def kind(row):
    return max(range(3), key=row.__getitem__)
if q["kind"] == "board":
    found = [g["group"] for g in q["groups"] if kind(g["examples"][0]) == kind(q["row"])]
    say(answer=found[0] if found else "new", pid=os.getpid())
"""


def test_several_processes_answer_at_once(run, command, blobs):
    program = command(BY_SIGN)
    clusters = run(program, 14, workers=3)
    assert adjusted_rand_score(blobs[1], clusters.labels_) == 1
    pids = {raw.split('"pid": ')[1] for raw in clusters.answers_["raw"]}
    assert 1 <= len(pids) <= 3
    assert not program._all  # all were ended


def test_nothing_is_asked_twice(run, command, tmp_path):
    body = "open(__file__ + '.calls', 'a').write('x')\n" + BY_SIGN
    program = command(body)
    file = tmp_path / "answers.sqlite"
    options = {"answers": file, "annotator": "rule", "version": "1"}
    run(program, 8, **options)
    run(program, 8, **options)
    run(program, 10, **options)
    (calls,) = tmp_path.glob("*.calls")
    assert len(calls.read_text()) == 10
