"""``pairspace fit``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pairspace.cli import _options as options


def fit(
    data: options.DataFile,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.")
    ] = Path("model.skops"),
    pairs: options.Pairs = None,
    labels: options.Labels = None,
    id: options.Id = None,
    columns: options.Columns = None,
    text: options.Text = None,
    method: Annotated[
        str, typer.Option("--method", metavar="auto|NAME", help="See: pairspace methods.")
    ] = "auto",
    components: options.Components = "2",
    scale: options.Scale = True,
    impute: options.Impute = None,
    drop_rows: options.DropRows = False,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    force: options.Force = False,
) -> dict[str, Any]:
    """Learn a small space from data and answers, and write it to a model file.

    [bold]Example[/bold]: pairspace fit customers.csv --id name --pairs answers.csv -o model.skops

    Columns are standardised unless you say --no-scale; with --method auto both are tried.
    """
    options.check_output(output, force)
    n_components = options.read_components(components)
    from pairspace.cli._methods import find_method
    from pairspace.cli._pipeline import Recipe
    from pairspace.cli._reading import read_known
    from pairspace.cli._screen import note, notes, result
    from pairspace.models import read_info, save

    if method != "auto":
        method = find_method(method).name
    known = read_known(
        data,
        id=id,
        columns=columns,
        labels=labels,
        text=text,
        pairs=pairs,
        impute=impute,
        drop_rows=drop_rows,
    )
    if pairs is None and labels is None:
        note("nothing is known about the rows: give --pairs or --labels to learn from answers")
    recipe = Recipe(method, n_components, scale, impute=impute is not None, seed=seed, n_jobs=jobs)
    with notes.status("fitting …"):
        fit = recipe.fit(known.data, known.labels, known.constraints)
    about = known.about() | {
        "impute": impute is not None,
        "drop_rows": drop_rows,
        "summary": fit.summary,
    }
    save(fit.model, output, known.data.X, about=about)
    info = read_info(output)
    for line in fit.summary:
        result(line)
    result(
        f"{output}: {info.n_features} columns → {info.n_components} components "
        f"({' → '.join(step['type'] for step in info.steps)})"
    )
    return {
        "model": str(output),
        "rows": len(known.data.rows),
        "features": known.data.features,
        "components": info.n_components,
        "steps": info.steps,
        "summary": fit.summary,
        "leaderboard": fit.leaderboard,
        "notes": known.data.notes,
    }
