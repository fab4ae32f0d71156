"""How often annotators are right, from questions that several answered."""

from __future__ import annotations

import numpy as np
import pytest

from pairspace.asking.agreement import PRIOR, STRENGTH, Judgement, agreements, dawid_skene, estimate


def simulated(rates, n=300, n_values=2, seed=0):
    """Judgements of annotators who are right at these rates, and the truth."""
    random = np.random.default_rng(seed)
    truth = random.integers(n_values, size=n)
    judgements = []
    for name, rate in rates.items():
        wrong = random.random(n) > rate
        said = np.where(
            wrong, (truth + random.integers(1, max(n_values, 2), size=n)) % n_values, truth
        )
        judgements += [Judgement(name, ("board", at), int(value)) for at, value in enumerate(said)]
    return judgements, truth


@pytest.mark.parametrize("n_values", [2, 5])
def test_accuracies_are_found_and_their_intervals_cover_them(n_values):
    rates = {"ann": 0.97, "bob": 0.85, "llm": 0.7}
    judgements, truth = simulated(rates, n_values=n_values)
    found = estimate(judgements, {"llm"})
    for name, rate in rates.items():
        accuracy = found.accuracies[name]
        assert accuracy.mean == pytest.approx(rate, abs=0.05)
        assert accuracy.low < accuracy.mean < accuracy.high
        assert accuracy.low - 0.02 < rate < accuracy.high + 0.02
        assert accuracy.n_shared == 300
    right = [each.likely == truth[each.subject[1]] for each in found.disagreements]
    assert np.mean(right) > 0.85
    certainty = [each.probability for each in found.disagreements]
    assert certainty == sorted(certainty)


def test_without_shared_questions_there_is_only_the_prior():
    found = estimate(
        [Judgement("ann", ("pair", 0, 1), "same"), Judgement("llm", ("pair", 0, 2), "same")],
        {"llm"},
    )
    assert found.accuracies["ann"].mean == pytest.approx(PRIOR["person"])
    assert found.accuracies["llm"].mean == pytest.approx(PRIOR["program"])
    assert not found.disagreements
    assert estimate([], set()).accuracies == {}


def test_two_who_always_agree_are_trusted_and_one_who_never_does_is_not():
    judgements = [
        Judgement(name, ("pair", 0, at), value)
        for at in range(1, 31)
        for truth, lie in [("same", "different") if at % 3 else ("different", "same")]
        for name, value in (("ann", truth), ("bob", truth), ("llm", lie))
    ]
    found = estimate(judgements, {"llm"}).accuracies
    assert found["ann"].mean > 0.95
    assert found["llm"].mean < 0.4


def test_the_estimate_does_not_depend_on_the_order():
    judgements, _ = simulated({"ann": 0.9, "bob": 0.8, "llm": 0.7}, n=40)
    first = estimate(judgements, {"llm"}).accuracies
    second = estimate(judgements[::-1], {"llm"}).accuracies
    for name in first:
        assert first[name].mean == pytest.approx(second[name].mean, abs=1e-6)


def test_it_is_the_fixed_point_of_the_equations_of_dawid_and_skene():
    """Their equations 2.3 to 2.5 as loops, with the counts of the prior added."""
    judgements, _ = simulated({"a": 0.9, "b": 0.7, "c": 0.8}, n=25, n_values=3)
    table = np.array([each.value for each in judgements]).reshape(3, 25).T.copy()
    table[::4, 1] = -1
    prior = np.array([0.95, 0.9, 0.9])
    T = dawid_skene(table, 3, prior)
    share = [(sum(T[:, k]) + 1) / (25 + 3) for k in range(3)]
    pi = np.empty((3, 3, 3))
    for who in range(3):
        for k in range(3):
            counts = [
                STRENGTH * (prior[who] if v == k else (1 - prior[who]) / 2)
                + sum(T[q, k] for q in range(25) if table[q, who] == v)
                for v in range(3)
            ]
            pi[who, k] = np.array(counts) / sum(counts)
    for q in range(25):
        likely = np.array(share)
        for who in range(3):
            if table[q, who] >= 0:
                likely *= pi[who, :, table[q, who]]
        np.testing.assert_allclose(T[q], likely / likely.sum(), atol=1e-6)


def test_the_last_answer_of_an_annotator_counts_and_kappa_is_known():
    table = [("same", "same")] * 20 + [("different", "different")] * 15
    table += [("same", "different")] * 5 + [("different", "same")] * 10
    judgements = [Judgement("ann", ("pair", 0, 1), "different")]
    for at, (a, b) in enumerate(table, start=1):
        judgements += [Judgement("ann", ("pair", 0, at), a), Judgement("llm", ("pair", 0, at), b)]
    (found,) = agreements(judgements)
    assert found.annotators == ("ann", "llm")
    assert (found.n_equal, found.n_shared) == (35, 50)
    assert found.kappa == pytest.approx(0.4)  # (.7 − .5) / (1 − .5)
    assert found.confusion["different", "same"] == 10


def test_kappa_is_unknown_where_all_say_the_same():
    judgements = [Judgement(name, ("pair", 0, 1), "same") for name in ("ann", "llm")]
    (found,) = agreements(judgements)
    assert found.kappa is None
