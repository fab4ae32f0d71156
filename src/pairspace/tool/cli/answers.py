"""``pairspace answers``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pairspace.tool.cli import _options as options


def answers(
    file: Annotated[
        Path, typer.Argument(metavar="ANSWERS", help="The sqlite file of label or ask.")
    ],
    written: options.TextOptions,
    data: Annotated[
        Path | None,
        typer.Argument(metavar="[DATA]", help="The data, to show in Label Studio: --text."),
    ] = None,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The csv, tsv, parquet or feather file to write, or json for Label Studio.",
        ),
    ] = Path("answers.csv"),
    text: Annotated[
        str | None, typer.Option("--text", metavar="COLUMN", help="The column of DATA to show.")
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Add the answers or groups in this csv, parquet, jsonl or Label Studio file.",
        ),
    ] = None,
    id: options.Id = None,
    annotator: Annotated[
        str | None,
        typer.Option(
            "--annotator",
            metavar="NAME",
            help="Who gave the answers of --from, where it does not say; by default its name.",
        ),
    ] = None,
    force: options.Force = False,
) -> dict[str, Any]:
    """Write the answers of people and programs as a table, or as tasks of Label Studio.

    [bold]Example[/bold]: pairspace answers answers.sqlite shop.csv --text title -o tasks.json

    All commands read these files as --pairs, also the JSON that Label Studio exports.

    With --from, the other way round: answers or groups from other tools become answers of the file.

    [bold]Example[/bold]: pairspace answers answers.sqlite shop.csv --id sku --from export.json
    """
    from pairspace.constraints.answers_file import SUFFIXES

    options.check_inputs(data, source)
    if file.suffix.lower() not in SUFFIXES:
        raise ValueError(f"{file}: an answers file must be {', '.join(SUFFIXES)}")
    if source is not None:
        if data is None or id is None:
            raise ValueError(
                "--from needs DATA and --id: answers are stored by the ids of all rows"
            )
        return _import(file, source, data, id, annotator, written)
    options.check_inputs(file)
    options.check_output(output, force, file, data)
    if (data is None) != (text is None):
        raise ValueError("DATA and --text belong together: give both or none")
    return _export(file, data, text, output, written)


def _export(
    file: Path, data: Path | None, text: str | None, output: Path, written: options.TextOptions
) -> dict[str, Any]:
    from pairspace.asking.judgements import read_annotators
    from pairspace.constraints.answers_file import read_rows, reading
    from pairspace.constraints.label_studio import write_tasks
    from pairspace.tool.cli._screen import result
    from pairspace.tool.files import check_output_format, counted, write_blocks

    with reading(file) as connection:
        known, retracted = read_rows(connection, file)
    found = [answer for number, answer in known.items() if number not in retracted]
    if output.suffix.lower() == ".json":
        texts = None if data is None or text is None else _column(data, "--text", text, written)
        n_rows = 1 + max((max(answer.pair) for answer in found), default=-1)
        if texts is not None and n_rows > len(texts):
            raise ValueError(
                f"{file} is about {n_rows:,} rows or more, but {data} has {len(texts):,}"
            )
        write_tasks(
            output,
            found,
            programs=read_annotators(file).programs,
            shown=None if texts is None else lambda row, name: texts[row],
        )
    else:
        import pandas as pd

        if check_output_format(output) == ".npy":
            raise ValueError(f"{output}: a .npy file can hold only numbers: choose csv or parquet")
        found = [answer for answer in found if answer.same is not None]
        names = ("a", "b", "same", "time", "annotator")
        columns = {name: [getattr(answer, name) for answer in found] for name in names}
        write_blocks(output, [pd.DataFrame(columns)])
    result(f"{output}: {counted(len(found), 'answer')}")
    return {"output": str(output), "answers": len(found)}


def _import(
    file: Path,
    source: Path,
    data: Path,
    id: str,
    annotator: str | None,
    written: options.TextOptions,
) -> dict[str, Any]:
    from pairspace.asking.imports import import_answers
    from pairspace.constraints.answers_file import AnswerStore
    from pairspace.constraints.tables import read_answers_or_groups, rows_of_ids
    from pairspace.tool.cli._screen import note, result
    from pairspace.tool.files import counted

    names = list(rows_of_ids(_column(data, "--id", id, written)))
    columns = read_answers_or_groups(source, id)
    store = AnswerStore(file, names)
    try:
        done = import_answers(store, names, columns, annotator or source.stem)
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
    finally:
        store.close()
    parts = [counted(done.n_pairs, "answer")] * bool(done.n_pairs or not done.n_rows)
    if done.n_rows:
        parts.append(f"{counted(done.n_rows, 'row')} in groups, {done.n_groups:,} of them new")
    result(f"{file}: {', '.join(parts)}")
    if done.n_refused:
        note(
            f"{counted(done.n_refused, 'answer')} contradict those in the file: they are kept, but "
            f"do not count; to see who disagrees: pairspace check {file}"
        )
    return {"file": str(file), **done._asdict()}


def _column(data: Path, option: str, column: str, written: options.TextOptions) -> list[str]:
    from pairspace.tool.files import named, open_source

    source = open_source(data, written.format())
    if column not in source.columns:
        raise ValueError(
            f"{option} {column}: {data} has no such column; it has {named(source.columns)}"
        )
    (frame,) = source.blocks(columns=[column], as_text=[column])
    return [str(cell) for cell in frame[column]]
