"""``pairspace transform``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pairspace.tool.cli import _options as options

BLOCK_VALUES = 2**20  # of the features, 8 MB; several copies are made of them


def transform(
    model: options.ModelFile,
    data: options.DataFile,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="A csv, tsv, parquet, feather or npy file.")
    ],
    id: Annotated[
        str | None,
        typer.Option(
            "--id", metavar="COLUMN", help="A column to copy; by default that of the fit."
        ),
    ] = None,
    drop_rows: options.DropRows = False,
    block_rows: Annotated[
        int | None, typer.Option("--block-rows", min=1, help="Rows at a time.")
    ] = None,
    force: options.Force = False,
) -> dict[str, Any]:
    """Place the rows of a file in the space of a model.

    [bold]Example[/bold]: pairspace transform model.skops customers.csv -o places.parquet

    Large files are read and written in blocks, so that they need not fit into memory.
    """
    options.check_output(output, force)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from pairspace.persistence import load, read_info
    from pairspace.tool.cli._placing import Placing, id_column, matching_columns
    from pairspace.tool.cli._screen import note, notes, result
    from pairspace.tool.files import check_output_format, counted, named, open_source, write_blocks

    check_output_format(output)
    info = read_info(model)
    source = open_source(data)
    wanted = matching_columns(info, source, data)
    id = id_column(id, info, source, data)
    if id is not None and output.suffix.lower() == ".npy":
        note(f"a .npy file has numbers only: {id} is not in it")
        id = None
    unused = [name for name in source.columns if name not in wanted and name != id]
    if unused:
        note(f"not used: {named(unused)}")
    estimator = load(model)
    size = block_rows or max(BLOCK_VALUES // max(len(wanted), 1), 1)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=notes
    ) as progress:
        task = progress.add_task("rows", total=source.n_rows)
        placing = Placing(estimator, info, wanted, id, drop_rows, data)
        blocks = placing.blocks(source, size, lambda n: progress.advance(task, n))
        n_rows = write_blocks(output, blocks)
        progress.update(task, total=n_rows + placing.n_dropped)
    if placing.n_dropped:
        note(f"left out {counted(placing.n_dropped, 'row')} with missing values")
    result(f"{output}: {counted(n_rows, 'row')}, {counted(placing.width, 'component')}")
    return {
        "output": str(output),
        "rows": n_rows,
        "dropped": placing.n_dropped,
        "components": placing.width,
        "unused_columns": unused,
    }
