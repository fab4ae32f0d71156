"""Try an installed pairspace: ``python smoke.py EXTRA SOURCE`` (the extra "core" is none).

It runs in an environment that has nothing but the wheel, that extra and what they need. What the
extra is for must work, and what another extra is for must fail with an error that names it. SOURCE
is the unpacked source distribution.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import requires, version
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any
from urllib.request import HTTPCookieProcessor, build_opener

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import pairspace
from pairspace import Constraints, PairClusters, PairSpace

MODULES = {  # by which an extra is recognised
    "frames": ("pandas", "pyarrow"),
    "plots": ("matplotlib",),
    "neighbors": ("faiss",),
    "experiments": ("matplotlib", "rich"),
    "amg": ("pyamg",),
    "dask": ("dask", "distributed"),
    "models": ("skops",),
    "onnx": ("skl2onnx", "onnxruntime"),
    "cli": ("typer", "rich", "jinja2"),
    "app": ("bokeh", "panel", "PIL"),
}
X, y = load_iris(return_X_y=True)
ANSWERS = Constraints.from_labels(y, per_class=20, random_state=0)


def command(*words: str) -> subprocess.CompletedProcess[str]:
    """The command ``pairspace`` of this environment."""
    script = Path(sys.executable).with_name("pairspace")
    return subprocess.run([script, *words], capture_output=True, text=True, check=False)


def done(*words: str) -> str:
    """What the command prints; it must succeed."""
    ran = command(*words)
    assert ran.returncode == 0, f"{words}: {ran.stdout}{ran.stderr}"
    return ran.stdout


def graph_space(solver: str) -> np.ndarray:
    """Of more rows than are solved densely."""
    method = pairspace.LaplacianEigenmaps(2, bridge=True, eigen_solver=solver, random_state=0)
    return method.fit_transform(load_digits().data[:1000])


def use_core() -> None:
    """All public names, a pipeline, groups from answers, and a search."""
    home = Path(pairspace.__file__).parent
    assert home.is_relative_to(sys.prefix), f"{home} is not of this environment"
    assert (home / "py.typed").is_file()
    assert version("pairspace") == pairspace.__version__
    packages = [each.name for each in iter_modules(pairspace.__path__) if each.name[0] != "_"]
    for module in (pairspace, *(import_module(f"pairspace.{name}") for name in packages)):
        for name in getattr(module, "__all__", ()):
            getattr(module, name)
    table, classes = pairspace.datasets.load("wine", return_X_y=True)
    assert np.array_equal(table, load_wine().data)
    known = np.where(np.arange(len(classes)) % 5 == 0, classes, -1)
    space = make_pipeline(StandardScaler(), PairSpace(2)).fit(table, known)
    assert space.transform(table).shape == (len(table), 2)
    assert adjusted_rand_score(y, PairClusters(random_state=0).fit(X, ANSWERS).labels_) > 0.7
    chosen = pairspace.AutoReducer(2, random_state=0).fit(X, ANSWERS)
    assert chosen.transform(X).shape == (len(X), 2)
    assert graph_space("auto").shape == (1000, 2)


def use_frames() -> None:
    """Pairs as frames and in parquet files, and named components."""
    ANSWERS.write("pairs.parquet")
    again = Constraints.read("pairs.parquet", n_samples=len(X))
    assert len(again.to_frame()) == len(ANSWERS.must_link) + len(ANSWERS.cannot_link)
    space = PairSpace(2).set_output(transform="pandas").fit(X, ANSWERS)
    assert list(space.transform(X).columns) == ["pairspace0", "pairspace1"]


def use_plots() -> None:
    """A scatter plot, as a file."""
    import matplotlib

    matplotlib.use("agg")
    axes = pairspace.plot.scatter(PairSpace(2).fit_transform(X, ANSWERS), ANSWERS, y)
    axes.figure.savefig("space.png")
    assert Path("space.png").stat().st_size > 5_000


def use_neighbors() -> None:
    """Approximate neighbours are nearly the exact ones."""
    from pairspace._core.neighbors import nearest

    rows = np.random.default_rng(0).normal(size=(5_000, 12))
    found, exact = (nearest(rows, 5, method=method) for method in ("approximate", "exact"))
    same = np.mean([len(set(a) & set(b)) for a, b in zip(found, exact, strict=True)]) / 5
    assert same > 0.9, same


def use_amg() -> None:
    """The multigrid finds the space that the other solver finds."""
    spaces = [graph_space(solver) for solver in ("amg", "shift-invert")]
    between = np.linalg.svd(np.linalg.qr(spaces[0])[0].T @ np.linalg.qr(spaces[1])[0])[1]
    assert between.min() > 0.999, between


def use_dask() -> None:
    """A fit on an array in blocks, and a lazy transform."""
    da: Any = import_module("dask.array")
    rows = da.from_array(X, chunks=(40, 4))
    space = PairSpace(2, teacher=None, random_state=0).fit(rows, ANSWERS)
    lazy = space.transform(rows)
    assert isinstance(lazy, da.Array)
    assert np.allclose(lazy.compute(), space.transform(X))


def use_models() -> None:
    """A model file."""
    space = make_pipeline(StandardScaler(), PairSpace(2)).fit(X, ANSWERS)
    pairspace.save(space, "iris.skops", X)
    assert np.array_equal(pairspace.load("iris.skops").transform(X), space.transform(X))


def use_onnx() -> None:
    """The same model for other programs."""
    from pairspace.persistence import export_onnx, read_info

    use_models()
    difference = export_onnx(pairspace.load("iris.skops"), "iris.onnx", read_info("iris.skops"))
    assert difference < 1e-4


def use_cli() -> None:
    """A model, a space, groups, a report and a picture from two files."""
    assert done("--version").strip() == f"pairspace {pairspace.__version__}"
    done("demo", "--files", ".")
    given = ["customers.csv", "--id", "name", "--pairs", "answers.csv"]
    done("fit", *given, "-o", "model.skops", "--method", "PairSpace")
    done("transform", "model.skops", "customers.csv", "-o", "space.csv")
    done("cluster", *given, "-o", "groups.csv")
    for name in ("space.csv", "groups.csv"):
        assert len(Path(name).read_text(encoding="utf-8").splitlines()) == 201
    assert "PairSpace" in done("info", "model.skops")
    few = ["--methods", "PairSpace,WBDR", "--folds", "2", "--repeats", "1"]
    done("compare", *given, *few, "-o", "report.html")
    assert "<svg" in Path("report.html").read_text(encoding="utf-8")


def use_app() -> None:
    """The labelling page is served, and an interactive plot is drawn."""
    Path("rows.csv").write_text("id,a,b\n" + "".join(f"r{i},{i % 5},{i % 3}\n" for i in range(30)))
    script = Path(sys.executable).with_name("pairspace")
    words = [str(script), "label", "rows.csv", "--id", "id", "--no-browser"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            said = process.stdout.readline()
            address = re.search(r"http://\S+", said)
            assert address, said
            browser = build_opener(HTTPCookieProcessor())  # the token becomes a cookie
            with browser.open(address[0], timeout=60) as page:
                assert "rows.csv" in page.read().decode()
        finally:
            process.terminate()
    plot = pairspace.plot.scatter(
        PairSpace(2).fit_transform(X, ANSWERS), labels=y, interactive=True
    )
    assert type(plot).__module__.startswith("bokeh")
    asked = pairspace.label(X, answers="iris.sqlite")
    assert asked.constraints.n_samples == len(X)


def use_experiments() -> None:
    """A part of a paper's table, from the source distribution."""
    words = ["run", "bwdr_table2", "--quick", "--datasets", "iris", "--methods", "PCA"]
    run = [sys.executable, "-m", "experiments", *words, "--jobs", "1", "--results", str(Path.cwd())]
    subprocess.run(run, cwd=sys.argv[2], check=True)
    assert Path("bwdr_table2.jsonl").stat().st_size > 0


def without_frames() -> None:
    ANSWERS.to_frame()


def without_plots() -> None:
    pairspace.plot.scatter(X[:, :2], labels=y)


def without_neighbors() -> None:
    from pairspace._core.neighbors import nearest

    nearest(X, 5, method="approximate")


def without_amg() -> None:
    graph_space("amg")


def without_models() -> None:
    pairspace.save(PairSpace(2).fit(X, ANSWERS), "iris.skops")


def without_onnx() -> None:
    from pairspace.persistence import ModelInfo, export_onnx

    known = {"mean": [0.0] * 4, "std": [1.0] * 4}
    info = ModelInfo(2, {}, "", [], 4, 2, features=None, training=known, about={})
    export_onnx(PairSpace(2).fit(X, ANSWERS), "iris.onnx", info)


def without_cli() -> None:
    ran = command("--help")
    assert ran.returncode, ran.stdout
    raise ImportError(ran.stderr)


def without_app() -> None:
    pairspace.label(X)


USES: dict[str, Callable[[], None]] = {
    "core": use_core,
    "frames": use_frames,
    "plots": use_plots,
    "neighbors": use_neighbors,
    "experiments": use_experiments,
    "amg": use_amg,
    "dask": use_dask,
    "models": use_models,
    "onnx": use_onnx,
    "cli": use_cli,
    "app": use_app,
}
# Without Dask nobody has its arrays, and the experiments are not in the wheel.
REFUSALS: dict[str, Callable[[], None]] = {
    "frames": without_frames,
    "plots": without_plots,
    "neighbors": without_neighbors,
    "amg": without_amg,
    "models": without_models,
    "onnx": without_onnx,
    "cli": without_cli,
    "app": without_app,
}


def brought_by(extra: str) -> set[str]:
    """The extra and those it contains, by the metadata of the wheel."""
    found = {extra}
    for line in requires("pairspace") or ():
        inner = re.fullmatch(rf"pairspace\[(.+)\]; extra == ['\"]{extra}['\"]", line)
        if inner:
            for name in inner[1].split(","):
                found |= brought_by(name)
    return found


def refusal(use: Callable[[], None]) -> str:
    """The error; nothing if there is none."""
    try:
        use()
    except ImportError as error:
        return str(error)
    return ""


def main(extra: str) -> None:
    """Use what is there, and ask for what is not."""
    brought = brought_by(extra)
    for name, modules in MODULES.items():
        missing = [module for module in modules if find_spec(module) is None]
        assert not (name in brought and missing), f"[{extra}] does not bring {missing}"
        assert extra != "core" or len(missing) == len(modules), f"the core brings {modules}"
        if not missing or name not in REFUSALS:
            continue
        said = refusal(REFUSALS[name])
        assert f"pip install 'pairspace[{name}]'" in said, f"without {missing}: {said!r}"
    USES[extra]()


if __name__ == "__main__":
    main(sys.argv[1])
