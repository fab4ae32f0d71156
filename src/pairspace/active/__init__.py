"""Which question to ask a person next, and what the answers have shown so far."""

from pairspace.active.kinds import (
    SECONDS,
    Answer,
    BoardQuestion,
    Card,
    Group,
    Kind,
    Marked,
    PairQuestion,
    PickQuestion,
    Question,
    Step,
    SweepQuestion,
)
from pairspace.active.person import SimulatedPerson
from pairspace.active.progress import Progress
from pairspace.active.quality import Point, Quality
from pairspace.active.questions import PairQuestions
from pairspace.active.refit import Refit
from pairspace.active.space import Space
from pairspace.active.strategies import STRATEGIES, QuestionContext, Strategy

__all__ = [
    "SECONDS",
    "STRATEGIES",
    "Answer",
    "BoardQuestion",
    "Card",
    "Group",
    "Kind",
    "Marked",
    "PairQuestion",
    "PairQuestions",
    "PickQuestion",
    "Point",
    "Progress",
    "Quality",
    "Question",
    "QuestionContext",
    "Refit",
    "SimulatedPerson",
    "Space",
    "Step",
    "Strategy",
    "SweepQuestion",
]
