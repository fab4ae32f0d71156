"""``pairspace export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pairspace.tool.cli import _options as options


def export(
    model: options.ModelFile,
    onnx: Annotated[bool, typer.Option("--onnx", help="Write ONNX, the only format.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="By default MODEL with the suffix .onnx."),
    ] = None,
    force: options.Force = False,
) -> dict[str, Any]:
    """Export a linear model to ONNX, and check that its results are the same.

    [bold]Example[/bold]: pairspace export model.skops --onnx -o model.onnx
    """
    if not onnx:
        raise ValueError("export needs a format: give --onnx")
    options.check_inputs(model)
    output = output or model.with_suffix(".onnx")
    options.check_output(output, force, model)
    from pairspace.persistence import export_onnx, load, read_info
    from pairspace.tool.cli._screen import result

    difference = export_onnx(load(model), output, read_info(model))
    result(
        f"{output}: differs from the model by at most {difference:.0e} of the largest coordinate"
    )
    return {"output": str(output), "difference": difference}
