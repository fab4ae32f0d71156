"""``pairspace fit``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pairspace.tool.cli import _options as options


def fit(
    data: options.DataFile,
    known: options.Knowledge,
    learning: options.Learning,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.")
    ] = Path("model.skops"),
    method: Annotated[
        str, typer.Option("--method", metavar="auto|NAME", help="See: pairspace methods.")
    ] = "auto",
    force: options.Force = False,
) -> dict[str, Any]:
    """Learn a small space from data and answers, and write it to a model file.

    [bold]Example[/bold]: pairspace fit customers.csv --id name --pairs answers.csv -o model.skops

    Columns are standardised unless you say --no-scale; with --method auto both are tried.
    """
    options.check_output(output, force)
    n_components = options.read_components(learning.components)
    from pairspace.persistence import read_info, save
    from pairspace.tool.cli._methods import find_method
    from pairspace.tool.cli._pipeline import Recipe
    from pairspace.tool.cli._reading import read_known
    from pairspace.tool.cli._screen import busy, note, result
    from pairspace.tool.files import counted

    if method != "auto":
        method = find_method(method).name
    read = read_known(data, known)
    if known.pairs is None and known.labels is None:
        note("nothing is known about the rows: give --pairs or --labels to learn from answers")
    recipe = Recipe(
        method,
        n_components,
        learning.scale,
        impute=known.impute is not None,
        seed=learning.seed,
        n_jobs=learning.jobs,
    )
    with busy("fitting"):
        fit = recipe.fit(read.data, read.labels, read.constraints)
    about = read.about() | {
        "impute": known.impute is not None,
        "drop_rows": known.drop_rows,
        "summary": fit.summary,
    }
    save(fit.model, output, read.data.X, about=about)
    info = read_info(output)
    for line in fit.summary:
        result(line)
    result(
        f"{output}: {counted(info.n_features or 0, 'column')} → "
        f"{counted(info.n_components or 0, 'component')} "
        f"({' → '.join(step['type'] for step in info.steps)})"
    )
    return {
        "model": str(output),
        "rows": len(read.data.rows),
        "features": read.data.features,
        "components": info.n_components,
        "steps": info.steps,
        "summary": fit.summary,
        "leaderboard": fit.leaderboard,
        "notes": read.data.notes,
    }
