"""The methods by name, with what they need: the tables of docs/methods.md in short."""

from __future__ import annotations

import difflib
from typing import Any, NamedTuple


class Method(NamedTuple):
    """A method that ``fit --method`` knows."""

    name: str
    must_links: str
    cannot_links: str
    unlabelled_rows: str
    prefer_it_when: str
    kind: str = "linear"


METHODS = tuple(
    Method(*row)
    for row in (
        ("PairSpace", "used", "used", "neighbours and spread", "up to a few hundred answers"),
        ("BWDR", "used", "needed", "–", "many pairs, some features noise"),
        ("WBDR", "used", "needed", "–", "many pairs, features on different scales"),
        ("SSDR", "used", "used", "spread", "few pairs: it stays near PCA"),
        ("CFLD", "needed", "–", "spread", "only must-links"),
        ("RCA", "needed", "–", "spread", "a metric without reduction"),
        ("DCA", "needed", "needed", "–", "chunklets and their differences matter equally"),
        ("MMC", "needed", "–", "spread", "more features than labels"),
        ("WMMC", "needed", "–", "spread", "more features than labels"),
        ("WMV", "used", "used", "spread", "partial labels"),
        ("SSWMV", "used", "used", "neighbours or clusters", "classes that are clusters"),
        ("LPP", "–", "–", "neighbours", "nothing is known, classes are local"),
        ("LPPSI", "used", "used", "neighbours", "classes are local, some pairs are known"),
        ("DSP", "used", "used", "neighbours and farthest", "a class of several clouds"),
        ("SLPP", "needed", "–", "–", "labels"),
        ("PCA", "–", "–", "spread", "nothing is known (scikit-learn's)"),
        (
            "LaplacianEigenmaps",
            "used",
            "used",
            "neighbours",
            "classes lie on curved sheets",
            "graph",
        ),
        (
            "LECAS",
            "used",
            "used",
            "neighbours and clusters",
            "clusters that touch should part",
            "graph",
        ),
        ("GGLE", "used", "used", "all, by geodesics", "single neighbours are noisy", "graph"),
        ("SLE", "needed", "used", "neighbours", "most rows are labelled", "graph"),
        ("SCPLE", "needed", "used", "neighbours", "classes of different density", "graph"),
    )
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
    import pairspace

    if method.name == "PCA":
        from sklearn.decomposition import PCA

        return PCA(n_components, random_state=random_state)
    estimator = getattr(pairspace, method.name)(n_components)
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=random_state)
    return estimator
