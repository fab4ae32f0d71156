"""Writing of a fitted pipeline to a model file."""

from __future__ import annotations

from pathlib import Path

from pairspace.persistence import ModelInfo, read_info, save
from pairspace.tool.cli._options import DataOptions
from pairspace.tool.cli._pipeline import FittedPipeline
from pairspace.tool.cli._reading import LabelledData
from pairspace.tool.cli._screen import result
from pairspace.tool.files import counted


def save_model(
    path: Path, fit: FittedPipeline, read: LabelledData, given: DataOptions
) -> ModelInfo:
    """Write the model, print a line on it, and return its description."""
    about = read.about() | {
        "impute": given.impute is not None,
        "drop_rows": given.drop_rows,
        "summary": fit.summary,
    }
    save(fit.model, path, read.data.X, about=about)
    info = read_info(path)
    result(
        f"{path}: {counted(info.n_features or 0, 'column')} → "
        f"{counted(info.n_components or 0, 'component')} "
        f"({' → '.join(step['type'] for step in info.steps)})"
    )
    return info
