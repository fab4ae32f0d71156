"""What AutoReducer tries, the simplest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from pairspace.base import Supervision
from pairspace.linear import (
    BWDR,
    CFLD,
    DCA,
    LFDA,
    MFA,
    MMC,
    NPE,
    S2PPCA,
    SDA,
    SELFDA,
    SSDR,
    WBDR,
    WMV,
    PairSpace,
)

STANDARDISED, RAW, AS_GIVEN = "standardised", "raw", "as given"
UNSUPERVISED, NO_REDUCTION = "PCA", "no reduction"


@dataclass(frozen=True)
class Method:
    """A class to try, with or without shrinkage."""

    kind: type
    shrunk: bool = False

    def make(self, n_components: int, seed: int) -> Any:
        """Unfitted."""
        method = self.kind(n_components, **({"shrinkage": "auto"} if self.shrunk else {}))
        return method.set_params(random_state=seed) if hasattr(method, "random_state") else method

    def gains_from(self, known: Supervision) -> bool:
        """Whether the method has what it needs, and would do more than PCA."""
        return self.kind is PCA or self.kind.needs.gains_from(known)  # type: ignore[attr-defined]


# The order of simplicity. PairSpace is first: on the datasets that this was chosen on it is the
# best single method, also where the answers are too few to show it. Then PCA, which learns nothing
# from them, then methods that stay near it, then those that trust the answers more.
METHODS: Mapping[str, Method] = {
    "PairSpace": Method(PairSpace),
    UNSUPERVISED: Method(PCA),
    "SSDR": Method(SSDR),
    "MMC": Method(MMC),
    "WMV": Method(WMV),
    "CFLD, shrunk": Method(CFLD, shrunk=True),
    "WBDR, shrunk": Method(WBDR, shrunk=True),
    "BWDR, shrunk": Method(BWDR, shrunk=True),
    "DCA, shrunk": Method(DCA, shrunk=True),
}
WITHOUT_SHRINKAGE: Mapping[str, Method] = {
    "CFLD": Method(CFLD),
    "WBDR": Method(WBDR),
    "BWDR": Method(BWDR),
}
# Tried only if they are named. They often have a better pair AUC than PairSpace and a worse 1-NN
# accuracy (docs/results/label_study.md), and held-out pairs would choose them by the former.
ON_REQUEST: Mapping[str, Method] = {
    "SDA": Method(SDA),
    "SDA, shrunk": Method(SDA, shrunk=True),
    "LFDA": Method(LFDA),
    "LFDA, shrunk": Method(LFDA, shrunk=True),
    "SELF": Method(SELFDA),
    "MFA": Method(MFA),
    "MFA, shrunk": Method(MFA, shrunk=True),
    "NPE": Method(NPE),
    "S2PPCA": Method(S2PPCA),
}
NAMED = {**METHODS, **WITHOUT_SHRINKAGE, **ON_REQUEST}


@dataclass(frozen=True)
class Candidate:
    """A method with its scaling, as an unfitted pipeline.

    ``chosen`` is fitted if the candidate is chosen. It differs from ``pipeline``, which is scored,
    where the whole method is too slow to be fitted in every fold.
    """

    name: str
    method: str
    scaling: str
    pipeline: Pipeline
    chosen: Pipeline


def candidates_of(
    given: Any, known: Supervision, n_components: int, seed: int, *, sparse: bool
) -> list[Candidate]:
    """The candidates in the order of simplicity: ours by name, others as they were given."""
    if isinstance(given, str) and given == "default":
        return [
            _ours(name, scaling, n_components, seed, sparse)
            for methods in (METHODS, WITHOUT_SHRINKAGE)
            for scaling in (STANDARDISED, RAW)
            for name, method in methods.items()
            if method.gains_from(known)
        ]
    if isinstance(given, str) or not isinstance(given, Mapping | Sequence) or not len(given):
        raise ValueError(
            f"candidates={given!r}: give 'default', a list of names and estimators, or a dict of "
            "estimators"
        )
    found: list[Candidate] = []
    for name, each in given.items() if isinstance(given, Mapping) else [("", e) for e in given]:
        if isinstance(each, str) and each in NAMED:
            found += [
                _ours(each, scaling, n_components, seed, sparse) for scaling in (STANDARDISED, RAW)
            ]
        else:
            found.append(_given(str(name), each, n_components))
    name, times = Counter(candidate.name for candidate in found).most_common(1)[0]
    if times > 1:
        raise ValueError(f"candidates has {name!r} {times} times: pass a dict to name them")
    return found


def without_reduction(*, sparse: bool) -> list[Candidate]:
    """The rows as they are and standardised, to compare with; they are never chosen."""
    dense = FunctionTransformer(_dense, accept_sparse=True)
    return [
        Candidate(f"{NO_REDUCTION}, {scaling}", NO_REDUCTION, scaling, pipeline, pipeline)
        for scaling, pipeline in (
            (RAW, make_pipeline(dense)),
            (STANDARDISED, make_pipeline(StandardScaler(with_mean=not sparse), dense)),
        )
    ]


def _dense(rows: Any) -> Any:
    return rows.toarray() if issparse(rows) else rows


def _ours(name: str, scaling: str, n_components: int, seed: int, sparse: bool) -> Candidate:
    steps = [NAMED[name].make(n_components, seed)]
    if scaling == STANDARDISED:
        steps.insert(0, StandardScaler(with_mean=not sparse))  # centred, sparse rows were dense
    chosen, scored = make_pipeline(*steps), clone(make_pipeline(*steps))
    if isinstance(scored[-1], PairSpace):
        scored[-1].set_params(teacher=None)
    return Candidate(f"{name}, {scaling}", name, scaling, scored, chosen)


def _given(name: str, estimator: Any, n_components: int) -> Candidate:
    if not hasattr(estimator, "fit") or not hasattr(estimator, "transform"):
        raise ValueError(
            f"candidates: {estimator!r} is neither a transformer nor a pipeline nor one of "
            f"{', '.join(map(repr, NAMED))}"
        )
    pipeline = clone(estimator)
    if not isinstance(pipeline, Pipeline):
        pipeline = make_pipeline(pipeline)
    last = pipeline.steps[-1][1]
    if "n_components" in last.get_params():
        last.set_params(n_components=n_components)
    method = type(last).__name__
    return Candidate(name or method, method, AS_GIVEN, pipeline, pipeline)
