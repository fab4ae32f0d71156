"""``pairspace label``."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairspace.tool.cli._garbage import usual_searches
from pairspace.tool.cli._options import (
    FILES,
    Categories,
    Columns,
    DataFile,
    Force,
    Id,
    Ignore,
    Impute,
    TextOptions,
    check_inputs,
    check_output,
    split_names,
)

if TYPE_CHECKING:
    from pairspace.tool.app.labelling import Labelling


def label(
    data: DataFile,
    written: TextOptions,
    id: Id = None,
    text: Annotated[
        str | None,
        typer.Option(
            "--text", metavar="COLUMN", help="The text column to show and learn from (TF-IDF)."
        ),
    ] = None,
    image: Annotated[
        str | None,
        typer.Option(
            "--image", metavar="COLUMN", help="The column with the paths of the images to show."
        ),
    ] = None,
    image_root: Annotated[
        Path | None,
        typer.Option(
            "--image-root",
            metavar="DIR",
            help="The folder of the images; no file outside it is shown.",
        ),
    ] = None,
    show: Annotated[
        list[str] | None,
        typer.Option("--show", metavar="NAMES", help="The columns to show, separated by commas."),
    ] = None,
    columns: Columns = None,
    ignore: Ignore = None,
    categories: Categories = None,
    embeddings: Annotated[
        Path | None,
        typer.Option(
            "--embeddings",
            metavar="FILE",
            help=f"Features to learn from: a {FILES} file with the same rows in the same order, or "
            "with the same --id column.",
        ),
    ] = None,
    impute: Impute = None,
    answers: Annotated[
        Path, typer.Option("--answers", metavar="FILE", help="The file that stores the answers.")
    ] = Path("answers.sqlite"),
    ask: Annotated[
        str,
        typer.Option(
            "--ask",
            metavar="TEXT",
            help="The question about two rows; it says what the same means.",
        ),
    ] = "Are these two the same?",
    annotator: Annotated[
        str | None,
        typer.Option("--annotator", metavar="NAME", help="The name of the person who answers."),
    ] = None,
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="The kind of questions to start with: mixed, board, pick, sweep or pair.",
        ),
    ] = "mixed",
    blind: Annotated[
        bool,
        typer.Option(
            "--blind", help="Hide the map, all predictions and the answers of others at the start."
        ),
    ] = False,
    audit: Annotated[
        str | None,
        typer.Option(
            "--audit",
            metavar="NAME",
            help="Look at the answers of this program first, those that are probably wrong before "
            "others.",
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="How rows and pairs are chosen; by default medoids for pairs, doubt otherwise.",
        ),
    ] = None,
    classes: Annotated[
        int | None, typer.Option("--classes", metavar="N", help="The number of classes, if known.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="The seed of random numbers.")
    ] = None,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")
    ] = "127.0.0.1",
    allow_network: Annotated[
        bool,
        typer.Option(
            "--allow-network", help="Allow other machines to connect; needed for other hosts."
        ),
    ] = False,
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", help="The port; 0 chooses a free one.", min=0, max=65535
        ),
    ] = 0,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export",
            metavar="FILE",
            help="Write the groups of all rows by the answers so far (csv, parquet, or json for "
            "Label Studio), and open no page.",
        ),
    ] = None,
    force: Force = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
) -> dict[str, Any]:
    """Ask which rows are the same, on a page in the browser, and learn from the answers.

    [bold]Example[/bold]: pairspace label products.csv --id sku --text title

    Each answer is stored in --answers before the next question is shown, so you can stop and
    continue at any time. Then: pairspace fit products.csv --id sku --text title --pairs
    answers.sqlite

    The groups are a download of the page; the same command with --export groups.csv writes them.
    """
    from pairspace.tool.cli._group_files import check_groups_file
    from pairspace.tool.cli._labelling import read_labelling_input
    from pairspace.tool.cli._screen import note, result
    from pairspace.tool.files import read_as_written

    check_inputs(data, embeddings)
    if export is not None:
        check_output(export, force, data, embeddings, answers)
        check_groups_file(export)
    try:
        import panel as pn
    except ImportError:
        raise ImportError("the labelling page needs Panel: pip install 'pairspace[app]'") from None

    from pairspace.tool.app.exports import Origin
    from pairspace.tool.app.fit_process import FitProcess
    from pairspace.tool.app.labelling import Display, Labelling
    from pairspace.tool.app.memory import give_back_memory
    from pairspace.tool.app.server import WHAT_SHARING_MEANS, Server, is_local

    if not is_local(host):
        if not allow_network:
            raise ValueError(
                f"--host {host} means that {WHAT_SHARING_MEANS}; "
                "add --allow-network if that is what you want"
            )
        note(f"warning: {WHAT_SHARING_MEANS}")
    given = read_labelling_input(
        data,
        id=id,
        text=text,
        columns=split_names(columns),
        categories=split_names(categories),
        ignore=split_names(ignore),
        text_format=written.format(),
        embeddings=embeddings,
        impute=impute,
        image=image,
    )
    for line in given.notes:
        note(line)
    fits = FitProcess()
    labelling = Labelling(
        given.X,
        Display(given.frame, text=text, image=image, image_root=image_root, show=split_names(show)),
        ids=given.ids,
        answers=answers,
        ask=ask,
        title=data.name,
        annotator=annotator,
        kind=kind,  # type: ignore[arg-type]
        blind=blind,
        audit=audit,
        origin=Origin(
            given.features,
            given.preprocessing,
            given.about,
            as_written=lambda: read_as_written(data, written.format()),
        ),
        fit=fits.fit,
        strategy=strategy,
        n_clusters=classes,
        random_state=seed,
    )
    if export is not None:
        return _export(labelling, export)
    pn.extension()
    title = f"{data.name} · pairspace"
    give_back_memory()
    gc.freeze()  # what was imported stays: a search for garbage need not look at it
    server = Server(labelling.page, title=title, host=host, port=port)
    result(f"Open {server.url}")
    note(f"answers are stored in {answers}; stop with ctrl-C, continue with the same command")

    def close() -> None:
        fits.close()
        labelling.session.close()

    with usual_searches():
        server.run(open_browser=browser, close=close)
    progress = labelling.session.questions.progress
    result(f"{progress.answers:,} answers are in {answers}")
    return {"answers": progress.answers, "file": str(answers)}


def _export(labelling: Labelling, path: Path) -> dict[str, Any]:
    """Write the groups as they are now."""
    from pairspace.tool.app.words import summary_text
    from pairspace.tool.cli._group_files import write_groups
    from pairspace.tool.cli._screen import result

    exports, summary = labelling.exports, labelling.session.summary()
    as_written = path.suffix.lower() in (".csv", ".tsv")
    write_groups(path, exports.groups(as_written=as_written))
    labelling.session.close()
    result(f"{path}: {summary_text(summary)}")
    return {"file": str(path), "rows": summary.n_rows, "grouped": summary.n_grouped}
