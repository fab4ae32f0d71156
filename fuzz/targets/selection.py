"""cross_validate_pairs and AutoReducer."""

from __future__ import annotations

from typing import Any

import numpy as np

import pairspace
from fuzz.judges import Refused, Unchanged, require, require_finite, run
from fuzz.parameters import with_parameters
from fuzz.supervision import any_supervision
from fuzz.tables import Random, any_table
from fuzz.targets.estimators import LINEAR


def validated(random: Random, log: list[Any]) -> None:
    """A method cross-validated on pairs."""
    name = str(random.choice(LINEAR))
    table = any_table(random)
    known = any_supervision(random, table.classes)
    estimator = with_parameters(random, getattr(pairspace, name)(n_components=1), chance=0.1)
    cv = int(random.choice([0, 1, 2, 3, 100]))
    log += [estimator, table, known, cv]
    watched = Unchanged(X=table.given, y=known.y)
    found = run(
        lambda: pairspace.cross_validate_pairs(
            estimator, table.given, known.y, cv=cv, n_repeats=1, random_state=0
        )
    )
    watched.check()
    if not isinstance(found, Refused):
        require(table.is_good, "it took what is no table of finite numbers")


def chosen(random: Random, log: list[Any]) -> None:
    """A method chosen by AutoReducer."""
    table = any_table(random)
    known = any_supervision(random, table.classes)
    estimator = pairspace.AutoReducer(n_components=int(random.integers(1, 4)), random_state=0)
    log += [table, known]
    arguments = {} if known.constraints is None else {"constraints": known.constraints}
    watched = Unchanged(X=table.given, y=known.y)
    found = run(lambda: estimator.fit(table.given, known.y, **arguments))
    watched.check()
    if isinstance(found, Refused):
        return
    require(table.is_good, "it took what is no table of finite numbers")
    embedded = run(lambda: estimator.transform(table.given))
    require(not isinstance(embedded, Refused), f"transform refuses what fit took: {embedded!r}")
    require_finite("transform", np.asarray(embedded), (len(table.numbers), embedded.shape[1]))
