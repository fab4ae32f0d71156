"""``python -m pairspace.cli`` is the command ``pairspace``."""

from pairspace.cli import app

app(prog_name="pairspace")
