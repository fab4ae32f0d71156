"""What AutoReducer tries, the simplest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace.linear import BWDR, CFLD, DCA, MMC, SSDR, WBDR, WMV, PairSpace
from pairspace.supervision import Supervision

STANDARDISED, RAW, AS_GIVEN = "standardised", "raw", "as given"


class Method(NamedTuple):
    """How to make a method with so many components and a seed, and which links it needs."""

    make: Callable[[int, int], Any]
    must: bool = False
    cannot: bool = False
    any: bool = False

    def can_learn_from(self, known: Supervision) -> bool:
        must, cannot = known.must.total > 0, known.cannot.total > 0
        return (
            (must or not self.must)
            and (cannot or not self.cannot)
            and (must or cannot or not self.any)
        )


def _seedless(make: Any, n_components: int, seed: int, **parameters: Any) -> Any:
    return make(n_components, **parameters)


def _seeded(make: Any, n_components: int, seed: int) -> Any:
    return make(n_components, random_state=seed)


def _shrunk(make: Any) -> Callable[[int, int], Any]:
    return partial(_seedless, make, shrinkage="auto")


# In the order of simplicity: what the one-standard-error rule prefers. PairSpace is first, since
# on the datasets that this was chosen on it is better than PCA even where answers can't show it;
# then what learns nothing, then methods that stay near it, then those that trust the answers more.
METHODS: Mapping[str, Method] = {
    "PairSpace": Method(partial(_seeded, PairSpace)),
    "PCA": Method(partial(_seeded, PCA)),
    "SSDR": Method(partial(_seedless, SSDR), any=True),
    "MMC": Method(partial(_seedless, MMC), must=True),
    "WMV": Method(partial(_seedless, WMV), any=True),
    "CFLD, shrunk": Method(_shrunk(CFLD), must=True),
    "WBDR, shrunk": Method(_shrunk(WBDR), cannot=True),
    "BWDR, shrunk": Method(_shrunk(BWDR), cannot=True),
    "DCA, shrunk": Method(_shrunk(DCA), must=True, cannot=True),
    "CFLD": Method(partial(_seedless, CFLD), must=True),
    "WBDR": Method(partial(_seedless, WBDR), cannot=True),
    "BWDR": Method(partial(_seedless, BWDR), cannot=True),
}
ANCHOR = ("PairSpace", STANDARDISED)
UNSUPERVISED = "PCA"


@dataclass(frozen=True)
class Candidate:
    """A method with its scaling, as an unfitted pipeline."""

    name: str
    method: str
    scaling: str
    pipeline: Pipeline


def candidates_of(
    given: Any, known: Supervision, n_components: int, seed: int, *, sparse: bool
) -> list[Candidate]:
    """The candidates in the order of simplicity: ours where named, others as they were given."""
    if isinstance(given, str):
        if given != "default":
            raise ValueError(
                f"candidates={given!r}: give 'default', a list of names or estimators, or a dict "
                "of them"
            )
        names = [name for name, method in METHODS.items() if method.can_learn_from(known)]
        return _ours(names, n_components, seed, sparse)
    if not isinstance(given, Mapping | Sequence) or not len(given):
        raise ValueError(f"candidates={given!r}: give 'default', or a list or dict that has some")
    items = given.items() if isinstance(given, Mapping) else [(None, each) for each in given]
    found: list[Candidate] = []
    for name, each in items:
        if isinstance(each, str):
            if each not in METHODS:
                raise ValueError(
                    f"candidates: there is no method {each!r}, only {', '.join(METHODS)}; others "
                    "are given as estimators"
                )
            found += _ours([each], n_components, seed, sparse)
        else:
            found.append(_given(name, each, n_components, len(found)))
    repeated = {each.name for each in found if [c.name for c in found].count(each.name) > 1}
    if repeated:
        raise ValueError(
            f"candidates: {sorted(repeated)[0]!r} stands there twice; name them in a dict"
        )
    return found


def _ours(names: Sequence[str], n_components: int, seed: int, sparse: bool) -> list[Candidate]:
    found = []
    for scaling in (STANDARDISED, RAW):
        for name in names:
            steps = [METHODS[name].make(n_components, seed)]
            if scaling == STANDARDISED:
                steps.insert(0, StandardScaler(with_mean=not sparse))
            found.append(Candidate(f"{name}, {scaling}", name, scaling, make_pipeline(*steps)))
    return found


def _given(name: str | None, estimator: Any, n_components: int, at: int) -> Candidate:
    if not hasattr(estimator, "fit") or not hasattr(estimator, "transform"):
        raise TypeError(
            f"candidates: {estimator!r} has no fit and transform; give transformers or pipelines, "
            f"or names of ours: {', '.join(METHODS)}"
        )
    pipeline = clone(estimator)
    if not isinstance(pipeline, Pipeline):
        pipeline = make_pipeline(pipeline)
    last = pipeline.steps[-1][1]
    if "n_components" in last.get_params():
        last.set_params(n_components=n_components)
    method = type(last).__name__
    return Candidate(str(name or method), method, AS_GIVEN, pipeline)
