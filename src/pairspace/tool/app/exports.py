"""What a person takes away: the answers, the rows in their new space, the model."""

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
from pairspace.tool.app.desk import Desk

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Origin:
    """What the data of the questions was made of, so that the model takes the same.

    Attributes
    ----------
    features : array-like or DataFrame
        As new data will come.
    front : sequence of (name, transformer)
        What makes of them what the space is fitted on; fitted.
    about : mapping
        For the description in the model file.
    """

    features: Any
    front: Sequence[tuple[str, Any]] = ()
    about: Mapping[str, Any] = field(default_factory=dict)


class Exports:
    """Files made from the latest answers and the latest space."""

    def __init__(self, desk: Desk, ids: Sequence[str], origin: Origin) -> None:
        self._desk = desk
        self._ids = ids
        self._origin = origin

    def files(self) -> dict[str, Callable[[], io.BytesIO]]:
        """The names of the files, each with what makes it."""
        return {
            "answers.csv": lambda: _csv(self.answers()),
            "answers.parquet": lambda: _parquet(self.answers()),
            "embedding.csv": lambda: _csv(self.embedding()),
            "embedding.parquet": lambda: _parquet(self.embedding()),
            "model.skops": lambda: _written(self._save),
            "report.html": lambda: _written(self._report),
        }

    def answers(self) -> pd.DataFrame:
        """The answers that say something, with who gave them and when; ``Constraints`` reads it."""
        import pandas as pd

        said = [answer for answer in self._desk.standing if answer.same is not None]
        names = ("a", "b", "same", "time", "annotator")
        return pd.DataFrame({name: [getattr(answer, name) for answer in said] for name in names})

    def embedding(self) -> pd.DataFrame:
        """Each row in the latest space, and its cluster."""
        import pandas as pd

        space = self._desk.questions.space
        axes = {f"component_{at}": axis for at, axis in enumerate(space.embedding.T, start=1)}
        return pd.DataFrame({"id": list(self._ids), **axes, "cluster": space.clusters})

    def model(self) -> Pipeline:
        """From the features as they came to the latest space."""
        space = copy.deepcopy(self._desk.questions.space.model)
        features, front = self._origin.features, self._origin.front
        if not front and hasattr(features, "columns"):
            # The questions get bare numbers; the model should know the columns they stood in.
            space.steps[0][1].feature_names_in_ = np.asarray(features.columns, dtype=object)
        return Pipeline([*front, *space.steps])

    def _save(self, path: Path) -> None:
        answers = self._desk.questions.space.constraints
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
            constraints=self._desk.questions.space.constraints,
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
