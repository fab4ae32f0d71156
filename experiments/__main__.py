"""``python -m experiments run`` and ``python -m experiments report``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from experiments.documents import documents, write
from experiments.runner import run
from experiments.table import Table, all_tables

RESULTS = Path(__file__).parent / "results"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    tables = {table.name: table for table in all_tables()}
    parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    run_options = commands.add_parser("run", help="run the cells that have no result yet")
    report_options = commands.add_parser("report", help="make the pages from the results")
    for command in (run_options, report_options):
        command.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(tables))
        command.add_argument("--results", type=Path, default=RESULTS, help="the results' folder")
    run_options.add_argument(
        "--quick", action="store_true", help="datasets of scikit-learn, few repeats"
    )
    run_options.add_argument(
        "--datasets", nargs="+", metavar="NAME", help="run only these datasets"
    )
    run_options.add_argument("--methods", nargs="+", metavar="NAME", help="run only these methods")
    run_options.add_argument("--settings", nargs="+", metavar="NAME", help="only these settings")
    run_options.add_argument("--peers", action="store_true", help="other libraries' methods")
    run_options.add_argument("--jobs", type=int, default=2, help="processes")
    run_options.add_argument("--quiet", action="store_true", help="no progress bar")
    run_options.add_argument(
        "--retry-errors", action="store_true", help="run cells with errors again"
    )
    report_options.add_argument(
        "--output", type=Path, help="the folder of the pages (default: print them)"
    )
    options = parser.parse_args(arguments)
    for name in options.tables:
        if name not in tables:
            parser.error(f"TABLE must be one of {', '.join(tables)}; got {name!r}")
    chosen = [tables[name] for name in options.tables] or list(tables.values())
    if options.command == "run":
        _run([table for table in chosen if table.by_default or options.tables], options)
    else:
        made = documents(chosen, options.results)
        if options.output is None:
            sys.stdout.write("\n".join(made.pages.values()))
        else:
            write(made, options.output)


def _run(chosen: Sequence[Table], options: argparse.Namespace) -> None:
    for table in chosen:
        file = options.results / table.results_file
        cells = [
            cell
            for cell in table.cells(
                quick=options.quick, datasets=options.datasets, peers=options.peers
            )
            if not options.methods or cell.method in options.methods
            if not options.settings or cell.split.setting in options.settings
        ]
        ran = run(
            table,
            file,
            cells,
            n_jobs=options.jobs,
            progress=not options.quiet,
            retry_errors=options.retry_errors,
        )
        missing = sum(cell.split.dataset in ran.absent for cell in cells)
        there = len(cells) - ran.n_cells - missing
        print(f"{table.name}: {ran.n_cells} cells run, {there} already in {file}")
        for dataset, why in ran.absent.items():
            print(f"{table.name}: not run on {dataset}: {why}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; run the same command to resume")
