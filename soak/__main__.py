"""python -m soak --seconds 600: people answer on two pages of one file, and faults happen.

With --calm there are no faults, and all people are at one page: how long do they wait?
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

from numpy import quantile

from pairspace import Constraints
from soak.faults import Faults
from soak.page import Page
from soak.people import Person, Visit
from soak.tab import Tab

ROWS, CLASSES = 600, 6
GROWTH, MORE = 1.2, 40.0  # what the memory of a page may become: a factor, and megabytes


def main() -> int:
    """Run what the arguments say; 1 if something was lost."""
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--people", type=int, default=3)
    parser.add_argument("--look", type=float, default=0.2, help="seconds at a screen, on average")
    parser.add_argument("--every", type=float, default=4, help="seconds between faults")
    parser.add_argument("--calm", action="store_true", help="no faults, and one page")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pairspace-soak-") as folder:
        problems = asyncio.run(run(Path(folder), options))
    print(*(f"FAILED {problem}" for problem in problems), sep="\n", end="\n" * bool(problems))
    return int(bool(problems))


async def run(folder: Path, options: argparse.Namespace) -> list[str]:
    """Answer for some seconds; what went wrong."""
    write_data(folder / "data.csv", options.seed)
    (folder / "clock").write_text("0", encoding="ascii")
    pages = [Page(name, folder) for name in ("first", "second")[: 1 if options.calm else 2]]
    try:
        return await _answer(folder, pages, options)
    finally:
        for page in pages:
            page.kill()


async def _answer(folder: Path, pages: list[Page], options: argparse.Namespace) -> list[str]:
    for page in pages:
        page.start()
    people = _people(pages, options)
    # Each tab takes the page some time, in which those that are open would wait.
    tabs = [await Tab.open(person.page.url) for person in people]
    faults, stop = Faults(pages, folder, options.seed), asyncio.Event()
    work = [
        asyncio.create_task(person.answer_until(stop, tab))
        for person, tab in zip(people, tabs, strict=True)
    ]
    if not options.calm:
        work.append(asyncio.create_task(faults.happen_until(stop, options.every)))
    memory, cpu = [], -pages[0].cpu_seconds()
    until = time.monotonic() + options.seconds
    while time.monotonic() < until and not any(task.done() for task in work):
        memory.append(pages[0].memory())
        await asyncio.sleep(1)
    cpu += pages[0].cpu_seconds()
    stop.set()
    await asyncio.gather(*work)
    codes = [page.stop() for page in pages]
    visits = [visit for person in people for visit in person.visits]
    report(visits, faults.counts, memory)
    print(f"CPU time of the first page: {cpu:.0f} s, of {options.seconds:.0f} s")
    return [
        *(
            f"{page.name} ended with {code}"
            for page, code in zip(pages, codes, strict=True)
            if code
        ),
        *check_file(folder / "answers.sqlite", visits),
        *check_memory(memory),
        *(
            f"on stderr: {said}"
            for said in (page.log.read_text(encoding="utf-8") for page in pages)
            if "Traceback" in said
        ),
    ]


def _people(pages: list[Page], options: argparse.Namespace) -> list[Person]:
    """All at one page if there are no faults; else every third one at the one that is killed."""
    if options.calm:
        homes = [pages[0]] * options.people
    else:
        homes = [pages[at % 3 // 2] for at in range(options.people)]
    more = {"reload": 0.0} if options.calm else {}
    return [
        Person(f"person {at}", home, options.look, options.seed + at, **more)
        for at, home in enumerate(homes)
    ]


def write_data(path: Path, seed: int) -> None:
    """Rows around the centres of classes; the id says which."""
    draw = random.Random(seed)
    centres = [[draw.gauss(0, 3) for _ in range(6)] for _ in range(CLASSES)]
    lines = ["id," + ",".join(f"x{at}" for at in range(6))]
    for row in range(ROWS):
        at = draw.randrange(CLASSES)
        numbers = (f"{draw.gauss(centre, 1):.4f}" for centre in centres[at])
        lines.append(f"row {row} class {at}," + ",".join(numbers))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check_file(path: Path, visits: list[Visit]) -> list[str]:
    """What was acknowledged is stored, the file is whole, and the answers do not contradict."""
    problems = []
    with sqlite3.connect(path) as file:
        if (whole := file.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            problems.append(f"the file is damaged: {whole}")
        steps = file.execute("SELECT annotator, undone, detail FROM steps").fetchall()
    file.close()
    rows = []
    for who, was, text in steps:
        detail = json.loads(text)
        if "refused" not in detail:
            rows.append((who, was))
        elif detail["reason"] == "exam":  # saved to be compared; an undo empties it
            rows.append((who, not detail["refused"]))
        # Others contradict answers, and are kept, too: the page did not say "Saved".
    stored, undone = Counter(who for who, _ in rows), Counter(who for who, was in rows if was)
    for visit in visits:
        for what, said, found in (
            ("answers", visit.saved, stored[visit.name]),
            ("undos", visit.undone, undone[visit.name]),
        ):
            if not said <= found <= said + visit.unknown:
                problems.append(f"{visit.name}: {said} {what} acknowledged, {found} stored")
    if Constraints.read(path, n_samples=ROWS).contradictions():
        problems.append("the answers contradict each other")
    return problems


def check_memory(memory: list[float]) -> list[str]:
    """After the start, the memory of a page stays what it is."""
    part = max(len(memory) // 5, 1)
    early, late = median(memory[part : 2 * part] or memory), median(memory[-part:])
    return [f"memory grew from {early:.0f} to {late:.0f} MB"] * (late > GROWTH * early + MORE)


def report(visits: list[Visit], faults: Counter[str], memory: list[float]) -> None:
    """What happened."""
    refused = sum((visit.refused for visit in visits), Counter[str]())
    print(
        f"{sum(visit.saved for visit in visits):,} answers and "
        f"{sum(visit.undone for visit in visits):,} undos acknowledged in {len(visits)} tabs, "
        f"{refused.total():,} said to be not saved, {sum(visit.unknown for visit in visits)} "
        "without a reply"
    )
    if waits := [wait for visit in visits for wait in visit.waits]:
        half, most = quantile(waits, [0.5, 0.95])
        print(f"from an answer to the next screen: {half:.2f} s, at 95 % {most:.2f} s")
    print("faults: " + ", ".join(f"{name} {count}" for name, count in sorted(faults.items())))
    print(*(f"  {count} × {status[:150]}" for status, count in refused.most_common(6)), sep="\n")
    parts = [memory[at * (len(memory) - 1) // 6] for at in range(7)]
    print(
        f"MB of the first page, from the start to the end: {' '.join(f'{mb:.0f}' for mb in parts)}"
    )


if __name__ == "__main__":
    sys.exit(main())
