"""``pairspace methods``."""

from __future__ import annotations

from typing import Any


def methods() -> dict[str, Any]:
    """List the methods and what each needs.

    [bold]Example[/bold]: pairspace methods
    """
    from rich.table import Table

    from pairspace.tool.cli._methods import METHODS
    from pairspace.tool.cli._screen import result, results

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("method", "must-links", "cannot-links", "other rows by", "prefer it when"):
        table.add_column(name, no_wrap=name == "method", overflow="fold")
    for kind in ("linear", "graph"):
        for method in (one for one in METHODS if one.kind == kind):
            table.add_row(*method[:5])
        table.add_section()
    results.print(table)
    result(
        "\nLabels count as pairs: two rows of a class are a must-link, two of different classes a "
        "cannot-link.\nThe last five embed curved data by graphs of neighbours; the others are "
        "linear maps.\nWhen in doubt: pairspace fit --method auto, which compares them on answers "
        "held out."
    )
    return {"methods": [method._asdict() for method in METHODS]}
