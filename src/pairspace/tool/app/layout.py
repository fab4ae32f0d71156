"""The layout of the page."""

from __future__ import annotations

from html import escape
from typing import Any

import panel as pn

from pairspace.tool.app.question_card import STYLE

CARD = {
    "background": "#ffffff",
    "border": "1px solid #d9e0e7",
    "border-radius": "12px",
    "padding": "12px 16px",
}
SIDE_WIDTH = 430


def html(text: str = "", **params: Any) -> Any:
    """A piece of HTML; the caller must escape what comes from the data."""
    params = {"margin": 0, "sizing_mode": "stretch_width", **params}
    return pn.pane.HTML(text, stylesheets=[STYLE], sanitize_html=False, **params)


def arrange(
    *,
    title: str,
    annotator: Any,
    card: Any,
    chart: list[Any],
    progress: list[Any],
    height: int | None,
) -> Any:
    """The header, the question on the left, map and progress on the right."""
    header = pn.Row(
        html(f'<div class="head"><b>pairspace</b><span>{escape(title)}</span></div>'),
        html('<div class="head"><span>Your name</span></div>', sizing_mode=None, width=76),
        annotator,
        height=50,
        margin=(0, 20),
        sizing_mode="stretch_width",
    )
    side = pn.Column(
        pn.Column(*chart, styles=CARD, margin=0, sizing_mode="stretch_both", min_height=260),
        pn.Column(*progress, styles=CARD, margin=(12, 0, 0, 0), sizing_mode="stretch_width"),
        width=SIDE_WIDTH,
        margin=(0, 0, 0, 12),
        sizing_mode="stretch_height",
    )
    body = pn.Row(card, side, margin=(0, 20, 16, 20), sizing_mode="stretch_both")
    size = (
        {"sizing_mode": "stretch_both", "min_height": 640}
        if height is None
        else {"sizing_mode": "stretch_width", "height": height}
    )
    return pn.Column(header, body, styles={"background": "#f3f5f8"}, **size)
