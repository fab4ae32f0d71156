"""``pairspace cluster``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairspace.tool.cli import _options as options

if TYPE_CHECKING:
    from pairspace.cluster import PairClusters
    from pairspace.tool.cli._reading import LabelledData


def cluster(
    data: options.DataFile,
    given: options.DataOptions,
    text: options.TextOptions,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The csv, tsv, parquet or feather file to write, or json for Label Studio.",
        ),
    ] = Path("groups.csv"),
    groups: Annotated[
        int | None,
        typer.Option(
            "--groups",
            metavar="N",
            min=1,
            help="The number of groups. By default as many as the answers show to differ.",
        ),
    ] = None,
    hard: Annotated[
        bool, typer.Option("--hard", help="Keep every answer, also those that seem wrong.")
    ] = False,
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="MODEL", help="Also write the model to this file."),
    ] = None,
    seed: options.Seed = 0,
    force: options.Force = False,
) -> dict[str, Any]:
    """Predict the group of every row from the answers, and write all rows with their groups.

    [bold]Example[/bold]: pairspace cluster customers.csv --id name --pairs answers.csv -o out.csv

    The output has all columns of the data as they are, and group_id, group, confidence,
    second_group, second_confidence, how (placed, implied or predicted) and n_answers.
    """
    options.check_inputs(data, given.pairs)
    options.check_output(output, force, data, given.pairs, model)
    if model is not None:
        options.check_output(model, force, data, given.pairs)
    if given.pairs is None and given.labels is None:
        raise ValueError("cluster needs answers: give --pairs or --labels")
    from sklearn.pipeline import Pipeline

    from pairspace.base import Supervision, fitted
    from pairspace.cluster import PairClusters
    from pairspace.tool.cli._group_files import check_groups_file, write_groups
    from pairspace.tool.cli._groups import print_groups, with_own_columns
    from pairspace.tool.cli._pipeline import PipelineSpec
    from pairspace.tool.cli._reading import read_labelled_data
    from pairspace.tool.cli._screen import busy, result
    from pairspace.tool.files import counted
    from pairspace.tool.groups_table import table_of

    check_groups_file(output)
    read = read_labelled_data(data, given, text)
    known = Supervision(read.labels, read.constraints, len(read.data.rows))
    known.require_consistency()
    X = read.data.X
    # The learners standardise numbers themselves, where that is better; a recipe has other columns.
    spec = PipelineSpec(impute=given.impute is not None)
    clusters = PairClusters(groups, hard=hard, random_state=seed)
    with busy("grouping"):
        pipeline = fitted(
            Pipeline([*spec.preprocessing(read.data, X), ("cluster", clusters)]), X, known
        )
        clusters = pipeline.steps[-1][1]
    names = _names(clusters, read)
    table = table_of(
        clusters,
        constraints=read.constraints,
        labelled=None if read.labels is None else read.labels >= 0,
        names=names,
    )
    data_read = read.data
    print_groups(table, clusters, data_read.ids or data_read.rows.tolist())
    whole = with_own_columns(
        table, data_read.path, data_read.frame, output, text.format(), data_read.rows
    )
    write_groups(output, whole)
    result(f"{output}: {counted(len(read.data.frame), 'row')}")
    if model is not None:
        _save(pipeline, model, read, given, names)
    return {
        "output": str(output),
        "model": None if model is None else str(model),
        "rows": len(read.data.frame),
        "groups": table.groupby("group", sort=False).size().to_dict(),
        "how": table["how"].value_counts().to_dict(),
        "mean_confidence": float(table["confidence"].mean()),
        "notes": read.data.notes,
    }


def _names(clusters: PairClusters, read: LabelledData) -> list[str]:
    """The labels of the groups; a group that no label is in has a number."""
    from pairspace.tool.groups_table import default_names

    names = default_names(clusters.n_clusters_)
    if read.labels is not None:
        assert read.data.labels is not None
        for row, group in zip(clusters.placed_rows_, clusters.placed_groups_, strict=True):
            if read.labels[row] >= 0:
                names[group] = str(read.data.labels[row])
    return names


def _save(
    pipeline: Any, path: Path, read: LabelledData, given: options.DataOptions, names: list[str]
) -> None:
    from pairspace.persistence import save
    from pairspace.tool.cli._screen import result

    about = read.about() | {
        "impute": given.impute is not None,
        "drop_rows": given.drop_rows,
        "groups": names,
    }
    save(pipeline, path, read.data.X, about=about)
    result(f"{path}: predicts the groups of new rows, in Python: pairspace.load(…).predict(frame)")
