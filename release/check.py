"""Build the source distribution and the wheel into ``dist``, and try them: ``make dist``.

The wheel is built twice, from the working tree and from the source distribution, and both must be
the same. It is then installed alone and with each extra, each time into an environment of its own,
and tried there by ``smoke.py``.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
SMOKE = ROOT / "release" / "smoke.py"
# In bytes. Docstrings are a third of the wheel.
LARGEST_WHEEL = 700_000
LARGEST_SDIST = 3_000_000
FOR_DEVELOPERS = ("test", "lint", "dist", "docs")  # extras that need a clone
TOOLS = Path(sys.executable).parent


class ReleaseError(Exception):
    """Something that users of the release would stumble over."""


def run(*words: str | Path, cwd: Path = ROOT) -> None:
    """Run a program quietly; what it printed is shown if it fails."""
    # Neither the packages nor the threads of the caller: what is tried is the wheel.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True)
    if ran.returncode:
        raise ReleaseError(f"{' '.join(map(str, words))}\n{ran.stdout}{ran.stderr}")


def build(folder: Path) -> tuple[Path, Path]:
    """The source distribution and the wheel made from it, in ``dist``."""
    shutil.rmtree(DIST, ignore_errors=True)
    # uv makes the environment of the build backend: it takes a second, pip ten.
    builder = (sys.executable, "-m", "build", "--installer", "uv", "--outdir")
    run(*builder, DIST)
    run(*builder, folder, "--wheel")
    (sdist,), (wheel,) = DIST.glob("*.tar.gz"), DIST.glob("*.whl")
    if wheel.read_bytes() != (folder / wheel.name).read_bytes():
        raise ReleaseError(f"{wheel.name} differs if it is built without the source distribution")
    run(TOOLS / "twine", "check", "--strict", sdist, wheel)
    run(TOOLS / "check-wheel-contents", wheel)
    return sdist, wheel


def check_version(wheel: Path) -> None:
    """The changelog and the citation must be of the version in the wheel's name."""
    version = wheel.name.split("-")[1]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    released = re.search(rf"^## {re.escape(version)} - (\d{{4}}-\d\d-\d\d)$", changes, re.MULTILINE)
    if not released:
        raise ReleaseError(f"CHANGELOG.md has no line '## {version} - ' with a date")
    for line in (f"version: {version}", f"date-released: {released[1]}"):
        if line not in cited.splitlines():
            raise ReleaseError(f"CITATION.cff has no line '{line}'")


def check_size(path: Path, largest: int) -> None:
    """Print the size of a file, and refuse one that is too large."""
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)}: {size / 1000:,.0f} kB, at most {largest / 1000:,.0f} kB")
    if size > largest:
        raise ReleaseError(f"{path.name} has {size:,} bytes, more than {largest:,}")


def extras() -> list[str]:
    """The extras that are for users."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [name for name in project["optional-dependencies"] if name not in FOR_DEVELOPERS]


def try_installed(package: Path, extra: str, source: Path, python: str) -> str:
    """Try the package with an extra in an environment of its own; give what went wrong."""
    began = time.monotonic()
    wanted = str(package) if extra == "core" else f"{package}[{extra}]"
    with TemporaryDirectory(prefix=f"pairspace-{extra}-") as home:
        environment, empty = Path(home, "environment"), Path(home, "empty")
        empty.mkdir()
        inside = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        try:
            run(TOOLS / "uv", "venv", "--quiet", "--python", python, environment)
            run(TOOLS / "uv", "pip", "install", "--quiet", "--python", inside, wanted)
            run(TOOLS / "uv", "pip", "check", "--quiet", "--python", inside)
            run(inside, "-I", SMOKE, extra, source, cwd=empty)
        except ReleaseError as error:
            return f"[{extra}] {error}"
    print(f"{extra}: {time.monotonic() - began:.0f} s", flush=True)
    return ""


def check(python: str, jobs: int, only: list[str], from_sdist: bool) -> None:
    """Build, measure and try."""
    with TemporaryDirectory(prefix="pairspace-dist-") as folder:
        sdist, wheel = build(Path(folder))
        check_version(wheel)
        check_size(sdist, LARGEST_SDIST)
        check_size(wheel, LARGEST_WHEEL)
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        source = Path(folder, sdist.name.removesuffix(".tar.gz"))
        package = sdist if from_sdist else wheel
        with ThreadPoolExecutor(jobs) as pool:
            wrong = pool.map(
                lambda extra: try_installed(package, extra, source, python),
                only or ["core", *extras()][::-1],  # the largest, which come last, begin
            )
        found = "\n".join(filter(None, wrong))
        if found:
            raise ReleaseError(found)


def main() -> int:
    """Read the options; the exit code is 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--python", default=sys.executable, help="of the environments")
    parser.add_argument("--jobs", type=int, default=2, help="environments at a time")
    parser.add_argument("--from-sdist", action="store_true", help="install that, not the wheel")
    parser.add_argument("extras", nargs="*", help="by default core and all extras for users")
    chosen = parser.parse_args()
    try:
        check(chosen.python, chosen.jobs, chosen.extras, chosen.from_sdist)
    except ReleaseError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
