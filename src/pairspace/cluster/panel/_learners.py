"""The learners of the panel: each gives probabilities for all rows, and for held-out rows."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from sklearn.utils.validation import has_fit_parameter

from pairspace._core.rounding import rounded
from pairspace._core.typing import Bools, Floats, Ints
from pairspace.base import PlacedRows, Supervision
from pairspace.cluster.panel._new_rows import GroupClassifier, ModelVote, NeighborVote
from pairspace.cluster.panel._spreading import affinities, shares, spread
from pairspace.cluster.panel._table import PanelTable
from pairspace.constraints import UNKNOWN

COMPONENTS = 9  # of PairSpace
JUDGED_AMONG = 2_000  # rows that PairSpace's neighbours are searched among while it is judged
MOST_FOR_SVC = 5_000  # placed rows: its time grows with their square
LEAST_WEIGHT = 1e-3  # of a placed row: classifiers may fail with 0
DOUBTED = 0.5  # weight below which a placed row does not count for PairSpace, which has no weights


class CrossFit(NamedTuple):
    """A learner fitted on all placed rows, and judged on held-out ones.

    Parameters
    ----------
    probabilities : ndarray of shape (n_rows, n_groups)
        Of all rows of the table.
    held_out : ndarray of shape (n_placed, n_groups)
        Of each placed row, by a fit that has not seen it; of rows that are never held out, by one
        that has.
    model : NeighborVote or ModelVote
        Its ``predict`` gives the probabilities of new rows.
    """

    probabilities: Floats
    held_out: Floats
    model: NeighborVote | ModelVote


class Learner(Protocol):
    """A learner of the panel."""

    name: str
    spreads: bool  # whether it uses all rows, so that one placed row of a group suffices

    def cross_fit(
        self, table: PanelTable, placed: PlacedRows, folds: Ints, random: np.random.RandomState
    ) -> CrossFit:
        """Fit on all placed rows, and on those outside each fold; −1 is no fold."""
        ...


class Spreading:
    """Labels spread over the nearest neighbours."""

    spreads = True

    def __init__(self, view: str) -> None:
        self.view = view
        self.name = f"label spreading, {view}"

    def cross_fit(
        self, table: PanelTable, placed: PlacedRows, folds: Ints, random: np.random.RandomState
    ) -> CrossFit:
        """What is spread is a sum over the folds, so one solve gives the fits without each."""
        view = table.view(self.view)
        labels = _indicator(placed)
        parts = [folds == fold for fold in (-1, *_numbers(folds))]
        found = spread(view.affinities, [(placed.rows[part], labels[part]) for part in parts])
        totals = [labels[part].sum(axis=0) for part in parts]
        everything, total = np.sum(found, axis=0), labels.sum(axis=0)
        P = shares(everything, total)
        held_out = P[placed.rows].copy()
        for part, of_part, its_total in list(zip(parts, found, totals, strict=True))[1:]:
            rest = (everything - of_part)[placed.rows[part]]
            held_out[part] = shares(rest, np.maximum(total - its_total, 0))
        return CrossFit(P, held_out, NeighborVote(view.projection, view.rows, P))


class SpaceSpreading:
    """PairSpace fitted on the placed rows, then labels spread over the neighbours there."""

    spreads = True

    def __init__(self, view: str) -> None:
        self.view = view
        self.name = f"PairSpace and label spreading, {view}"

    def cross_fit(
        self, table: PanelTable, placed: PlacedRows, folds: Ints, random: np.random.RandomState
    ) -> CrossFit:
        """Each fold has a space and neighbours of its own."""
        view, seed = table.view(self.view), int(random.randint(2**31 - 1))
        labels = _indicator(placed)

        def fit(chosen: Bools, among: Any) -> tuple[Floats, Floats]:
            W = self._directions(view.closed_form, placed, chosen, len(table))
            Z = rounded(view.rows[among] @ W)
            at = np.searchsorted(among, placed.rows[chosen])
            (F,) = spread(affinities(Z, seed), [(at, labels[chosen])])
            return W, shares(F, labels[chosen].sum(axis=0))

        everything = np.arange(len(table))
        W, P = fit(np.ones(len(folds), dtype=bool), everything)
        among = everything
        if len(table) > JUDGED_AMONG:
            drawn = random.choice(len(table), JUDGED_AMONG, replace=False)
            among = np.union1d(drawn, placed.rows)
        held_out = P[placed.rows].copy()
        for fold in _numbers(folds):
            out = folds == fold
            _, of_rest = fit(~out, among)
            held_out[out] = of_rest[np.searchsorted(among, placed.rows[out])]
        Z = rounded(view.rows @ W)
        return CrossFit(P, held_out, NeighborVote(view.projection.then(W), Z, P))

    @staticmethod
    def _directions(problem: Any, placed: PlacedRows, chosen: Bools, n_rows: int) -> Floats:
        chosen = chosen & (placed.weight >= DOUBTED)
        known = Supervision(None, None, n_rows)
        known.labels = np.full(n_rows, UNKNOWN)
        known.labels[placed.rows[chosen]] = placed.groups[chosen]
        random = np.random.RandomState(0)  # not used: nothing is weighted by held-out pairs
        solution = problem.solve(known, COMPONENTS, random, ridge=0.5, shrinkage=0.5)
        return np.asarray(solution.eigen.vectors)


class Classified:
    """A classifier of scikit-learn, on the leading directions or on all columns."""

    spreads = False

    def __init__(self, name: str, classifier: Any, view: str | None, *, mean: bool = False) -> None:
        self.name = name
        self.classifier = classifier
        self.view = view
        # Whether the mean of the fits of the folds takes the place of one more fit on all rows.
        self.mean = mean

    def cross_fit(
        self, table: PanelTable, placed: PlacedRows, folds: Ints, random: np.random.RandomState
    ) -> CrossFit:
        """Clones of the classifier on all placed rows, and on those outside each fold."""
        seed = int(random.randint(2**31 - 1))
        X, before = self._table(table)
        of_placed = X[placed.rows]

        def fit(chosen: Bools) -> GroupClassifier:
            groups, weight = placed.groups[chosen], placed.weight[chosen]
            model = self._fitted(of_placed[chosen], groups, weight, seed)
            return GroupClassifier(model, np.unique(groups), placed.n_groups)

        of_folds = [fit(folds != fold) for fold in _numbers(folds)]
        everyone = np.ones(len(folds), dtype=bool)
        models = of_folds if self.mean and of_folds else [fit(everyone)]
        vote = ModelVote(before, models)
        P = vote.of_transformed(X)
        held_out = P[placed.rows].copy()
        for fold, model in enumerate(of_folds):
            held_out[folds == fold] = model.predict_proba(of_placed[folds == fold])
        return CrossFit(P, held_out, vote)

    def _table(self, table: PanelTable) -> tuple[Any, Any]:
        """The rows to learn from, and what made them of the columns."""
        if self.view == "columns":
            return table.columns, table.scaler
        if self.view is None:
            return table.X, None
        view = table.view(self.view)
        return view.rows, view.projection

    def _fitted(self, X: Any, groups: Ints, weight: Floats, seed: int) -> Any:
        if len(np.unique(groups)) == 1:
            return None
        model = clone(self.classifier)
        if "random_state" in model.get_params():
            model.set_params(random_state=seed)
        weighted = {}
        if has_fit_parameter(model, "sample_weight"):
            weighted["sample_weight"] = np.maximum(weight, LEAST_WEIGHT)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # it is judged as it is
            # Many groups with one or two rows are what a person begins with.
            warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
            return model.fit(X, groups, **weighted)


class MarginSVC(ClassifierMixin, BaseEstimator):
    """A support vector machine whose margins, as exponents, stand for probabilities.

    The panel scales them by a temperature, which a cross-validation inside SVC would do again.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MarginSVC:
        """Fit the machine."""
        self.svc_ = SVC(C=10.0, random_state=0).fit(X, y, sample_weight=sample_weight)
        self.classes_ = self.svc_.classes_
        return self

    def predict_proba(self, X: Any) -> Floats:
        """The softmax of the margins."""
        margins = self.svc_.decision_function(X)
        if margins.ndim == 1:
            margins = np.column_stack([-margins, margins])
        return np.asarray(softmax(margins, axis=1))


LEARNERS: dict[str, Learner] = {
    learner.name: learner
    for learner in (
        Spreading("raw"),
        Spreading("standardised"),
        SpaceSpreading("raw"),
        SpaceSpreading("standardised"),
        Classified("SVC, raw", MarginSVC(), "raw"),
        Classified("SVC, standardised", MarginSVC(), "standardised"),
        Classified(
            "logistic regression, standardised", LogisticRegression(max_iter=300), "standardised"
        ),
        Classified("extra trees", ExtraTreesClassifier(40), "columns", mean=True),
    )
}


def learners_of(given: Any, n_placed: int) -> list[Learner]:
    """The learners that a user asked for: "auto", names of ours, or a dict of classifiers."""
    if isinstance(given, str) and given == "auto":
        slow = {name for name in LEARNERS if name.startswith("SVC") and n_placed > MOST_FOR_SVC}
        return [learner for name, learner in LEARNERS.items() if name not in slow]
    if isinstance(given, Mapping) and given:
        for name, classifier in given.items():
            if not (hasattr(classifier, "fit") and hasattr(classifier, "predict_proba")):
                raise ValueError(
                    f"learners[{name!r}] must be a classifier with predict_proba; got "
                    f"{classifier!r}"
                )
        return [Classified(str(name), each, None) for name, each in given.items()]
    names = ", ".join(map(repr, LEARNERS))
    if isinstance(given, list | tuple) and given:
        unknown = [name for name in given if name not in LEARNERS]
        if unknown:
            raise ValueError(f"learners must be of {names}; got {unknown[0]!r}")
        return [LEARNERS[name] for name in given]
    raise ValueError(
        f'learners must be "auto", a list of names ({names}), or a dict of classifiers; '
        f"got {given!r}"
    )


def _numbers(folds: Ints) -> range:
    return range(folds.max(initial=-1) + 1)


def _indicator(placed: PlacedRows) -> Floats:
    return np.eye(placed.n_groups)[placed.groups] * placed.weight[:, None]
