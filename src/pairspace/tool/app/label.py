"""The function ``pairspace.label``. Only a call needs Panel."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import issparse

if TYPE_CHECKING:
    import pandas as pd

    from pairspace.active.kinds import Kind
    from pairspace.tool.app.page import Page


def label(
    X: Any,
    items: Any = None,
    *,
    ids: Sequence[Any] | None = None,
    text: str | None = None,
    image: str | None = None,
    image_root: str | os.PathLike[str] | None = None,
    show: Sequence[str] | None = None,
    answers: str | os.PathLike[str] = "answers.sqlite",
    ask: str = "Are these two the same?",
    title: str = "",
    annotator: str | None = None,
    kind: Kind = "mixed",
    blind: bool = False,
    audit: str | None = None,
    **options: Any,
) -> Page:
    """Ask a person which rows are the same, on a page in a notebook.

    Make it the last line of a cell: the page is shown below.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data that the questions are chosen from.
    items : DataFrame, default=None
        What people look at, with one row for each row of X; X itself by default.
    ids : sequence of shape (n_samples,), default=None
        The names of the rows; their numbers by default.
    text : str, default=None
        The column of ``items`` to show as a text. ``text``, ``image`` and ``show`` may be combined.
    image : str, default=None
        The column of ``items`` with the paths of pictures to show.
    image_root : path, default=None
        The folder of the pictures. Files outside it are not shown.
    show : sequence of str, default=None
        The columns of ``items`` to show as a record; all by default, if nothing else is shown.
    answers : path, default="answers.sqlite"
        The answers file. If it exists, its answers are used.
    ask : str, default="Are these two the same?"
        The question above the two items.
    title : str, default=""
        The title of the page.
    annotator : str, default=None
        The name of the person who answers; the user's name by default.
    kind : {"mixed", "board", "pick", "sweep", "pair"}, default="mixed"
        The kind of questions to start with; "mixed" chooses the kind that pays most.
    blind : bool, default=False
        Hide the map, all predictions and the answers of others at the start.
    audit : str, default=None
        Ask about the answers of this annotator first, those that are probably wrong before others.
    **options : dict
        Options of :class:`pairspace.active.PairQuestions`, for example ``n_clusters``.

    Returns
    -------
    Page
        The page. Its ``groups_`` are all rows with their groups, its ``constraints`` the answers so
        far.

    See Also
    --------
    pairspace.active.PairQuestions : The same questions without a page.
    """
    try:
        import panel as pn
    except ImportError:
        raise ImportError("the labelling page needs Panel: pip install 'pairspace[app]'") from None
    from pairspace.tool.app.labelling import Display, Labelling

    pn.extension(inline=True)  # the scripts come with the cell, not from the network
    frame = _frame_of(X if items is None else items)
    labelling = Labelling(
        X,
        Display(frame, text=text, image=image, image_root=image_root, show=show),
        ids=ids,
        answers=answers,
        ask=ask,
        title=title,
        annotator=annotator,
        kind=kind,
        blind=blind,
        audit=audit,
        **options,
    )
    return labelling.page(in_notebook=True)


def _frame_of(table: Any) -> pd.DataFrame:
    import pandas as pd

    if issparse(table):
        raise ValueError("sparse rows can't be shown: pass a DataFrame as items=")
    if isinstance(table, pd.DataFrame):
        return table
    if hasattr(table, "columns"):
        return pd.DataFrame(table)
    table = np.asarray(table)
    return pd.DataFrame(table, columns=[f"x{at}" for at in range(table.shape[1])])
