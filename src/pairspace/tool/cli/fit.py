"""``pairspace fit``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pairspace.tool.cli import _options as options


def fit(
    data: options.DataFile,
    given: options.DataOptions,
    fitting: options.FitOptions,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.")
    ] = Path("model.skops"),
    method: Annotated[
        str,
        typer.Option("--method", metavar="auto|NAME", help="The method; see: pairspace methods."),
    ] = "auto",
    force: options.Force = False,
) -> dict[str, Any]:
    """Fit a method to data and answers, and write it to a model file.

    [bold]Example[/bold]: pairspace fit customers.csv --id name --pairs answers.csv -o model.skops

    With --method auto, methods are compared by cross-validation on the answers, with and without
    standardised columns. Any other method uses standardised columns unless --no-scale is given.
    """
    options.check_output(output, force)
    n_components = options.read_components(fitting.components)
    from pairspace.persistence import read_info, save
    from pairspace.tool.cli._methods import find_method
    from pairspace.tool.cli._pipeline import PipelineSpec
    from pairspace.tool.cli._reading import read_labelled_data
    from pairspace.tool.cli._screen import busy, note, result
    from pairspace.tool.files import counted

    if method != "auto":
        method = find_method(method).name
    read = read_labelled_data(data, given)
    if given.pairs is None and given.labels is None:
        note("no answers: give --pairs or --labels to learn from them")
    spec = PipelineSpec(
        method,
        n_components,
        fitting.scale,
        impute=given.impute is not None,
        seed=fitting.seed,
        n_jobs=fitting.jobs,
    )
    with busy("fitting"):
        fit = spec.fit(read.data, read.labels, read.constraints)
    about = read.about() | {
        "impute": given.impute is not None,
        "drop_rows": given.drop_rows,
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
