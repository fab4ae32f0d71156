"""``pairspace transform``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pairspace.tool.cli import _options as options

BLOCK_VALUES = 2**20  # of the features: 8 MB, of which several copies are made


def transform(
    model: options.ModelFile,
    data: options.DataFile,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The csv, tsv, parquet, feather or npy file to write."),
    ],
    text: options.TextOptions,
    id: Annotated[
        str | None,
        typer.Option(
            "--id",
            metavar="COLUMN",
            help="The id column to copy; by default that of the training data.",
        ),
    ] = None,
    drop_rows: options.DropRows = False,
    block_rows: Annotated[
        int | None, typer.Option("--block-rows", min=1, help="The number of rows in a block.")
    ] = None,
    safe_csv: Annotated[
        bool,
        typer.Option(
            "--safe-csv", help="Put ' before ids that a spreadsheet would run as a formula."
        ),
    ] = False,
    force: options.Force = False,
) -> dict[str, Any]:
    """Transform the rows of a file with a model.

    [bold]Example[/bold]: pairspace transform model.skops customers.csv -o embedding.parquet

    Files are read and written in blocks, so they may be larger than memory.
    """
    options.check_inputs(model, data)
    options.check_output(output, force, model, data)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from pairspace.persistence import fold_scaler, load, read_info
    from pairspace.tool.cli._blocks import BlockTransformer, id_column, matching_columns
    from pairspace.tool.cli._screen import note, notes, result
    from pairspace.tool.files import check_output_format, counted, named, open_source, write_blocks

    check_output_format(output)
    info = read_info(model)
    source = open_source(data, text.format())
    for line in source.notes:
        note(line)
    wanted = matching_columns(info, source, data)
    id = id_column(id, info, source, data)
    if id is not None and output.suffix.lower() == ".npy":
        note(f"{id} is not written: a .npy file can hold only numbers")
        id = None
    unused = [name for name in source.columns if name not in wanted and name != id]
    if unused:
        note(f"ignored columns: {named(unused)}")
    estimator = fold_scaler(load(model))
    if not hasattr(estimator, "transform"):
        raise ValueError(
            f"{model} predicts groups and makes no components: in Python, "
            f"pairspace.load({str(model)!r}).predict(frame)"
        )
    size = block_rows or max(BLOCK_VALUES // max(len(wanted), 1), 1)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=notes
    ) as progress:
        task = progress.add_task("rows", total=source.n_rows)
        blocks = BlockTransformer(estimator, info, wanted, id, drop_rows, data)
        frames = blocks.blocks(source, size, lambda n: progress.advance(task, n))
        n_rows = write_blocks(output, frames, safe_csv=safe_csv)
        progress.update(task, total=n_rows + blocks.n_dropped)
    if blocks.n_dropped:
        note(f"ignored {counted(blocks.n_dropped, 'row')} with missing values")
    result(f"{output}: {counted(n_rows, 'row')}, {counted(blocks.width, 'component')}")
    return {
        "output": str(output),
        "rows": n_rows,
        "dropped": blocks.n_dropped,
        "components": blocks.width,
        "unused_columns": unused,
    }
