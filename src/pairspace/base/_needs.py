"""What a method declares about itself, once: tables, errors and searches read it here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pairspace._core.linalg import SearchSpan
from pairspace.base._supervision import Supervision

Use = Literal["required", "used", "ignored"]


@dataclass(frozen=True)
class Needs:
    """What a method learns from, and what it computes from the rows.

    Parameters
    ----------
    must : {"required", "used", "ignored"}, default="used"
        The role of must-links. Labels stand for both kinds of links.
    cannot : {"required", "used", "ignored"}, default="used"
        The role of cannot-links.
    either : bool, default=False
        Whether links of at least one kind are required.
    unlabelled : tuple of str, default=()
        What rows without labels or links contribute: "spread" (the scatter of all rows),
        "neighbours", "farthest rows", "clusters", "geodesics".
    spread : bool, default=True
        Whether the scatter of all rows is computed. If not, a table that is not in memory is read
        without it.
    span : {"links", "rows", "products"}, default="rows"
        Where the solution lies: in the span of the differences of linked rows, in that of all rows,
        or in that of all rows and found by products with vectors alone.
    compares_rows : bool, default=False
        Whether labelled or linked rows are compared with each other, as by distances, so that sums
        over them do not suffice.
    class_sums : bool, default=False
        Whether sums over the rows of each class suffice, so that ``partial_fit`` is possible.
    best_for : str, default=""
        When to prefer the method, in a few words.
    """

    must: Use = "used"
    cannot: Use = "used"
    either: bool = False
    unlabelled: tuple[str, ...] = ()
    spread: bool = True
    span: SearchSpan = "rows"
    compares_rows: bool = False
    class_sums: bool = False
    best_for: str = ""

    @property
    def supervision(self) -> bool:
        """Whether the method needs labels or links at all."""
        return self.either or "required" in (self.must, self.cannot)

    @property
    def row_values(self) -> bool:
        """Whether the rows themselves are needed, as for neighbours, not only sums over them."""
        return self.compares_rows or self._beyond_spread

    @property
    def _beyond_spread(self) -> bool:
        return any(use != "spread" for use in self.unlabelled)

    @property
    def uses_links(self) -> bool:
        """Whether links of any kind, or labels, change the result."""
        return self.must != "ignored" or self.cannot != "ignored"

    def gains_from(self, known: Supervision) -> bool:
        """Tell whether the supervision suffices and changes the result.

        A method that uses the spread alone is PCA if there are no links.

        Parameters
        ----------
        known : Supervision
            What is known about the rows.

        Returns
        -------
        bool
            True if nothing required is missing and the result differs from that without
            supervision.
        """
        must, cannot = known.must.total > 0, known.cannot.total > 0
        if (self.must == "required" and not must) or (self.cannot == "required" and not cannot):
            return False
        return must or cannot or self._beyond_spread or not self.uses_links

    def missing(self, known: Supervision) -> str:
        """Name what is required and not known.

        Parameters
        ----------
        known : Supervision
            What is known about the rows.

        Returns
        -------
        str
            What is missing, and which methods do without it, in words; empty if nothing is.
        """
        must, cannot = known.must.total > 0, known.cannot.total > 0
        if self.cannot == "required" and not cannot:
            instead = " (CFLD, RCA and MMC learn from must-links alone)" if must else ""
            return f"cannot-links, or labels of 2 classes or more{instead}"
        if self.must == "required" and not must:
            instead = " (SSDR and WMV learn from cannot-links alone)" if cannot else ""
            return f"must-links, or 2 rows with the same label{instead}"
        if self.supervision and not known:
            return "labels or constraints"
        return ""
