"""Benchmarks in one run, as a page: what `make bench` prints and docs/benchmarks.md holds.

`make bench-large` is the page docs/benchmarks_large.md, `make bench-quick` a part for a minute.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
INTRODUCTION = """# Benchmarks

Made by `{command}` on one machine{cores}. Machines are noisy: read the ratios, which are
against a floor measured in the same run, and not the seconds. Those near a limit differ by a third
between runs.

The floors: reading the rows of the pairs once and one XᵀX for a scatter; XᵀX, one eigenproblem of
its order and reading once the rows of the pairs, or of the classes one after another, for a fit;
XXᵀ and its eigenproblem where there are more features than rows; scikit-learn's `kneighbors_graph`
for neighbours. At 2,000 × 2,000 with two components the comparison is scikit-learn's PCA, which
draws random projections there; ours only multiply with the rows, too, and look a second time for an
eigenvector that may have been missed.

"""
LARGE_INTRODUCTION = """# Benchmarks of large data

Made by `{command}` on one machine{cores}. Each method runs in a process of its own, so that its
peak of memory is its own. The aims: 20 GB on a disk in less than 2 GB of memory; 50,000 documents ×
100,000 terms in less than 2 GB and, for methods without neighbours, less than a minute;
Laplacian eigenmaps in half the time of scikit-learn's best solver.

"""
PEERS = """# Peers

In an environment of their own, with the versions of benchmarks/peers.txt; ours run there, too. A
fit has 60 seconds, the first of UMAP includes compiling, and pymde is not installed, for it needs
torchvision and with that several GB. Errors are the peers' own. What learns from labels gets other
knowledge than what learns from pairs: compare within a kind.

"""
# The order of the page. Peers have an environment of their own: see the Makefile.
ALL = (
    ("scatter.py",),
    ("fit.py",),
    ("million.py",),
    ("neighbors.py",),
    ("wmv_search.py",),
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
QUICK = (("fit.py", "--quick"), ("eigenmaps.py", "--rows", "5000", "--repeats", "1"))


# Of each part: the command, what stands above it, and the scripts.
PARTS = {
    "all": ("make bench", INTRODUCTION, ALL),
    "quick": ("make bench-quick", INTRODUCTION, QUICK),
    "large": ("make bench-large", LARGE_INTRODUCTION, LARGE),
}


def main(output: Path, part: str, folder: Path | None, peers: str | None) -> None:
    from joblib import cpu_count

    command, introduction, scripts = PARTS[part]
    page = introduction.format(command=command, cores=f" with {cpu_count()} cores")
    pictures = output.parent / "images"
    for script, *options in scripts:
        if script == "large.py" and folder:
            options += ["--folder", str(folder)]
        if script == "growth.py":
            options += ["--picture", str(pictures / "growth.png")]
        page += shown(sys.executable, script, *options)
    if peers:
        page += PEERS + shown(peers, "peers.py")
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(page.rstrip() + "\n")


def shown(python: str, script: str, *options: str) -> str:
    """What a script prints, shown while it runs. One that fails is part of the page."""
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
