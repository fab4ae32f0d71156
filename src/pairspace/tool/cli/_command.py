"""What all commands share: errors, exit codes, ``--debug`` and ``--json``.

Exit codes: 0 success, 1 error in the files or options, 2 error in the command line, 3 ``check``
found contradictions, 70 bug in pairspace, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import functools
import inspect
import json
import math
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperGroup

from pairspace.tool.cli._garbage import fewer_searches
from pairspace.tool.cli._screen import note, notes, printable_json, results

ERROR, USAGE, CONTRADICTIONS, BUG, INTERRUPTED, TERMINATED = 1, 2, 3, 70, 130, 143
# Errors caused by the user's files and options; any other is a bug.
EXPECTED = (ValueError, TypeError, OSError, ImportError, MemoryError)

Result = dict[str, Any]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
Json = Annotated[
    bool, typer.Option("--json", help="Print the result or the error as one JSON object.")
]
SHARED = {"as_json": Json, "debug": Debug}


class Exit(Exception):  # noqa: N818 (it is no error)
    """A command finished with a result and an exit code other than 0."""

    def __init__(self, code: int, result: Result) -> None:
        super().__init__(code)
        self.code, self.result = code, result


class Group(TyperGroup):
    """Commands whose usage errors are printed on one line."""

    def main(self, args: Any = None, *, standalone_mode: bool = True, **extra: Any) -> Any:  # type: ignore[override]
        args = sys.argv[1:] if args is None else list(args)
        try:
            with fewer_searches():
                code = super().main(args, standalone_mode=False, **extra)
        except Exception as error:
            if not standalone_mode or not hasattr(error, "format_message"):
                raise
            if not args:  # `pairspace` alone prints the help
                error.show()  # type: ignore[attr-defined]
                sys.exit(0)
            message = f"{error.format_message()} See: pairspace --help"
            _report(message, USAGE, as_json="--json" in args)
            sys.exit(USAGE)
        return sys.exit(code or 0) if standalone_mode else code


def add(app: typer.Typer, command: Callable[..., Result]) -> None:
    """Make a function a command of the app.

    The function prints with ``_screen`` and returns the result that ``--json`` prints. The options
    ``--debug`` and ``--json`` are added to its own. A parameter whose type is a dataclass stands
    for one option for each field. Errors are ordinary exceptions, or ``Exit``.
    """
    own = inspect.signature(command, eval_str=True).parameters.values()
    bundles: dict[str, Any] = {
        one.name: one.annotation for one in own if is_dataclass(one.annotation)
    }

    @functools.wraps(command)
    def run(*, as_json: bool, debug: bool, **options: Any) -> None:
        results.quiet = as_json
        for name, kind in bundles.items():
            options[name] = kind(**{field.name: options.pop(field.name) for field in fields(kind)})
        code = 0
        try:
            with _cleaning_up_when_terminated(), warnings.catch_warnings():
                warnings.showwarning = _show_warning
                # The command says so itself, with the names of the rows.
                warnings.filterwarnings("ignore", "the answers contradict each other")
                found = command(**options)
        except Exit as stop:
            found, code = stop.result, stop.code
        except (Exception, KeyboardInterrupt) as error:
            if debug:
                raise
            code = _code_of(error)
            _report(_one_line(error, code), code, as_json)
            raise typer.Exit(code) from None
        if as_json:
            _print_json(_plain(found))
        raise typer.Exit(code)

    parameters = [part for one in own for part in _options_of(one)]
    parameters += [_option(name, kind, False) for name, kind in SHARED.items()]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    app.command(command.__name__)(run)


def _options_of(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    """The options of a parameter: one, or one for each field of a dataclass."""
    kind = parameter.annotation
    if not is_dataclass(kind):
        return [_option(parameter.name, kind, parameter.default)]
    hints = get_type_hints(kind, include_extras=True)
    return [_option(field.name, hints[field.name], field.default) for field in fields(kind)]


def _option(name: str, kind: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


@contextmanager
def _cleaning_up_when_terminated() -> Iterator[None]:
    """Turn SIGTERM into an exception, so that unfinished files are removed as after ctrl-C."""
    if threading.current_thread() is not threading.main_thread():  # which receives no signals
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _code_of(error: BaseException) -> int:
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    return ERROR if isinstance(error, EXPECTED) else BUG


def _one_line(error: BaseException, code: int) -> str:
    if code == INTERRUPTED:
        return "interrupted: nothing was written"
    if isinstance(error, OSError) and error.strerror:
        text = ": ".join(filter(None, [error.filename and str(error.filename), error.strerror]))
    elif isinstance(error, MemoryError):
        text = f"not enough memory: {error}; use fewer rows or columns, or float32 data"
    else:
        text = str(error)
    text = " ".join(text.split())
    if code == BUG:
        return (
            f"bug in pairspace, {type(error).__name__}: {text} "
            "(run it again with --debug and report the output)"
        )
    return text


def _report(message: str, code: int, as_json: bool) -> None:
    if as_json:
        _print_json({"error": message, "exit_code": code})
    else:
        notes.print("error:", style="bold red", end=" ")
        notes.print(message, soft_wrap=True)


def _print_json(value: Any) -> None:
    print(printable_json(json.dumps(value, ensure_ascii=False, allow_nan=False)))


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    note(" ".join(str(message).split()))


def _plain(value: Any) -> Any:
    """A result as JSON can hold it: NumPy's values as plain ones, NaN and infinity as null."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, (str, int, type(None))) else str(value)
