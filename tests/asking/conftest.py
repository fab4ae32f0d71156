"""Three clear groups, programs that answer by rule, and fast options."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pairspace import ask
from pairspace.asking import Patience


@pytest.fixture(scope="session")
def blobs() -> Any:
    """Sixty rows of three groups, and their classes."""
    random = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 20)
    return random.standard_normal((60, 4)) + 6 * np.eye(3, 4)[y], y


@pytest.fixture
def pauses() -> list[float]:
    """The pauses that a run made instead of sleeping."""
    return []


@pytest.fixture
def run(blobs: Any, pauses: list[float]) -> Any:
    """Ask a program about the blobs, without pauses."""
    X, _ = blobs

    def run(answer: Any, budget: int = 12, **options: Any) -> Any:
        options = {
            "random_state": 0,
            "learners": ["label spreading, standardised"],
            "patience": Patience(sleep=pauses.append),
            "annotator": "rule",
        } | options
        return ask(X, answer, budget, **options)

    return run


@pytest.fixture
def truth(blobs: Any) -> Any:
    """Answers a query by the classes."""
    _, y = blobs

    def truth(query: Any) -> Any:
        if query.kind == "pair":
            i, j = query.rows
            return "same" if y[i] == y[j] else "different"
        found = [group.number for group in query.groups if y[group.rows[0]] == y[query.rows[0]]]
        return found[0] if found else "new"

    return truth
