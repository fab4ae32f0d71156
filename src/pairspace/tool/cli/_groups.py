"""Groups of rows, printed and written beside the columns of the data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from rich.table import Table

from pairspace._core.typing import Ints
from pairspace.cluster import PairClusters
from pairspace.tool.cli._screen import note, results
from pairspace.tool.files import TextFormat, read_as_written
from pairspace.tool.groups_table import beside

UNSURE = 0.7  # rows below it are counted
WRONG = 0.5  # answers below it are named
N_NAMED = 5


def with_own_columns(
    table: pd.DataFrame,
    path: Path,
    frame: pd.DataFrame,
    output: Path,
    text: TextFormat,
    rows: Ints | None = None,
) -> pd.DataFrame:
    """All rows of the file: as text if they stay text, otherwise with the types as read."""
    stays_text = output.suffix.lower() in (".csv", ".tsv")
    frame = read_as_written(path, text) if stays_text else frame
    if rows is not None and len(rows) < len(frame):
        note("ignored rows have no group")
    whole = beside(frame, table, rows)
    added = whole.columns[len(frame.columns)]
    if added != table.columns[0]:
        note(f"the data has a column of the same name: the new columns are called {added}, …")
    return whole


def print_groups(table: pd.DataFrame, clusters: PairClusters, ids: Sequence[Any]) -> None:
    """Print the size and confidence of each group, and the answers that are probably wrong."""
    shown = Table(box=None, pad_edge=False, header_style="bold")
    shown.add_column("group", no_wrap=True)
    for name in ("rows", "placed", "implied", "mean confidence", f"below {UNSURE}"):
        shown.add_column(name, justify="right")
    for group, rows in table.sort_values("group_id", kind="stable").groupby("group", sort=False):
        how = rows["how"].value_counts()
        shown.add_row(
            str(group),
            f"{len(rows):,}",
            f"{how.get('placed', 0):,}",
            f"{how.get('implied', 0):,}",
            f"{rows['confidence'].mean():.2f}",
            f"{int((rows['confidence'] < UNSURE).sum()):,}",
        )
    results.print(shown)
    if not len(clusters.placed_rows_):
        note(
            "the answers place too few rows: few groups are known to differ from all others. The "
            "groups are regions that follow distances and answers; label rows, or answer more "
            "pairs of rows that are in answers already"
        )
    _note_doubtful(clusters, ids)


def _note_doubtful(clusters: PairClusters, ids: Sequence[Any]) -> None:
    answers = clusters.doubtful_answers_
    wrong = answers[answers["probability"] < WRONG]
    for kind, i, j, probability in wrong[:N_NAMED].itertuples(index=False):
        rows = f"{ids[i]}" if j < 0 else f"{ids[i]} and {ids[j]}"
        note(f"probably wrong: the {kind} of {rows} (right with probability {probability:.2f})")
    if len(wrong) > N_NAMED:
        note(f"and {len(wrong) - N_NAMED:,} more answers that are probably wrong")
