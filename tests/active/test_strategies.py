"""Each strategy asks what it says it asks."""

from itertools import combinations, islice

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA

from pairspace.active import PairQuestions, QuestionContext
from pairspace.active.strategies.explore import ExploreConsolidate, MinMax
from pairspace.active.strategies.medoids import Medoids
from pairspace.active.strategies.uncertain import Uncertain
from pairspace.active.strategies.uniform import random_pairs

pytestmark = pytest.mark.iterative

N_CLASSES = 4


@pytest.fixture
def blobs():
    return make_blobs(200, 2, centers=N_CLASSES, cluster_std=0.5, random_state=3)


def asked(X, y, strategy, n_answers):
    questions = PairQuestions(
        X,
        kind="pair",
        strategy=strategy,
        n_clusters=N_CLASSES,
        reducer=PCA(2),
        test_every=None,
        random_state=0,
    )
    for _ in range(n_answers):
        question = questions.next()
        i, j = question.pair
        questions.answer(question, "same" if y[i] == y[j] else "different")
    return questions


def context_of(questions):
    random = np.random.RandomState(0)
    return QuestionContext(questions.space, questions._log, N_CLASSES, random)


def test_random_pairs_are_pairs():
    pairs = list(random_pairs(3, np.random.RandomState(0)))
    assert all(0 <= i < 3 and 0 <= j < 3 and i != j for i, j in pairs)
    assert {tuple(sorted(pair)) for pair in pairs} == {(0, 1), (0, 2), (1, 2)}


def test_exploring_finds_every_class_in_few_questions(blobs):
    X, y = blobs
    for strategy in ("explore-consolidate", "min-max"):
        questions = asked(X, y, strategy, 6)
        known = questions._log.known
        assert any(
            all(known.entails(a, b) is False for a, b in combinations(groups, 2))
            for groups in combinations(known.groups, N_CLASSES)
        )


def test_a_row_is_compared_with_the_nearest_group_first_until_one_is_the_same(blobs):
    X, y = blobs
    for strategy in (ExploreConsolidate(), MinMax(), Medoids()):
        questions = asked(X, y, strategy, 40)
        previous = None
        for (pair, _, _), value in questions.log.answers:
            if previous is not None and previous[1] == "different":
                row, known = previous[0], questions._log.known
                later = [a.question.pair for a in questions.log.answers]
                settled = later[: later.index(pair)]
                assert pair[0] == row or all(
                    known.entails(row, other) is not None
                    for p in settled
                    for other in p
                    if other != row
                )
            previous = (pair[0], value)


def test_once_the_classes_are_found_the_nearest_group_is_the_right_one(blobs):
    X, y = blobs
    questions = asked(X, y, "medoids", 40)
    late = [answer.value for answer in questions.log.answers[15:]]
    assert late.count("same") > 0.9 * len(late)


def test_medoids_stand_for_the_largest_regions(blobs):
    X, y = blobs
    questions = asked(X, y, "medoids", 0)
    space = questions.space
    size = np.bincount(space.regions)
    i, j = next(Medoids().pairs(context_of(questions)))
    assert {i, j} <= set(space.medoids.tolist())
    assert size[space.regions[[i, j]]].min() >= np.sort(size)[-2]


def test_uncertain_asks_about_medoids_at_even_chances(blobs):
    X, y = blobs
    questions = asked(X, y, "random", 60)
    questions.adopt(questions.plan().fit())
    context = context_of(questions)
    pairs = list(Uncertain().pairs(context))
    medoids = set(questions.space.medoids.tolist())
    assert len(pairs) == len(list(combinations(medoids, 2)))
    lengths = [
        np.linalg.norm(np.subtract(*questions.space.embedding[list(pair)])) for pair in pairs
    ]
    links = questions.constraints
    same, different = (
        np.linalg.norm(np.subtract(*questions.space.embedding[part.T]), axis=1)
        for part in (links.must_link, links.cannot_link)
    )
    # The boundary lies between what is the same and what is not; the first pairs are there.
    first = np.array(list(islice(lengths, 5)))
    assert np.all(first > np.median(same))
    assert np.all(first < np.median(different))
