"""Model files, and rows in batches."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import pairspace
from fuzz.judges import Refused, require, run
from fuzz.parameters import with_parameters
from fuzz.relations import MARGIN, N_DISTURBED, TOLERANCE, UNSTABLE, same_geometry
from fuzz.supervision import Known, good
from fuzz.tables import Random, good_table
from fuzz.targets.estimators import LINEAR, MANIFOLD, last_and_next

INCREMENTAL = ["BWDR", "CFLD", "DCA", "MMC", "RCA", "SLPP", "SSDR", "WBDR", "WMMC", "WMV"]
EQUAL = 1e-12  # of two eigenvalues: their difference, by the larger of them


def models(random: Random, log: list[Any]) -> None:
    """A model that was saved and loaded transforms as before; a damaged file is refused."""
    name = str(random.choice(LINEAR + MANIFOLD))
    table = good_table(random, most_rows=30)
    known = good(random, table.classes)
    estimator = with_parameters(random, getattr(pairspace, name)(), chance=0.2)
    if random.random() < 0.5:
        estimator = make_pipeline(StandardScaler(), estimator)
    X, pairs = table.given, known.y if known.y is not None else known.constraints
    log += [estimator, table, known]
    if isinstance(run(lambda: estimator.fit(X, pairs)), Refused):
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.skops"
        saved = run(lambda: pairspace.save(estimator, path))
        require(not isinstance(saved, Refused), f"a fitted model can't be saved: {saved!r}")
        loaded = run(lambda: pairspace.load(path))
        require(not isinstance(loaded, Refused), f"what save wrote can't be loaded: {loaded!r}")
        require(
            np.array_equal(loaded.transform(X), estimator.transform(X)),
            "a loaded model transforms differently",
        )
        data = bytearray(path.read_bytes())
        if random.random() < 0.5:
            del data[int(random.integers(len(data))) :]
        else:
            for at in random.integers(len(data), size=20):
                data[int(at)] = int(random.integers(256))
        path.write_bytes(bytes(data))
        run(lambda: pairspace.load(path), also=(OSError,))


def batches(random: Random, log: list[Any]) -> None:
    """``partial_fit`` on batches gives the space that ``fit`` finds in all rows."""
    name = str(random.choice(INCREMENTAL))
    table = good_table(random)
    estimator = with_parameters(random, getattr(pairspace, name)(), chance=0.2)
    X, labels = table.numbers, table.classes.copy()
    labels[random.random(len(labels)) < 0.2] = -1
    log += [estimator, table, labels]
    whole, parts = clone(estimator), clone(estimator)
    fitted = run(lambda: whole.fit(X, labels))
    if not hasattr(parts, "partial_fit") or len(X) < 2:
        return
    cut = int(random.integers(1, len(X)))
    for batch in (slice(0, cut), slice(cut, None)):
        added = run(lambda rows=batch: parts.partial_fit(X[rows], labels[rows]))
        if isinstance(added, Refused):
            return
    found = run(lambda: parts.transform(X))
    if isinstance(fitted, Refused) or isinstance(found, Refused):
        return
    values = last_and_next(estimator, X, Known(labels, None, "labels"))
    if values is not None and abs(values[0] - values[1]) <= EQUAL * max(map(abs, values)):
        return  # equal for every X, as those of classes in SLPP: disturbing X does not show it
    apart = same_geometry(whole.transform(X), found, True)
    if apart <= TOLERANCE:
        return
    noise = 4e-15 * np.abs(X).max(axis=0)
    change = 0.0
    for _ in range(N_DISTURBED):
        moved, disturbed = X + noise * random.uniform(-1, 1, size=X.shape), clone(estimator)
        if isinstance(run(lambda X=moved, one=disturbed: one.fit(X, labels)), Refused):
            return
        change = max(change, same_geometry(whole.transform(X), disturbed.transform(moved), True))
    require(
        change > UNSTABLE or apart <= TOLERANCE + MARGIN * change,
        f"batches: the result changes by {apart:.1e}, but by {change:.1e} if X is disturbed",
    )
