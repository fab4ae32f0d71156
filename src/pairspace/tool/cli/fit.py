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
    text: options.TextOptions,
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
    options.check_inputs(data, given.pairs)
    options.check_output(output, force, data, given.pairs)
    n_components = options.read_components(fitting.components)
    from pairspace.tool.cli._methods import find_method
    from pairspace.tool.cli._pipeline import PipelineSpec
    from pairspace.tool.cli._reading import read_labelled_data
    from pairspace.tool.cli._saving import save_model
    from pairspace.tool.cli._screen import busy, note, result

    if method != "auto":
        method = find_method(method).name
    read = read_labelled_data(data, given, text)
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
    for line in fit.summary:
        result(line)
    info = save_model(output, fit, read, given)
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
