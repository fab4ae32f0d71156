"""Answers from programs: rules, language models, services."""

from pairspace.asking.callers import Patience
from pairspace.asking.loop import ask
from pairspace.asking.progress import Status
from pairspace.asking.queries import Query, QueryGroup
from pairspace.asking.replies import AnswerError, Reply

__all__ = ["AnswerError", "Patience", "Query", "QueryGroup", "Reply", "Status", "ask"]
