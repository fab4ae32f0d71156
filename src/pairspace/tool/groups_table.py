"""The groups of all rows as a table: how sure each is, the second guess, how it is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pairspace._core.typing import Floats, Ints
from pairspace.constraints import Constraints

if TYPE_CHECKING:
    import pandas as pd

    from pairspace.cluster import PairClusters

COLUMNS = (
    "group_id",
    "group",
    "confidence",
    "second_group",
    "second_confidence",
    "how",
    "n_answers",
)
DECIMALS = 4  # of probabilities
PLACED, IMPLIED, PREDICTED = "placed", "implied", "predicted"


def groups_table(
    probabilities: Floats,
    placed_rows: Ints,
    placed_groups: Ints,
    *,
    constraints: Constraints | None = None,
    labelled: Any = None,
    names: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Return a row for each row of the data.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_groups)
        The probability of each group for each row.
    placed_rows, placed_groups : ndarray of int
        The rows that the answers place in groups, and these groups.
    constraints : Constraints, default=None
        The answers about pairs.
    labelled : array-like of bool of shape (n_samples,), default=None
        Which rows have a label.
    names : sequence of str, default=None
        The names of the groups; by default "group 1", "group 2", …

    Returns
    -------
    DataFrame
        The columns ``group_id`` (from 0 on), ``group``, ``confidence``, ``second_group``,
        ``second_confidence``, ``how`` and ``n_answers``, the number of answers and labels about
        the row. Probabilities have four decimals. ``how`` is "placed" if the row has a label or an
        answer "same" that puts it into this group, "implied" if answers "different" leave no
        other group or an equal row is in it, and "predicted" if the group is what the other rows
        suggest, also against an answer. With one group, the second is empty.
    """
    import pandas as pd

    n_rows, n_groups = probabilities.shape
    ids = np.arange(n_groups)
    called = np.array(default_names(n_groups) if names is None else list(names), dtype=object)
    if len(called) != n_groups:
        raise ValueError(
            f"names must have {n_groups} values, one for each group; got {len(called)}"
        )
    every = np.arange(n_rows)
    first = probabilities.argmax(axis=1)
    found: dict[str, Any] = {
        "group_id": ids[first],
        "group": called[first],
        "confidence": probabilities[every, first].round(DECIMALS),
    }
    if n_groups > 1:
        others = probabilities.copy()
        others[every, first] = -1
        second = others.argmax(axis=1)
        found["second_group"] = called[second]
        found["second_confidence"] = probabilities[every, second].round(DECIMALS)
    else:
        found["second_group"] = np.full(n_rows, None, dtype=object)
        found["second_confidence"] = np.full(n_rows, np.nan)
    has_label = np.zeros(n_rows, dtype=bool) if labelled is None else np.asarray(labelled, bool)
    same, different = (np.zeros(n_rows, dtype=np.int64) for _ in range(2))
    if constraints is not None:
        np.add.at(same, constraints.must_link.ravel(), 1)
        np.add.at(different, constraints.cannot_link.ravel(), 1)
    agrees = np.zeros(n_rows, dtype=bool)
    agrees[placed_rows] = first[placed_rows] == placed_groups
    direct = has_label | (same > 0)
    found["how"] = np.select([agrees & direct, agrees], [PLACED, IMPLIED], PREDICTED)
    found["n_answers"] = same + different + has_label
    return pd.DataFrame(found, columns=list(COLUMNS))


def table_of(
    clusters: PairClusters,
    *,
    constraints: Constraints | None = None,
    labelled: Any = None,
    names: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Return the table of a fitted PairClusters; see :func:`groups_table`.

    Parameters
    ----------
    clusters : PairClusters
        The fitted estimator.
    constraints : Constraints, default=None
        The answers that it was fitted to.
    labelled : array-like of bool of shape (n_samples,), default=None
        Which rows had a label.
    names : sequence of str, default=None
        The names of the groups; by default their labels, and "group 1", … where there are none.

    Returns
    -------
    DataFrame
        A row for each fitted row.
    """
    if names is None:
        numbered = default_names(clusters.n_clusters_)
        given = zip(clusters.group_labels_, numbered, strict=True)
        names = [number if label is None else str(label) for label, number in given]
    return groups_table(
        np.asarray(clusters.probabilities_),
        clusters.placed_rows_,
        clusters.placed_groups_,
        constraints=constraints,
        labelled=labelled,
        names=names,
    )


def beside(frame: pd.DataFrame, table: pd.DataFrame, rows: Ints | None = None) -> pd.DataFrame:
    """Return all columns of the data, unchanged, and those of the table to their right.

    Parameters
    ----------
    frame : DataFrame
        The data.
    table : DataFrame
        The groups of all its rows, or of some.
    rows : ndarray of int, default=None
        The rows of the data that the table is about, if not all: the others have empty cells.

    Returns
    -------
    DataFrame
        The data with the groups. If the data has a column of the same name, all columns of the
        table begin with "pairspace_".
    """
    import pandas as pd

    prefix = ""
    while any(prefix + name in frame.columns for name in table.columns):
        prefix += "pairspace_"
    added = table.add_prefix(prefix)
    if rows is not None and len(rows) < len(frame):
        # Whole numbers stay whole beside empty cells.
        whole = {name: "Int64" for name in added if added[name].dtype.kind == "i"}
        added = added.astype(whole).set_axis(rows).reindex(range(len(frame)))
    return pd.concat([frame.reset_index(drop=True), added.reset_index(drop=True)], axis=1)


def default_names(n_groups: int) -> list[str]:
    """Return the names of groups that nobody has named: "group 1", …"""
    return [f"group {number + 1}" for number in range(n_groups)]
