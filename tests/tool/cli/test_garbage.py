"""A command looks for garbage less often, and leaves Python as it was."""

import gc
import subprocess
import sys

from pairspace.tool.app.server import Server
from pairspace.tool.cli import app
from pairspace.tool.cli._garbage import NEW_OBJECTS, USUAL, fewer_searches


def test_the_limit_is_higher_in_the_block_only():
    before = gc.get_threshold()
    with fewer_searches():
        assert gc.get_threshold()[0] == NEW_OBJECTS
    assert gc.get_threshold() == before


def test_the_labelling_page_runs_with_the_usual_limit(monkeypatch, tmp_path):
    """What its tabs leave behind would pile up: hundreds of MB a minute with twenty of them."""
    limits = []
    monkeypatch.setattr(Server, "run", lambda *_, **__: limits.append(gc.get_threshold()))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text("x,y\n" + "1,2\n3,4\n5,7\n" * 4, encoding="utf-8")
    app(["label", "data.csv", "--no-browser"], standalone_mode=False)
    assert limits == [USUAL]


def test_what_is_registered_to_run_at_the_end_still_runs():
    script = (
        "import atexit; atexit.register(lambda: print('before')); "
        "from pairspace.tool.cli._garbage import fewer_searches\n"
        "with fewer_searches(): pass\n"
        "with fewer_searches(): atexit.register(lambda: print('after'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == ["after", "before"]
