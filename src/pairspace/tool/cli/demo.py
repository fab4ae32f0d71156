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
    people: Annotated[
        int, typer.Option("--people", metavar="N", min=1, help="The number of simulated people.")
    ] = 5,
    files: Annotated[
        Path | None,
        typer.Option(
            "--files",
            metavar="DIR",
            help="Only write customers.csv and answers.csv to this folder, to try commands with.",
        ),
    ] = None,
    digits: Annotated[
        Path | None,
        typer.Option(
            "--digits",
            metavar="DIR",
            help="Only write the digits and their images to this folder, for the labelling page.",
        ),
    ] = None,
    force: options.Force = False,
) -> dict[str, Any]:
    """Show what a few answers improve, on handwritten digits and on a table of customers.

    [bold]Example[/bold]: pairspace demo -o digits.png
    """
    if files is not None:
        return _write_files(files, force)
    if digits is not None:
        return _write_digits(digits, force)
    if output is not None:
        options.check_output(output, force)
        _check_picture(output)
    from dataclasses import asdict

    from pairspace.tool.cli._screen import result
    from pairspace.tool.demo import run

    found = run(output, print_line=result, n_people=people)
    return {
        "ari": found.curves | {"no answers": found.unsupervised},
        "spaces": {name: asdict(judged) for name, judged in found.spaces.items()},
        "customers": found.customers,
    }


def _check_picture(path: Path) -> None:
    """Raise an error before a minute's work if there is no such kind of picture."""
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'pairspace[plots]'") from None
    kinds = FigureCanvasBase.get_supported_filetypes()
    if path.suffix and path.suffix[1:].lower() not in kinds:
        raise ValueError(f"{path}: the figure must be .png, .svg or .pdf; got {path.suffix!r}")


def _write_files(folder: Path, force: bool) -> dict[str, Any]:
    from pairspace.tool.cli._screen import result
    from pairspace.tool.demo.customers import N_ANSWERS, N_CUSTOMERS, NAMES, write_files

    for name in NAMES:
        options.check_output(folder / name, force)
    data, pairs = write_files(folder)
    result(f"{data}: {N_CUSTOMERS} customers of a shop; {pairs}: {N_ANSWERS} answers about pairs")
    result(f"next: pairspace fit {data} --id name --pairs {pairs} -o model.skops")
    return {"data": str(data), "pairs": str(pairs)}


def _write_digits(folder: Path, force: bool) -> dict[str, Any]:
    from pairspace.tool.cli._screen import result
    from pairspace.tool.demo.digit_files import TABLE, write_digits

    if folder.exists():
        options.check_output(folder / TABLE, force)
    data, n_digits = write_digits(folder)
    result(f"{data}: {n_digits:,} handwritten digits; their images: {folder / 'images'}")
    result(
        f"next: pairspace label {data} --id digit --image image --image-root {folder} "
        f"--answers {folder / 'answers.sqlite'}"
    )
    return {"data": str(data), "digits": n_digits}
