"""A panel of learners that predict the groups of all rows from those of a few placed rows.

Each learner is judged by placed rows that it has not seen, and the panel's probabilities are the
mean of the learners' probabilities, weighted by that judgement.
"""

from pairspace.cluster.panel._answers import answer_probabilities, with_answers
from pairspace.cluster.panel._judging import ErrorPrior
from pairspace.cluster.panel._learners import LEARNERS, Learner, learners_of
from pairspace.cluster.panel._panel import Panel, fit_panel
from pairspace.cluster.panel._table import PanelTable, Projection

__all__ = [
    "LEARNERS",
    "ErrorPrior",
    "Learner",
    "Panel",
    "PanelTable",
    "Projection",
    "answer_probabilities",
    "fit_panel",
    "learners_of",
    "with_answers",
]
