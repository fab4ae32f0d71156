"""The documentation's examples and iterative tests, with two kernels and threads of BLAS.

Kernels add the terms of a sum in different orders. What a page or a test says may not depend on it.
`make test` runs all tests with the processor's own kernel and one thread, so that is left out here.
"""

import os
import subprocess
import sys
from pathlib import Path

# With the number of threads. Every kernel with both would take twice as long.
KERNELS = [("Nehalem", 1), ("Haswell", 2)]
EXAMPLES = ["docs", "README.md", "src"]


def iterative_tests() -> list[str]:
    """The tests with the marker; only their files, since collecting all takes longer than these."""
    files = [str(path) for path in sorted(Path("tests").rglob("test_*.py")) if _is_marked(path)]
    # scikit-learn's checks ask what estimators accept and keep, not for numbers.
    return [*files, "-m", "iterative", "-k", "not scikit_learn_checks"]


def _is_marked(path: Path) -> bool:
    return "pytest.mark.iterative" in path.read_text(encoding="utf-8")


def main() -> int:
    """Run all, and return 1 if one of them failed."""
    failed = []
    for kernel, threads in KERNELS:
        name = f"{kernel}, threads: {threads}"
        environment = os.environ | {
            "OPENBLAS_CORETYPE": kernel,
            "OPENBLAS_NUM_THREADS": str(threads),
            "OMP_NUM_THREADS": str(threads),
        }
        # Two processes with one thread take as many cores as one process with two.
        processes = str(2 // threads)
        for what, selected in (("examples", EXAMPLES), ("tests", iterative_tests())):
            print(f"== {name}: {what}", flush=True)
            pytest = [sys.executable, "-m", "pytest", "--quiet", "--numprocesses", processes]
            run = subprocess.run([*pytest, *selected], env=environment, check=False)
            if run.returncode:
                failed.append(f"{name}: {what}")
    print(*(f"failed: {name}" for name in failed), sep="\n")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
