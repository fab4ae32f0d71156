"""What happened, and what an export would contain, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from html import escape
from typing import Any

from pairspace.active.kinds import Step
from pairspace.asking.annotators import NOT_THERE
from pairspace.asking.audit import LEAST_LOOKS, Audit, AuditResult
from pairspace.tool.app.items import Items
from pairspace.tool.app.summary import Summary

SAID = {
    "same": "{} and {} are the same",
    "different": "{} and {} are different",
    "skip": "not sure about {} and {}",
}
IMPLIED = {
    True: "The answers so far imply that these two are the same",
    False: "The answers so far imply that these two are different",
}


def step_html(step: Step, items: Items, titles: Mapping[int, str]) -> str:
    """One step of the history as HTML. ``titles`` has the names of the groups there are."""

    def title(number: int | None) -> str:
        if number is None:
            return "a group"
        named = titles.get(number) or dict(step.names).get(number) or f"Group {number}"
        return f'<b dir="auto">{escape(named)}</b>'

    caption = items.caption
    counted = {
        value: sum(answer.value == value for answer in step.answers)
        for value in ("same", "different")
    }
    if step.kind == "pair" and step.answers:
        question, value = step.answers[0]
        return SAID[value].format(*map(caption, question.pair))
    if step.kind == "board":
        row = row_of(step)
        shown = "a row" if row is None else caption(row)
        if step.piles:
            return f"{shown}: {escape(step.piles[0][1])}"
        if (row, step.number) in step.founds:
            return f"{shown} starts {title(step.number)}"
        if (row, 0) in step.founds:
            return f"{shown} moves to {title(step.number)}"
        before = ", no longer “not in this group”" if step.retracts else ""
        return f"{shown} is in {title(step.number)}{before}"
    if step.kind == "pick":
        row = row_of(step)
        shown = "one row" if row is None else caption(row)
        others = f", {counted['different']} are not" if counted["different"] else ""
        return f"{counted['same']} rows are the same as {shown}{others}"
    if step.kind == "sweep":
        out = f", {counted['different']} taken out" if counted["different"] else ""
        # Other rows of the group may be linked anew.
        n_same = len(step.looked) - counted["different"] if step.looked else counted["same"]
        return f"{n_same} rows confirmed in {title(step.number)}{out}"
    if step.kind == "merge" and step.merges:
        source, target = step.merges[0]
        return f"{title(source)} merged into {title(target)}"
    if step.kind == "split" and step.founds:
        return f"{title(step.founds[0][1])} split off from {title(step.number)}"
    if step.kind == "name" and step.names:
        number, name = step.names[0]
        return f"group {number} named <b>{escape(name)}</b>" if name else f"group {number} unnamed"
    if step.kind == "given":
        return f"{_plural(len(step.answers), 'answer')} from the start"
    if step.kind == "retract":
        return f"{_plural(len(step.retracts), 'answer')} taken back"
    return escape(step.kind)


def row_of(step: Step) -> int | None:
    """The row that a board or a pick was about; None if the step does not say."""
    if step.piles:
        return step.piles[0][0]
    if step.founds:
        return step.founds[0][0]
    pairs = [set(answer.question.pair) for answer in step.answers]
    if len(pairs) == 1:
        return step.answers[0].question.pair[0]
    shared = set.intersection(*pairs) if pairs else set()
    return next(iter(shared), None)


def summary_html(summary: Summary) -> str:
    """What an export would contain, in rows."""
    right = ""
    if summary.right is not None:
        mean, error = summary.right.mean, summary.right.standard_error
        right = f", <b>{100 * mean:.0f} ± {100 * error:.0f} %</b> of them right"
    return (
        f"<b>{summary.n_grouped:,}</b> of {_plural(summary.n_rows, 'row')} are in "
        f"<b>{_plural(summary.n_groups, 'group')}</b>{right}."
    )


def summary_text(summary: Summary) -> str:
    """The same in plain text, for a terminal."""
    return re.sub("<[^>]+>", "", summary_html(summary))


def audit_html(audit: Audit, result: AuditResult | None) -> str:
    """How often an annotator is right, and what thresholds would give."""
    name = f'<b dir="auto">{escape(audit.annotator)}</b>'
    looked = f"{len(audit.looks):,} of {_plural(len(audit.said), 'answer')} looked at"
    if result is None:
        return f"<p>{name}: {looked}. After {LEAST_LOOKS} looks: how often it is right.</p>"
    mean, error = result.mean, result.standard_error
    rows = "".join(
        f"<tr><td>above {each.threshold:g}</td><td>{each.right:.0%}</td><td>{each.kept:.0%}</td>"
        "</tr>"
        for each in result.thresholds
    )
    table = (
        f"<table><thead><tr><th>its confidence</th><th>right</th><th>answers kept</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
    return (
        f"<p>{name} is right in <b>{100 * mean:.0f} ± {100 * error:.0f} %</b> ({looked}).</p>"
        f"{table if result.thresholds else ''}"
    )


def said_html(answers: Mapping[str, Any], titles: Mapping[int, str]) -> str:
    """Who said what about a row or a pair."""

    def shown(value: Any) -> str:
        if value == NOT_THERE:
            return "another group"
        return titles.get(value, f"Group {value}") if isinstance(value, int) else str(value)

    return ", ".join(
        f'<b dir="auto">{escape(name)}</b> says {escape(shown(value))}'
        for name, value in answers.items()
    )


def time_of_day(time: str) -> str:
    """A stored time as the clock shows it: the hour today, the date before."""
    try:
        then = datetime.fromisoformat(time).astimezone()
    except ValueError:
        return time
    today = then.date() == datetime.now().astimezone().date()
    return f"{then:%H:%M}" if today else f"{then:%Y-%m-%d %H:%M}"


def ago(seconds: float) -> str:
    """How long ago, roughly."""
    if seconds < 10:
        return "just now"
    if seconds < 60:
        return f"{int(seconds // 10) * 10} s ago"
    return f"{int(seconds // 60)} min ago"


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
