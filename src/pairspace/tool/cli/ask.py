"""``pairspace ask``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairspace.tool.cli import _options as options
from pairspace.tool.cli._command import INTERRUPTED, Exit

if TYPE_CHECKING:
    from pairspace.asking import Status
    from pairspace.asking.groups import AskedClusters
    from pairspace.tool.cli._labelling import LabellingInput

N_TRIED = 3  # answers of a dry run


def ask(
    data: options.DataFile,
    written: options.TextOptions,
    command: Annotated[
        str,
        typer.Option(
            "--with",
            metavar="COMMAND",
            help="The program that answers: lines of JSON on its standard input and output.",
        ),
    ],
    budget: Annotated[
        int,
        typer.Option(
            "--budget", metavar="N", min=1, help="The number of answers, with those in --answers."
        ),
    ] = 100,
    answers: Annotated[
        Path, typer.Option("--answers", metavar="FILE", help="The file that stores the answers.")
    ] = Path("answers.sqlite"),
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The csv, tsv, parquet or feather file to write, or json for Label Studio.",
        ),
    ] = Path("groups.csv"),
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            metavar="board|pair",
            help="board: which of these groups is this row in? pair: are these two the same?",
        ),
    ] = "board",
    question: Annotated[
        str, typer.Option("--ask", metavar="TEXT", help="What the same means.")
    ] = "Are these two the same?",
    workers: Annotated[
        int,
        typer.Option(
            "--workers", metavar="N", min=1, help="The number of processes that answer at once."
        ),
    ] = 1,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", help="How long one answer may take.")
    ] = 30.0,
    max_cost: Annotated[
        float | None,
        typer.Option("--max-cost", metavar="COST", help="Stop when all replies cost as much."),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help=f"Ask {N_TRIED} questions, and estimate the time and cost of all."
        ),
    ] = False,
    annotator: Annotated[
        str | None,
        typer.Option(
            "--annotator", metavar="NAME", help="The name of the program; by default its file."
        ),
    ] = None,
    program_version: Annotated[
        str,
        typer.Option(
            "--program-version",
            metavar="TEXT",
            help="What else its answers depend on, such as a model: others are asked anew.",
        ),
    ] = "",
    audit: Annotated[
        str | None,
        typer.Option(
            "--audit",
            metavar="NAME",
            help="Ask only about rows that this annotator placed, the most doubtful first.",
        ),
    ] = None,
    id: options.Id = None,
    text: Annotated[
        str | None,
        typer.Option(
            "--text", metavar="COLUMN", help="The text column to show and learn from (TF-IDF)."
        ),
    ] = None,
    show: Annotated[
        list[str] | None,
        typer.Option(
            "--show",
            metavar="NAMES",
            help="The columns that the program sees, separated by commas. By default --text, or "
            "all columns.",
        ),
    ] = None,
    columns: options.Columns = None,
    ignore: options.Ignore = None,
    categories: options.Categories = None,
    embeddings: Annotated[
        Path | None,
        typer.Option(
            "--embeddings",
            metavar="FILE",
            help="Features to learn from: a file with the same rows in the same order, or with the "
            "same --id column.",
        ),
    ] = None,
    impute: options.Impute = None,
    seed: options.Seed = 0,
    force: options.Force = False,
) -> dict[str, Any]:
    """Let a program answer which rows are the same, and write all rows with their groups.

    [bold]Example[/bold]: pairspace ask shop.csv --id sku --text title --with "python rule.py"

    The program reads a question from each line of its standard input, and writes the answer as a
    line of JSON: see "Answers from programs" in the documentation. Each answer is stored in
    --answers, so you can stop and go on with the same command, and look at the answers with
    pairspace label.
    """
    options.check_inputs(data, embeddings)
    if not dry_run:
        options.check_output(output, force)
    from pairspace.asking import ask as ask_program
    from pairspace.asking.process import Command
    from pairspace.asking.queries import Items
    from pairspace.tool.cli._group_files import check_groups_file
    from pairspace.tool.cli._labelling import read_labelling_input
    from pairspace.tool.cli._screen import note
    from pairspace.tool.files import named

    check_groups_file(output)
    program = Command(command, timeout=timeout)
    given = read_labelling_input(
        data,
        id=id,
        text=text,
        columns=options.split_names(columns),
        categories=options.split_names(categories),
        ignore=options.split_names(ignore),
        text_format=written.format(),
        embeddings=embeddings,
        impute=impute,
    )
    for line in given.notes:
        note(line)
    shown = options.split_names(show)
    missing = [name for name in shown if name not in given.frame.columns]
    if missing:
        raise ValueError(
            f"--show {missing[0]}: {data} has no such column; it has {named(given.frame.columns)}"
        )
    watch = _Watch(N_TRIED if dry_run else None)
    clusters = ask_program(
        given.X,
        program,
        budget,
        items=Items(given.X, given.frame, text=text, show=shown),
        ids=given.ids,
        kind=kind,
        answers=answers,
        ask=question,
        annotator=annotator or program.name,
        version=program.version(program_version),
        audit=audit,
        workers=workers,
        max_cost=max_cost,
        progress=watch if dry_run else None,
        random_state=seed,
    )
    found = _counts(clusters, answers)
    if dry_run:
        return _estimate(watch, budget, max_cost, found)
    if clusters.stopped_ == "interrupted":
        note(f"the answers so far are in {answers}; the same command goes on")
        raise Exit(INTERRUPTED, found)
    return found | _write_groups(clusters, given, data, output, written)


class _Watch:
    """Notes the first and the last status, and stops after some answers."""

    def __init__(self, n_answers: int | None) -> None:
        self._n_answers = n_answers
        self._started = time.monotonic()
        self.first: Status | None = None
        self.last: Status | None = None
        self.seconds = 0.0

    def __call__(self, status: Status) -> bool:
        if self.first is None:
            self.first, self._started = status, time.monotonic()
        self.last, self.seconds = status, time.monotonic() - self._started
        return self._n_answers is not None and (
            status.answers - self.first.answers >= self._n_answers
        )


def _counts(clusters: AskedClusters, answers: Path) -> dict[str, Any]:
    from pairspace.tool.cli._screen import note
    from pairspace.tool.files import counted

    outcomes = clusters.answers_["outcome"].value_counts().to_dict()
    failed = int(outcomes.pop("failed", 0))
    n_answers = int(sum(outcomes.values()))
    if failed:
        last = clusters.answers_["failure"].dropna().iloc[-1]
        note(f"{counted(failed, 'failure')} without an answer, the last: {last}")
    return {
        "answers": n_answers,
        "file": str(answers),
        "outcomes": outcomes,
        "failures": failed,
        "cost": clusters.cost_,
        "stopped": clusters.stopped_,
    }


def _estimate(
    watch: _Watch, budget: int, max_cost: float | None, found: dict[str, Any]
) -> dict[str, Any]:
    """Time and cost of the answers that are left, from those of this run."""
    from pairspace.tool.cli._screen import result
    from pairspace.tool.files import counted

    assert watch.first is not None
    assert watch.last is not None
    n_tried = watch.last.answers - watch.first.answers
    if not n_tried:
        result(f"{counted(watch.last.answers, 'answer')}: nothing is left to ask")
        return found | {"calls": 0}
    n_left = budget - watch.last.answers
    each = (watch.last.cost - watch.first.cost) / n_tried
    seconds = watch.seconds / n_tried
    result(
        f"{counted(n_tried, 'answer')} took {watch.seconds:.1f} seconds and cost "
        f"{each * n_tried:.4g}; they are kept"
    )
    result(
        f"{counted(n_left, 'more call')}: about {n_left * seconds:,.0f} seconds with one worker, "
        f"cost {n_left * each:.4g}, in all {watch.last.cost + n_left * each:.4g}"
    )
    if max_cost is not None and each:
        affordable = max(int((max_cost - watch.last.cost) / each), 0)
        if affordable < n_left:
            result(f"--max-cost {max_cost:g} is enough for about {affordable:,} more")
    return found | {
        "calls": n_left,
        "estimated_cost": watch.last.cost + n_left * each,
        "estimated_seconds": n_left * seconds,
    }


def _write_groups(
    clusters: AskedClusters,
    given: LabellingInput,
    data: Path,
    output: Path,
    written: options.TextOptions,
) -> dict[str, Any]:
    import numpy as np

    from pairspace.tool.cli._group_files import write_groups
    from pairspace.tool.cli._groups import print_groups, with_own_columns
    from pairspace.tool.cli._screen import result
    from pairspace.tool.files import counted
    from pairspace.tool.groups_table import default_names, table_of

    n_rows = len(given.frame)
    titles = {group.number: group.title for group in clusters.groups_}
    names = [
        number if label is None else titles[int(label)]
        for label, number in zip(
            clusters.group_labels_, default_names(clusters.n_clusters_), strict=True
        )
    ]
    placed = np.array([row for group in clusters.groups_ for row in group.rows], dtype=np.int64)
    table = table_of(
        clusters,
        constraints=clusters.constraints_,
        labelled=np.isin(np.arange(n_rows), placed),
        names=names,
    )
    print_groups(table, clusters, given.ids or range(n_rows))
    whole = with_own_columns(table, data, given.frame, output, written.format())
    write_groups(output, whole)
    result(f"{output}: {counted(n_rows, 'row')}")
    return {
        "output": str(output),
        "rows": n_rows,
        "groups": table.groupby("group", sort=False).size().to_dict(),
        "mean_confidence": float(table["confidence"].mean()),
    }
