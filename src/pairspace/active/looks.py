"""What each look at a row said, and which of the looks agree."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pairspace.active.kinds import Step

LOOKS = 2  # looks at a row that agree: then what they said stands


class Verdict(NamedTuple):
    """What a look at a row said: that it is in a group, or that it is not.

    The number None stands for all groups that the person was shown.
    """

    number: int | None
    inside: bool

    def contradicts(self, other: Verdict) -> bool:
        """Whether one of the two must be wrong."""
        return self.says_of(other.number) == (not other.inside)

    def says_of(self, number: int | None) -> bool | None:
        """Whether the row is in a group; None if this does not say."""
        if self.number == number:
            return self.inside
        if self.inside:
            return number is None
        return False if self.number is None else None

    def renamed(self, source: int, target: int) -> Verdict:
        """The same, where one group has become a part of another."""
        return self._replace(number=target) if self.number == source else self


class Tally(NamedTuple):
    """Of looks at rows that were looked at again: how many were wrong, and how many right."""

    wrong: int
    right: int


class Looks:
    """The looks at each row, in order."""

    def __init__(self) -> None:
        self._verdicts: dict[int, list[Verdict]] = {}

    def add(self, step: Step) -> None:
        """Add what a step said."""
        for source, target in step.merges:
            for verdicts in self._verdicts.values():
                verdicts[:] = [each.renamed(source, target) for each in verdicts]
        for row, verdict in _verdicts_of(step).items():
            self._verdicts.setdefault(row, []).append(verdict)

    def agreeing(self, row: int, groups: Collection[int]) -> int:
        """How many looks at a row agree with the last one; 0 if there was none.

        Looks up to the last one that said the contrary do not count. Who says that the row is in
        a group must have denied, twice, each of the other groups for two looks to agree. So
        "not in 1" and "in 2" agree if there is no third group.

        Parameters
        ----------
        row : int
            The row.
        groups : collection of int
            The numbers of all groups.
        """
        if row not in self._verdicts:
            return 0
        return self._agreeing_with(self._verdicts[row][-1], row, groups)

    def _agreeing_with(self, verdict: Verdict, row: int, groups: Collection[int]) -> int:
        number, inside = verdict
        since = self._since_the_contrary(row, number, inside)
        others = [other for other in groups if other != number] if inside else []
        counts = [sum(each.says_of(other) is False for each in since) for other in others]
        return min(counts, default=sum(each.says_of(number) == inside for each in since))

    def standing(self, group_of: Mapping[int, int], groups: Collection[int]) -> list[int]:
        """The rows whose group stands, where these are the numbers of all groups."""
        return [
            row
            for row in self._verdicts
            if row in group_of
            and self._agreeing_with(Verdict(group_of[row], True), row, groups) >= LOOKS
        ]

    @property
    def denied(self) -> list[tuple[int, int]]:
        """Rows and the numbers of groups that they are not in, where this stands."""
        found = []
        for row, verdicts in self._verdicts.items():
            for number in dict.fromkeys(each.number for each in verdicts):
                since = self._since_the_contrary(row, number, False)
                if number and sum(each.says_of(number) is False for each in since) >= LOOKS:
                    found.append((row, number))
        return found

    @property
    def tally(self) -> Tally:
        """How many looks later ones at the same row contradict, and how many they do not."""
        wrong = [
            any(later.contradicts(verdict) for later in verdicts[at + 1 :])
            and verdicts[-1].says_of(verdict.number) != verdict.inside
            # A row that was in none of the groups may be in one that came later.
            and verdict.number is not None
            for verdicts in self._verdicts.values()
            for at, verdict in enumerate(verdicts[:-1])
        ]
        return Tally(sum(wrong), len(wrong) - sum(wrong))

    def _since_the_contrary(self, row: int, number: int | None, inside: bool) -> list[Verdict]:
        verdicts = self._verdicts[row]
        contrary = [at for at, each in enumerate(verdicts) if each.says_of(number) == (not inside)]
        return verdicts[contrary[-1] + 1 :] if contrary else verdicts


def judged_rows(step: Step) -> set[int]:
    """The rows that a step places in a group or takes out of one.

    In steps of older files they are the first of each pair.
    """
    return set(step.looked) or {
        answer.question.pair[0] for answer in step.answers if answer.value != "skip"
    }


def taken_out(step: Step) -> set[int]:
    """The rows that a grid shows not to be in its group; all others that it shows are in it.

    Nothing need be stored about the row to which others are linked, and that stays in its group.
    """
    if not step.answers and any(not number for _, number in step.founds):
        return set(step.looked)  # nothing of the group is left
    return {answer.question.pair[0] for answer in step.answers if answer.value == "different"}


def _verdicts_of(step: Step) -> dict[int, Verdict]:
    """For each row that a screen asked about, what was said about it."""
    if step.kind == "board":
        return {row: Verdict(step.number or None, bool(step.number)) for row in judged_rows(step)}
    if step.kind not in ("pick", "sweep"):
        return {}
    out = taken_out(step)
    return {row: Verdict(step.number, row not in out) for row in judged_rows(step)}
