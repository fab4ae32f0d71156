"""cross_validate_pairs, AutoReducer and the searches."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

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


def searched(random: Random, log: list[Any]) -> None:
    """A grid searched by PairSearchCV, or WMVSearchCV."""
    table = any_table(random)
    known = any_supervision(random, table.classes)
    search = _wmv_search(random) if random.random() < 0.3 else _pair_search(random)
    log += [search, table, known]
    arguments = {} if known.constraints is None else {"constraints": known.constraints}
    watched, before = Unchanged(X=table.given, y=known.y), set(vars(search))
    found = run(lambda: search.fit(table.given, known.y, **arguments))
    watched.check()
    if isinstance(found, Refused):
        require(set(vars(search)) == before, "a failed fit left attributes")
        return
    require(table.is_good, "it took what is no table of finite numbers")
    scores = np.asarray(search.cv_results_["mean_test_score"])
    require(search.best_score_ == np.nanmax(scores), f"{search.best_score_} is not the best score")
    require(0 <= search.best_score_ <= 1, f"best_score_ is {search.best_score_}")
    require(search.cv_results_["params"][search.best_index_] == search.best_params_, "best_params_")
    if getattr(search, "refit", True):
        embedded = run(lambda: search.transform(table.given))
        require(not isinstance(embedded, Refused), f"transform refuses: {embedded!r}")
        require_finite("transform", np.asarray(embedded), (len(table.numbers), embedded.shape[1]))
    again = clone(search)
    run(lambda: again.fit(table.given, known.y, **arguments))
    require(again.best_params_ == search.best_params_, "another search finds other parameters")


def _pair_search(random: Random) -> Any:
    method = getattr(pairspace, str(random.choice(LINEAR)))()
    if "random_state" in method.get_params():
        method.set_params(random_state=0)
    if "teacher" in method.get_params():
        method.set_params(teacher=None)  # it takes most of the time, and is tried elsewhere
    grid = [
        {"n_components": [1, 2]},
        {"n_components": [1, 1000]},
        [{"n_components": [1]}, {"n_components": ["wrong"]}],
        {"wrong": [1]},
        {"n_components": []},
        {},
        [],
    ][int(random.choice(7, p=[0.4, 0.2, 0.2, 0.05, 0.05, 0.05, 0.05]))]
    search = pairspace.PairSearchCV(method, grid, cv=2, n_repeats=1)
    search = with_parameters(random, search, chance=0.15)
    return search.set_params(estimator=method, param_grid=grid)


def _wmv_search(random: Random) -> Any:
    search = with_parameters(random, pairspace.WMVSearchCV(cv=2, max_components=3), chance=0.15)
    betas = [None, [-1.0, -0.1], [], [0.5], [np.nan], "all", [[-1.0]], [0]]
    return search.set_params(betas=betas[int(random.choice(8, p=[0.3, 0.4, *[0.05] * 6]))])
