"""Data, what its rows look like, and the file of answers, put together: ``pairspace.label``."""

from __future__ import annotations

import getpass
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import issparse

from pairspace.constraints.tables import rows_of_ids

try:
    import panel as pn
except ImportError:
    raise ImportError("the labelling page needs Panel: pip install 'pairspace[app]'") from None

from pairspace.constraints.answers_file import AnswerStore
from pairspace.persistence import fingerprint
from pairspace.tool.app.desk import Desk
from pairspace.tool.app.exports import Exports, Origin
from pairspace.tool.app.images import Pictures
from pairspace.tool.app.items import Items, PictureItems, RecordItems, TextItems
from pairspace.tool.app.page import Page

ASK = "Are these two the same?"
# Beyond these a list of columns to colour by is no help.
MAX_COLOURS = 40


class Labelling:
    """One job of labelling; :meth:`page` makes a tab of it.

    The parameters are those of :func:`label`, and ``origin``: what X was made of.
    """

    def __init__(
        self,
        X: Any,
        items: Any = None,
        *,
        ids: Sequence[Any] | None = None,
        text: str | None = None,
        image: str | None = None,
        image_root: str | os.PathLike[str] | None = None,
        show: Sequence[str] | None = None,
        answers: str | os.PathLike[str] = "answers.sqlite",
        ask: str = ASK,
        title: str = "",
        annotator: str | None = None,
        origin: Origin | None = None,
        **options: Any,
    ) -> None:
        import pandas as pd

        frame = pd.DataFrame(items) if items is not None else _frame_of(X)
        n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
        if len(frame) != n_rows:
            raise ValueError(f"X has {n_rows:,} rows, but there are {len(frame):,} items")
        content = b""
        if ids is None:
            # Row numbers name the rows of any data: only its content tells it from other data.
            content = fingerprint(X if items is None else frame).encode()
            ids = range(n_rows)
        names = list(rows_of_ids(ids))
        self.items = _items(frame, names, text, image, image_root, show)
        self.store = AnswerStore(answers, names, content=content)
        self.desk = Desk(X, self.store, **options)
        self._columns = {
            str(name): frame[name].tolist()
            for name in frame.columns[:MAX_COLOURS]
            if name not in (text, image)
        }
        self._exports = Exports(self.desk, names, origin or Origin(X))
        self._ask = ask
        self._title = title
        self._annotator = annotator or _user()

    def page(self, *, in_notebook: bool = False) -> Page:
        """A tab, or what stands under a cell."""
        return Page(
            self.desk,
            self.items,
            self._columns,
            self._exports,
            title=self._title,
            ask=self._ask,
            annotator=self._annotator,
            in_notebook=in_notebook,
        )


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
    ask: str = ASK,
    title: str = "",
    annotator: str | None = None,
    **options: Any,
) -> Page:
    """Ask a person which rows are the same, in a notebook: the last line of a cell shows the page.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data in whose space the questions are chosen.
    items : DataFrame, default=None
        What people look at, a row for each row of X; X itself if not given.
    ids : sequence of shape (n_samples,), default=None
        The names of the rows; by default their numbers.
    text, image : str, default=None
        The column of ``items`` that is a text, or the path of a picture.
    image_root : path, default=None
        The folder of the pictures: nothing outside it is shown.
    show : sequence of str, default=None
        The columns of a record to show; by default all.
    answers : path, default="answers.sqlite"
        The file of answers; if there is one about this data, it is gone on with.
    ask : str
        The question that stands above the two.
    title : str, default=""
        What the data is called.
    annotator : str, default=None
        Who answers; by default the name of the user.
    **options
        Of :class:`pairspace.active.PairQuestions`: strategy, n_clusters, …

    Returns
    -------
    page : Page
        Its ``constraints`` are the answers so far.
    """
    pn.extension(inline=True)  # its scripts come with the cell, not from the network
    work = Labelling(
        X,
        items,
        ids=ids,
        text=text,
        image=image,
        image_root=image_root,
        show=show,
        answers=answers,
        ask=ask,
        title=title,
        annotator=annotator,
        **options,
    )
    return work.page(in_notebook=True)


def _items(
    frame: Any,
    ids: Sequence[str],
    text: str | None,
    image: str | None,
    image_root: str | os.PathLike[str] | None,
    show: Sequence[str] | None,
) -> Items:
    given = [name for name, value in (("text", text), ("image", image), ("show", show)) if value]
    if len(given) > 1:
        raise ValueError(f"rows are shown in one way: give {' or '.join(given)}, not both")
    for name in (*filter(None, (text, image)), *(show or ())):
        if name not in frame.columns:
            raise ValueError(
                f"there is no column {name!r} to show; there are "
                f"{', '.join(map(str, frame.columns[:8]))}{', …' * (len(frame.columns) > 8)}"
            )
    if (image is None) != (image_root is None):
        raise ValueError(
            "pictures need both: the column with their paths and the folder they are in"
        )
    if image is not None and image_root is not None:
        return PictureItems(ids, frame[image].tolist(), Pictures(image_root))
    if text is not None:
        return TextItems(ids, frame[text].tolist())
    return RecordItems(ids, frame[list(show)] if show else frame)


def _frame_of(X: Any) -> Any:
    import pandas as pd

    if hasattr(X, "columns"):
        return X
    if issparse(X):
        raise ValueError("sparse rows say nothing to a person: give a frame to look at as items=")
    X = np.asarray(X)
    return pd.DataFrame(X, columns=[f"x{at}" for at in range(X.shape[1])])


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container's user may have no name
        return "somebody"
