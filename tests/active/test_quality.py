"""Test questions are drawn uniformly, the estimate is unbiased, and the end is announced."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

from pairspace.active import PairQuestions
from pairspace.active.progress import _why
from pairspace.active.quality import (
    LATEST,
    Outcome,
    Quality,
    draw_test_pairs,
    quality_curve,
    quality_of,
)

CLUSTERS = np.array([0, 0, 0, 1, 1, 2])


def verdict_of(progress):
    if not progress.enough:
        return "Keep going"
    return "You can stop" if progress.quality.mean >= 0.8 else "More answers change little"


@pytest.mark.parametrize(
    ("mean", "changed", "verdict"),
    [
        (0.95, 0.01, "You can stop: 95 % of rows"),
        (0.5, 0.01, "More answers change little: 50 % of rows"),
        (0.95, 0.2, "Keep going: 95 % of rows"),
    ],
)
def test_nobody_is_told_to_stop_with_poor_groups(mean, changed, verdict):
    assert _why(Quality(mean, 0.05, 20, "rows"), changed).startswith(verdict)


@pytest.mark.parametrize("same_cluster", [True, False])
def test_test_pairs_are_uniform_over_the_pairs_of_their_kind(same_cluster):
    random = np.random.RandomState(0)
    drawn = Counter()
    for _ in range(200):
        drawn.update(
            tuple(sorted(p))
            for p in draw_test_pairs(CLUSTERS, same_cluster=same_cluster, random=random)
        )
    kind = [
        p for p in combinations(range(6), 2) if (CLUSTERS[p[0]] == CLUSTERS[p[1]]) == same_cluster
    ]
    assert set(drawn) == set(kind)
    expected = drawn.total() / len(kind)
    # Five standard deviations of a count.
    assert all(abs(drawn[pair] - expected) < 5 * np.sqrt(expected) for pair in kind)


def test_there_may_be_no_pair_of_a_kind():
    random = np.random.RandomState(0)
    assert not list(draw_test_pairs(np.zeros(4, dtype=int), same_cluster=False, random=random))
    assert not list(draw_test_pairs(np.arange(4), same_cluster=True, random=random))


def test_quality_is_the_mean_of_two_shares():
    outcomes = [Outcome(1, True, True), Outcome(2, True, False), Outcome(3, False, False)]
    assert quality_of(outcomes[:2]) is None
    found = quality_of(outcomes)
    assert found.mean == pytest.approx((1.5 / 3 + 1.5 / 2) / 2)
    assert found.n_test_questions == 3
    assert str(found) == "62 % of pairs judged right (± 18 %, from 3 test questions)"
    assert [point.answers for point in quality_curve(outcomes)] == [3]
    many = [Outcome(t, t % 2 == 0, t % 2 == 0) for t in range(4 * LATEST)]
    assert quality_of([*outcomes, *many]) == quality_of(many[-LATEST:])


def test_the_estimate_is_right_on_the_mean_and_its_error_is_honest():
    random = np.random.default_rng(0)
    share_within, share_between, off = 0.8, 0.9, []
    for _ in range(400):
        outcomes = [
            Outcome(
                t, t % 2 == 0, random.random() < (share_within if t % 2 == 0 else 1 - share_between)
            )
            for t in range(LATEST)
        ]
        found = quality_of(outcomes)
        off.append((found.mean - 0.85) / found.standard_error)
    assert abs(np.mean(off)) < 0.5
    assert 0.7 < np.std(off) < 1.2


def test_every_tenth_question_is_a_test_question_of_both_kinds_in_turn():
    X, y = load_iris(return_X_y=True)
    questions = PairQuestions(X, kind="pair", reducer=PCA(2), n_clusters=3, random_state=0)
    for _ in range(60):
        question = questions.next()
        i, j = question.pair
        questions.answer(question, "same" if y[i] == y[j] else "different")
    asked = [step.answers[0].question for step in questions.history]
    tests = [at for at, question in enumerate(asked, start=1) if question.reason == "test"]
    assert tests == [10, 20, 30, 40, 50, 60]
    assert [asked[at - 1].same_cluster for at in tests] == [True, False] * 3
    assert questions.progress.quality.n_test_questions == 6
    assert [point.answers for point in questions.progress.curve] == [20, 30, 40, 50, 60]


def test_enough_when_answers_change_little():
    X, y = load_iris(return_X_y=True)
    questions = PairQuestions(X, kind="pair", reducer=PCA(2), n_clusters=3, random_state=0)
    assert not questions.progress.enough
    assert questions.progress.why.startswith("Keep going: there are too few test questions")
    for _ in range(60):
        question = questions.next()
        i, j = question.pair
        questions.answer(question, "same" if y[i] == y[j] else "different")
    assert questions.progress.why == f"Keep going: {questions.progress.quality}."
    questions.adopt(questions.plan().fit())
    first = questions.space
    for _ in range(20):
        question = questions.next()
        i, j = question.pair
        questions.answer(question, "same" if y[i] == y[j] else "different")
    questions.adopt(questions.plan().fit())
    progress = questions.progress
    assert (progress.changed <= 0.05) == progress.enough
    assert progress.why.startswith(verdict_of(progress))
    assert progress.changed == pytest.approx(
        1 - adjusted_rand_score(first.clusters, questions.space.clusters)
    )
    assert progress.surprises is not None
