"""From columns to a fitted pipeline: imputation, TF-IDF, scaling, reduction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pairspace.base import Supervision, fitted
from pairspace.constraints import Constraints
from pairspace.model_selection import AutoReducer
from pairspace.tool.cli._methods import find_method, make_estimator
from pairspace.tool.files import Data

N_TOPICS = 100  # components of TF-IDF, so that methods need not solve for each word
MAX_WORDS = 20_000


@dataclass
class FittedPipeline:
    """A fitted pipeline, and the search that chose it, if any."""

    model: Any
    search: AutoReducer | None
    scaled: bool

    @property
    def summary(self) -> list[str]:
        """What was chosen, and how the columns were scaled."""
        if self.search is not None:
            return [self.search.summary_]
        return [f"Columns were {'' if self.scaled else 'not '}standardised."]

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
        Standardise the columns; the method "auto" tries both.
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

    def fit(self, data: Data, labels: Any, constraints: Constraints) -> FittedPipeline:
        """Fit the pipeline."""
        X = data.X
        preprocessing = self.preprocessing(data, X)
        # Not for TF-IDF: standardising would give rare words the weight of common ones.
        scaled = self.scale and data.selection.text is None
        if self.method != "auto" and self.n_components != "auto":
            return FittedPipeline(
                self._named(preprocessing, X, labels, constraints, scaled), None, scaled
            )
        Z = X
        for _, step in preprocessing:
            Z = step.fit_transform(Z)
        search = AutoReducer(
            self.n_components,
            candidates=self._candidates(scaled),
            cv=self.folds,
            n_repeats=self.repeats,
            random_state=self.seed,
            n_jobs=self.n_jobs,
            verbose=2,  # shown by the caller
        ).fit(Z, labels, constraints=constraints)
        from sklearn.pipeline import Pipeline

        return FittedPipeline(
            Pipeline([*preprocessing, *search.best_estimator_.steps]), search, scaled
        )

    def _named(
        self, preprocessing: list[Any], X: Any, labels: Any, constraints: Constraints, scaled: bool
    ) -> Any:
        from sklearn.pipeline import Pipeline

        assert isinstance(self.n_components, int)
        estimator = self._estimator(self.method, self.n_components, scaled)
        pipeline = Pipeline([*preprocessing, *estimator.steps])
        return fitted(pipeline, X, Supervision(labels, constraints, len(X)))

    def _candidates(self, scaled: bool) -> Any:
        names = self.candidates or (() if self.method == "auto" else (self.method,))
        if not names:
            return "default"
        found = {}
        for name in names:
            method = find_method(name)
            found[method.name] = self._estimator(name, 2, scaled)
        return found

    def _estimator(self, name: str, n_components: int, scaled: bool) -> Any:
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        estimator = make_estimator(find_method(name), n_components, self.seed)
        return make_pipeline(*[StandardScaler()] * scaled, estimator)

    def preprocessing(self, data: Data, X: Any) -> list[tuple[str, Any]]:
        """The steps before the scaling: imputation and TF-IDF."""
        from sklearn.compose import ColumnTransformer
        from sklearn.impute import SimpleImputer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        text = data.selection.text
        fill = [SimpleImputer(strategy="median")] * self.impute
        if text is None:
            return [("impute", *fill)] if fill else []
        numbers = [name for name in data.features if name != text]
        parts: list[Any] = [("words", _words(X[text], self.seed), text)]
        if numbers:
            parts.append(("numbers", make_pipeline(*fill, StandardScaler()), numbers))
        return [("columns", ColumnTransformer(parts))]


def _words(texts: Any, seed: int) -> Any:
    """TF-IDF and truncated SVD."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline

    words = TfidfVectorizer(sublinear_tf=True, max_features=MAX_WORDS)
    n_words = len(words.fit(texts).vocabulary_)
    n_topics = min(N_TOPICS, n_words - 1, len(texts) - 1)
    if n_topics < 1:
        raise ValueError(f"the text has too few different words to learn from: {n_words}")
    return make_pipeline(words, TruncatedSVD(n_topics, random_state=seed))
