"""``python -m pairspace.tool.cli`` is the command ``pairspace``."""

from pairspace.tool.cli import app

app(prog_name="pairspace")
