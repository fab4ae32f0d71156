"""The covariance within classes: of answers, shrunk towards that of neighbours; PairSpace's B."""

from pairspace._within._closed_form import ClosedForm, Solution, Taught
from pairspace._within._covariance import Within, ledoit_wolf

__all__ = ["ClosedForm", "Solution", "Taught", "Within", "ledoit_wolf"]
