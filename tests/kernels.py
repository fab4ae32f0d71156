"""The documentation's examples and iterative tests, with several kernels and threads of BLAS.

Kernels add the terms of a sum in different orders. What a page or a test says may not depend on it.
"""

import os
import subprocess
import sys
from pathlib import Path

KERNELS = ["Nehalem", "Haswell"]
RUNS = [["docs", "README.md", "src"], ["tests", "-m", "iterative"]]


def has_avx512() -> bool:
    """Whether this processor can run the kernel for AVX-512; only Linux tells."""
    info = Path("/proc/cpuinfo")
    return info.exists() and " avx512f " in info.read_text(encoding="utf-8")


def main() -> int:
    """Run all, and return 1 if one of them failed."""
    if has_avx512():
        KERNELS.append("SkylakeX")
    else:
        print("SkylakeX is left out: this processor has no AVX-512")
    failed = []
    for kernel in KERNELS:
        for threads in ("1", "2"):
            name = f"{kernel}, threads: {threads}"
            print(f"== {name}", flush=True)
            environment = os.environ | {
                "OPENBLAS_CORETYPE": kernel,
                "OPENBLAS_NUM_THREADS": threads,
                "OMP_NUM_THREADS": threads,
            }
            for selected in RUNS:
                command = [sys.executable, "-m", "pytest", "--quiet", *selected, *sys.argv[1:]]
                if subprocess.run(command, env=environment, check=False).returncode:
                    failed.append(f"{name}: {' '.join(selected)}")
    print(*(f"failed: {name}" for name in failed), sep="\n")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
