"""The command ``pairspace``, one file for each subcommand."""

try:
    import typer
except ImportError:
    raise SystemExit("the command needs more packages: pip install 'pairspace[cli]'") from None

from typing import Annotated

from pairspace._version import __version__
from pairspace.tool.cli._command import Group, add
from pairspace.tool.cli.ask import ask
from pairspace.tool.cli.check import check
from pairspace.tool.cli.cluster import cluster
from pairspace.tool.cli.compare import compare
from pairspace.tool.cli.demo import demo
from pairspace.tool.cli.export import export
from pairspace.tool.cli.fit import fit
from pairspace.tool.cli.info import info
from pairspace.tool.cli.label import label
from pairspace.tool.cli.methods import methods
from pairspace.tool.cli.transform import transform

app = typer.Typer(
    name="pairspace",
    cls=Group,
    help="Semi-supervised dimensionality reduction from must-links, cannot-links and labels.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"pairspace {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", is_eager=True, callback=_print_version),
    ] = False,
) -> None:
    pass


for command in (demo, methods, check, label, ask, cluster, fit, transform, compare, info, export):
    add(app, command)

__all__ = ["app"]
