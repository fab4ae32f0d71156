"""The downloads as buttons."""

from __future__ import annotations

from typing import Any

import panel as pn

from pairspace.tool.app.exports import Exports

STYLE = """
:host a.bk-btn, :host .bk-btn {
  padding: 2px 9px; font: 600 13px system-ui, sans-serif; background: #fff !important;
  color: #1b2733 !important; border: 1px solid #7d8b99 !important; border-radius: 6px;
}
:host a.bk-btn:focus-visible { outline: 3px solid #0b66c3; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  :host a.bk-btn, :host .bk-btn { background: #26313d !important; color: #eef2f6 !important; }
  :host a.bk-btn:focus-visible { outline-color: #7cc0ff; }
}
"""


def downloads_of(exports: Exports) -> Any:
    """A button for each file; it is made when it is asked for."""
    buttons = [
        pn.widgets.FileDownload(
            callback=make,
            filename=name,
            label=name,
            embed=False,
            auto=True,
            margin=(0, 6, 6, 0),
            height=28,
            stylesheets=[STYLE],
        )
        for name, make in exports.files().items()
    ]
    return pn.FlexBox(*buttons, margin=0, sizing_mode="stretch_width")
