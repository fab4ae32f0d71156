"""Cross-validation on pairs, and the choice of a method by it."""

from pairspace.model_selection._auto import AutoReducer
from pairspace.model_selection._search import PairSearchCV
from pairspace.model_selection._validation import cross_validate_pairs

__all__ = ["AutoReducer", "PairSearchCV", "cross_validate_pairs"]
