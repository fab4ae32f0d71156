"""The fuzzer itself: cases by number, and what counts as a failure."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from fuzz import runner
from fuzz.judges import Failure, Refused, Unchanged, run
from fuzz.relations import check_relation, offset, same_geometry
from fuzz.supervision import Known
from fuzz.targets import TARGETS
from pairspace import SSDR, Constraints
from pairspace._core.linalg import _eigen

X = np.random.default_rng(0).normal(size=(20, 4))


def test_a_case_depends_on_the_seed_and_its_number_alone():
    first = [runner.run_case(5, number) for number in range(20)]
    again = [runner.run_case(5, number) for number in reversed(range(20))][::-1]
    assert [one.target for one in first] == [one.target for one in again]
    shapes = [[line for line in one.log if "ndarray" in line] for one in first]
    assert shapes == [[line for line in one.log if "ndarray" in line] for one in again]
    assert [one.target for one in first] != [runner.run_case(6, n).target for n in range(20)]


@pytest.mark.parametrize("target", TARGETS, ids=lambda each: each.__name__)
def test_every_target_is_tried_and_runs(target):
    number = next(n for n in range(600) if runner.target_of(0, n)[0] is target)
    assert runner.run_case(0, number).failure is None


def test_a_failing_case_is_printed_with_the_command_that_repeats_it(monkeypatch, capsys):
    def target(random, log):
        log.append("what was tried")
        run(lambda: [][1])

    monkeypatch.setattr(runner, "TARGETS", {target: 1.0})
    monkeypatch.setattr(runner.resource, "setrlimit", lambda *_: None)
    assert runner.run_cases(3, range(7, 9), seconds=60) == 2
    printed = capsys.readouterr().out
    assert "make fuzz SEED=3 ONLY=7" in printed
    assert "make fuzz SEED=3 ONLY=8" in printed
    assert "what was tried" in printed
    assert "IndexError" in printed


def test_the_seconds_end_a_run(monkeypatch, capsys):
    monkeypatch.setattr(runner.resource, "setrlimit", lambda *_: None)
    assert runner.run_cases(0, range(10**6), seconds=-1) == 0
    assert "0 cases in" in capsys.readouterr().out


def test_what_compiled_code_prints_to_stderr_is_a_failure(monkeypatch):
    def target(random, log):
        os.write(2, b"parameter 4 had an illegal value")

    monkeypatch.setattr(runner, "TARGETS", {target: 1.0})
    assert "illegal value" in runner.run_case(0, 0).failure


# ---- Judges ------------------------------------------------------------------------------------


def test_errors_of_ours_and_of_the_checks_are_refusals():
    assert isinstance(run(lambda: Constraints(3, [(0, 9)])), Refused)
    assert isinstance(run(lambda: SSDR().fit(np.ones(3))), Refused)
    assert isinstance(run(lambda: SSDR(n_components="two").fit(X, np.zeros(20))), Refused)


@pytest.mark.parametrize(
    "call",
    [
        lambda: np.zeros(3) + np.zeros(4),
        lambda: int("x"),
        lambda: {}["x"],
        lambda: Constraints(3)[[5]],  # an IndexError, which only an index may raise
    ],
)
def test_other_errors_are_failures(call):
    with pytest.raises(Failure):
        run(call)


def test_a_warning_of_numpy_is_a_failure_and_one_of_ours_is_not():
    with pytest.raises(Failure, match="RuntimeWarning"):
        run(lambda: np.float64(1e308) * np.float64(10))
    assert run(lambda: warnings.warn("too few rows", UserWarning, stacklevel=1)) is None


def test_changed_data_is_a_failure():
    data = X.copy()
    watched = Unchanged(X=data)
    watched.check()
    data[0, 0] += 1
    with pytest.raises(Failure, match="the caller's X was changed"):
        watched.check()


@pytest.mark.parametrize("name", ["offset", "factor", "constant column", "permuted", "sparse"])
def test_a_result_that_depends_on_what_it_must_not_is_a_failure(name):
    random = np.random.default_rng(0)

    def wrong(data, known):  # the length of each row, and how many columns and rows came before
        data = data.toarray() + 1 if name == "sparse" and hasattr(data, "toarray") else data
        place = np.arange(len(data)) if name == "permuted" else 0
        return np.sqrt(np.sum(data**2, axis=1) + 1 + data.shape[1])[:, None] + place

    if name == "permuted":
        with pytest.raises(Failure, match="permuted: the result changes"):
            check_relation(
                name, random, X, Known(None, None, "none"),
                lambda data, known: np.arange(20.0)[:, None] * data[:, :1], same_geometry,
            )  # fmt: skip
        return
    with pytest.raises(Failure, match=f"{name}: the result changes"):
        check_relation(name, random, X, Known(None, None, "none"), wrong, same_geometry)


def test_a_right_method_passes_all_relations():
    known = Known(np.arange(20) % 3, None, "labels")
    for name in ("offset", "factor", "constant column", "permuted", "sparse", "renamed", "again"):
        word = check_relation(
            name,
            np.random.default_rng(1),
            X,
            known,
            lambda data, about: SSDR().fit(data, about.y).transform(data),
            same_geometry,
        )
        assert "not stable" not in word


def test_a_relation_says_nothing_where_the_rank_is_on_the_edge():
    """Whether a direction counts is decided by a limit, or by the rounding of far numbers."""

    def by_rank(data, known):
        U, S, _ = np.linalg.svd(data - data.mean(axis=0), full_matrices=False)
        limit = np.sqrt(_eigen.RANK_TOLERANCE) * S[0] * (1 if data.max() < 100 else 2)
        return U[:, limit < S]

    def word(data):
        random, known = np.random.default_rng(3), Known(None, None, "none")
        return check_relation("factor", random, data, known, by_rank, same_geometry)

    flat = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    for share, on_the_edge in ((1.5e-5, True), (1e-2, False), (1e-12, False)):
        data = (flat[0] * [1.0, 0.8, 0.5, share]) @ flat[2]
        assert ("rank of X is not clear" in word(data)) == on_the_edge


def test_of_equal_rows_the_first_may_count():
    """Rounding does not part them. What depends on the order of other rows, too, is a failure."""
    rows = np.round(X)  # some are equal, and have the same lengths
    rows[5:10] = rows[0]
    known = Known(None, None, "none")

    def first_of_equals(data, known):
        near = np.abs(data[:, None] - data).sum(axis=2) < 1e-6
        is_first = near.argmax(axis=1) == np.arange(len(data))
        return data[:, :1] + is_first[:, None]

    def first_three(data, known):
        return data[:, :1] + (np.arange(len(data)) < 3)[:, None]

    def word(compute):
        random = np.random.default_rng(0)
        return check_relation("permuted", random, rows, known, compute, same_geometry)

    assert word(first_of_equals) == "permuted: the first of rows that are equally near"
    with pytest.raises(Failure, match="permuted: the result changes"):
        word(first_three)


def test_rows_without_a_digit_beside_an_offset_may_be_refused():
    """Two rows have the same geometry, however disturbed: that alone would call it determined."""

    def strict(limit):  # refuses rows that differ by so many units in the last place, or fewer
        def compute(data, known):
            ulps = np.spacing(np.abs(data).max())
            if np.ptp(data, axis=0).max() <= limit * ulps:
                return Refused(ValueError("the rows are equal"))
            return np.array([[-0.5], [0.5]])

        return compute

    def words(rows, limit):  # with offsets of 1 to 1e8 times X
        known = Known(None, None, "none")
        return {
            check_relation(
                "offset", np.random.default_rng(seed), rows, known, strict(limit), same_geometry
            )
            for seed in range(20)
        }

    two = np.vstack([np.zeros(5), np.arange(5.0)]) + 1e8
    assert "offset: no digit is left" in words(two, 16)
    with pytest.raises(Failure, match="refused although the same was not"):
        words(two / 1e8, 1e6)  # some digits are left


def test_what_an_offset_cancels_is_rounded_where_it_still_was():
    """X + 1e8 − 1e8 has the rounding of 1e8, although what is passed has none."""
    far = X + 1e8
    relation = offset(OneChoice(-1.0), far, Known(None, None, "none"))
    assert np.abs(relation.X).max() < 100
    assert np.abs(relation.plain - far).max() <= np.max(relation.noise)
    assert np.max(relation.noise) > 1e-8


class OneChoice:
    """Draws what it is told to, as a share of the largest value."""

    def __init__(self, by):
        self.by = by

    def choice(self, _):
        return self.by


def test_the_command_repeats_a_case():
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "fuzz", "--seed", "0", "--only", "3"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"passed {runner.run_case(0, 3).target} 3" in done.stdout
