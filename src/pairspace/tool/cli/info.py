"""``pairspace info``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pairspace.tool.cli import _options as options

LEARNED_FROM = {
    "must_links": "must-links",
    "cannot_links": "cannot-links",
    "labelled_rows": "labels",
}


def info(
    model: options.ModelFile,
    text: options.TextOptions,
    data: Annotated[
        Path | None,
        typer.Argument(metavar="[DATA]", help="Check whether this is the training data."),
    ] = None,
) -> dict[str, Any]:
    """Show the steps, columns, versions and training data of a model file.

    [bold]Example[/bold]: pairspace info model.skops

    Only the description in the file is read; the model is not loaded.
    """
    from pairspace.persistence import read_info
    from pairspace.tool.cli._screen import result
    from pairspace.tool.files import counted, named

    found = read_info(model)
    result(f"{model}, written {found.created}")
    for step in found.steps:
        if "recipe" in step:
            result(f"  {step['type']}, the recipe:")
            for line in step["recipe"]:
                result(f"    {line}")
            continue
        params = ", ".join(f"{key}={value!r}" for key, value in step["params"].items())
        result(f"  {step['type']}({params})")
    columns = f": {named(found.features)}" if found.features else ""
    result(f"{counted(found.n_features or 0, 'column')}{columns}")
    if "groups" in found.about:
        groups = found.about["groups"]
        result(f"{counted(len(groups), 'group')}: {named(groups)}")
    else:
        result(counted(found.n_components or 0, "component"))
    for line in _history(found):
        result(line)
    result("versions: " + ", ".join(f"{key} {value}" for key, value in found.versions.items()))
    answer = vars(found)
    if data is not None:
        missing = _missing_columns(found, data, text)
        same = not missing and _is_training_data(found, data, text)
        why = f": it lacks the columns {named(missing)}" if missing else ""
        result(f"{data} is {'' if same else 'not '}the training data{why}")
        answer = answer | {"same_data": same}
    return answer


def _history(found: Any) -> list[str]:
    lines = []
    if found.training:
        name = found.about.get("data", "")
        lines.append(
            f"fitted on {found.training['rows']:,} rows{f' of {name}' if name else ''} "
            f"({found.training['fingerprint'][:19]}…)"
        )
    # A model of the labelling page has no labels.
    counts = {name: found.about.get(name, 0) for name in LEARNED_FROM}
    if "must_links" in found.about and all(isinstance(n, int) for n in counts.values()):
        *first, last = [f"{n:,} {LEARNED_FROM[name]}" for name, n in counts.items()]
        lines.append(f"learned from {', '.join(first)} and {last}")
    summary = found.about.get("summary", [])
    return lines + (list(map(str, summary)) if isinstance(summary, list) else [])


def _missing_columns(found: Any, path: Path, text: options.TextOptions) -> list[str]:
    from pairspace.tool.files import open_source

    if found.training is None or found.features is None:
        raise ValueError("the model file does not describe its training data")
    columns = open_source(path, text.format()).columns
    return [name or '""' for name in found.features if name not in columns]


def _is_training_data(found: Any, path: Path, text: options.TextOptions) -> bool:
    from pairspace.persistence import fingerprint
    from pairspace.tool.files import TEXT, Selection, read_data

    words = tuple(map(str, found.about.get("text") or ()))
    others = found.training.get("kinds", {})
    categories = [name for name, kind in others.items() if kind == TEXT and name not in words]
    plain = tuple(name for name in found.features if others.get(name) != TEXT)
    selection = Selection(columns=plain, text=words, categories=tuple(categories))
    drop_rows = bool(found.about.get("drop_rows"))
    read = read_data(
        path, selection, text_format=text.format(), drop_rows=drop_rows, allow_missing=True
    )
    return (
        set(read.features) == set(found.features)
        and fingerprint(read.X[found.features]) == found.training["fingerprint"]
    )
