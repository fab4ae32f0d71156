"""Small tables as data frames, where pandas is installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def frame_of(columns: Mapping[str, Any]) -> Any:
    """A DataFrame; the columns themselves, as a dict, if pandas is not installed."""
    try:
        import pandas as pd
    except ImportError:
        return dict(columns)
    return pd.DataFrame(dict(columns))
