"""Candidates on shared tables have the scores that they have alone."""

import pickle

import numpy as np
import pytest
from sklearn.utils import check_random_state

from pairspace.base import Supervision
from pairspace.model_selection._candidates import candidates_of
from pairspace.model_selection._scorer import PairScorer
from pairspace.model_selection._splits import scored_pairs, split_pairs
from pairspace.model_selection._tables import SharedTables
from pairspace.model_selection._validation import held_out_ranks


@pytest.mark.parametrize("wide", [False, True])
def test_shared_tables_change_no_score(wine, answers, wide):
    X = wine[0]
    if wide:
        X = X @ np.random.default_rng(0).normal(size=(X.shape[1], 2 * len(X)))
    known = Supervision(answers, None, len(X))
    random = check_random_state(0)
    pairs = scored_pairs(known, random)
    scorer = PairScorer(pairs, random)
    splits = list(split_pairs(known, pairs, 2, random))
    tables = SharedTables(X)
    again = pickle.loads(pickle.dumps(tables))  # as parallel workers get it
    for candidate in candidates_of("default", known, 2, 0, sparse=False):
        for split in splits:
            expected = held_out_ranks(candidate.pipeline, X, split, scorer)
            for shared in (tables, again):
                found = shared.held_out_ranks(candidate, split, scorer)
                np.testing.assert_allclose(found, expected, atol=1e-3)
