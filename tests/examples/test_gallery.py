"""The form of the gallery's examples. ``make docs`` runs them; an error there stops the build."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

GALLERY = Path(__file__).parents[2] / "examples" / "gallery"
EXAMPLES = sorted(GALLERY.glob("*/*.py"))
MOST_LINES = 59
NETWORK = {"ftplib", "http", "httpx", "requests", "socket", "urllib", "urllib3"}
DRAWING = {"plt", "compare", "scatter", "leaderboard", "spectrum"}


def problems(source: str) -> list[str]:
    """What is wrong with the form of an example."""
    found = []
    tree = ast.parse(source)
    title, line, *_ = [*(ast.get_docstring(tree) or "").splitlines(), "", ""]
    if not title or line != "=" * len(title):
        found.append("the docstring does not start with a title, underlined with =")
    if len(source.splitlines()) > MOST_LINES:
        found.append(f"more than {MOST_LINES} lines")
    if "\n# %%\n" not in source:
        found.append("not in cells")
    if not DRAWING & {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}:
        found.append("no picture")
    if "print(" not in source:
        found.append("no result that is printed")
    for name in imported(tree):
        parts = name.split(".")
        if parts[0] == "pairspace" and any(part.startswith("_") for part in parts):
            found.append(f"uses {name}, which is private")
        if parts[0] in NETWORK or parts[-1].startswith("fetch_"):
            found.append(f"uses {name}, which may need the network")
    return found


def imported(tree: ast.Module) -> list[str]:
    """The full names of all that is imported."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_has_the_form_of_the_gallery(path):
    assert problems(path.read_text(encoding="utf-8")) == []


def test_there_are_examples_in_sections_with_a_header():
    assert len(EXAMPLES) >= 12
    folders = {path.parent for path in EXAMPLES}
    assert all((folder / "GALLERY_HEADER.rst").is_file() for folder in {*folders, GALLERY})


def test_each_problem_is_found():
    source = "\n".join(
        [
            '"""No title."""',
            "import urllib.request",
            "from sklearn.datasets import fetch_openml",
            "from pairspace._core import rounding",
            *["x = 1"] * MOST_LINES,
        ]
    )
    assert problems(source) == [
        "the docstring does not start with a title, underlined with =",
        "more than 59 lines",
        "not in cells",
        "no picture",
        "no result that is printed",
        "uses urllib.request, which may need the network",
        "uses sklearn.datasets.fetch_openml, which may need the network",
        "uses pairspace._core.rounding, which is private",
    ]
