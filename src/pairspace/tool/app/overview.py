"""What all tabs show beside the question, computed once for each version of the session."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from pairspace.active.kinds import Group
from pairspace.tool.app.items import Items
from pairspace.tool.app.map import MAX_LINES
from pairspace.tool.app.shared_session import AuditState, SharedSession
from pairspace.tool.app.view import Lines, lines_of
from pairspace.tool.app.words import (
    ago,
    audit_html,
    said_html,
    step_html,
    summary_html,
    time_of_day,
)

N_STEPS = 30  # of the history that are shown
MAX_DIFFERENT = 60  # lines between rows that are different
TICK_SECONDS = 0.1  # several tabs need not look at the file at the same moment


class Overview:
    """The groups, the history and the progress of a session, for all its tabs.

    Parameters
    ----------
    session : SharedSession
        The state behind the pages.
    items : Items
        How rows are shown.
    """

    def __init__(self, session: SharedSession, items: Items) -> None:
        self._session = session
        self._items = items
        self.tabs: set[Any] = set()  # those that are open
        self._snapshot: Snapshot | None = None
        self._ticked = -np.inf
        self._age = ("", -1, -np.inf)  # in words, of which version, said when

    def tick(self) -> None:
        """Let the session look at the file and at the fit, unless another tab just did."""
        if time.monotonic() - self._ticked >= TICK_SECONDS:
            self._session.tick()
            self._ticked = time.monotonic()

    @property
    def now(self) -> Snapshot:
        """What there is to show now."""
        if self._snapshot is None or self._snapshot.version != self._session.version:
            self._snapshot = Snapshot(self._session, self._items)
        return self._snapshot

    @property
    def age(self) -> str:
        """How old the map is, and whether a newer one is being fitted."""
        text, version, said = self._age
        if version != self._session.version or time.monotonic() - said >= TICK_SECONDS:
            text = self._say_age()
            self._age = (text, self._session.version, time.monotonic())
        return text

    def _say_age(self) -> str:
        session = self._session
        fitted = ago(time.monotonic() - session.fitted_at)
        if session.failure:
            return f"Fitted {fitted}. The last fit failed: {session.failure}"
        if self.now.outdated:
            return f"Fitted {fitted}; newer answers are being added …"
        return f"Fitted to all answers, {fitted}"


class Snapshot:
    """What there is to show at one version of the session; each part is made when it is asked for.

    Parameters
    ----------
    session : SharedSession
        The state behind the pages.
    items : Items
        How rows are shown.
    """

    def __init__(self, session: SharedSession, items: Items) -> None:
        self.version = session.version
        self._session = session
        self._items = items
        self._audits: dict[str, AuditState] = {}
        self._sides: dict[str | None, str] = {}

    @cached_property
    def programs(self) -> frozenset[str]:
        """The names of the annotators that are programs."""
        if not self._session.several:
            return frozenset()
        return self._session.annotators(may_be_old=True).programs

    @cached_property
    def groups(self) -> dict[int, Group]:
        """The groups by their numbers."""
        return {group.number: group for group in self._session.groups()}

    @cached_property
    def group_of(self) -> dict[int, int]:
        """The numbers of the groups of all rows that answers have placed."""
        return {row: group.number for group in self.groups.values() for row in group.rows}

    @cached_property
    def titles(self) -> dict[int, str]:
        """The titles of the groups by their numbers; equal names are told apart by numbers."""
        names = [group.name.casefold() for group in self.groups.values()]
        return {
            number: f"{group.name} ({number})"
            if group.name and names.count(group.name.casefold()) > 1
            else group.title
            for number, group in self.groups.items()
        }

    @cached_property
    def history(self) -> list[Any]:
        """The last steps, newest first."""
        return self._session.history(N_STEPS)

    @cached_property
    def recent(self) -> list[int]:
        """The numbers of the groups, those used last first, then in their order."""
        used: Iterable[int] = [
            entry.step.number for entry in self.history if entry.step.number in self.groups
        ]
        return list(dict.fromkeys([*used, *self.groups]))

    @cached_property
    def summary(self) -> Any:
        """What an export would contain."""
        return self._session.summary()

    @cached_property
    def progress(self) -> Any:
        """The progress, and whether to stop."""
        return self._session.questions.progress

    @cached_property
    def n_answers(self) -> int:
        """The number of answers without skips."""
        return int(self.progress.answers)

    @cached_property
    def outdated(self) -> bool:
        """Whether there are answers that the space does not have."""
        return self._session.questions.outdated

    @cached_property
    def lines(self) -> Lines:
        """The answers as lines of the map.

        A placed row differs from all other groups: so many lines would hide the map, and only
        those that the map violates are left.
        """
        questions = self._session.questions
        lines = lines_of(questions.constraints, questions.space.embedding, MAX_LINES)
        if (~lines.same).sum() > MAX_DIFFERENT:
            kept = lines.same | lines.violated
            lines = Lines(lines.pairs[kept], lines.same[kept], lines.violated[kept])
        return lines

    @cached_property
    def cluster_titles(self) -> dict[int, str]:
        """For each cluster of the map the group that most of its placed rows are in."""
        clusters = self._session.view.clusters
        votes: dict[int, dict[int, int]] = {}
        for row, number in self.group_of.items():
            of_cluster = votes.setdefault(int(clusters[row]), {})
            of_cluster[number] = of_cluster.get(number, 0) + 1
        return {
            cluster: self.titles[max(count, key=lambda number: count[number])]
            for cluster, count in votes.items()
        }

    @cached_property
    def groups_json(self) -> str:
        """The groups as the page gets them: number, name, title, rows; those used last first."""
        return json.dumps(
            [
                [
                    number,
                    self.groups[number].name,
                    self.titles[number],
                    len(self.groups[number].rows),
                ]
                for number in self.recent
            ]
        )

    @cached_property
    def audits(self) -> dict[str, AuditState]:
        """How far the audit of each program is."""
        if not self._session.several:
            return {}
        said = self._session.annotators(may_be_old=True)
        on_boards = {each.annotator for each in said.judgements if each.subject[0] == "board"}
        return {name: self.audit_of(name) for name in sorted(said.programs & on_boards)}

    def audit_of(self, name: str) -> AuditState:
        """How far the audit of an annotator is."""
        if name not in self._audits:
            self._audits[name] = self._session.audit_state(name)
        return self._audits[name]

    @cached_property
    def disagreements(self) -> dict[Any, str]:
        """Rows and pairs with several answers that nobody has resolved, and who said what."""
        if not self._session.several:
            return {}
        found = self._session.annotators(may_be_old=True).disagreements
        return {
            each.subject[1] if len(each.subject) == 2 else each.subject[1:]: said_html(
                each.answers, self.titles
            )
            for each in found
        }

    def side_json(self, only: str | None = None) -> str:
        """The summary, the verdict and the history as the page gets them.

        In blind mode there are ``only`` the steps of one person, and nothing that others said.
        """
        if only not in self._sides:
            self._sides[only] = self._side_json(only)
        return self._sides[only]

    def _side_json(self, only: str | None) -> str:
        summary, programs = self.summary, self.programs
        return json.dumps(
            {
                "audits": []
                if only is not None
                else [
                    {"name": name, "html": audit_html(*state)}
                    for name, state in self.audits.items()
                ],
                "disagreements": 0 if only is not None else len(self.disagreements),
                "summary": summary_html(summary),
                # Before there are two groups, nothing is predicted.
                "unsure": summary.n_unsure if summary.n_groups > 1 else 0,
                "aside": summary.n_aside,
                "outvoted": len(summary.outvoted),
                "not_sure": summary.n_not_sure,
                "answers": self.n_answers,
                "verdict": self.progress.why,
                "enough": bool(self.progress.enough),
                "history": [
                    {
                        "id": entry.id,
                        "text": step_html(entry.step, self._items, self.titles),
                        "kind": entry.step.kind,
                        "time": time_of_day(entry.time),
                        "by": f"{entry.annotator} (program)"
                        if entry.annotator in programs
                        else entry.annotator,
                    }
                    for entry in self.history
                    if only in (None, entry.annotator)
                ],
            }
        )
