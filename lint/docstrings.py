"""Check the docstrings of all public names with numpydoc: ``python lint/docstrings.py [part]``.

Public names are those in ``__all__`` of ``pairspace`` and of its public packages, and the public
methods and properties of their classes.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from numpydoc.docscrape import get_doc_object
from numpydoc.validate import validate
from sklearn.base import BaseEstimator

PACKAGES = (
    "",
    ".active",
    ".asking",
    ".base",
    ".cluster",
    ".constraints",
    ".datasets",
    ".linear",
    ".manifold",
    ".metrics",
    ".model_selection",
    ".persistence",
    ".plot",
    ".preprocessing",
    ".tool.report",
)
# What numpydoc may ask for and we do not: the form of the first lines (ruff checks it), and an
# extended summary, "See Also" or an example for each method.
IGNORED = {"GL01", "GL02", "GL03", "SS03", "SS05", "SS06", "ES01", "EX01", "SA01"}
OF_ESTIMATORS = ("See Also", "References", "Examples")
WITHOUT_REFERENCES = {
    "AutoReducer",
    "DateEncoder",
    "PairSearchCV",
    "PairSpace",
    "TextEncoder",
}  # ours

WITH_PARAMETERS_OF_OTHERS = {"TextEncoder"}  # which scikit-learn describes


def public_names() -> Iterator[tuple[str, Any]]:
    """Each public object once, by its shortest name."""
    seen: set[int] = set()
    for package in PACKAGES:
        module = import_module(f"pairspace{package}")
        for name in module.__all__:
            value = getattr(module, name)
            if id(value) not in seen and (inspect.isclass(value) or inspect.isfunction(value)):
                seen.add(id(value))
                yield f"pairspace{package}.{name}", value


def problems(name: str, value: Any) -> Iterator[str]:
    """What is wrong with the docstring of a class or a function, and of its members."""
    if not getattr(value, "_is_protocol", False):  # whose __init__ nobody calls
        of_others = getattr(value, "__name__", "") in WITH_PARAMETERS_OF_OTHERS
        yield from (line for line in _validated(name) if not (of_others and "PR01" in line))
    if not inspect.isclass(value):
        return
    doc = get_doc_object(value)
    for part in doc["Attributes"]:
        if not "".join(part.desc).strip() and part.name not in vars(value):
            yield f"{name}: attribute {part.name} is not described"
    if issubclass(value, BaseEstimator) and value.__name__ not in ("Reducer", "LinearReducer"):
        for section in OF_ESTIMATORS:
            if section == "References" and value.__name__ in WITHOUT_REFERENCES:
                continue
            if not doc[section]:
                yield f"{name}: no section {section}"
    for member, found in vars(value).items():
        if not member.startswith("_") and (
            inspect.isfunction(found) or isinstance(found, property)
        ):
            yield from _validated(f"{name}.{member}")


def _validated(name: str) -> Iterator[str]:
    for code, text in validate(name)["errors"]:
        if code not in IGNORED:
            yield f"{name}: {code} {text}"


def main(part: str = "") -> int:
    """Print all problems; the exit code is 1 if there are any."""
    found = [
        line for name, value in public_names() if part in name for line in problems(name, value)
    ]
    print("\n".join(found) or "docstrings: no problems")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
