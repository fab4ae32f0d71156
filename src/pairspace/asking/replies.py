"""What a program answers, checked: a word that is not allowed is a failure, never an answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, NamedTuple

from pairspace.active.kinds import ASIDE, SKIP
from pairspace.asking.queries import NEW, NOT_SURE, Query

LONGEST_RAW = 10_000  # characters of a reply that are kept


class AnswerError(OSError):
    """A program gave no answer; raise it to say whether asking again may help.

    Parameters
    ----------
    message : str
        What went wrong.
    retry : bool, default=False
        Whether the same question may be asked again.
    retry_after : float or None, default=None
        The number of seconds to wait before; None means a pause that grows with each try, 0 none.
    cost : float, default=0.0
        What the failure cost.
    raw : str, default=""
        What the program wrote.

    Attributes
    ----------
    retry, retry_after, cost, raw
        As given.
    """

    def __init__(
        self,
        message: str,
        *,
        retry: bool = False,
        retry_after: float | None = None,
        cost: float = 0.0,
        raw: str = "",
    ) -> None:
        super().__init__(message)
        self.retry, self.retry_after = retry, retry_after
        self.cost, self.raw = cost, raw


class Reply(NamedTuple):
    """An answer with what is known about it.

    Parameters
    ----------
    answer : str or int
        One of ``Query.allowed``.
    confidence : float or None, default=None
        The program's own estimate of the chance that it is right.
    cost : float, default=0.0
        What it cost.
    name : str, default=""
        The name of a new group.
    raw : str, default=""
        The reply as it came.
    """

    answer: str | int
    confidence: float | None = None
    cost: float = 0.0
    name: str = ""
    raw: str = ""


def reply_of(query: Query, returned: Any) -> Reply:
    """Check what a program returned.

    Parameters
    ----------
    query : Query
        The question.
    returned : object
        An answer, a tuple of an answer and its confidence, a :class:`Reply`, or a mapping with
        its fields.

    Returns
    -------
    Reply
        The reply, whose answer is one of ``query.allowed``.
    """
    raw = repr(returned)
    if isinstance(returned, Mapping):
        if "answer" not in returned:
            raise AnswerError(
                f"a reply needs the field answer; got {_shown(raw)}", retry=True, retry_after=0
            )
        fields = {name: returned[name] for name in Reply._fields if name in returned}
        given = Reply(**fields)
    elif isinstance(returned, Reply):
        given = returned
    elif isinstance(returned, tuple) and len(returned) == 2 and returned[0] != NEW:
        given = Reply(*returned)
    elif isinstance(returned, tuple) and len(returned) == 2:
        # ("new", name) is how people found a group; ("new", .9) is sure of it.
        named = isinstance(returned[1], str)
        given = Reply(NEW, name=returned[1]) if named else Reply(*returned)
    else:
        given = Reply(returned)
    raw = str(given.raw or raw)[:LONGEST_RAW]
    cost = 0.0
    try:
        cost = _cost(given.cost)
        return Reply(
            _answer(query, given.answer),
            _confidence(given.confidence),
            cost,
            " ".join(str(given.name or "").split()),
            raw,
        )
    except ValueError as error:
        raise AnswerError(str(error), retry=True, retry_after=0, cost=cost, raw=raw) from None


def _answer(query: Query, given: Any) -> str | int:
    word = given
    if isinstance(word, str):
        word = " ".join(word.casefold().replace("_", " ").split())
        # A person who skips a question is not sure.
        word = NOT_SURE if word == SKIP else word
        if word.isdecimal():
            word = int(word)
    elif isinstance(word, Integral) and not isinstance(word, bool):
        word = int(word)
    if word == ASIDE and query.kind == "board":
        return ASIDE
    if isinstance(word, str | int) and not isinstance(word, bool) and word in query.allowed:
        return word
    allowed = ", ".join(map(repr, query.allowed))
    raise ValueError(f"the answer must be one of {allowed}; got {_shown(repr(given))}")


def _confidence(given: Any) -> float | None:
    if given is None:
        return None
    if isinstance(given, Real) and not isinstance(given, bool) and 0 <= float(given) <= 1:
        return float(given)
    raise ValueError(f"confidence must be a number from 0 to 1; got {_shown(repr(given))}")


def _cost(given: Any) -> float:
    if given is None:
        return 0.0
    if isinstance(given, Real) and not isinstance(given, bool):
        cost = float(given)
        if math.isfinite(cost) and cost >= 0:
            return cost
    raise ValueError(f"cost must be a number of at least 0; got {_shown(repr(given))}")


def _shown(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:99]}…"
