"""``pairspace compare``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairspace.tool.cli import _options as options

if TYPE_CHECKING:
    from pairspace.model_selection import AutoReducer
    from pairspace.tool.files import Data
    from pairspace.tool.report import Score


def compare(
    data: options.DataFile,
    given: options.DataOptions,
    fitting: options.FitOptions,
    text: options.TextOptions,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="REPORT", help="The HTML file to write.")
    ] = Path("report.html"),
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="MODEL", help="Also write the chosen model to this file."),
    ] = None,
    color: Annotated[
        str | None,
        typer.Option("--color", metavar="COLUMN", help="Colour the map by this column."),
    ] = None,
    image: Annotated[
        str | None,
        typer.Option(
            "--image", metavar="COLUMN", help="The column with the paths of the rows' pictures."
        ),
    ] = None,
    image_root: Annotated[
        Path | None,
        typer.Option(
            "--image-root",
            metavar="DIR",
            help="The folder of the pictures; no file outside it is read.",
        ),
    ] = None,
    layout: Annotated[
        bool,
        typer.Option(
            "--layout", help="Add a curved layout (t-SNE) to the map; a minute for 3,000 rows."
        ),
    ] = False,
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--methods", metavar="NAMES", help="The methods to compare, separated by commas."
        ),
    ] = None,
    folds: Annotated[
        int, typer.Option("--folds", min=2, help="The number of cross-validation folds.")
    ] = 5,
    repeats: Annotated[
        int, typer.Option("--repeats", min=1, help="The number of cross-validation repeats.")
    ] = 2,
    force: options.Force = False,
) -> dict[str, Any]:
    """Cross-validate methods on the answers; print a leaderboard and write an HTML report.

    [bold]Example[/bold]: pairspace compare customers.csv --id name --pairs answers.csv -o page.html

    With --model the chosen method is written to a file, as by pairspace fit.
    """
    options.check_inputs(data, given.pairs)
    options.check_output(output, force, data, given.pairs, model)
    if model is not None:
        options.check_output(model, force, data, given.pairs)
    n_components = options.read_components(fitting.components)
    if given.pairs is None and given.labels is None:
        raise ValueError("compare needs answers: give --pairs or --labels")
    if (image is None) != (image_root is None):
        raise ValueError("pictures need --image, the column of their paths, and --image-root")
    from pairspace.tool.cli._pipeline import PipelineSpec
    from pairspace.tool.cli._reading import read_labelled_data
    from pairspace.tool.cli._saving import save_model
    from pairspace.tool.cli._screen import busy, result
    from pairspace.tool.files import TEXT
    from pairspace.tool.report import baselines, write_report

    read = read_labelled_data(data, given, text)
    colours = None if color is None else _column(read.data, color, "--color")
    images = None
    if image is not None and image_root is not None:
        images = _images(_column(read.data, image, "--image"), image_root)
    spec = PipelineSpec(
        "auto",
        n_components,
        fitting.scale,
        impute=given.impute is not None,
        candidates=options.split_names(methods),
        folds=folds,
        repeats=repeats,
        seed=fitting.seed,
        n_jobs=fitting.jobs,
    )
    with busy("comparing"):
        fit = spec.fit(read.data, read.labels, read.constraints)
    assert fit.search is not None
    _print_board(fit.search)
    with busy("comparing with classifiers"):
        scores = baselines(fit.search, fit.model, read.data.X, read.labels, read.constraints)
    _print_baselines(scores)
    result(f"\n{fit.search.summary_}")
    with busy("drawing"):
        write_report(
            output,
            fit.model,
            read.data.X,
            labels=read.data.labels,
            constraints=read.constraints,
            search=fit.search,
            ids=read.data.ids,
            title=read.data.path.name,
            notes=read.data.notes,
            color=colours,
            records=read.data.frame.iloc[read.data.rows],
            text=next(iter(read.data.of_kind(TEXT)), None),
            images=images,
            layout=layout,
            scores=scores,
        )
    result(f"Report: {output}")
    if model is not None:
        save_model(model, fit, read, given)
    return {
        "report": str(output),
        "model": None if model is None else str(model),
        "best": fit.search.best_name_,
        "components": fit.search.n_components_,
        "summary": fit.search.summary_,
        "leaderboard": fit.leaderboard,
        "baselines": [score._asdict() for score in scores],
        "notes": read.data.notes,
    }


def _column(data: Data, name: str, option: str) -> Any:
    """A column of the rows that are shown."""
    from pairspace.tool.files import named

    if name not in data.frame.columns:
        raise ValueError(
            f"{option} {name}: {data.path} has no such column; it has "
            f"{named(list(data.frame.columns))}"
        )
    return data.frame[name].iloc[data.rows].rename(name)


def _images(paths: Any, root: Path) -> list[Any]:
    """The pictures at these paths, None for those that can't be shown."""
    from base64 import b64decode
    from io import BytesIO

    from pairspace.tool.app.images import MissingPictureError, Pictures
    from pairspace.tool.cli._screen import note
    from pairspace.tool.files import counted

    try:
        from PIL import Image
    except ImportError:
        raise ImportError("pictures need Pillow: pip install 'pairspace[app]'") from None
    pictures = Pictures(root)
    found: list[Any] = []
    for path in paths:
        try:
            uri = pictures.small(str(path)).uri
            found.append(Image.open(BytesIO(b64decode(uri.partition(",")[2]))))
        except MissingPictureError:
            found.append(None)
    missing = sum(image is None for image in found)
    if missing:
        note(f"{counted(missing, 'picture')} could not be read")
    return found


def _print_baselines(scores: list[Score]) -> None:
    """One line with what the chosen candidate has to beat."""
    from pairspace.tool.cli._screen import result

    others = [f"{score.name} {score.mean:.3f}" for score in scores if not score.chosen]
    if others:
        result(f"\ncompare with: {'; '.join(others)}")


def _print_board(search: AutoReducer) -> None:
    from rich.table import Table

    from pairspace.tool.cli._screen import results

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("rank", justify="right")
    table.add_column("candidate", no_wrap=True)
    for name in ("pair AUC", "std. error", "folds", "seconds"):
        table.add_column(name, justify="right")
    table.add_column("")
    most = max(search.leaderboard_["folds"])
    groups = {most}  # candidates with fewer folds are compared among themselves
    for row in search.leaderboard_.to_dict("records"):
        scored = row["mean"] == row["mean"]
        if scored and row["folds"] not in groups:
            groups.add(row["folds"])
            table.add_row("", f"dropped after {row['folds']} folds:", style="italic")
        table.add_row(
            str(row["rank"]),
            row["name"],
            f"{row['mean']:.3f}" if scored else "–",
            f"{row['standard_error']:.3f}" if scored else "–",
            str(row["folds"]),
            f"{row['seconds']:.1f}",
            "chosen" if row["chosen"] else row["error"],
            style="bold" if row["chosen"] else "",
        )
    results.print(table)
