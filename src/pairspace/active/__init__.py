"""Which pair to ask a person next, and what the answers have shown so far."""

from pairspace.active.answer_log import Answer, Question
from pairspace.active.progress import Progress
from pairspace.active.quality import Point, Quality
from pairspace.active.questions import PairQuestions
from pairspace.active.space import Refit, Space
from pairspace.active.strategies import STRATEGIES, QuestionContext, Strategy

__all__ = [
    "STRATEGIES",
    "Answer",
    "PairQuestions",
    "Point",
    "Progress",
    "Quality",
    "Question",
    "QuestionContext",
    "Refit",
    "Space",
    "Strategy",
]
