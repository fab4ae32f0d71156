"""What is seen while a command works."""

import io

from rich.console import Console

from pairspace.tool.cli import _screen


def test_the_last_line_that_an_estimator_says_is_beside_the_sign(monkeypatch, capsys):
    seen = io.StringIO()
    terminal = Console(file=seen, force_terminal=True, width=60, markup=False)
    monkeypatch.setattr(_screen, "notes", terminal)
    with _screen.busy("fitting"):
        print("[AutoReducer] repeat 1 of 2\n[AutoReducer] 3 of 14, [b]PCA[/b]: 0.8")
        terminal.print("")  # draws the sign again
        print("[AutoReducer] " + "long " * 40)
        terminal.print("")
    said = seen.getvalue()
    assert "fitting … 3 of 14, [b]PCA[/b]: 0.8" in said
    assert "fitting … long" in said
    assert "long " * 12 not in said  # one line of the terminal
    assert capsys.readouterr().out == ""


def test_a_file_gets_no_sign(monkeypatch, capsys):
    seen = io.StringIO()
    monkeypatch.setattr(_screen, "notes", Console(file=seen))
    with _screen.busy("fitting"):
        print("[AutoReducer] repeat 1 of 2")
    assert seen.getvalue().strip() == capsys.readouterr().out == ""
