"""``pairspace demo``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pairspace.tool.cli import _options as options


def demo(
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Also draw a figure to this file.")
    ] = None,
    files: Annotated[
        Path | None,
        typer.Option(
            "--files",
            metavar="DIR",
            help="Only write customers.csv and answers.csv to this folder, to try commands with.",
        ),
    ] = None,
    force: options.Force = False,
) -> dict[str, Any]:
    """Show what a few answers improve, on handwritten digits.

    [bold]Example[/bold]: pairspace demo -o digits.png
    """
    if files is not None:
        return _write_files(files, force)
    if output is not None:
        options.check_output(output, force)
    from pairspace.tool.cli._screen import result
    from pairspace.tool.demo import PER_DIGIT, run

    curves = run(output, print_line=result)
    return {
        "answers": [20 * per_digit for per_digit in PER_DIGIT],
        "methods": {
            name: [{"accuracy": score[0], "ari": score[1]} for score in scores]
            for name, scores in curves.items()
        },
    }


def _write_files(folder: Path, force: bool) -> dict[str, Any]:
    from pairspace.tool.cli._screen import result
    from pairspace.tool.demo_files import N_ANSWERS, N_CUSTOMERS, NAMES, write_files

    for name in NAMES:
        options.check_output(folder / name, force)
    data, pairs = write_files(folder)
    result(f"{data}: {N_CUSTOMERS} customers of a shop; {pairs}: {N_ANSWERS} answers about pairs")
    result(f"next: pairspace fit {data} --id name --pairs {pairs} -o model.skops")
    return {"data": str(data), "pairs": str(pairs)}
