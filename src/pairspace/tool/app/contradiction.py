"""A contradiction as a person sees it: the chain, in pictures and words, and what to take back."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from pairspace.constraints import Contradiction
from pairspace.constraints.answers_file import Answer
from pairspace.tool.app.items import Items

KEEP_OLD = "new"  # the choice not to keep the new answer


class Link:
    """One of the answers that can't all be true.

    Parameters
    ----------
    ends : (int, int)
        Two rows.
    same : bool
    answers : list of Answer
        The stored answers that say so; none for the answer that was just given.
    """

    def __init__(self, ends: tuple[int, int], same: bool, answers: list[Answer]) -> None:
        self.ends = ends
        self.same = same
        self.answers = answers

    @property
    def choice(self) -> str:
        """What the page sends back when this one is the wrong one."""
        return ",".join(str(answer.id) for answer in self.answers) or KEEP_OLD

    def html(self, key: int) -> str:
        """The sign between two items, who said it, and the button, with its key."""
        kind = "same" if self.same else "different"
        if self.answers:
            who = ", ".join(dict.fromkeys(answer.annotator for answer in self.answers))
            when = self.answers[-1].time[:16].replace("T", " ")
            note, button, new = f"{escape(who)}, {escape(when)}", "Take this back", ""
        else:
            note, button, new = "your answer just now", "Don’t keep it", " new"
        return (
            f'<div class="link {kind}{new}"><span class="sign">{"=" if self.same else "≠"}</span>'
            f"<small>{kind}: {note}</small>"
            f'<button type="button" data-choice="{self.choice}" data-key="{key}">'
            f"{button} <kbd>{key}</kbd></button></div>"
        )


def links_of(
    found: Contradiction, answers_to: Callable[[tuple[int, int], bool], list[Answer]]
) -> list[Link]:
    """The must-links of the chain in their order, and the cannot-link that they deny."""
    steps = [(*step, True) for step in zip(found.chain, found.chain[1:], strict=False)]
    return [
        Link((i, j), same, answers_to((i, j), same))
        for i, j, same in [*steps, (*found.pair, False)]
    ]


def contradiction_html(links: list[Link], items: Items) -> str:
    """The proof and the choice."""
    *chain, odd = links

    def end(row: int) -> str:
        return f'<div class="end">{items.brief(row)}<small>{items.caption(row)}</small></div>'

    shown = end(chain[0].ends[0]) + "".join(
        link.html(key) + end(link.ends[1]) for key, link in enumerate(chain, start=1)
    )
    first, last = (items.caption(row) for row in odd.ends)
    said = " and ".join(
        f"{items.caption(link.ends[0])} is the same as {items.caption(link.ends[1])}"
        for link in chain
    )
    return (
        '<div class="stop"><h2>These answers can’t all be true</h2>'
        f"<p>If {said}, then {first} and {last} can’t be different. "
        "Which answer is wrong?</p>"
        f'<div class="chain">{shown}</div>'
        f'<div class="chain">{end(odd.ends[0])}{odd.html(len(links))}{end(odd.ends[1])}</div></div>'
    )
