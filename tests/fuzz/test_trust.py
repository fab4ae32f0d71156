"""docs/results/trust.md names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_test_that_the_page_names_is_there():
    page = (ROOT / "docs" / "results" / "trust.md").read_text(encoding="utf-8")
    files = list((ROOT / "tests").rglob("test_*.py"))
    there = {file.stem for file in files}
    for file in files:
        there.update(re.findall(r"def (test_\w+)\(", file.read_text(encoding="utf-8")))
    named = set(re.findall(r"\btest_\w+", page))
    assert len(named) > 50
    assert named <= there
    assert all((ROOT / path).exists() for path in re.findall(r"tests/[\w/]+\.py", page))
