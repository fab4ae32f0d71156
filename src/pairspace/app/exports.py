"""What a person takes away: the answers, the model, the rows in their new space."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairspace.app.desk import Desk

if TYPE_CHECKING:
    import pandas as pd


def exports(desk: Desk, ids: Sequence[str]) -> dict[str, Callable[[], io.BytesIO]]:
    """The files there are, by name, each with what makes it."""
    return {
        "answers.csv": lambda: _csv(answers_frame(desk)),
        "answers.parquet": lambda: _parquet(answers_frame(desk)),
        "embedding.csv": lambda: _csv(embedding_frame(desk, ids)),
        "embedding.parquet": lambda: _parquet(embedding_frame(desk, ids)),
        "model.skops": lambda: _model(desk),
    }


def answers_frame(desk: Desk) -> pd.DataFrame:
    """All answers that say something, with who gave them and when; ``Constraints`` reads it."""
    import pandas as pd

    said = [answer for answer in desk.standing if answer.same is not None]
    names = ("a", "b", "same", "time", "annotator")
    return pd.DataFrame({name: [getattr(answer, name) for answer in said] for name in names})


def embedding_frame(desk: Desk, ids: Sequence[str]) -> pd.DataFrame:
    """Each row in the latest space, and its cluster."""
    import pandas as pd

    space = desk.questions.space
    axes = {f"component_{at}": axis for at, axis in enumerate(space.embedding.T, start=1)}
    return pd.DataFrame({"id": list(ids), **axes, "cluster": space.clusters})


def _csv(frame: pd.DataFrame) -> io.BytesIO:
    return io.BytesIO(frame.to_csv(index=False).encode())


def _parquet(frame: pd.DataFrame) -> io.BytesIO:
    out = io.BytesIO()
    frame.to_parquet(out, index=False)
    out.seek(0)
    return out


def _model(desk: Desk) -> io.BytesIO:
    return _written(lambda path: desk.save(path), "model.skops")


def _written(write: Callable[[Path], Any], name: str) -> io.BytesIO:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        write(path)
        return io.BytesIO(path.read_bytes())
