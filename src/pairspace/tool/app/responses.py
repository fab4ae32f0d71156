"""What the browser says as an answer to a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairspace.active.kinds import BOARD_WORDS, NEW, Marked, Question, Response


def response_of(question: Question, message: dict[str, Any], groups: Mapping[int, Any]) -> Response:
    """What the browser says as an answer to the question; None if it is none."""
    match question.kind, message:
        case "pair", {"value": "same" | "different" | "skip" as value}:
            return value
        case "board", {"value": "new"}:
            return new_group(str(message.get("name", "")))
        case "board", {"value": str(value)} if value in BOARD_WORDS:
            return value
        case "board", {"value": int(number)} if number in groups:
            return number
        case "pick" | "sweep", {"rows": list(rows)} if set(rows) <= set(question.rows):
            return Marked(tuple(rows), bool(message.get("unknown")))
    return None


def new_group(name: str) -> Response:
    """The answer that makes a group, with a name if there is one."""
    name = " ".join(name.split())
    return (NEW, name) if name else NEW
