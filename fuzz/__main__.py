"""python -m fuzz --cases 10000 --seconds 60 --seed 0 --only 17"""

from __future__ import annotations

import argparse
import itertools
import os
import sys

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # the cases are small: more threads only wait

from fuzz.runner import print_failure, run_case, run_cases  # noqa: E402 (after the threads)


def main() -> int:
    """Run what the arguments say; 1 if a case failed."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Random inputs for pairspace.")
    parser.add_argument("--cases", type=int, default=10_000, help="how many")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after these")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="the number of the first case")
    parser.add_argument("--only", type=int, nargs="*", help="the numbers of cases to repeat")
    options = parser.parse_args()
    if options.only:
        failed = 0
        for number in options.only:
            outcome = run_case(options.seed, number)
            failed += outcome.failure is not None
            if outcome.failure is None:
                print(f"passed {outcome.target} {number}", *outcome.log, sep="\n  ")
            else:
                print_failure(options.seed, number, outcome, short=False)
        return int(failed > 0)
    numbers = itertools.islice(itertools.count(options.start), options.cases)
    return int(run_cases(options.seed, numbers, options.seconds) > 0)


if __name__ == "__main__":
    sys.exit(main())
