"""The downloads: answers, embedding, model and report."""

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

from pairspace.persistence import save
from pairspace.tool.app.session import LabellingSession

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
    """

    features: Any
    front: Sequence[tuple[str, Any]] = ()
    about: Mapping[str, Any] = field(default_factory=dict)


class Exports:
    """Files made from the latest answers and the latest space."""

    def __init__(self, session: LabellingSession, ids: Sequence[str], origin: Origin) -> None:
        self._session = session
        self._ids = ids
        self._origin = origin

    def files(self) -> dict[str, Callable[[], io.BytesIO]]:
        """The file names, each with the function that makes the file."""
        return {
            "answers.csv": lambda: _csv(self.answers()),
            "answers.parquet": lambda: _parquet(self.answers()),
            "embedding.csv": lambda: _csv(self.embedding()),
            "embedding.parquet": lambda: _parquet(self.embedding()),
            "model.skops": lambda: _written(self._save),
            "report.html": lambda: _written(self._report),
        }

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
