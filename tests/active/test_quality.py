"""Exams: drawn as said, an estimate that is right on the mean, and an end that is told."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

from pairspace.active import PairQuestions
from pairspace.active.quality import LATEST, Exam, curve_of, exam_pairs, quality_of

CLUSTERS = np.array([0, 0, 0, 1, 1, 2])


@pytest.mark.parametrize("together", [True, False])
def test_exams_are_uniform_over_the_pairs_of_their_kind(together):
    random = np.random.RandomState(0)
    drawn = Counter()
    for _ in range(200):
        drawn.update(
            tuple(sorted(p)) for p in exam_pairs(CLUSTERS, together=together, random=random)
        )
    kind = [p for p in combinations(range(6), 2) if (CLUSTERS[p[0]] == CLUSTERS[p[1]]) == together]
    assert set(drawn) == set(kind)
    expected = drawn.total() / len(kind)
    # Five standard deviations of a count.
    assert all(abs(drawn[pair] - expected) < 5 * np.sqrt(expected) for pair in kind)


def test_there_may_be_no_pair_of_a_kind():
    random = np.random.RandomState(0)
    assert not list(exam_pairs(np.zeros(4, dtype=int), together=False, random=random))
    assert not list(exam_pairs(np.arange(4), together=True, random=random))


def test_quality_is_the_mean_of_two_shares():
    exams = [Exam(1, True, True), Exam(2, True, False), Exam(3, False, False)]
    assert quality_of(exams[:2]) is None
    found = quality_of(exams)
    assert found.mean == pytest.approx((1.5 / 3 + 1.5 / 2) / 2)
    assert found.n_held_out == 3
    assert [point.answers for point in curve_of(exams)] == [3]
    many = [Exam(t, t % 2 == 0, t % 2 == 0) for t in range(4 * LATEST)]
    assert quality_of([*exams, *many]) == quality_of(many[-LATEST:])


def test_the_estimate_is_right_on_the_mean_and_its_error_is_honest():
    random = np.random.default_rng(0)
    share_together, share_apart, off = 0.8, 0.9, []
    for _ in range(400):
        exams = [
            Exam(
                t, t % 2 == 0, random.random() < (share_together if t % 2 == 0 else 1 - share_apart)
            )
            for t in range(LATEST)
        ]
        found = quality_of(exams)
        off.append((found.mean - 0.85) / found.standard_error)
    assert abs(np.mean(off)) < 0.5
    assert 0.7 < np.std(off) < 1.2


def test_every_tenth_question_is_an_exam_by_turns_of_both_kinds():
    X, y = load_iris(return_X_y=True)
    questions = PairQuestions(X, reducer=PCA(2), n_clusters=3, random_state=0)
    for _ in range(60):
        i, j = questions.next()
        questions.answer((i, j), "same" if y[i] == y[j] else "different")
    asked = [answer.question for answer in questions.history]
    exams = [at for at, question in enumerate(asked, start=1) if question.reason == "exam"]
    assert exams == [10, 20, 30, 40, 50, 60]
    assert [asked[at - 1].together for at in exams] == [True, False] * 3
    assert questions.progress.quality.n_held_out == 6
    assert [point.answers for point in questions.progress.curve] == [20, 30, 40, 50, 60]


def test_enough_when_answers_change_little():
    X, y = load_iris(return_X_y=True)
    questions = PairQuestions(X, reducer=PCA(2), n_clusters=3, random_state=0)
    assert not questions.progress.enough
    assert "too few exam questions" in questions.progress.why
    for _ in range(60):
        i, j = questions.next()
        questions.answer((i, j), "same" if y[i] == y[j] else "different")
    assert "20 answers more" in questions.progress.why
    questions.adopt(questions.plan().fit())
    first = questions.space
    for _ in range(20):
        i, j = questions.next()
        questions.answer((i, j), "same" if y[i] == y[j] else "different")
    questions.adopt(questions.plan().fit())
    progress = questions.progress
    assert (progress.changed <= 0.05) == progress.enough
    assert progress.changed == pytest.approx(
        1 - adjusted_rand_score(first.clusters, questions.space.clusters)
    )
    assert progress.surprises is not None
