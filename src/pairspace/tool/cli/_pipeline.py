"""From columns to a fitted pipeline: recipe, scaling, reduction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn import config_context

from pairspace.base import Supervision, fitted
from pairspace.constraints import Constraints
from pairspace.model_selection import AutoReducer
from pairspace.preprocessing import MANY_MISSING, make_recipe
from pairspace.tool.cli._methods import find_method, make_estimator
from pairspace.tool.files import CATEGORY, NUMBER, TEXT, Data

RECIPE = "columns"  # the name of the step
# What "auto" tries on texts, the simplest first: AutoReducer's methods, never standardised.
ON_TEXTS = ("PairSpace", "PCA", "SSDR", "MMC", "WMV", "CFLD", "WBDR", "BWDR", "DCA")
# Texts have more words than there are texts, so that a fit takes time in the cube of their number.
TEXTS_TO_CHOOSE_ON = 1_000
TEXTS_MEMORY = 256  # MiB for a matrix: from 5,793 texts on, a fit is in 300 principal components


@dataclass
class FittedPipeline:
    """A fitted pipeline, and the search that chose it, if any."""

    model: Any
    search: AutoReducer | None
    scaled: bool
    numbers: str = "Columns"

    @property
    def summary(self) -> list[str]:
        """What was chosen, and how the columns were scaled."""
        if self.search is not None:
            return [self.search.summary_]
        return [f"{self.numbers} were {'' if self.scaled else 'not '}standardised."]

    @property
    def leaderboard(self) -> list[dict[str, Any]] | None:
        """A record for each candidate."""
        return None if self.search is None else self.search.leaderboard_.to_dict("records")


@dataclass(frozen=True)
class PipelineSpec:
    """The pipeline to fit.

    Parameters
    ----------
    method : str
        The name of a method, or "auto".
    n_components : int or "auto"
        The number of components.
    scale : bool
        Standardise numbers; the method "auto" tries both.
    impute : bool
        Replace missing values by medians.
    candidates : tuple of names
        The methods that "auto" tries; empty for the default ones.
    folds, repeats : int
        Of the cross-validation.
    seed : int
        The seed of random numbers.
    n_jobs : int or None
        The number of fits in parallel.
    """

    method: str = "auto"
    n_components: int | str = 2
    scale: bool = True
    impute: bool = False
    candidates: tuple[str, ...] = ()
    folds: int = 5
    repeats: int = 2
    seed: int = 0
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        if self.n_jobs == 0:
            raise ValueError("--jobs must be a number of processes, or -1 for all; got 0")

    def fit(self, data: Data, labels: Any, constraints: Constraints) -> FittedPipeline:
        """Fit the pipeline."""
        X = data.X
        preprocessing = self.preprocessing(data, X)
        texts = data.of_kind(TEXT)
        with config_context(working_memory=TEXTS_MEMORY if texts else None):
            return self._fit(data, X, preprocessing, labels, constraints)

    def _fit(
        self, data: Data, X: Any, preprocessing: list[Any], labels: Any, constraints: Constraints
    ) -> FittedPipeline:
        texts, mixed = data.of_kind(TEXT), len(data.of_kind(NUMBER)) < len(data.kinds)
        # The recipe standardises the numbers, and only them: of TF-IDF, rare words would have the
        # weight of common ones.
        scaled = self.scale and not _has_recipe(preprocessing)
        if self.method != "auto" and self.n_components != "auto":
            model = self._named(preprocessing, X, labels, constraints, scaled)
            return FittedPipeline(model, None, self.scale, "Numbers" if mixed else "Columns")
        Z = X
        for _, step in preprocessing:
            Z = step.fit_transform(Z)
        search = AutoReducer(
            self.n_components,
            candidates=self._candidates(
                scaled, Supervision(labels, constraints, len(X)) if texts else None
            ),
            max_samples=TEXTS_TO_CHOOSE_ON if texts else 5_000,
            cv=self.folds,
            n_repeats=self.repeats,
            random_state=self.seed,
            n_jobs=self.n_jobs,
            verbose=2,  # shown by the caller
        ).fit(Z, labels, constraints=constraints)
        from sklearn.pipeline import Pipeline

        return FittedPipeline(
            Pipeline([*preprocessing, *search.best_estimator_.steps]), search, self.scale
        )

    def _named(
        self, preprocessing: list[Any], X: Any, labels: Any, constraints: Constraints, scaled: bool
    ) -> Any:
        from sklearn.pipeline import Pipeline

        assert isinstance(self.n_components, int)
        estimator = self._estimator(self.method, self.n_components, scaled)
        pipeline = Pipeline([*preprocessing, *estimator.steps])
        return fitted(pipeline, X, Supervision(labels, constraints, len(X)))

    def _candidates(self, scaled: bool, of_texts: Supervision | None) -> Any:
        """What to try; ``of_texts`` is what is known if the rows are texts."""
        names = self.candidates or (() if self.method == "auto" else (self.method,))
        if not names and of_texts is not None:
            return self._on_texts(of_texts)
        if not names:
            return "default"
        return {find_method(name).name: self._estimator(name, 2, scaled) for name in names}

    def _on_texts(self, known: Supervision) -> Any:
        found = {}
        for name in ON_TEXTS:
            estimator = self._estimator(name, 2, scaled=False)
            last = estimator.steps[-1][1]
            if hasattr(last, "needs") and not last.needs.gains_from(known):
                continue
            if "shrinkage" in last.get_params():
                last.set_params(shrinkage="auto")
            found[name] = estimator
        return found

    def _estimator(self, name: str, n_components: int, scaled: bool) -> Any:
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        estimator = make_estimator(find_method(name), n_components, self.seed)
        return make_pipeline(*[StandardScaler()] * scaled, estimator)

    def preprocessing(self, data: Data, X: Any) -> list[tuple[str, Any]]:
        """The steps before the scaling: the recipe, or an imputation if all columns are numbers."""
        from sklearn.impute import SimpleImputer

        mixed = len(data.of_kind(NUMBER)) < len(data.kinds)
        if mixed or (self.impute and (X.isna().mean() > MANY_MISSING).any()):
            recipe = make_recipe(
                X,
                text=data.of_kind(TEXT),
                categories=data.of_kind(CATEGORY),
                impute=self.impute,
                scale=self.scale,
            )
            return [(RECIPE, recipe)]
        return [("impute", SimpleImputer(strategy="median"))] * self.impute


def _has_recipe(steps: list[tuple[str, Any]]) -> bool:
    return any(name == RECIPE for name, _ in steps)
