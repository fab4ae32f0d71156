"""The parts of PairSpace's within-class scatter, and their shares."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linear.pair_space.problems import SHAPES, rows_and_classes, same_space, supervised
from oracles import pair_space as oracle
from oracles.pairs import chunklets
from pairspace import Constraints, PairSpace
from pairspace._core.data import rows_of
from pairspace._within import Within
from pairspace._within._mixture import GridPoint, Mixture, Scatters
from pairspace.base import Supervision


@pytest.mark.parametrize("shape", SHAPES)
def test_all_pairs_of_a_component_are_its_scatter(shape):
    """Σ T_c / Σ (c − 1), which is also what the components as labels give."""
    X, y = rows_and_classes(shape, 0)
    must = [(0, 1), (1, 2), (2, 3), (4, 5), (6, 7), (7, 8)]
    answers = Constraints(len(y), must)
    Z, _ = oracle.coordinates(X)
    scatter = np.zeros((Z.shape[1], Z.shape[1]))
    for component in chunklets(len(Z), must):
        deviations = Z[component] - Z[component].mean(axis=0)
        scatter += deviations.T @ deviations
    closed = Within.of_must_links(rows_of(Z), Supervision(answers.closure(), None, len(Z)))
    assert closed.weight == pytest.approx(3 + 1 + 2)
    assert closed.squared_weight == pytest.approx(3 + 1 + 2)
    np.testing.assert_allclose(closed.covariance, scatter / 6, atol=1e-10)

    method = PairSpace(2, ridge=0.2, shrinkage=0.4)
    same_space(
        method.fit(X, answers.closure()),
        PairSpace(**method.get_params()).fit(X, answers.components()),
    )


def test_the_closure_of_the_pairs_adds_no_degrees_of_freedom():
    """With pairs counted as independent, α would shrink by the number of implied pairs."""
    X, y = rows_and_classes("tall", 0)
    members = np.flatnonzero(y == 0)
    chain = Constraints(len(y), np.column_stack([members[:-1], members[1:]]))
    closed = PairSpace(2, ridge=0.5).fit(X, chain.closure()).shrinkage_
    of_labels = PairSpace(2, ridge=0.5).fit(X, chain.components()).shrinkage_
    assert 0 < closed < 1
    assert closed == pytest.approx(of_labels, rel=0.5)
    as_independent = oracle.pair_space(X, 2, 0.5, y=chain.components().tolist())[2]
    as_independent *= (len(members) - 1) / (len(members) * (len(members) - 1) / 2)
    assert closed > 3 * as_independent


shares = st.floats(0, 1)


@given(shares, shares)
def test_parameters_from_shares_of_parameters(shrinkage, ridge):
    mixture = Mixture.of_parameters(shrinkage, ridge)
    assert mixture.must + mixture.near + mixture.identity == pytest.approx(1)
    assert min(mixture.must, mixture.near, mixture.identity) >= 0
    assert mixture.ridge == pytest.approx(ridge, abs=1e-7)
    if ridge < 0.99:
        assert mixture.shrinkage == pytest.approx(shrinkage, abs=1e-6)


@given(shares, shares)
def test_any_shares_have_parameters(a, b):
    low, high = sorted((a, b))
    mixture = Mixture(must=low, near=high - low, identity=1 - high)
    assert 0 <= mixture.ridge <= 1
    assert 0 <= mixture.shrinkage <= 1
    again = Mixture.of_parameters(mixture.shrinkage, mixture.ridge)
    assert again.must == pytest.approx(mixture.must, abs=1e-7)
    assert again.near == pytest.approx(mixture.near, abs=1e-7)
    assert again.identity == pytest.approx(mixture.identity, abs=1e-7)


def test_a_full_ridge_leaves_nothing_to_shrink():
    for shrinkage in (0.0, 0.3, 1.0):
        mixture = Mixture.of_parameters(shrinkage, 1.0)
        assert (mixture.must, mixture.near, mixture.identity) == (0, 0, 1)
        assert (mixture.shrinkage, mixture.ridge) == (1, 1)


def test_candidates_lie_between_no_and_full_shrinkage():
    X, y = rows_and_classes("tall", 0)
    ours, theirs = supervised("pairs", y, 0)
    known = Supervision(None, ours["constraints"], len(y))
    Z = rows_of(X)
    near = oracle.neighbor_covariance(oracle.coordinates(X)[0], 5)
    scatters = Scatters(Z.gram / len(Z), near, Within.of_must_links(Z, known))
    alpha = oracle.pair_space(X, 2, 0.3, **theirs)[2]
    assert 0 < alpha < 1
    for shift, expected in (
        (-1, 0),
        (-0.5, alpha / 2),
        (0, alpha),
        (0.5, (1 + alpha) / 2),
        (1, 1),
    ):
        mixture = GridPoint(0.3, shift).mixture(scatters)
        assert mixture.shrinkage == pytest.approx(expected, abs=1e-9)
        assert mixture.ridge == pytest.approx(0.3)
