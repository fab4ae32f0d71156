"""A contradiction as the page shows it: the chain of answers, and which of them to undo."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from pairspace.constraints import Contradiction
from pairspace.constraints.answers_file import StoredAnswer
from pairspace.tool.app.items import Items

DISCARD_NEW = "new"  # the choice to discard the new answer


class Link:
    """One of the answers that can't all be true.

    Parameters
    ----------
    ends : (int, int)
        Two rows.
    same : bool
        The answer.
    answers : list of StoredAnswer
        The stored answers that say so; empty for the answer that was just given.
    """

    def __init__(self, ends: tuple[int, int], same: bool, answers: list[StoredAnswer]) -> None:
        self.ends = ends
        self.same = same
        self.answers = answers

    @property
    def choice(self) -> str:
        """What the page sends back if this answer is wrong."""
        return ",".join(str(answer.id) for answer in self.answers) or DISCARD_NEW

    def html(self, key: int) -> str:
        """The sign between two items, who answered and when, and the button with its key."""
        kind = "same" if self.same else "different"
        if self.answers:
            who = ", ".join(dict.fromkeys(answer.annotator for answer in self.answers))
            when = self.answers[-1].time[:16].replace("T", " ")
            note, button, new = f"{escape(who)}, {escape(when)}", "Undo this answer", ""
        else:
            note, button, new = "your new answer", "Discard this answer", " new"
        return (
            f'<div class="link {kind}{new}"><span class="sign">{"=" if self.same else "≠"}</span>'
            f"<small>{kind}: {note}</small>"
            f'<button type="button" data-choice="{self.choice}" data-key="{key}">'
            f"{button} <kbd>{key}</kbd></button></div>"
        )


def links_of(
    found: Contradiction, answers_to: Callable[[tuple[int, int], bool], list[StoredAnswer]]
) -> list[Link]:
    """The must-links of the chain in order, and the cannot-link that contradicts them."""
    steps = [(*step, True) for step in zip(found.chain, found.chain[1:], strict=False)]
    return [
        Link((i, j), same, answers_to((i, j), same))
        for i, j, same in [*steps, (*found.pair, False)]
    ]


def contradiction_html(links: list[Link], items: Items) -> str:
    """The chain of answers, and a button for each."""
    *chain, cannot = links

    def end(row: int) -> str:
        return f'<div class="end">{items.brief(row)}<small>{items.caption(row)}</small></div>'

    shown = end(chain[0].ends[0]) + "".join(
        link.html(key) + end(link.ends[1]) for key, link in enumerate(chain, start=1)
    )
    first, last = (items.caption(row) for row in cannot.ends)
    same = " and ".join(
        f"{items.caption(link.ends[0])} is the same as {items.caption(link.ends[1])}"
        for link in chain
    )
    cannot_html = end(cannot.ends[0]) + cannot.html(len(links)) + end(cannot.ends[1])
    return (
        '<div class="dialog"><h2>These answers contradict each other</h2>'
        f"<p>If {same}, then {first} and {last} can’t be different. "
        "Which answer is wrong?</p>"
        f'<div class="chain">{shown}</div><div class="chain">{cannot_html}</div></div>'
    )
