"""Fits in a process of their own: the same spaces, and no process is left behind."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline

from pairspace.active import PairQuestions, SimulatedPerson
from pairspace.tool.app import fit_process
from pairspace.tool.app.fit_process import FitProcess
from soak.tab import Tab
from tool.app.conftest import apart

X, Y = load_wine(return_X_y=True)


@pytest.fixture
def questions():
    return PairQuestions(X, random_state=0)


def answer(questions, n):
    person = SimulatedPerson(Y)
    for _ in range(n):
        question = questions.next()
        questions.answer(question, person(question, questions.groups))


@pytest.fixture
def fits():
    with closing(FitProcess()) as process:
        yield process


def test_a_space_is_the_same_as_in_this_process(questions, fits):
    for _ in range(2):
        answer(questions, 6)
        plan = questions.plan()
        found, wanted = fits.fit(plan), plan.fit()
        np.testing.assert_array_equal(found.embedding, wanted.embedding)
        np.testing.assert_array_equal(found.probabilities, wanted.probabilities)
        assert found.group_of_placed == wanted.group_of_placed
        questions.adopt(found)


def test_an_error_of_a_fit_is_raised_here_and_another_fit_works(questions, fits):
    with pytest.raises(ValueError, match="n_components=99"):
        fits.fit(replace(questions.plan(), reducer=PCA(99)))
    assert len(fits.fit(questions.plan()).embedding) == len(X)


def test_what_is_printed_does_not_get_between_the_spaces(questions, fits, capfd):
    talks = make_pipeline(PCA(2), verbose=True)
    assert fits.fit(replace(questions.plan(), reducer=talks)).embedding.shape == (len(X), 2)
    assert "Processing pca" in capfd.readouterr().err


def test_a_process_that_was_killed_is_said_and_replaced(questions, fits):
    fits.fit(questions.plan())
    fits._process.kill()
    fits._process.wait()
    fits.fit(questions.plan())
    os.kill(fits._process.pid, signal.SIGSTOP)  # so that it is in the middle of it
    plan = questions.plan()
    threading.Timer(0.5, fits._process.kill).start()
    with pytest.raises(RuntimeError, match="the process that fits has ended with -9"):
        fits.fit(plan)
    assert len(fits.fit(plan).embedding) == len(X)


def test_what_was_left_unread_is_not_taken_for_the_next_space(questions, fits, monkeypatch):
    """As when the page has not the memory for a space."""

    def fail(file):
        file.read(100)
        raise MemoryError("no memory")

    plan = questions.plan()
    with monkeypatch.context() as patched:
        patched.setattr(fit_process.pickle, "load", fail)
        with pytest.raises(MemoryError):
            fits.fit(plan)
    assert len(fits.fit(plan).embedding) == len(X)


def test_nothing_is_fitted_after_the_page_was_closed(questions):
    fits = FitProcess()
    fits.close()
    with pytest.raises(RuntimeError, match="closed"):
        fits.fit(questions.plan())


KILLED = """
import signal
import numpy as np
from pairspace.active import PairQuestions
from pairspace.tool.app.fit_process import FitProcess

# Shells start programs in the background so that they ignore ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
fits = FitProcess()
plan = PairQuestions(np.random.default_rng(0).normal(size=(300, 4)), random_state=0).plan()
fits.fit(plan)
print(fits._process.pid, flush=True)
while True:
    fits.fit(plan)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("how", ["killed", "interrupted"])
def test_the_process_ends_with_the_page_however_it_ends(how):
    with (
        subprocess.Popen(
            [sys.executable, "-c", KILLED],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as page,
        killed_in_the_end(page),
    ):
        assert page.stdout is not None
        fits = int(page.stdout.readline())
        if how == "killed":
            page.kill()
        else:
            os.killpg(page.pid, signal.SIGINT)  # as the terminal does: to all in the foreground
        _, errors = page.communicate()
    until = time.monotonic() + 60
    while running(fits) and time.monotonic() < until:
        time.sleep(0.05)
    assert not running(fits)
    # The page itself says so: it has no Server here.
    assert errors.count("Traceback") == (how == "interrupted")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_ctrl_c_during_a_fit_ends_the_page_at_once_and_keeps_the_answers(tmp_path):
    lines = [f"row {row},{x},{y}" for row, (x, y) in enumerate(X[:, :2].tolist())]
    (tmp_path / "wine.csv").write_text("\n".join(["id,x,y", *lines]), encoding="utf-8")
    command = ["-m", "pairspace.tool.cli", "label", "wine.csv", "--id", "id", "--no-browser"]
    with (
        subprocess.Popen(
            [sys.executable, *command, "--kind", "pair"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            start_new_session=True,
        ) as page,
        killed_in_the_end(page),
    ):
        assert page.stdout is not None
        address = page.stdout.readline().split()[-1]
        fits = apart(answer_until_a_fit_runs(address, page.pid))
        os.kill(fits, signal.SIGSTOP)  # it would take for ever
        os.killpg(page.pid, signal.SIGINT)
        out, errors = page.communicate()
    assert page.returncode == 0, errors
    assert "Traceback" not in errors
    assert "1 answers are in answers.sqlite" in out
    assert not running(fits)


@contextmanager
def killed_in_the_end(process):
    """A test that fails does not wait for it for ever."""
    try:
        yield
    finally:
        process.kill()  # nothing, if it has ended


async def answer_until_a_fit_runs(address, page):
    tab = await Tab.open(address)
    await tab.ready()
    await tab.send("answer", value="different")
    await tab.next_screen()
    assert tab.screen["status"].startswith("Saved")
    while not (found := children_of(page)):
        await asyncio.sleep(0.05)
    tab.close()
    return found[0]


def children_of(page):
    files = Path(f"/proc/{page}/task").glob("*/children")  # each thread has those it started
    return [int(number) for file in files for number in file.read_text(encoding="ascii").split()]


def running(number):
    try:
        with open(f"/proc/{number}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
