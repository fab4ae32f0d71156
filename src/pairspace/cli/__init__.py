"""The command ``pairspace``: from a file and a few answers to a small space. One command a file."""

try:
    import typer
except ImportError:
    raise SystemExit("the command needs more packages: pip install 'pairspace[cli]'") from None

from pairspace.cli._command import Group, add
from pairspace.cli.check import check
from pairspace.cli.compare import compare
from pairspace.cli.demo import demo
from pairspace.cli.export import export
from pairspace.cli.fit import fit
from pairspace.cli.info import info
from pairspace.cli.label import label
from pairspace.cli.methods import methods
from pairspace.cli.transform import transform

app = typer.Typer(
    name="pairspace",
    cls=Group,
    help="Semi-supervised dimensionality reduction: "
    "from a few answers to the space in which they hold.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (demo, methods, check, label, fit, transform, compare, info, export):
    add(app, command)

__all__ = ["app"]
