"""The pages of the docs and their pictures, made from the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from experiments import results
from experiments.figures import Records
from experiments.pictures import pictures
from experiments.report import markdown, page, verdict_of, why_of
from experiments.table import Table
from pairspace._core.files import replacing

OVERVIEW = "papers/reproduction"
TITLES = {
    "papers/bwdr": "BWDR and WBDR: reproduction",
    "papers/sswmv": "2P-WMV and SSWMV: reproduction",
    "papers/dsp": "DSP: reproduction",
    "papers/lecas": "LE-CAS: reproduction",
    "results/ranks": "Mean ranks of all methods",
    "results/study": "Study: all methods on 40 datasets",
    "results/label_study": "Study: labels, and the methods of the field",
    "results/auto_reducer": "AutoReducer: results",
    "results/groups_study": "Study: groups from a few answers",
    "results/labelling_study": "Study: the labelling page, by seconds",
    "results/programs_study": "Study: programs that answer, and a person who audits them",
}
OVERVIEW_TITLE = "Reproduction of the papers' tables and figures"
MADE = "Made by `make report` from `experiments/results`.\n"
INTRODUCTION = (
    "The table has a verdict for every table and figure of the papers. The page of each paper "
    "compares our numbers with the printed ones. Only the papers' numbers are typed by hand. Where "
    "a paper draws curves and prints no numbers, its claims about the curves are checked.\n"
)


@dataclass
class Documents:
    """Markdown and SVG by path without ending."""

    pages: dict[str, str] = field(default_factory=dict)
    svgs: dict[str, str] = field(default_factory=dict)


def documents(tables: Sequence[Table], folder: Path) -> Documents:
    """All pages of these tables that have results."""
    made = Documents()
    # Tables that run only when named come after the tables they are compared with.
    ordered = sorted(tables, key=lambda table: not table.by_default)
    kept = [(table, results.read(folder / table.results_file)) for table in ordered]
    overview = _overview(kept)
    if overview and any(records for _, records in kept):
        made.pages[OVERVIEW] = overview
    for document, title in TITLES.items():
        sections = []
        for table, records in kept:
            if table.document != document or not records:
                continue
            drawn = (table.pictures or pictures)(table, records)
            made.svgs.update(drawn)
            up = "../" * document.count("/")
            paths = [f"{up}images/{name}.svg" for name in drawn]
            sections.append(_section(table, records, paths))
        if sections:
            made.pages[document] = "\n".join([f"# {title}\n", MADE, *sections])
    return made


def _section(table: Table, records: Records, paths: Sequence[str]) -> str:
    if table.page is None:
        return page(table, records, paths)
    return table.page(table, records, paths) if table.pictures else table.page(table, records)


def _overview(kept: Sequence[tuple[Table, Records]]) -> str:
    rows, total = [], 0.0
    for table, records in kept:
        minutes = 0.0 if table.results else _minutes(records)
        total += minutes
        if table.document.startswith("papers/"):
            # A table that has not run has no section to link to, but is listed.
            link = f"[{table.title}]({Path(table.document).name}.md)" if records else table.title
            taken = f"{minutes:.1f}" if minutes else "–"
            rows.append([link, verdict_of(table, records), why_of(table, records), taken])
    if not rows:
        return ""
    grid = markdown(
        [["table or figure", "verdict", "known reasons for differences", "minutes"], *rows]
    )
    time = (
        f"Minutes are on one core, {total:.0f} in all with [our study](../results/study.md). "
        "Many cells ran while the machine had other work, and take less without it. The notes of "
        "each table state where repeats or rows are fewer than in the paper.\n"
    )
    return "\n".join([f"# {OVERVIEW_TITLE}\n", MADE, INTRODUCTION, grid, "", time])


def _minutes(records: Records) -> float:
    return sum(record.get("seconds", 0.0) for record in records.values()) / 60


def write(made: Documents, folder: Path) -> None:
    """Each file whole or not at all."""
    files = {f"{path}.md": text for path, text in made.pages.items()}
    files |= {f"images/{name}.svg": svg for name, svg in made.svgs.items()}
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as temporary:
            temporary.write_text(text, encoding="utf-8")
