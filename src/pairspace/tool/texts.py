"""Cells as text, and where two texts differ."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime, time
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from pairspace.constraints import is_missing

MAX_MARKED_WORDS = 2_000
# Pairs of equal words, one in each text: a comparison in order takes at least as many steps.
MAX_EQUAL_PAIRS = 20_000
# Marks are a help where texts are nearly the same. In texts that share less than this part of their
# words, nearly all words would be marked.
LEAST_SHARED = 0.5


def as_text(value: Any) -> str:
    """A cell as text: empty if missing, six digits of a number, invalid characters replaced."""
    if is_missing(value):
        return ""
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()  # a column of dates is read as midnights
    return str(value).encode("utf-8", "replace").decode("utf-8")


def cut(text: str, length: int) -> str:
    """At most ``length`` characters of a text."""
    return text if len(text) <= length else text[: length - 1] + "…"


class Part(NamedTuple):
    """A part of a text, and whether the other text lacks it."""

    text: str
    differs: bool


def mark_words(left: str, right: str) -> tuple[list[Part], list[Part]]:
    """Split both texts into parts, and mark the words that only one of them has.

    Case and white space are ignored. In long texts only the beginning is compared. Where words
    repeat very often, their order is ignored. If more than half of the words of both texts would be
    marked, none is.
    """
    words = [_words(text) for text in (left, right)]
    compared = [each[:MAX_MARKED_WORDS] for each in words]
    plain = [[word.strip().casefold() for word in each] for each in compared]
    count = [Counter(each) for each in plain]
    if sum(count[0][word] * count[1][word] for word in count[0]) > MAX_EQUAL_PAIRS:
        differs = [[word not in count[1 - side] for word in plain[side]] for side in (0, 1)]
    else:
        differs = _differs_in_order(*plain)
    if all(sum(marked) > (1 - LEAST_SHARED) * len(marked) for marked in differs):
        differs = [[], []]
    left_parts, right_parts = (
        _parts(each, [*marked, *[False] * (len(each) - len(marked))])
        for each, marked in zip(words, differs, strict=True)
    )
    return left_parts, right_parts


def _differs_in_order(left: list[str], right: list[str]) -> list[list[bool]]:
    differs = [[True] * len(left), [True] * len(right)]
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    for block in matcher.get_matching_blocks():
        for side, start in enumerate((block.a, block.b)):
            differs[side][start : start + block.size] = [False] * block.size
    return differs


def _parts(words: list[str], differs: list[bool]) -> list[Part]:
    """Join neighbouring words that are marked alike."""
    together = groupby(zip(words, differs, strict=True), key=lambda each: each[1])
    return [Part("".join(word for word, _ in run), marked) for marked, run in together]


def _words(text: str) -> list[str]:
    """Words and single symbols, each with the space after it; joined they are the text."""
    return re.findall(r"\s+|\w+\s*|[^\w\s]\s*", text)
