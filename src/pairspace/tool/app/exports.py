"""The downloads: groups, answers, embedding, model and report."""

from __future__ import annotations

import copy
import io
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.pipeline import Pipeline

from pairspace.active.answer_log import NONE_OF_THESE, NOT_OF_INTEREST
from pairspace.constraints import UNKNOWN
from pairspace.persistence import save
from pairspace.tool.app.session import LabellingSession
from pairspace.tool.groups_table import beside, groups_table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Origin:
    """The features that X was made from, so that the downloaded model takes the same.

    Parameters
    ----------
    features : array-like or DataFrame
        The features, in the form in which new data will come.
    front : sequence of (name, transformer), default=()
        The fitted steps that turn the features into X.
    about : mapping, default={}
        Goes into the description in the model file.
    as_written : callable, default=None
        Reads the person's table again, of a text file each cell as the text that it is.
    """

    features: Any
    front: Sequence[tuple[str, Any]] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    as_written: Callable[[], pd.DataFrame] | None = None


class Exports:
    """Files made from the latest answers and the latest space."""

    def __init__(
        self,
        session: LabellingSession,
        ids: Sequence[str],
        origin: Origin,
        shown: pd.DataFrame | None = None,
    ) -> None:
        self._session = session
        self._ids = ids
        self._origin = origin
        self._shown = shown

    def files(self) -> dict[str, Callable[[], io.BytesIO]]:
        """The file names, each with the function that makes the file."""
        return {
            "groups.csv": lambda: _csv(self.groups(as_written=True)),
            "groups.parquet": lambda: _parquet(self.groups()),
            "answers.csv": lambda: _csv(self.answers()),
            "answers.parquet": lambda: _parquet(self.answers()),
            "embedding.csv": lambda: _csv(self.embedding()),
            "embedding.parquet": lambda: _parquet(self.embedding()),
            "model.skops": lambda: _written(self._save),
            "report.html": lambda: _written(self._report),
        }

    def groups(self, *, as_written: bool = False) -> pd.DataFrame:
        """All rows: the person's own id and columns, then the group of each and how it is known.

        With ``as_written``, the cells of a text file are the text that they are there.
        ``said`` is what a person said about a row that is in no group: "not sure", "none of these"
        or "not of interest". Rows of the last two kinds have no group.
        """
        session = self._session
        questions, log = session.questions, session.questions.log
        groups = questions.groups
        n_rows = len(self._ids)
        placed = [row for group in groups for row in group.rows]
        numbers = [group.number for group in groups]
        column = np.full(n_rows, UNKNOWN)  # of each row that is placed, or equal to one that is
        known = np.flatnonzero(questions.labels != UNKNOWN)
        column[known] = np.searchsorted(numbers, questions.labels[known])
        for at, group in enumerate(groups):
            column[list(group.rows)] = at
        known = np.flatnonzero(column != UNKNOWN)
        table = groups_table(
            questions.group_probabilities() if groups else np.ones((n_rows, 1)),
            known,
            column[known],
            constraints=questions.constraints,
            labelled=np.isin(np.arange(n_rows), placed),
            names=[group.title for group in groups] or [""],
        )
        table["group_id"] = np.array(numbers or [0])[table["group_id"]]
        table["said"] = [log.pile_of(row) for row in questions.first_equal.tolist()]
        table.loc[known, "said"] = ""
        in_none = table["said"].isin([NONE_OF_THESE, NOT_OF_INTEREST]).to_numpy()
        if not groups:
            in_none[:] = True
        empty = ["group_id", "group", "confidence", "second_group", "second_confidence", "how"]
        table = table.astype({"group_id": "Int64"})
        table.loc[in_none, empty] = None
        return beside(self._frame(as_written), table)

    def _frame(self, as_written: bool) -> pd.DataFrame:
        """The person's own columns, after the ids of the rows."""
        import pandas as pd

        frame = self._shown.reset_index(drop=True) if self._shown is not None else pd.DataFrame()
        if as_written and self._origin.as_written is not None:
            try:
                written = self._origin.as_written()
            except (OSError, ValueError):  # the file was moved meanwhile: values as they were read
                written = frame
            frame = written if len(written) == len(frame) else frame
        if "id" in frame.columns:
            return frame
        return pd.concat([pd.DataFrame({"id": list(self._ids)}), frame], axis=1)

    def answers(self) -> pd.DataFrame:
        """All answers without skips, with annotator and time; ``Constraints.read`` reads them."""
        import pandas as pd

        answers = [answer for answer in self._session.accepted if answer.same is not None]
        names = ("a", "b", "same", "time", "annotator")
        return pd.DataFrame({name: [getattr(answer, name) for answer in answers] for name in names})

    def embedding(self) -> pd.DataFrame:
        """All rows in the latest space, with their clusters."""
        import pandas as pd

        space = self._session.questions.space
        axes = {f"component_{at}": axis for at, axis in enumerate(space.embedding.T, start=1)}
        return pd.DataFrame({"id": list(self._ids), **axes, "cluster": space.clusters})

    def model(self) -> Pipeline:
        """The pipeline from the features to the latest space."""
        space = copy.deepcopy(self._session.questions.space.model)
        features, front = self._origin.features, self._origin.front
        if not front and hasattr(features, "columns"):
            # The space was fitted on an array; the model should know the names of its columns.
            space.steps[0][1].feature_names_in_ = np.asarray(features.columns, dtype=object)
        return Pipeline([*front, *space.steps])

    def _save(self, path: Path) -> None:
        answers = self._session.questions.space.constraints
        about = {
            **self._origin.about,
            "must_links": len(answers.must_link),
            "cannot_links": len(answers.cannot_link),
        }
        save(self.model(), path, self._origin.features, about=about)

    def _report(self, path: Path) -> None:
        from pairspace.tool.report import write_report

        write_report(
            path,
            self.model(),
            self._origin.features,
            constraints=self._session.questions.space.constraints,
            ids=self._ids,
            title=str(self._origin.about.get("data", "data")),
        )


def _csv(frame: pd.DataFrame) -> io.BytesIO:
    return io.BytesIO(frame.to_csv(index=False).encode())


def _parquet(frame: pd.DataFrame) -> io.BytesIO:
    return _written(lambda path: frame.to_parquet(path, index=False))


def _written(write: Callable[[Path], Any]) -> io.BytesIO:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        write(path)
        return io.BytesIO(path.read_bytes())
