"""The container itself: what goes in, its normal form, indexing, and what it refuses."""

import copy
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

from pairspace import Constraints
from pairspace.constraints import Contradiction, ContradictionError

ARRAYS = ("must_link", "cannot_link", "must_weight", "cannot_weight")


@pytest.fixture
def c():
    return Constraints(
        6,
        must_link=[(0, 1), (1, 2), (4, 5)],
        cannot_link=[(2, 4), (0, 3)],
        must_weight=[1, 2, 3],
        cannot_weight=[4, 5],
    )


# ---- Normal form -----------------------------------------------------------------------------


def test_normal_form():
    c = Constraints(5, must_link=[(3, 1), (2, 0), (0, 1)], cannot_link=[(4, 0)])
    assert c.must_link.tolist() == [[0, 1], [0, 2], [1, 3]]
    assert c.cannot_link.tolist() == [[0, 4]]
    assert c.must_link.dtype == c.cannot_link.dtype == np.int64
    assert c.must_weight.dtype == c.cannot_weight.dtype == np.float64
    assert c.must_weight.tolist() == [1, 1, 1]


def test_weights_follow_their_pairs_into_order():
    c = Constraints(5, must_link=[(3, 1), (2, 0), (0, 1)], must_weight=[1, 2, 3])
    assert dict(zip(map(tuple, c.must_link.tolist()), c.must_weight, strict=True)) == {
        (1, 3): 1,
        (0, 2): 2,
        (0, 1): 3,
    }


def test_a_repeated_pair_is_kept_once_with_its_weights_added():
    c = Constraints(3, cannot_link=[(0, 1), (1, 2), (1, 0)], cannot_weight=[0.5, 1, 0.25])
    assert c.cannot_link.tolist() == [[0, 1], [1, 2]]
    assert c.cannot_weight.tolist() == [0.75, 1]
    assert Constraints(3, must_link=[(0, 1), (1, 0)]).must_weight.tolist() == [2]


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_read_only(c, name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(c, name)[0] = 1


def test_the_callers_arrays_are_neither_kept_nor_changed():
    pairs, weight = np.array([[2, 1], [1, 0]]), np.array([3.0, 4.0])
    c = Constraints(3, must_link=pairs, must_weight=weight)
    assert pairs.tolist() == [[2, 1], [1, 0]]
    pairs[:], weight[:] = 0, 9
    assert c.must_link.tolist() == [[0, 1], [1, 2]]
    assert c.must_weight.tolist() == [4, 3]


@pytest.mark.parametrize(
    "pairs",
    [
        [(0, 1), (1, 2)],
        ([0, 1], [1, 2]),
        {(0, 1), (1, 2)},
        iter([(0, 1), (1, 2)]),
        np.array([[0, 1], [1, 2]], dtype=np.uint8),
        np.array([[0, 1], [1, 2]], dtype=object),
        np.asfortranarray([[0, 1], [1, 2]]),
        pd.DataFrame({"i": [0, 1], "j": [1, 2]}),
        pl.DataFrame({"i": [0, 1], "j": [1, 2]}),
    ],
    ids=["tuples", "lists", "set", "iterator", "uint8", "object", "fortran", "pandas", "polars"],
)
def test_forms_of_pairs(pairs):
    assert Constraints(3, pairs) == Constraints(3, [(0, 1), (1, 2)])


@pytest.mark.parametrize("none", [(), [], np.empty((0, 2)), np.empty(0), iter(())])
def test_no_pairs(none):
    c = Constraints(3, none, none)
    assert c == Constraints(3)
    assert c.must_link.shape == c.cannot_link.shape == (0, 2)
    assert c.must_weight.shape == (0,)


def test_no_rows():
    c = Constraints(0)
    assert len(c) == 0
    assert c[:] == c[[]] == c.closure() == c
    assert c.components().tolist() == c.contradictions() == []


def test_length_and_shape_are_those_of_the_data(c):
    assert (len(c), c.n_samples, c.shape) == (6, 6, (6,))
    assert type(Constraints(np.int32(4)).n_samples) is int


def test_repr(c):
    assert repr(c) == "Constraints(6, 3 must-links, 2 cannot-links)"
    assert repr(Constraints(2, [(0, 1)])) == "Constraints(2, 1 must-link, 0 cannot-links)"


# ---- Equality and union ----------------------------------------------------------------------


def test_equality():
    c = Constraints(4, [(0, 1), (2, 1)], [(0, 3)])
    assert c == Constraints(4, [(1, 2), (1, 0)], [(3, 0)])
    assert c != Constraints(5, [(0, 1), (1, 2)], [(0, 3)])
    assert c != Constraints(4, [(0, 1)], [(0, 3)])
    assert c != Constraints(4, [(0, 1), (1, 2)], [(1, 3)])
    assert c != Constraints(4, [(0, 1), (1, 2)], [(0, 3)], must_weight=[1, 2])
    assert c != "something else"
    assert Constraints(2, [(0, 1)]) != Constraints(2, (), [(0, 1)])


def test_equal_things_that_may_change_have_no_hash(c):
    with pytest.raises(TypeError, match="unhashable"):
        hash(c)


def test_union_adds_the_weights_of_shared_pairs():
    a = Constraints(4, [(0, 1), (1, 2)], [(0, 3)], must_weight=[1, 2])
    b = Constraints(4, [(2, 1)], [(0, 3), (1, 3)], must_weight=[5])
    assert a | b == Constraints(
        4,
        [(0, 1), (1, 2)],
        [(0, 3), (1, 3)],
        must_weight=[1, 7],
        cannot_weight=[2, 1],
    )
    assert a == Constraints(4, [(0, 1), (1, 2)], [(0, 3)], must_weight=[1, 2])


def test_union_errors(c):
    with pytest.raises(ValueError, match=r"on 6 rows with constraints on 7 rows"):
        c | Constraints(7)
    with pytest.raises(ContradictionError, match=r"\(0, 1\) is both") as error:
        Constraints(3, [(0, 1)]) | Constraints(3, (), [(0, 1)])
    assert error.value.contradiction == Contradiction((0, 1), (0, 1))
    with pytest.raises(TypeError, match="unsupported operand"):
        c | [(0, 1)]


# ---- Errors name what is wrong ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["must_link", "cannot_link"])
@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(0, 1), (3, 3)], "pair (3, 3) joins a row with itself"),
        ([(0, 1), (2, 5)], "pair (2, 5) is outside the rows 0 … 4"),
        ([(0, 1), (2, -1)], "pair (2, -1) is outside the rows 0 … 4"),
        ([(0, 2**70)], f"pair (0, {2**70}) is outside the rows 0 … 4"),
        (np.array([[0, 2**64 - 1]], dtype=np.uint64), f"pair (0, {2**64 - 1}) is outside"),
        ([(0, 1.5)], "must be integer row numbers; got 0.0"),
        ([(0, "b")], "got '0'"),
        (np.array([[0, "b"]], dtype=object), "got 'b'"),
        (np.array([[0, None]], dtype=object), "got None"),
        ([(False, True)], "got False"),
        ([(0, 1, 2)], "must have the shape (n_pairs, 2)"),
        ([(0, 1, 2)], "got the shape (1, 3)"),
        ([0, 1], "got the shape (2,)"),
        (np.zeros((0, 3)), "got the shape (0, 3)"),
        ([[[0, 1]]], "got the shape (1, 1, 2)"),
        ([(0, 1), (2,)], "must be pairs (i, j) of row numbers; got (2,)"),
        ([(0, 1), 2], "must be pairs (i, j) of row numbers; got 2"),
        (7, "got 7"),
        (None, "got None"),
    ],
)
def test_bad_pairs(name, pairs, message):
    with pytest.raises(ValueError, match=f"{name}.*{re.escape(message)}"):
        Constraints(5, **{name: pairs})


def test_a_pair_for_data_without_rows():
    with pytest.raises(ValueError, match=r"\(0, 1\) is outside the data, which has no rows"):
        Constraints(0, [(0, 1)])


def test_the_same_pair_in_both_lists():
    with pytest.raises(ContradictionError, match=r"pair \(1, 2\) is both") as error:
        Constraints(3, must_link=[(0, 1), (1, 2)], cannot_link=[(2, 1)])
    assert error.value.contradiction.pair == (1, 2)
    # It comes back whole from a worker process.
    again = pickle.loads(pickle.dumps(error.value))
    assert str(again) == str(error.value)
    assert again.contradiction == error.value.contradiction


@pytest.mark.parametrize("kind", ["must", "cannot"])
@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, 0], "must be positive and finite; got 0.0"),
        ([1, -2], "got -2.0"),
        ([1, np.nan], "got nan"),
        ([np.inf, 1], "got inf"),
        ([1], "has the shape (1,), but there are 2 pairs"),
        ([1, 1, 1], "has the shape (3,), but there are 2 pairs"),
        ([[1, 1]], "has the shape (1, 2), but there are 2 pairs"),
        (2.0, "has the shape (), but there are 2 pairs"),
        (["much", 1], "must be numbers; got ['much', 1]"),
    ],
)
def test_bad_weights(kind, weight, message):
    with pytest.raises(ValueError, match=f"{kind}_weight .*{re.escape(message)}"):
        Constraints(3, **{f"{kind}_link": [(0, 1), (1, 2)], f"{kind}_weight": weight})


def test_weights_without_pairs():
    with pytest.raises(ValueError, match=r"must_weight has the shape \(1,\), but there are 0"):
        Constraints(3, must_weight=[1])


@pytest.mark.parametrize("weight", [1e308, 1e76, 1e-76, 5e-324])
def test_weights_that_overflow_in_sums_and_squares(weight):
    with pytest.raises(ValueError, match=r"must_weight must be positive .*between 1e-75 and"):
        Constraints(3, [(0, 1), (1, 0)], must_weight=[weight, 1.0])


@pytest.mark.parametrize("n_samples", [2**32, 2**62, 10**30])
def test_more_rows_than_pairs_can_be_numbered(n_samples):
    with pytest.raises(ValueError, match="n_samples must be at most 3,037,000,499; got"):
        Constraints(n_samples, [(0, 1)])


@pytest.mark.parametrize("n_samples", [-1, 2.0, "5", None, True])
def test_bad_n_samples(n_samples):
    with pytest.raises(ValueError, match=f"n_samples must be an integer.*{n_samples!r}"):
        Constraints(n_samples)


# ---- Indexing --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "index",
    [
        [5, 4, 2],
        np.array([5, 4, 2]),
        np.array([5, 4, 2], dtype=np.uint8),
        [-1, 4, -4],
        pd.Series([5, 4, 2], index=[9, 9, 9]),
        pd.Series([5, 4, 2], dtype="Int64"),
        pd.Index([5, 4, 2]),
        pl.Series([5, 4, 2]),
        range(5, 1, -1),
    ],
    ids=["list", "array", "uint8", "negative", "Series", "Int64", "Index", "polars", "range"],
)
def test_integer_index(c, index):
    # Row 3, the only difference of the range, keeps no pair of its own here.
    n = len(index)
    left = c[index]
    order = {5: 0, 4: 1, 2: n - 1}
    assert left == Constraints(
        n,
        must_link=[(order[4], order[5])],
        cannot_link=[(order[2], order[4])],
        must_weight=[3],
        cannot_weight=[4],
    )
    assert c[index, ...] == left


@pytest.mark.parametrize(
    "mask",
    [
        [True, True, False, True, False, False],
        np.array([1, 1, 0, 1, 0, 0], dtype=bool),
        pd.Series([True, True, False, True, False, False]),
        pd.Series([True, True, False, True, False, False], dtype="boolean"),
        pl.Series([True, True, False, True, False, False]),
    ],
    ids=["list", "array", "Series", "boolean", "polars"],
)
def test_mask(c, mask):
    left = Constraints(3, [(0, 1)], [(0, 2)], cannot_weight=[5])
    assert c[mask] == c[mask, ...] == left


@pytest.mark.parametrize(
    "key", [slice(2), slice(1, None), slice(None), slice(None, None, -1), slice(-3, 99), slice(0)]
)
def test_slice(c, key):
    assert c[key] == c[key, ...] == c[np.arange(6)[key]]


@pytest.mark.parametrize("empty", [[], np.array([], dtype=int), np.zeros(6, dtype=bool), slice(0)])
def test_nothing_kept(c, empty):
    assert c[empty] == Constraints(0)


@pytest.mark.parametrize(
    ("index", "row", "times"), [([0, 3, 3], 3, 2), ([5, -1, 5], 5, 3), ([0, -6], 0, 2)]
)
def test_repeated_rows(c, index, row, times):
    with pytest.raises(ValueError, match=f"row {row} occurs {times} times.*without replacement"):
        c[index]


@pytest.mark.parametrize("row", [6, -7, 2**62])
def test_rows_outside(c, row):
    with pytest.raises(IndexError, match=f"row {row} is outside the rows 0 … 5"):
        c[[0, row]]


def test_unsigned_rows_do_not_wrap_around(c):
    with pytest.raises(IndexError, match=f"row {2**64 - 1} is outside"):
        c[np.array([2**64 - 1], dtype=np.uint64)]


@pytest.mark.parametrize("length", [0, 5, 7])
def test_a_mask_of_another_length(c, length):
    with pytest.raises(IndexError, match=f"the mask has {length} rows, but the constraints have 6"):
        c[np.ones(length, dtype=bool)]


@pytest.mark.parametrize(
    "index",
    [0, np.int64(3), 1.0, [0.0, 1.0], ["a"], "a", None, [[0, 1]], (0, 1), (0, ...), ([0], [1])],
    ids=repr,
)
def test_not_an_index(c, index):
    # c[0, 1] would look like a question about the pair (0, 1).
    with pytest.raises(
        TypeError, match="index of Constraints must be an integer array, a slice or a"
    ):
        c[index]


def test_a_subclass_stays_one():
    class Answers(Constraints):
        pass

    c = Answers(3, [(0, 1), (1, 2)])
    assert type(c[:2]) is type(c | c) is type(c.closure()) is Answers


# ---- Not an array; copies --------------------------------------------------------------------


@pytest.mark.parametrize("make", [np.asarray, np.array, lambda c: np.asarray(c, dtype=float)])
def test_not_an_array(c, make):
    with pytest.raises(TypeError, match="can't be converted to an array"):
        make(c)


def test_not_iterable(c):
    with pytest.raises(TypeError, match="index of Constraints"):
        list(c)


@pytest.mark.parametrize(
    "again",
    [lambda c: pickle.loads(pickle.dumps(c)), copy.deepcopy, copy.copy],
    ids=["pickle", "deepcopy", "copy"],
)
@pytest.mark.parametrize("used", [False, True])
def test_copies(c, again, used):
    if used:  # what was worked out before must not get in the way
        c.entails(0, 2)
    d = again(c)
    assert d == c
    assert d.entails(0, 2) is True
    assert d.entails(1, 5) is False
    for name in ARRAYS:
        assert not getattr(d, name).flags.writeable


# ---- What they imply, by example (see test_properties for the rest) --------------------------


def test_closure_by_hand():
    c = Constraints(
        6, [(0, 1), (1, 2)], [(2, 3)], must_weight=[2, 0.5], cannot_weight=[3]
    ).closure()
    assert c == Constraints(
        6,
        [(0, 1), (0, 2), (1, 2)],
        [(0, 3), (1, 3), (2, 3)],
        must_weight=[2, 0.5, 0.5],
        cannot_weight=[0.5, 0.5, 3],
    )


def test_slicing_before_closure_drops_what_was_entailed_through_dropped_rows():
    c = Constraints(3, [(0, 1), (1, 2)])
    assert c[[0, 2]].closure() == Constraints(2)
    assert c.closure()[[0, 2]] == Constraints(2, [(0, 1)])


def test_closure_shows_the_first_chain():
    c = Constraints(9, [(5, 6), (6, 7), (0, 1), (1, 2), (2, 3)], [(5, 7), (3, 0)])
    with pytest.raises(ContradictionError) as error:
        c.closure()
    assert "0 and 3 are different, but 0 = 1 = 2 = 3 (1 more: see contra" in str(error.value)
    assert error.value.contradiction == c.contradictions()[0] == ((0, 3), (0, 1, 2, 3))


def test_closure_of_a_noisy_crowd_finds_one_chain_only():
    # A ring, and every row denied its opposite: 50,000 chains of 50,000 links if all were listed.
    n = 100_000
    ring = np.column_stack([np.arange(n), np.roll(np.arange(n), -1)])
    across = np.column_stack([np.arange(n // 2), np.arange(n // 2) + n // 2])
    with pytest.raises(ContradictionError, match="49999 more") as error:
        Constraints(n, ring, across).closure()
    assert len(error.value.contradiction.chain) == n // 2 + 1


def test_closure_says_how_large_it_is_before_it_explodes():
    n = 1_000_000
    chain = np.column_stack([np.arange(n - 1), np.arange(1, n)])
    c = Constraints(n, chain)
    with pytest.raises(ValueError, match=r"499,999,500,000 pairs \(about 12000.0 GB\).*components"):
        c.closure(max_pairs=n)
    assert np.all(c.components() == 0)
    assert c.entails(0, n - 1) is True


def test_max_pairs_is_the_exact_limit():
    c = Constraints(5, [(0, 1), (1, 2)], [(2, 3), (0, 3)])
    assert len(c.closure(max_pairs=6).must_link) == 3
    assert c.closure(max_pairs=None) == c.closure()
    with pytest.raises(ValueError, match="the closure has 6 pairs"):
        c.closure(max_pairs=5)


def test_many_small_components_close_fast_enough_to_test():
    pairs = np.arange(300_000).reshape(-1, 3)
    c = Constraints(300_000, np.vstack([pairs[:, :2], pairs[:, 1:]])).closure()
    assert len(c.must_link) == 300_000


@pytest.mark.parametrize("row", [-1, 6])
def test_entails_knows_its_rows(c, row):
    for pair in ((row, 0), (0, row)):
        with pytest.raises(ValueError, match=f"row {row} is outside the rows 0 … 5"):
            c.entails(*pair)
