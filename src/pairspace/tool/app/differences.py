"""Where two texts differ."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import groupby
from typing import NamedTuple

MAX_MARKED_WORDS = 2_000
# Pairs of equal words, one in each text: what a comparison in order takes, and often many times.
MAX_EQUAL_PAIRS = 20_000


class Part(NamedTuple):
    """A stretch of text, and whether the other text has it not."""

    text: str
    differs: bool


def mark_words(left: str, right: str) -> tuple[list[Part], list[Part]]:
    """Both texts in parts; the words that only one of them has, there, are marked.

    Case and the space between words make no difference. Of long texts the beginning is compared,
    and the rest is left unmarked; where words repeat too often, their order does not count. Texts
    that have nothing in common are not marked.
    """
    words = [_words(text) for text in (left, right)]
    compared = [each[:MAX_MARKED_WORDS] for each in words]
    plain = [[word.strip().casefold() for word in each] for each in compared]
    count = [Counter(each) for each in plain]
    if sum(count[0][word] * count[1][word] for word in count[0]) > MAX_EQUAL_PAIRS:
        differs = [[word not in count[1 - side] for word in plain[side]] for side in (0, 1)]
    else:
        differs = _differs_in_order(*plain)
    if all(map(all, differs)):
        differs = [[], []]  # marks everywhere would point at nothing
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
    """Neighbours that are marked alike are one part."""
    together = groupby(zip(words, differs, strict=True), key=lambda each: each[1])
    return [Part("".join(word for word, _ in run), marked) for marked, run in together]


def _words(text: str) -> list[str]:
    """Words and single signs, each with the space after it; together they are the text."""
    return re.findall(r"\s+|\w+\s*|[^\w\s]\s*", text)
