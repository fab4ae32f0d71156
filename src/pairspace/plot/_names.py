"""Names on axes that do not cover each other, whatever the size of the figure. Needs matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.text import Text

from pairspace._core.typing import Floats

N_ROUNDS = 300
GAP = 2.0  # pixels between two names


class Names(list["Name"]):
    """The names on an axes, which are moved apart before they are drawn."""

    def arrange(self, renderer: Any) -> None:
        """Move the names apart; each starts where it belongs."""
        for name in self:
            name.set_position(name.home)
        boxes = [name.get_window_extent(renderer) for name in self]
        # The box around the text has a padding of 0.2 font sizes.
        pads = np.array([0.25 * renderer.points_to_pixels(name.get_fontsize()) for name in self])
        sizes = np.array([(box.width, box.height) for box in boxes]) + 2 * pads[:, None]
        centres = np.array([((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2) for box in boxes])
        moves = moved_apart(centres, sizes) - centres
        for name, move in zip(self, moves, strict=True):
            if move.any():
                to_pixels = name.get_transform()
                at = to_pixels.transform(name.home) + move
                name.set_position(tuple(to_pixels.inverted().transform(at)))


class Name(Text):
    """A name in a box at a place in the data."""

    def __init__(self, names: Names, x: float, y: float, text: str, edge: str) -> None:
        super().__init__(
            x,
            y,
            text,
            parse_math=False,  # a name with two $ is no formula
            ha="center",
            va="center",
            size="small",
            weight="bold",
            zorder=5,
            clip_on=True,
            bbox={
                "boxstyle": "round,pad=0.2",
                "fc": rcParams["axes.facecolor"],
                "ec": edge,
                "alpha": 0.85,
            },
        )
        self.home = (x, y)
        self._names = names

    def draw(self, renderer: Any) -> None:
        """Draw the name; the first one arranges all of them."""
        if self is self._names[0]:
            self._names.arrange(renderer)
        super().draw(renderer)


def moved_apart(centres: Floats, sizes: Floats) -> Floats:
    """Move boxes until none covers another, each pair along the side on which it overlaps less."""
    places = centres.copy()
    for _ in range(N_ROUNDS):
        moved = False
        for i in range(len(places)):
            for j in range(i):
                apart = places[i] - places[j]
                over = (sizes[i] + sizes[j]) / 2 + GAP - np.abs(apart)
                if (over <= 0).any():
                    continue
                side = int(np.argmin(over))
                step = (over[side] / 2 + 0.5) * (1 if apart[side] >= 0 else -1)
                places[i, side] += step
                places[j, side] -= step
                moved = True
        if not moved:
            break
    return places
