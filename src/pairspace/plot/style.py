"""Colours that people with any colour vision can tell apart, and sizes for any number of points."""

from __future__ import annotations

from typing import Any

import numpy as np

# Of Okabe and Ito, in the order in which neighbours differ most; vermilion is for violated pairs.
PALETTE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#f0e442", "#7f5f3f")
MARKERS = ("o", "^", "s", "D", "v", "P", "X")  # for classes beyond the colours
UNKNOWN_COLOUR = "#9a9a9a"
VIOLATED_COLOUR = "#d62f00"
INTERACTIVE_INK = "#303030"
CHOSEN_COLOUR = PALETTE[0]
OTHER_COLOUR = "#8a8a8a"


def axes(ax: Any = None, **size: Any) -> Any:
    """The axes given, or new ones."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'pairspace[plots]'") from None
    return plt.subplots(layout="constrained", **size)[1]


def ink() -> str:
    """The colour of text on matplotlib axes, which depends on the style: dark, or light on dark."""
    from matplotlib import rcParams
    from matplotlib.colors import to_hex

    return to_hex(rcParams["text.color"])


def shortened(name: Any, length: int) -> str:
    """A name of at most ``length`` characters."""
    text = str(name)
    return text if len(text) <= length else f"{text[: length - 1]}…"


def point_area(n_points: int) -> float:
    """The area of a marker, in square points: smaller if there are many."""
    return float(np.clip(30_000 / max(n_points, 1), 1.5, 28.0))


def point_alpha(n_points: int) -> float:
    return float(np.clip(8_000 / max(n_points, 1), 0.35, 0.8))


def of_class(number: int) -> tuple[str, str]:
    """Colour and marker of a class."""
    return PALETTE[number % len(PALETTE)], MARKERS[number // len(PALETTE) % len(MARKERS)]
