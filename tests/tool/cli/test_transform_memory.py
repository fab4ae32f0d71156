"""``pairspace transform`` of a large file takes no more memory than of a smaller one."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet
from sklearn.decomposition import PCA

import pairspace

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")

N_COLUMNS = 40
FEW, MANY = 100_000, 400_000  # rows: 32 and 128 MB of numbers

SCRIPT = """
import sys
from pathlib import Path
from pairspace.tool.cli import app

app(["transform", *sys.argv[1:]], standalone_mode=False)
status = Path("/proc/self/status").read_text().splitlines()
print("peak", next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""
WRITERS = {"parquet": parquet.write_table, "csv": csv.write_csv}


def peak_megabytes(*arguments):
    command = [sys.executable, "-c", SCRIPT, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[-1]) / 1024


@pytest.mark.parametrize("kind", WRITERS)
def test_the_peak_does_not_grow_with_the_file(kind, tmp_path):
    random = np.random.default_rng(0)
    numbers = random.integers(0, 1000, (N_COLUMNS, MANY)) / 8  # short in text
    table = pa.table({f"c{k}": column for k, column in enumerate(numbers)})
    model = tmp_path / "model.skops"
    few = table.slice(0, 500).to_pandas()
    pairspace.save(PCA(2).fit(few), model, few)
    peaks = {}
    for n in (FEW, MANY):
        data, places = tmp_path / f"{n}.{kind}", tmp_path / f"{n}.npy"
        WRITERS[kind](table.slice(0, n), str(data))
        peaks[n] = peak_megabytes(model, data, "-o", places)
        assert np.load(places).shape == (n, 2)
    grown = 8e-6 * N_COLUMNS * (MANY - FEW)
    assert peaks[MANY] - peaks[FEW] < grown / 2, peaks
