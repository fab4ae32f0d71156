"""The methods by name: what each class declares about itself, as a table."""

from __future__ import annotations

import difflib
from typing import Any, NamedTuple

from sklearn.decomposition import PCA

from pairspace import linear, manifold
from pairspace.base import Needs

WORDS = {"required": "required", "used": "used", "ignored": "–"}
OF_PCA = Needs(
    must="ignored",
    cannot="ignored",
    unlabelled=("spread",),
    best_for="no answers (scikit-learn's)",
)


class Method(NamedTuple):
    """A method that ``fit --method`` knows."""

    name: str
    must_links: str
    cannot_links: str
    unlabelled_rows: str
    best_for: str
    kind: str


def _method(kind: type, of: Needs, family: str) -> Method:
    either = " (either)" * of.either
    return Method(
        kind.__name__,
        WORDS[of.must] + either,
        WORDS[of.cannot] + either,
        " and ".join(of.unlabelled) or "–",
        of.best_for,
        family,
    )


METHODS = (
    *(_method(kind, kind.needs, "linear") for kind in linear.METHODS),
    _method(PCA, OF_PCA, "linear"),
    *(_method(kind, kind.needs, "graph") for kind in manifold.METHODS),
)


def find_method(name: str) -> Method:
    """The method of this name, whatever its letters' case."""
    by_name = {method.name.lower(): method for method in METHODS}
    found = by_name.get(name.lower())
    if found is None:
        near = difflib.get_close_matches(name.lower(), by_name, n=1)
        hint = f"did you mean {by_name[near[0]].name}? " if near else ""
        raise ValueError(f"--method {name}: there is no such method; {hint}see pairspace methods")
    return found


def make_estimator(method: Method, n_components: int, random_state: int) -> Any:
    """An estimator with its defaults."""
    home = {"PCA": PCA, **{kind.__name__: kind for kind in (*linear.METHODS, *manifold.METHODS)}}
    estimator = home[method.name](n_components)
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=random_state)
    return estimator
