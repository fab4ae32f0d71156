"""``pairspace compare``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairspace.cli import _options as options

if TYPE_CHECKING:
    from pairspace.model_selection import AutoReducer


def compare(
    data: options.DataFile,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="REPORT", help="The HTML file to write.")
    ] = Path("report.html"),
    pairs: options.Pairs = None,
    labels: options.Labels = None,
    id: options.Id = None,
    columns: options.Columns = None,
    text: options.Text = None,
    methods: Annotated[
        list[str] | None,
        typer.Option("--methods", metavar="NAMES", help="Those to compare, separated by commas."),
    ] = None,
    components: options.Components = "2",
    scale: options.Scale = True,
    impute: options.Impute = None,
    drop_rows: options.DropRows = False,
    folds: Annotated[int, typer.Option("--folds", min=2, help="Parts of the answers.")] = 5,
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Draws of the folds.")] = 2,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    force: options.Force = False,
) -> dict[str, Any]:
    """Compare methods on answers held out: a leaderboard, and a report to open in a browser.

    [bold]Example[/bold]: pairspace compare customers.csv --id name --pairs answers.csv -o page.html
    """
    options.check_output(output, force)
    n_components = options.read_components(components)
    if pairs is None and labels is None:
        raise ValueError("methods are compared on answers held out: give --pairs or --labels")
    from pairspace.cli._pipeline import Recipe
    from pairspace.cli._reading import read_known
    from pairspace.cli._screen import notes, result
    from pairspace.report import write_report

    known = read_known(
        data,
        id=id,
        columns=columns,
        labels=labels,
        text=text,
        pairs=pairs,
        impute=impute,
        drop_rows=drop_rows,
    )
    recipe = Recipe(
        "auto",
        n_components,
        scale,
        impute=impute is not None,
        candidates=options.split_names(methods),
        folds=folds,
        repeats=repeats,
        seed=seed,
        n_jobs=jobs,
    )
    with notes.status("comparing …"):
        fit = recipe.fit(known.data, known.labels, known.constraints)
    assert fit.search is not None
    _print_board(fit.search)
    result(f"\n{fit.search.summary_}")
    with notes.status("drawing …"):
        write_report(
            output,
            fit.model,
            known.data.X,
            labels=known.data.labels,
            constraints=known.constraints,
            search=fit.search,
            ids=known.data.ids,
            title=known.data.path.name,
            notes=known.data.notes,
        )
    result(f"{output}: the report")
    return {
        "report": str(output),
        "best": fit.search.best_name_,
        "components": fit.search.n_components_,
        "summary": fit.search.summary_,
        "leaderboard": fit.leaderboard,
        "notes": known.data.notes,
    }


def _print_board(search: AutoReducer) -> None:
    from rich.table import Table

    from pairspace.cli._screen import results

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("rank", justify="right")
    table.add_column("candidate", no_wrap=True)
    for name in ("pair AUC", "± error", "folds", "seconds"):
        table.add_column(name, justify="right")
    table.add_column("")
    for row in search.leaderboard_.to_dict("records"):
        judged = row["mean"] == row["mean"]
        table.add_row(
            str(row["rank"]),
            row["name"],
            f"{row['mean']:.3f}" if judged else "–",
            f"{row['standard_error']:.3f}" if judged else "–",
            str(row["folds"]),
            f"{row['seconds']:.1f}",
            "chosen" if row["chosen"] else row["error"],
            style="bold" if row["chosen"] else "",
        )
    results.print(table)
