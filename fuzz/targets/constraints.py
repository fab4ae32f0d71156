"""Constraints: the constructor, slices, what they imply, tables and files."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from fuzz.judges import Refused, require, run
from fuzz.supervision import bad_labels, pairs_of
from fuzz.tables import Random
from pairspace import Constraints
from pairspace.constraints import ContradictionError


def constructed(random: Random, log: list[Any]) -> None:
    """The constructor, and pairs from labels, with arguments of every kind."""
    n = _count(random)
    must, cannot, weight = _links(random), _links(random), _weights(random)
    log += [n, must, cannot, weight]
    found = run(lambda: Constraints(n, must, cannot, must_weight=weight))
    if not isinstance(found, Refused):
        _judge(found)
        index = _index(random, len(found))
        log.append(index)
        part = run(lambda: found[index], also=(IndexError,))
        if isinstance(part, Constraints):
            _judge(part)
    classes = random.integers(3, size=int(random.integers(1, 20)))
    labels = bad_labels(random, classes)
    size = {
        str(random.choice(["n_pairs", "fraction", "per_class"])): random.choice(
            np.array([0, 1, 5, 0.5, 1.0, -1, np.nan, "all", None, 1000], dtype=object)
        )
    }
    log += [labels, size]
    drawn = run(lambda: Constraints.from_labels(labels, **size, random_state=0))
    if not isinstance(drawn, Refused):
        _judge(drawn)


def implied(random: Random, log: list[Any]) -> None:
    """Closure, components and contradictions, against a table of all pairs."""
    n = int(random.integers(2, 15))
    pairs = pairs_of(random, random.integers(3, size=n))
    if random.random() < 0.3:  # perhaps contradictory
        more = pairs_of(random, random.integers(3, size=n))
        joined = run(lambda: pairs | more)
        if isinstance(joined, Refused):
            return
        pairs = joined
    log.append((pairs.must_link.tolist(), pairs.cannot_link.tolist(), n))
    same = np.eye(n, dtype=bool)
    same[tuple(pairs.must_link.T)] = same[tuple(pairs.must_link.T[::-1])] = True
    for _ in range(n):
        same = (same.astype(int) @ same) > 0
    apart = np.zeros((n, n), dtype=bool)
    apart[tuple(pairs.cannot_link.T)] = apart[tuple(pairs.cannot_link.T[::-1])] = True
    apart = (same.astype(int) @ apart @ same) > 0
    clash = bool((same & apart).any())
    require(bool(pairs.contradictions()) == clash, "contradictions() is wrong")
    closed = run(pairs.closure)
    if clash:
        require(isinstance(getattr(closed, "error", None), ContradictionError), "closure took it")
        return
    i, j = np.triu_indices(n, k=1)
    require(
        np.array_equal(closed.must_link, np.column_stack([i, j])[same[i, j]])
        and np.array_equal(closed.cannot_link, np.column_stack([i, j])[apart[i, j]]),
        "closure() is wrong",
    )
    for one, other in zip(i.tolist(), j.tolist(), strict=True):
        wanted = True if same[one, other] else (False if apart[one, other] else None)
        require(pairs.entails(one, other) is wanted, "entails() is wrong")


def tables(random: Random, log: list[Any]) -> None:
    """Frames and files: what is written is read again; what is damaged is refused."""
    n = int(random.integers(2, 15))
    pairs = pairs_of(random, random.integers(3, size=n))
    ids = _ids(random, n)
    suffix = str(random.choice([".csv", ".jsonl", ".parquet"]))
    log += [pairs, ids, suffix]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"pairs{suffix}"
        written = run(lambda: pairs.write(path, ids))
        if not isinstance(written, Refused):
            read = run(lambda: Constraints.read(path, ids, n_samples=n))
            require(read == pairs, f"read() is not what write() wrote: {read!r}")
            data = bytearray(path.read_bytes())
            _damage(random, data)
            path.write_bytes(bytes(data))
            log.append(bytes(data[:300]))
            run(lambda: Constraints.read(path, ids), also=(OSError,))
        other = Path(folder) / f"answers{random.choice(['.sqlite', '.csv', '.jsonl', '.parquet'])}"
        content = random.integers(256, size=int(random.integers(0, 60)), dtype=np.uint8).tobytes()
        if random.random() < 0.4:
            content = b"a,b,same,weight\n" + content
        other.write_bytes(content)
        log.append((other.suffix, content))
        run(lambda: Constraints.read(other), also=(OSError,))
    columns = _columns(random)
    frame = _framed(random, columns)
    log.append(frame)
    found = run(lambda: Constraints.from_frame(frame))
    if isinstance(found, Constraints):
        _judge(found)


def _judge(found: Constraints) -> None:
    for links in (found.must_link, found.cannot_link):
        require(links.shape == (len(links), 2) and links.dtype == np.int64, "links of odd shape")
        require((links[:, 0] < links[:, 1]).all(), "links are not in order")
        require(not len(links) or 0 <= links.min() <= links.max() < len(found), "links outside")
    if len(found) < 10_000:
        require(len(found.components()) == len(found), "components() of another length")
        repr(found)


def _count(random: Random) -> Any:
    odd = [0, 1, -1, 2.0, 2.5, np.nan, "5", None, True, np.int8(6), 2**62, [3], np.array(4)]
    return odd[int(random.integers(13))] if random.random() < 0.25 else int(random.integers(1, 12))


def _links(random: Random) -> Any:
    if random.random() < 0.55:
        pairs = random.integers(12, size=(int(random.integers(0, 5)), 2))
        return (random.choice(np.array([0, 1, 2])) and pairs.tolist()) or pairs
    odd: list[Any] = [
        [(0, 0)],
        [(0, 1, 2)],
        [(0, 1), (1,)],
        [(0, 1.0)],
        [(0, 1.5)],
        [(0, -1)],
        [("a", "b")],
        [(0, None)],
        [(0, np.nan)],
        np.array([[0, 1]], dtype=np.uint8),
        np.array([[0, 1]], dtype=object),
        np.array([[0.0, 1.0]]),
        np.zeros((0, 3)),
        np.zeros((1, 2, 2), int),
        [[(0, 1)]],
        "ab",
        3,
        None,
        {(0, 1)},
        {0: 1},
        iter([(0, 1)]),
        pd.DataFrame({"a": [0], "b": [1]}),
        pl.DataFrame({"a": [0], "b": [1]}),
        [(0, 2**70)],
        [(True, False)],
        np.array([["2020-01-01", "2020-01-02"]], dtype="datetime64[D]"),
        [(0, 1j)],
        object(),
        [0, 1],
    ]
    return odd[int(random.integers(len(odd)))]


def _weights(random: Random) -> Any:
    odd = [None, None, None, [1.0], [0.0], [-1], [np.nan], [np.inf], "x", [None], [[1]], [1e308], 3]
    return odd[int(random.integers(len(odd)))]


def _index(random: Random, n: int) -> Any:
    odd: list[Any] = [
        slice(None, None, -1),
        slice(1, 3),
        np.arange(n)[::2],
        random.random(n) < 0.5,
        [],
        [0, 0],
        [n],
        [-1],
        0,
        (0, 1),
        "rows",
        [0.5],
        None,
        np.ones(n + 1, bool),
        pd.Series(np.arange(n)),
        [2**70],
        [[0]],
        [0, [1]],
        np.array(["2020"], dtype="datetime64[Y]"),
        (np.arange(n), ...),
    ]
    return odd[int(random.integers(len(odd)))]


def _ids(random: Random, n: int) -> Any:
    odd: list[Any] = [
        None,
        None,
        [f"id {i}" for i in range(n)],
        [f'a"{i},\n\r é𝄞' for i in range(n)],
        list(range(100, 100 + n)),
        ["same"] * n,
        [None] * n,
        [f"x{i}" for i in range(n + 1)],
        pd.Series([f"p{i}" for i in range(n)]),
        np.array([f"q{i}" for i in range(n)]),
        [f"\ud800{i}" for i in range(n)],
        [f"{i}\x00" for i in range(n)],
        [(i, i) for i in range(n)],
    ]
    return odd[int(random.integers(len(odd)))]


def _damage(random: Random, data: bytearray) -> None:
    if not data:
        return
    kind = random.choice(["cut", "byte", "latin-1", "doubled"])
    if kind == "cut":
        del data[int(random.integers(len(data))) :]
    elif kind == "byte":
        data[int(random.integers(len(data)))] = int(random.integers(256))
    elif kind == "latin-1":
        data += "1,2,é\n".encode("latin-1")
    else:
        data += bytes(data)


def _columns(random: Random) -> dict[str, Any]:
    m = int(random.integers(0, 4))
    cells: list[Any] = [0, 1, 2, "3", 1.0, 1.5, None, np.nan, pd.NA, "", "yes", True, -1, 2**70, []]

    def column(good: list[Any]) -> list[Any]:
        pool = cells if random.random() < 0.2 else good
        return [pool[int(random.integers(len(pool)))] for _ in range(m)]

    columns = {
        "a": column([0, 1, 2]),
        "b": column([3, 4, "5"]),
        "same": column(["yes", "no", True, False, 1, 0, "Same"]),
        "weight": column([1, 2.5, "", None]),
    }
    if random.random() < 0.15:
        del columns[str(random.choice(sorted(columns)))]
    if random.random() < 0.1:
        columns["a"] = [*columns.get("a", []), 1]
    return columns


def _framed(random: Random, columns: dict[str, Any]) -> Any:
    try:
        return [dict, pd.DataFrame, pl.DataFrame, list][int(random.integers(4))](columns)
    except Exception:  # frames that can't be made are not ours to judge
        return columns
