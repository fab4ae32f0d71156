"""Properties of the container on arbitrary pairs, against slow and obvious versions of it."""

import itertools
from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairspace import Constraints
from pairspace.constraints import ContradictionError

# Sums and minima of these are exact, so results are compared with ==.
weights = st.integers(1, 64).map(lambda w: w / 8)


# ---- Arbitrary constraints -------------------------------------------------------------------


@st.composite
def tables(draw, n=None):
    """(n, must, cannot): each of the two a dict from frozenset({i, j}) to a weight."""
    n = draw(st.integers(0, 9)) if n is None else n
    every = [frozenset(pair) for pair in itertools.combinations(range(n), 2)]
    if not every:
        return n, {}, {}
    known = draw(st.dictionaries(st.sampled_from(every), st.tuples(st.booleans(), weights)))
    must = {pair: weight for pair, (same, weight) in known.items() if same}
    cannot = {pair: weight for pair, (same, weight) in known.items() if not same}
    return n, must, cannot


@st.composite
def consistent_tables(draw):
    """Tables without contradictions: the links agree with hidden classes."""
    n, must, cannot = draw(tables())
    hidden = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    links = must | cannot
    same = {pair: len({hidden[row] for row in pair}) == 1 for pair in links}
    return (
        n,
        {pair: weight for pair, weight in links.items() if same[pair]},
        {pair: weight for pair, weight in links.items() if not same[pair]},
    )


def made_of(n, must, cannot):
    return Constraints(
        n,
        [tuple(pair) for pair in must],
        [tuple(pair) for pair in cannot],
        must_weight=list(must.values()),
        cannot_weight=list(cannot.values()),
    )


def table_of(c):
    return (
        c.n_samples,
        as_dict(c.must_link, c.must_weight),
        as_dict(c.cannot_link, c.cannot_weight),
    )


def as_dict(pairs, weight):
    return {frozenset(p): w for p, w in zip(pairs.tolist(), weight.tolist(), strict=True)}


@st.composite
def rows_of(draw, n):
    """Some rows of n, in any order, each once; some counted from the end."""
    rows = draw(st.permutations(range(n)))[: draw(st.integers(0, n))]
    return np.array([draw(st.sampled_from([row, row - n])) for row in rows], dtype=np.int64)


# ---- Oracles ---------------------------------------------------------------------------------


def sliced(table, rows):
    n, must, cannot = table
    rows = [row % n for row in rows]
    kept = [
        {
            frozenset(map(rows.index, pair)): weight
            for pair, weight in links.items()
            if pair <= set(rows)
        }
        for links in (must, cannot)
    ]
    return len(rows), *kept


def reachable(n, must):
    """reach[i][j]: must-links lead from i to j, by trying every row as a stop on the way."""
    reach = [[i == j or frozenset((i, j)) in must for j in range(n)] for i in range(n)]
    for stop, i, j in itertools.product(range(n), repeat=3):
        reach[i][j] = reach[i][j] or (reach[i][stop] and reach[stop][j])
    return reach


def apart(n, reach, cannot):
    """Is there a cannot-link between something joined with i and something joined with j?"""
    return [
        [
            any(
                (reach[i][a] and reach[b][j]) or (reach[i][b] and reach[a][j])
                for a, b in map(tuple, cannot)
            )
            for j in range(n)
        ]
        for i in range(n)
    ]


def distance(must, start, end):
    """The number of must-links from start to end, by breadth-first search; None if none lead."""
    steps, queue = {start: 0}, deque([start])
    while queue:
        row = queue.popleft()
        for pair in must:
            if row in pair:
                (other,) = pair - {row}
                if other not in steps:
                    steps[other] = steps[row] + 1
                    queue.append(other)
    return steps.get(end)


# ---- Making and indexing ---------------------------------------------------------------------


@given(tables())
def test_what_goes_in_comes_out(table):
    assert table_of(made_of(*table)) == table


@given(tables())
def test_normal_form(table):
    c = made_of(*table)
    for pairs in (c.must_link, c.cannot_link):
        assert np.all(pairs[:, 0] < pairs[:, 1])
        assert pairs.tolist() == sorted(map(list, {tuple(pair) for pair in pairs.tolist()}))


@given(tables(), st.data())
def test_the_order_and_direction_of_pairs_do_not_matter(table, data):
    n, must, cannot = table
    shuffled = data.draw(st.permutations(sorted(must.items(), key=lambda item: sorted(item[0]))))
    flipped = [tuple(sorted(p, reverse=data.draw(st.booleans()))) for p, _ in shuffled]
    again = Constraints(
        n,
        flipped,
        [tuple(pair) for pair in cannot],
        must_weight=[weight for _, weight in shuffled],
        cannot_weight=list(cannot.values()),
    )
    assert again == made_of(*table)


@given(tables(), st.data())
def test_weights_of_repeated_pairs_are_added(table, data):
    n, must, _ = table
    times = {pair: data.draw(st.integers(1, 3)) for pair in must}
    repeated = [pair for pair in must for _ in range(times[pair])]
    c = Constraints(n, [tuple(p) for p in repeated], must_weight=[must[p] for p in repeated])
    assert table_of(c)[1] == {pair: times[pair] * weight for pair, weight in must.items()}


@given(tables(), st.data())
def test_indexing_by_rows(table, data):
    rows = data.draw(rows_of(table[0]))
    assert table_of(made_of(*table)[rows]) == sliced(table, rows)


@given(tables(), st.data())
def test_indexing_by_slice(table, data):
    n = table[0]
    key = data.draw(st.slices(n))
    assert table_of(made_of(*table)[key]) == sliced(table, range(n)[key])


@given(tables(), st.data())
def test_indexing_by_mask(table, data):
    n = table[0]
    mask = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    kept = [row for row in range(n) if mask[row]]
    assert table_of(made_of(*table)[np.array(mask, dtype=bool)]) == sliced(table, kept)


@given(tables(), st.data())
def test_indexing_composes(table, data):
    c = made_of(*table)
    first = data.draw(rows_of(len(c)))
    second = data.draw(rows_of(len(first)))
    assert c[first][second] == c[first[second]]


@given(tables(), st.data())
def test_a_permutation_and_back(table, data):
    c = made_of(*table)
    order = np.array(data.draw(st.permutations(range(len(c)))), dtype=np.int64)
    assert c[order][np.argsort(order)] == c


@given(tables(), st.data())
def test_a_pair_means_the_same_rows_after_indexing(table, data):
    # The property that everything rests on, said with the data: whatever stands in the rows.
    c = made_of(*table)
    names = np.array(data.draw(st.permutations(range(100, 100 + len(c)))), dtype=np.int64)
    rows = data.draw(rows_of(len(c)))
    before = {frozenset(pair) for pair in names[c.must_link].tolist()}
    after = {frozenset(pair) for pair in names[rows][c[rows].must_link].tolist()}
    assert after == {pair for pair in before if pair <= set(names[rows].tolist())}


@given(tables(), st.data())
def test_repeated_rows_are_refused(table, data):
    n = table[0]
    rows = data.draw(st.lists(st.integers(-n, n - 1), max_size=12) if n else st.just([]))
    c = made_of(*table)
    if len({row % n for row in rows}) < len(rows):
        with pytest.raises(ValueError, match="times in the index"):
            c[rows]
    else:
        assert table_of(c[rows]) == sliced(table, rows)


# ---- Union -----------------------------------------------------------------------------------


@given(tables(n=6), tables(n=6))
def test_union(first, second):
    (n, must, cannot), (_, must2, cannot2) = first, second
    if must.keys() & cannot2.keys() or must2.keys() & cannot.keys():
        with pytest.raises(ContradictionError):
            made_of(*first) | made_of(*second)
        return
    joined = made_of(*first) | made_of(*second)
    for links, links2, both in (
        (must, must2, table_of(joined)[1]),
        (cannot, cannot2, table_of(joined)[2]),
    ):
        assert both == {pair: links.get(pair, 0) + links2.get(pair, 0) for pair in links | links2}
    assert joined == made_of(*second) | made_of(*first)
    assert joined | Constraints(n) == joined


@given(consistent_tables(), st.data())
def test_union_and_indexing_commute(table, data):
    n, must, cannot = table
    rows = data.draw(rows_of(n))
    a, b = made_of(n, must, {}), made_of(n, {}, cannot)
    assert (a | b)[rows] == a[rows] | b[rows]


# ---- What they imply -------------------------------------------------------------------------


@given(tables())
def test_components(table):
    n, must, cannot = table
    labels = made_of(n, must, cannot).components().tolist()
    reach = reachable(n, must)
    for i in range(n):
        assert (labels[i] == -1) == (sum(reach[i]) == 1)
        for j in range(i):
            assert (labels[i] == labels[j] != -1) == reach[i][j]
    # Numbered from 0 in the order of their first rows.
    assert list(dict.fromkeys(x for x in labels if x != -1)) == list(
        range(max(labels, default=-1) + 1)
    )


@given(tables())
def test_entails(table):
    n, must, cannot = table
    c, reach = made_of(*table), reachable(n, must)
    different = apart(n, reach, cannot)
    for i, j in itertools.product(range(n), repeat=2):
        expected = True if reach[i][j] else False if different[i][j] else None
        assert c.entails(i, j) is expected


@given(tables())
def test_contradictions(table):
    n, must, cannot = table
    found = made_of(*table).contradictions()
    reach = reachable(n, must)
    denied = sorted(tuple(sorted(pair)) for pair in cannot if reach[min(pair)][max(pair)])
    assert [pair for pair, _ in found] == denied
    for (start, end), chain in found:
        assert (chain[0], chain[-1]) == (start, end)
        links = [frozenset(link) for link in itertools.pairwise(chain)]
        assert set(links) <= must.keys()
        assert len(links) == distance(must, start, end)


@given(tables())
def test_closure_is_refused_just_when_there_are_contradictions(table):
    c = made_of(*table)
    found = c.contradictions()
    if not found:
        c.closure()
        return
    with pytest.raises(ContradictionError) as error:
        c.closure()
    assert error.value.contradiction == found[0]
    assert " = ".join(map(str, found[0].chain)) in str(error.value)


@given(consistent_tables())
def test_closure(table):
    n, must, cannot = table
    reach = reachable(n, must)
    different = apart(n, reach, cannot)
    closed = made_of(*table).closure()
    every = [frozenset(pair) for pair in itertools.combinations(range(n), 2)]
    _, closed_must, closed_cannot = table_of(closed)
    assert closed_must.keys() == {p for p in every if reach[min(p)][max(p)]}
    assert closed_cannot.keys() == {p for p in every if different[min(p)][max(p)]}


@given(consistent_tables())
def test_closure_weights(table):
    # A given pair keeps its weight; an implied one weighs as the weakest link it may rest on.
    n, must, cannot = table
    reach = reachable(n, must)

    def inside(row):
        return [weight for pair, weight in must.items() if reach[row][min(pair)]]

    def between(i, j):
        return [
            weight
            for pair, weight in cannot.items()
            for a, b in itertools.permutations(pair)
            if reach[i][a] and reach[j][b]
        ]

    _, closed_must, closed_cannot = table_of(made_of(*table).closure())
    for pair, weight in closed_must.items():
        assert weight == must.get(pair, min(inside(min(pair))))
    for pair, weight in closed_cannot.items():
        i, j = pair
        assert weight == cannot.get(pair, min(inside(i) + inside(j) + between(i, j)))


@given(consistent_tables())
def test_closure_is_idempotent_and_implies_no_more(table):
    c = made_of(*table)
    closed = c.closure()
    assert closed.closure() == closed
    assert closed.contradictions() == []
    assert closed.components().tolist() == c.components().tolist()
    for i, j in itertools.product(range(len(c)), repeat=2):
        assert closed.entails(i, j) is c.entails(i, j)


@given(consistent_tables(), st.data())
def test_closure_and_permutation_commute(table, data):
    c = made_of(*table)
    order = data.draw(st.permutations(range(len(c))))
    assert c[list(order)].closure() == c.closure()[list(order)]


@given(consistent_tables(), st.data())
def test_closure_of_a_part_is_a_part_of_the_closure(table, data):
    c = made_of(*table)
    rows = data.draw(rows_of(len(c)))
    _, must, cannot = table_of(c[rows].closure())
    _, all_must, all_cannot = table_of(c.closure()[rows])
    assert must.keys() <= all_must.keys()
    assert cannot.keys() <= all_cannot.keys()


@given(consistent_tables())
def test_the_limit_of_the_closure_is_its_size(table):
    c = made_of(*table)
    closed = c.closure()
    size = len(closed.must_link) + len(closed.cannot_link)
    assert c.closure(max_pairs=size) == closed
    if size:
        with pytest.raises(ValueError, match=f"the closure has {size} pairs"):
            c.closure(max_pairs=size - 1)
