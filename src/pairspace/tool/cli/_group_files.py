"""Files of groups: tables, and tasks of Label Studio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from pairspace.constraints import is_missing
from pairspace.constraints.label_studio import write_group_tasks
from pairspace.tool.files import check_output_format, write_blocks

JSON = ".json"


def check_groups_file(path: Path) -> None:
    """Raise an error if groups can't be written to such a file."""
    if path.suffix.lower() != JSON and check_output_format(path) == ".npy":
        raise ValueError(f"{path}: a .npy file can hold only numbers: choose csv or parquet")


def write_groups(path: Path, whole: pd.DataFrame) -> None:
    """Write all rows with their groups; as .json they are tasks of Label Studio."""
    if path.suffix.lower() != JSON:
        write_blocks(path, [whole])
        return
    # The data may have columns of the same names: then those of the groups begin with a prefix.
    first = max(at for at, name in enumerate(whole.columns) if str(name).endswith("group_id"))
    prefix = str(whole.columns[first]).removesuffix("group_id")
    own = list(whole.columns[:first])
    rows = ({str(name): _plain(row[name]) for name in own} for _, row in whole.iterrows())
    groups = (
        ("" if is_missing(name) else str(name), _plain(confidence), how == "placed")
        for name, confidence, how in zip(
            *(whole[prefix + name] for name in ("group", "confidence", "how")), strict=True
        )
    )
    write_group_tasks(path, rows, groups)


def _plain(value: Any) -> Any:
    """A cell as JSON can hold it."""
    if is_missing(value):
        return None
    if hasattr(value, "item"):
        value = value.item()
    return value if isinstance(value, bool | int | float | str) else str(value)
