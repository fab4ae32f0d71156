"""Which pair to ask a person next, and what the answers have made so far."""

from pairspace.active.answers import Answer, Question
from pairspace.active.progress import Progress
from pairspace.active.quality import Point, Quality
from pairspace.active.questions import PairQuestions
from pairspace.active.space import Refit, Space
from pairspace.active.strategies import STRATEGIES, Situation, Strategy

__all__ = [
    "STRATEGIES",
    "Answer",
    "PairQuestions",
    "Point",
    "Progress",
    "Quality",
    "Question",
    "Refit",
    "Situation",
    "Space",
    "Strategy",
]
