"""``pairspace check``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pairspace.tool.cli._command import CONTRADICTIONS, Exit
from pairspace.tool.cli._options import FILES, Id, TextOptions, check_inputs


def check(
    pairs: Annotated[
        Path,
        typer.Argument(metavar="PAIRS", help="The answers: a csv, jsonl, parquet or sqlite file."),
    ],
    text: TextOptions,
    data: Annotated[
        Path | None, typer.Argument(metavar="[DATA]", help=f"The data: a {FILES} file.")
    ] = None,
    id: Id = None,
) -> dict[str, Any]:
    """Count answers, find contradictions, and show how many rows the answers cover.

    [bold]Example[/bold]: pairspace check answers.csv customers.csv --id name

    Of an answers file with several annotators, it also shows how often each is right, how far they
    agree, and where they disagree.

    The exit code is 3 if there are contradictions.
    """
    from pairspace.constraints.answers_file import SUFFIXES
    from pairspace.constraints.summary import SHOWN, summarize
    from pairspace.tool.cli._screen import note, result
    from pairspace.tool.files import AS_SEEN, named, open_source, pair_table, refuse_names

    if id is not None and data is None:
        raise ValueError("--id needs DATA: it names a column of the data")
    check_inputs(pairs, data)
    written = text.format()
    if data is None and written != AS_SEEN:
        raise ValueError(
            "--sep, --encoding, --decimal and --thousands say how DATA is written: give it, too"
        )
    by_row = data is not None and id is None
    columns, ids, n_samples = pair_table(pairs, by_row=by_row), None, None
    if data is not None:
        source = open_source(data, written)
        for line in source.notes:
            note(line)
        wanted = source.columns[:1] if id is None else [id]
        if wanted[0] not in source.columns:
            raise ValueError(
                f"--id {id}: {data} has no such column; it has {named(source.columns)}"
            )
        (frame,) = source.blocks(columns=wanted, as_text=wanted)
        n_samples = len(frame)
        if id is None:
            refuse_names(pairs, columns)
        else:
            ids = frame[id].tolist()
    try:
        found = summarize(columns, ids, n_samples)
    except ValueError as error:
        raise ValueError(f"{pairs}: {error}") from None
    for line in found.lines():
        result(line)
    if len(found.contradictions) > SHOWN:
        note("--json lists all contradictions")
    summary = found.as_dict()
    if pairs.suffix.lower() in SUFFIXES:
        from pairspace.asking.audit import audit_results
        from pairspace.asking.judgements import read_annotators

        annotators = read_annotators(pairs)
        for line in annotators.lines():
            result(line)
        summary |= annotators.as_dict() | {"audits": {}}
        for name, (audit, found_right) in audit_results(annotators).items():
            mean, spread = found_right.mean, found_right.standard_error
            result(
                f"audit of {name}: right in {100 * mean:.0f} ± {100 * spread:.0f} % of "
                f"{len(audit.said):,} answers, of which people looked at {len(audit.looks):,}"
            )
            summary["audits"][name] = {
                "right": mean,
                "standard_error": spread,
                "answers": len(audit.said),
                "looked_at": len(audit.looks),
            }
    if found.contradictions:
        raise Exit(CONTRADICTIONS, summary)
    return summary
