"""Contrasts of the page's colours, in light and dark, and with the colours of the system."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

CSS = (files("pairspace.tool.app") / "static" / "page.css").read_text(encoding="utf-8")


def palette(dark: bool) -> dict[str, str]:
    """The colours by name; those of the dark scheme stand in the second block."""
    light, *rest = CSS.split("@media (prefers-color-scheme: dark)")
    assert len(rest) == 1
    text = rest[0].split("}")[0] if dark else light
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", text))


def luminance(colour: str) -> float:
    """Relative luminance, by WCAG 2.2."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_the_focus_ring_and_edges_can_be_seen(dark: bool) -> None:
    colours = palette(dark)
    for ground in ("paper", "ground", "item"):
        assert contrast(colours["focus"], colours[ground]) >= 3
    assert contrast(colours["edge"], colours["paper"]) >= 3


@pytest.mark.parametrize("dark", [False, True])
def test_hints_and_keys_can_be_read(dark: bool) -> None:
    colours = palette(dark)
    for text in ("ink", "soft", "bad", "good"):
        assert contrast(colours[text], colours["paper"]) >= 4.5
    for button in ("same", "different"):  # a key on a button has the colour of its text
        assert contrast(colours["on-colour"], colours[button]) >= 4.5
    assert "border: 1px solid currentColor" in CSS.split("kbd {")[1].split("}")[0]


def test_forced_colours_keep_edges_and_choices() -> None:
    forced = CSS.split("@media (forced-colors: active) {")[1].split("\n}")[0]
    assert "button" in forced
    assert '.cell[aria-pressed="true"]' in forced
    assert "Highlight" in forced
