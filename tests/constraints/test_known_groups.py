"""What answers imply, compared with Constraints, which computes it from scratch."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from pairspace import Constraints
from pairspace.constraints.known_groups import KnownGroups

N_ROWS = 9
PAIRS = list(combinations(range(N_ROWS), 2))


def added_without_contradiction(answers):
    """Known groups, and the pairs added to them; pairs that contradict are left out."""
    known, must, cannot = KnownGroups(N_ROWS), [], []
    for pair, same in answers:
        if known.entails(*pair) in (None, same):
            known.add(*pair, same=same)
            (must if same else cannot).append(pair)
    return known, Constraints(N_ROWS, must, cannot)


answer_lists = st.lists(st.tuples(st.sampled_from(PAIRS), st.booleans()), max_size=25)


@given(answer_lists)
def test_entails_what_the_closure_holds(answers):
    known, pairs = added_without_contradiction(answers)
    assert not pairs.contradictions()
    for i, j in PAIRS:
        assert known.entails(i, j) is pairs.entails(i, j)
        assert known.entails(j, i) is pairs.entails(i, j)


@given(answer_lists)
def test_counts_and_lists_what_the_closure_holds(answers):
    known, pairs = added_without_contradiction(answers)
    closure = pairs.closure()
    assert known.n_known_pairs == len(closure.must_link) + len(closure.cannot_link)
    assert known.n_joined == pairs.components().max() + 1
    open_pairs = {tuple(sorted(pair)) for pair in known.open_pairs()}
    assert open_pairs == {pair for pair in PAIRS if pairs.entails(*pair) is None}
    assert len(list(known.open_pairs())) == len(open_pairs)


def test_rows_without_answers_take_no_memory():
    known = KnownGroups(10**12)
    known.add(5, 10**11, same=True)
    assert known.entails(10**11, 5) is True
    assert known.groups == [known.group_of(5)]
