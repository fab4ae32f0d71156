"""Run the benchmarks and write them as one page.

`make bench` writes docs/results/benchmarks.md, `make bench-large` docs/results/benchmarks_large.md,
and `make bench-quick` a part that takes a minute.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
HEAD = """# {title}

Made by `{command}` on one machine{cores}.

"""
READING = """## How to read the tables

Compare the ratios, not the seconds. A ratio is the time of a method divided by the time of a
*floor* that is measured in the same run. A floor is work that no method of its kind can avoid.
Ratios may differ by a third between runs.

| measured | floor |
|---|---|
| scatter matrix | XᵀX, and reading the rows of the pairs once |
| fit | XᵀX, one eigenproblem of its order, and reading the rows of the pairs or classes once |
| fit, more features than rows | XXᵀ and its eigenproblem |
| neighbours | scikit-learn's `kneighbors_graph` |
| distances within classes | distances of the rows of each class, exp, XᵀAX, one eigenproblem |
| 2,000 × 2,000, two components | scikit-learn's PCA, which uses random projections there |

At 2,000 × 2,000 our methods also use only products with the rows. They run a second search for
eigenvectors that the first may have missed.

"""
LARGE_READING = """Each method runs in its own process, so that its peak memory is measured
separately. The targets:

- 20 GB on disk: less than 2 GB of memory.
- 50,000 documents × 100,000 terms: less than 2 GB of memory, and less than a minute for methods
  without neighbours.
- Laplacian eigenmaps: half the time of scikit-learn's best solver.

"""
PEERS = """## Other libraries

These run in an environment of their own with the versions of benchmarks/peers.txt. Our methods run
in the same environment. A fit is stopped after 60 seconds. The first fit of UMAP includes
compilation. pymde is not installed, because it needs torchvision, which takes several GB. Error
messages are those of the other libraries. Pairs and labels are different information: compare only
methods with the same entry in *learns from*. metric-learn's LFDA reads the distances to the k-th
neighbour along the wrong axis, and learns another space than LFDA. It gets the labelled rows only,
where ours reads all rows for their mean.

"""
# In the order of the page. Other libraries have an environment of their own: see the Makefile.
ALL = (
    ("targets.py",),
    ("scatter.py",),
    ("fit.py",),
    ("million.py",),
    ("field.py",),
    ("neighbors.py",),
    ("wmv_search.py",),
    ("queries.py",),  # data in the folder PAIRSPACE_DATA
    ("dsp.py",),
    ("eigenmaps.py",),
    ("questions.py",),
    ("growth.py",),
)
LARGE = (
    ("large.py",),
    ("wide.py",),
    ("eigenmaps.py", "--fashion"),  # images in the folder PAIRSPACE_DATA
)
QUICK = (
    ("targets.py", "pair_space", "--repeats", "3"),
    ("fit.py", "--quick"),
    ("eigenmaps.py", "--rows", "5000", "--repeats", "1"),
)


# For each part: the command, the title, how to read it, and the scripts.
PARTS = {
    "all": ("make bench", "Benchmarks", READING, ALL),
    "quick": ("make bench-quick", "Benchmarks", READING, QUICK),
    "large": ("make bench-large", "Benchmarks of large data", LARGE_READING, LARGE),
}
SHOWN_ROWS = 14  # of a table; a longer one opens by a click


def main(output: Path, part: str, folder: Path | None, peers: str | None) -> None:
    from joblib import cpu_count

    command, title, reading, scripts = PARTS[part]
    page = HEAD.format(title=title, command=command, cores=f" with {cpu_count()} cores")
    page += reading if part == "large" else ""
    pictures = output.parent / "images"
    for script, *options in scripts:
        if script == "large.py" and folder:
            options += ["--folder", str(folder)]
        if script == "growth.py":
            options += ["--seconds", "5", "--picture", str(pictures / "growth.png")]
        page += shown(sys.executable, script, *options)
        if script == "targets.py":  # the targets come first
            page += reading
    if peers:
        page += PEERS + shown(peers, "peers.py") + shown(peers, "field.py", "--lfda")
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(folded(page).rstrip() + "\n")


def folded(page: str) -> str:
    """The page, with long tables in parts that open by a click."""

    def fold(found: re.Match[str]) -> str:
        table = found.group()
        rows = table.count("\n") - 2  # without the head and the rule below it
        if rows <= SHOWN_ROWS:
            return table
        return f"<details>\n<summary>{rows} rows</summary>\n\n{table}\n</details>\n"

    return re.sub(r"(?:^\|.*\n)+", fold, page, flags=re.MULTILINE)


def shown(python: str, script: str, *options: str) -> str:
    """The output of a script, also printed while it runs. A failure is noted on the page."""
    print(f"… {script}", file=sys.stderr)
    command = [python, str(HERE / script), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        lines = []
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode:
        lines.append(f"\n*{script} ended with {process.returncode}.*\n\n")
    return "".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("build/benchmarks.md"))
    parser.add_argument("--part", choices=PARTS, default="all")
    parser.add_argument("--folder", type=Path, help="where the large file is written")
    parser.add_argument("--peers", help="the Python of the peers' environment")
    options = parser.parse_args()
    main(options.output, options.part, options.folder, options.peers)
