"""What ``import pairspace`` offers, also without the optional packages."""

import subprocess
import sys

import pytest

import pairspace

OPTIONAL = ("panel", "bokeh", "pandas", "matplotlib", "skops", "typer", "rich", "pyarrow", "PIL")


def python(code: str) -> str:
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_all_names_can_be_imported_in_a_plain_install():
    code = f"""
import sys
for name in {OPTIONAL}:
    sys.modules[name] = None  # importing it is an ImportError
from pairspace import *
try:
    label([[1.0]])
except ImportError as error:
    print(error)
"""
    assert "pip install 'pairspace[app]'" in python(code)


@pytest.mark.parametrize("name", ["active", "metrics", "tool", "plot", "preprocessing"])
def test_packages_are_found_after_importing_pairspace(name):
    assert python(f"import pairspace; print(pairspace.{name}.__name__)") == f"pairspace.{name}\n"


def test_dir_shows_what_is_public():
    shown = dir(pairspace)
    assert {*pairspace.__all__, "active", "metrics"} <= set(shown)
    assert not {"Any", "TYPE_CHECKING", "import_module"} & set(shown)
