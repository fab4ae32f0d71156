"""The screens as the page gets them: one dictionary for each kind of question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from pairspace.active.kinds import (
    BoardQuestion,
    Card,
    Group,
    PairQuestion,
    PickQuestion,
    Question,
    SweepQuestion,
)
from pairspace.tool.app.items import Items
from pairspace.tool.app.overview import Snapshot

MOST_CARDS = 12
KEYS = "1234567890"
LIKELY = 0.25  # cards of at least this probability are highlighted
MOST_LIKELY = 3
PER_PAGE = 48  # rows of an open group
Screen = dict[str, Any]

ASKS = {
    "board": "Which of these is it?",
    "pick": "Mark all that are the same as this one",
    "sweep": "Which of these do not belong?",
}


class Slots:
    """The places of groups on the board: a group that has a place keeps it.

    A place is freed only when all twelve are taken and its group is not on the board.
    """

    def __init__(self) -> None:
        self._places: list[int] = []

    def arrange(self, numbers: Sequence[int]) -> list[int | None]:
        """The groups in their places; None where a place stays empty."""
        shown = list(numbers)[:MOST_CARDS]
        for number in shown:
            if number in self._places:
                continue
            free = [at for at, old in enumerate(self._places) if old not in shown]
            if len(self._places) < MOST_CARDS:
                self._places.append(number)
            else:
                self._places[free[0]] = number
        placed: list[int | None] = [each if each in shown else None for each in self._places]
        while placed and placed[-1] is None:
            placed.pop()
        return placed


def screen_of(
    question: Question,
    items: Items,
    now: Snapshot,
    slots: Slots,
    ask: str,
    *,
    own: Set[int] | None,
) -> Screen:
    """The screen of a question.

    In blind mode, no prediction is shown, and of each group the row that founded it and rows in
    ``own``, which are the person's own.
    """
    kinds: Mapping[str, Callable[[], Screen]] = {
        "pair": lambda: _pair(question, items, ask),  # type: ignore[arg-type]
        "board": lambda: _board(question, items, now, slots, own),  # type: ignore[arg-type]
        "pick": lambda: _pick(question, items, now),  # type: ignore[arg-type]
        "sweep": lambda: _sweep(question, items, now),  # type: ignore[arg-type]
    }
    return {"kind": question.kind, "ask": ASKS.get(question.kind, ask), **kinds[question.kind]()}


def group_screen(group: Group, title: str, items: Items, first: int) -> Screen:
    """All rows of a group, a page at a time, to choose those to split off."""
    rows = group.rows[first : first + PER_PAGE]
    return {
        "kind": "group",
        "ask": f"The rows of {title}",
        "number": group.number,
        "title": title,
        "cells": _cells(rows, items),
        "first": first,
        "total": len(group.rows),
    }


def _pair(question: PairQuestion, items: Items, ask: str) -> Screen:
    left, right = items.side_by_side(*question.pair)
    a, b = map(items.caption, question.pair)
    return {"left": left, "right": right, "left_caption": a, "right_caption": b}


def _board(
    question: BoardQuestion, items: Items, now: Snapshot, slots: Slots, own: Set[int] | None
) -> Screen:
    cards = {card.number: card for card in question.cards if card.number in now.groups}
    # A test question asks what the person thinks, so it must not show what is predicted.
    hide = own is not None or question.reason in ("test", "exam")
    likely = set() if hide else _likely(question)
    shown: list[Screen | None] = []
    for at, number in enumerate(slots.arrange(sorted(cards))):
        if number is None:
            shown.append(None)
            continue
        shown.append(
            {
                "number": number,
                "title": now.titles[number],
                "count": None if own is not None else len(now.groups[number].rows),
                "members": [items.brief(row) for row in _shown(now.groups[number], cards, own)],
                "likely": number in likely,
                "key": KEYS[at] if at < len(KEYS) else "",
            }
        )
    return {
        "item": items.large(question.row),
        "caption": items.caption(question.row),
        "cards": shown,
        "more": len(now.groups) - len(cards),
    }


def _shown(group: Group, cards: Mapping[int, Card], own: Set[int] | None) -> Sequence[int]:
    """The rows that stand for a group."""
    if own is None:
        return cards[group.number].rows[:3]
    rows = [row for row in group.rows if row in own and row != group.anchor]
    return [group.anchor, *rows][:3]


def _likely(question: BoardQuestion) -> set[int]:
    known = [(card.probability, card.number) for card in question.cards if card.probability]
    best = sorted(known, reverse=True)[:MOST_LIKELY]
    return {number for probability, number in best if probability >= LIKELY}


def _pick(question: PickQuestion, items: Items, now: Snapshot) -> Screen:
    number = now.group_of.get(question.row)
    return {
        "item": items.large(question.row),
        "caption": items.caption(question.row),
        "title": None if number is None else now.titles[number],
        "cells": _cells(question.candidates, items),
    }


def _sweep(question: SweepQuestion, items: Items, now: Snapshot) -> Screen:
    group = now.groups.get(question.number)
    return {
        "title": now.titles.get(question.number, f"Group {question.number}"),
        "count": len(group.rows) if group else 0,
        "members": [items.brief(row) for row in question.representatives],
        "cells": _cells(question.candidates, items),
    }


def _cells(rows: Sequence[int], items: Items) -> list[Screen]:
    return [
        {"row": int(row), "html": items.small(row), "caption": items.caption(row)} for row in rows
    ]
