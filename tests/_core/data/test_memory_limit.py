"""A table that does not fit the memory there is, in a process that can't get more."""

import subprocess
import sys

import numpy as np
import pytest

import pairspace

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")

N, D = 70_000, 400
LIMIT = 105e6  # bytes above what the modules take; the table has 112 MB, or 224 MB in float64

SCRIPT = """
import resource, sys
from pathlib import Path
import numpy as np
from sklearn import config_context
from pairspace import {method}, Constraints

X = np.load(sys.argv[1], mmap_mode="r")
y = np.arange(len(X)) % 3
status = Path("/proc/self/status").read_text()
held = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmData"))
resource.setrlimit(resource.RLIMIT_DATA, (held * 1024 + {limit:.0f},) * 2)
try:
    np.array(X)
except MemoryError:
    pass
else:
    sys.exit("the table fits: there is nothing to see")
with config_context(working_memory=16):
    answers = Constraints.from_labels(y, n_pairs=500, random_state=0)
    space = {call}
    embedded = space.transform(X)
rows = getattr(space, "learned_rows_", None)
rows = np.arange(len(X)) if rows is None else rows
np.savez(sys.argv[2], embedded=embedded[:100], components=space.components_, rows=rows)
"""

CALLS = {
    "labels": "{method}().fit(X, y)",
    "a search for neighbours": "{method}(random_state=0).fit(X, answers)",
    "batches": "{method}().partial_fit(X[:35_000], y[:35_000]).partial_fit(X[35_000:], y[35_000:])",
}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "X.npy"
    X = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(N, D))
    random = np.random.default_rng(0)
    for start in range(0, N, 10_000):
        X[start : start + 10_000] = random.normal(size=(10_000, D))
    X[:, :3] += 4 * np.eye(3)[np.arange(N) % 3]
    X.flush()
    yield path
    path.unlink()


@pytest.mark.parametrize(
    ("method", "how"),
    [("BWDR", "labels"), ("LPP", "a search for neighbours"), ("MMC", "batches")],
)
def test_a_table_larger_than_memory(table, method, how, tmp_path):
    call = CALLS[how].format(method=method)
    script = SCRIPT.format(method=method, limit=LIMIT, call=call)
    result = tmp_path / "result.npz"
    command = [sys.executable, "-c", script, str(table), str(result)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = np.load(result)
    X, y = np.load(table)[found["rows"]], (np.arange(N) % 3)[found["rows"]]
    wanted = getattr(pairspace, method)().fit(X, None if method == "LPP" else y)
    np.testing.assert_allclose(found["components"], wanted.components_, rtol=1e-3, atol=1e-4)
    first = np.load(table, mmap_mode="r")[:100]
    np.testing.assert_allclose(found["embedded"], wanted.transform(first), rtol=1e-2, atol=1e-3)
