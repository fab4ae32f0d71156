"""Violated pairs, side by side as records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pairspace._core.typing import Ints
from pairspace.constraints import Constraints, is_missing
from pairspace.metrics import PairDistances
from pairspace.tool.report._records import Records
from pairspace.tool.texts import Part, as_text, cut, mark_words

N_SHOWN = 50  # pairs
N_FIELDS = 12  # of a pair, those that differ most
MAX_CELL, MAX_TEXT, MAX_NAME = 300, 1_500, 60  # characters
FAR = 1.0  # standard deviations, from which on a difference of numbers is marked
TEXT_DIFFERENCE = 2.0  # standard deviations that a difference of texts counts as


class Field(NamedTuple):
    """A field of two records: its name, the parts of both cells, and whether to mark it."""

    name: str
    cells: tuple[list[Part], list[Part]]
    differs: bool


class ViolatedPair(NamedTuple):
    """A pair as it is shown."""

    rows: tuple[int, int]
    names: tuple[str, str]
    answer: str
    distance: float
    pictures: tuple[str | None, str | None]
    fields: list[Field]


class Violations(NamedTuple):
    """The pairs that a space violates."""

    pairs: list[ViolatedPair]
    n: int
    n_pairs: int
    threshold: float
    n_fields: int

    @property
    def rows(self) -> list[int]:
        """The rows of the shown pairs."""
        return [row for pair in self.pairs for row in pair.rows]


def violations(pairs: Constraints, distances: PairDistances, records: Records) -> Violations:
    """The pairs that the space violates, farthest from the threshold first."""
    found: list[tuple[float, Ints, str, float]] = []
    for answer, links, lengths, violated in (
        ("same, but far apart", pairs.must_link, distances.must, distances.must_violated),
        ("different, but close", pairs.cannot_link, distances.cannot, distances.cannot_violated),
    ):
        for link, length in zip(links[violated], lengths[violated], strict=True):
            found.append((abs(float(length) - distances.threshold), link, answer, float(length)))
    found.sort(key=lambda each: -each[0])
    shown = [
        _pair(int(i), int(j), answer, length, records)
        for _, (i, j), answer, length in found[:N_SHOWN]
    ]
    n_pairs = len(pairs.must_link) + len(pairs.cannot_link)
    n_fields = 0 if records.frame is None else records.frame.shape[1]
    return Violations(shown, len(found), n_pairs, distances.threshold, n_fields)


def _pair(i: int, j: int, answer: str, distance: float, records: Records) -> ViolatedPair:
    names = (cut(records.ids[i], MAX_NAME), cut(records.ids[j], MAX_NAME))
    pictures = (records.picture(i), records.picture(j))
    return ViolatedPair((i, j), names, answer, distance, pictures, _fields(i, j, records))


def _fields(i: int, j: int, records: Records) -> list[Field]:
    """The fields that differ most, in the order of the columns."""
    if records.frame is None:
        return []
    apart = np.array([_difference(i, j, field, records) for field in records.fields])
    order = np.argsort(-apart, kind="stable")[:N_FIELDS]
    if records.text is not None:
        order = np.union1d(order[: N_FIELDS - 1], [0])  # the text is the first field
    return [
        _field(i, j, records.fields[at], apart[at] > FAR, records) for at in sorted(order.tolist())
    ]


def _difference(i: int, j: int, field: int, records: Records) -> float:
    """How much two cells differ, in standard deviations of the column."""
    a, b = records.cell(i, field), records.cell(j, field)
    if field in records.spread and not is_missing(a) and not is_missing(b):
        return abs(float(a) - float(b)) / max(records.spread[field], 1e-300)
    return 0.0 if as_text(a).strip() == as_text(b).strip() else TEXT_DIFFERENCE


def _field(i: int, j: int, field: int, differs: bool, records: Records) -> Field:
    assert records.frame is not None
    is_text = records.frame.columns[field] == records.text
    most = MAX_TEXT if is_text else MAX_CELL
    left, right = (cut(as_text(records.cell(row, field)), most) for row in (i, j))
    name = cut(records.name(field), MAX_NAME)
    if is_text:
        return Field(name, mark_words(left, right), False)
    return Field(name, ([Part(left, False)], [Part(right, False)]), bool(differs))
