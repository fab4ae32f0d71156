"""The sessions in docs/start.md and docs/guide/tool.md, run as they stand there."""

from __future__ import annotations

import doctest
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "docs" / name for name in ("start.md", "guide/tool.md")]
BLOCK = re.compile(r"^```console\n\$ (.*)\n((?:.*\n)*?)```$", re.MULTILINE)


def session(page: Path) -> list[tuple[str, str]]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def run(command: str, folder: Path) -> str:
    """What a person sees of a command in a folder."""
    tools = folder / "bin"
    for name, words in (("python", ""), ("pairspace", " -m pairspace.tool.cli")):
        tools.mkdir(exist_ok=True)
        script = tools / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
    examples = folder / "examples"
    if not examples.exists():
        examples.symlink_to(ROOT / "examples")
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "COLUMNS": "120"}
    return subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout


@pytest.mark.skipif(os.name == "nt", reason="a session in a Unix shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_documented_session_gives_what_the_page_says(page, tmp_path):
    steps = session(page)
    assert len(steps) >= 5
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for command, expected in steps:
        found = run(command, tmp_path)
        assert checker.check_output(expected, found, flags), f"$ {command}\n{found}"


@pytest.mark.skipif(os.name == "nt", reason="commands of a Unix shell")
def test_the_commands_of_the_readme_run_as_printed(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = readme.split("```")[1::2]
    commands = re.findall(r"(?m)^pairspace .*$", "\n".join(blocks))
    assert len(commands) == 3
    for command in commands:
        printed = run(f"{command} && echo done", tmp_path)
        assert printed.endswith("done\n"), f"$ {command}\n{printed}"
    assert {"groups.csv", "report.html"} <= {p.name for p in tmp_path.iterdir()}


def rewrite(page: Path, folder: Path) -> None:
    """Put what the commands print now into the page: python tests/tool/cli/test_docs.py PAGE"""

    def again(block: re.Match[str]) -> str:
        found = run(block[1], folder)
        # What differs from run to run, or from machine to machine.
        found = re.sub(r"(?m)(written |versions: |at most )\S.*?( of the.*)?$", r"\1...\2", found)
        found = re.sub(r"(?m)^( *\d+  .*?\d+ +)\d+\.\d( *(?:chosen)?) *$", r"\1...\2", found)
        found = re.sub(r"(\d\.\d{3})\d{5,}", r"\1...", found)
        return f"```console\n$ {block[1]}\n{found.rstrip()}\n```"

    page.write_text(BLOCK.sub(again, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        rewrite(Path(sys.argv[1]), Path(name))
