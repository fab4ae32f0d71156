"""Values that tie."""

from pairspace._core.rounding import tied


def test_what_is_left_of_large_values_ties_up_to_their_rounding():
    values = [1e-3, 1e-3 + 1e-13, 2e-3]
    assert len(set(tied(values).tolist())) == 3
    a, b, c = tied(values, noise=1e-12)
    assert a == b == 1e-3
    assert c == 2e-3
