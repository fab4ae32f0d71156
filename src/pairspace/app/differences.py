"""Where two texts or two records differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

# Marking compares words with words: twice as many take four times as long.
MAX_MARKED_WORDS = 2_000


class Part(NamedTuple):
    """A stretch of text, and whether the other text has it not."""

    text: str
    differs: bool


def mark_words(left: str, right: str) -> tuple[list[Part], list[Part]]:
    """Both texts in parts; the words that only one of them has are marked.

    Case and the space between words make no difference. Of long texts the beginning is compared,
    and the rest is left unmarked.
    """
    words = [_words(text) for text in (left, right)]
    compared = [each[:MAX_MARKED_WORDS] for each in words]
    matcher = SequenceMatcher(
        None, *([word.strip().casefold() for word in each] for each in compared), autojunk=False
    )
    marked: tuple[list[Part], list[Part]] = ([], [])
    for kind, *bounds in matcher.get_opcodes():
        for side in (0, 1):
            start, stop = bounds[2 * side : 2 * side + 2]
            if start < stop:
                marked[side].append(Part("".join(compared[side][start:stop]), kind != "equal"))
    for side in (0, 1):
        rest = "".join(words[side][MAX_MARKED_WORDS:])
        if rest:
            marked[side].append(Part(rest, False))
    return marked


def _words(text: str) -> list[str]:
    """Words and single signs, each with the space after it; together they are the text."""
    return re.findall(r"\s+|\w+\s*|[^\w\s]\s*", text)


def differing_fields(left: Sequence[Any], right: Sequence[Any]) -> list[bool]:
    """Which cells of two records differ; two missing ones don't."""
    return [_text(a) != _text(b) for a, b in zip(left, right, strict=True)]


def _text(value: Any) -> str:
    text = str(value).strip()
    return "" if text.casefold() in ("nan", "none", "nat", "<na>") else text
