"""Model files: they come back the same, and nothing else comes in."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import pairspace
from estimators import LINEAR, MANIFOLD
from pairspace import BWDR, PairSpace
from pairspace.persistence import export_onnx, fingerprint, read_info
from pairspace.persistence._file import PARTS
from pairspace.persistence._info import FORMAT

X, y = load_iris(return_X_y=True, as_frame=True)
PARTLY = np.where(np.arange(len(y)) % 3, y, -1)


def fitted(*steps: Any, data: Any = X) -> Any:
    return make_pipeline(*[clone(step) for step in steps]).fit(data, PARTLY)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "model.skops"
    pairspace.save(
        fitted(StandardScaler(), PairSpace(random_state=0)), path, X, about={"who": "me"}
    )
    return path


@pytest.mark.parametrize("method", [*LINEAR, *MANIFOLD], ids=str)
@pytest.mark.filterwarnings("ignore:the graph of:UserWarning")
def test_every_method_comes_back_the_same(tmp_path, method):
    model = fitted(SimpleImputer(), StandardScaler(), method)
    pairspace.save(model, tmp_path / "m.skops", X)
    again = pairspace.load(tmp_path / "m.skops")
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    new = X + 0.01
    np.testing.assert_array_equal(again.transform(new), model.transform(new))
    assert str(again) == str(model)


def test_batches_go_on_after_loading(tmp_path):
    method = BWDR().partial_fit(X[::2], y[::2])
    pairspace.save(method, tmp_path / "model.skops")
    again = pairspace.load(tmp_path / "model.skops")
    for each in (method, again):
        each.partial_fit(X[1::2], y[1::2])
    np.testing.assert_array_equal(again.transform(X), method.transform(X))


def test_clusterers_can_be_saved_too(tmp_path):
    model = fitted(StandardScaler(), pairspace.SKKMeans(3, random_state=0))
    pairspace.save(model, tmp_path / "m.skops")
    np.testing.assert_array_equal(pairspace.load(tmp_path / "m.skops").predict(X), model.predict(X))


def test_the_description_is_read_without_loading(saved):
    info = read_info(saved)
    assert info.features == X.columns.tolist()
    assert (info.n_features, info.n_components) == (4, 2)
    assert [step["type"] for step in info.steps] == ["StandardScaler", "PairSpace"]
    assert info.steps[1]["params"]["ridge"] == "auto"
    assert info.versions["pairspace"] == pairspace.__version__
    assert info.training["rows"] == 150
    assert info.training["fingerprint"] == fingerprint(X)
    np.testing.assert_allclose(info.training["mean"], X.mean())
    assert info.about == {"who": "me"}


def test_a_search_is_saved_as_what_it_chose(tmp_path):
    search = GridSearchCV(fitted(StandardScaler(), PairSpace(random_state=0)), {}, cv=2)
    search.fit(X, y)
    pairspace.save(search, tmp_path / "m.skops")
    again = pairspace.load(tmp_path / "m.skops")
    np.testing.assert_array_equal(again.transform(X), search.best_estimator_.transform(X))


@pytest.mark.parametrize(
    "change",
    [
        lambda X: X.rename(columns={"petal width (cm)": "petal breadth"}),
        lambda X: X.drop(columns="petal width (cm)"),
        lambda X: X.iloc[:, ::-1],
    ],
)
def test_other_columns_are_refused_by_name(saved, change):
    with pytest.raises(ValueError, match=r"(?s)petal width|order"):
        pairspace.load(saved).transform(change(X))


def test_fingerprints_tell_data_apart():
    texts = pd.DataFrame({"t": ["a b", "c"]})
    prints = [
        fingerprint(data)
        for data in (
            X,
            X.rename(columns={"petal width (cm)": "w"}),
            X.iloc[::-1],
            X + 1e-12,
            X.to_numpy(),
            texts,
            texts.iloc[::-1],
        )
    ]
    assert len(set(prints)) == len(prints)
    assert fingerprint(X.copy()) == prints[0]
    assert fingerprint(np.asfortranarray(X)) == prints[4]


class Stranger(TransformerMixin, BaseEstimator):
    """A type that nobody knows."""

    def fit(self, X: Any, y: Any = None) -> Stranger:
        self.fitted_ = True
        return self

    def transform(self, X: Any) -> Any:
        return X


def test_unknown_types_are_refused_by_name(tmp_path):
    model = fitted(Stranger(), PairSpace(random_state=0))
    name = f"{Stranger.__module__}.Stranger"
    with pytest.raises(TypeError, match=f"type {name}.* trusted="):
        pairspace.save(model, tmp_path / "m.skops")
    assert not (tmp_path / "m.skops").exists()
    pairspace.save(model, tmp_path / "m.skops", trusted=[name])
    with pytest.raises(TypeError, match=f"type {name}, unknown to pairspace"):
        pairspace.load(tmp_path / "m.skops")


@pytest.mark.parametrize("name", PARTS)
def test_the_known_types_exist(name):
    module, _, kind = name.rpartition(".")
    assert isinstance(getattr(import_module(module), kind), type)


def test_a_file_that_names_a_dangerous_function_runs_nothing(saved, tmp_path):
    """The type of a step is replaced by os.system in the archive."""
    evil = tmp_path / "evil.skops"
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(evil, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "schema.json":
                content = content.replace(b'"PairSpace"', b'"system"')
                home = f'"{PairSpace.__module__}"'.encode()
                assert home in content
                content = content.replace(home, b'"os"')
            new.writestr(name, content)
    with pytest.raises(TypeError, match=r"os\.system, unknown to pairspace"):
        pairspace.load(evil)


def changed_card(saved: Path, change: Any) -> Path:
    other = saved.with_name("other.skops")
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            if name == "pairspace.json":
                card = change(json.loads(old.read(name)))
                if card is not None:
                    new.writestr(name, json.dumps(card))
            else:
                new.writestr(name, old.read(name))
    return other


def test_older_formats_are_refused_with_the_remedy(saved):
    older = changed_card(saved, lambda card: card | {"format": FORMAT - 1})
    for read in (read_info, pairspace.load):
        with pytest.raises(
            ValueError, match=r"other\.skops was written by an earlier .*save the mo"
        ):
            read(older)


def test_newer_files_say_so(saved):
    newer = changed_card(
        saved, lambda card: card | {"format": FORMAT + 1, "versions": {"pairspace": "9.1"}}
    )
    with pytest.raises(ValueError, match=r"written by pairspace 9\.1.*upgrade pairspace"):
        pairspace.load(newer)


@pytest.mark.parametrize(
    "change", [lambda card: {"format": FORMAT}, lambda card: [1], lambda card: 7]
)
def test_incomplete_descriptions_are_damage(saved, change):
    with pytest.raises(ValueError, match="damaged: its description is incomplete"):
        pairspace.load(changed_card(saved, change))


@pytest.mark.parametrize(
    "change",
    [
        {"steps": [1]},
        {"steps": [{"type": "PCA"}]},
        {"steps": "PCA"},
        {"n_features": "4"},
        {"n_components": True},
        {"features": [1]},
        {"features": {"a": 1}},
        {"training": {"rows": "many"}},
        {"training": []},
        {"about": None},
        {"versions": 3},
        {"created": 0},
    ],
    ids=str,
)
def test_odd_descriptions_are_damage(saved, change):
    with pytest.raises(ValueError, match=r"other\.skops is damaged"):
        read_info(changed_card(saved, lambda card: card | change))


def test_a_description_that_unpacks_to_gigabytes_is_not_read(saved, monkeypatch):
    monkeypatch.setattr("pairspace.persistence._file.MAX_CARD", 10**6)
    bomb = changed_card(saved, lambda card: card | {"about": {"x": "0" * 10**7}})
    tracemalloc.start()
    with pytest.raises(ValueError, match="more than 1,000,000 bytes"):
        read_info(bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5_000_000


def test_the_description_is_read_without_unpacking_the_rest(saved):
    with zipfile.ZipFile(saved, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("more.npy", bytes(10**8))
    tracemalloc.start()
    read_info(saved)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5_000_000


def test_foreign_files_are_told_from_damaged_ones(saved, tmp_path):
    with pytest.raises(ValueError, match="is not a pairspace model file: it has no"):
        pairspace.load(changed_card(saved, lambda card: None))
    text = tmp_path / "text.skops"
    text.write_text("hello")
    with pytest.raises(ValueError, match="is not a pairspace model file, or is damaged"):
        pairspace.load(text)
    with pytest.raises(FileNotFoundError, match="does not exist"):
        pairspace.load(tmp_path / "nowhere.skops")


def test_every_kind_of_damage_is_an_error(saved):
    """Bytes flipped all over the file: an error that names it, or the very same model."""
    whole = saved.read_bytes()
    expected = pairspace.load(saved).transform(X)
    random = np.random.default_rng(0)
    messages = []
    for at in random.integers(len(whole), size=60):
        broken = bytearray(whole)
        broken[at] ^= 0xFF
        saved.write_bytes(bytes(broken))
        try:
            again = pairspace.load(saved)
        except (ValueError, TypeError) as error:
            messages.append(str(error))
        else:
            np.testing.assert_array_equal(again.transform(X), expected)
    assert len(messages) > 30
    assert all("model.skops" in message for message in messages)
    saved.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="damaged"):
        pairspace.load(saved)


def test_only_fitted_estimators_are_saved(tmp_path):
    with pytest.raises(NotFittedError):
        pairspace.save(PairSpace(), tmp_path / "m.skops")
    with pytest.raises(TypeError, match="got the class PairSpace"):
        pairspace.save(PairSpace, tmp_path / "m.skops")


# ---- ONNX ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scaler", [StandardScaler(), MinMaxScaler(), None], ids=str)
@pytest.mark.parametrize("method", LINEAR, ids=str)
def test_onnx_gives_the_same_places(tmp_path, scaler, method):
    import onnxruntime

    model = fitted(SimpleImputer(strategy="median"), *[scaler] * (scaler is not None), method)
    pairspace.save(model, tmp_path / "m.skops", X)
    assert export_onnx(model, tmp_path / "m.onnx", read_info(tmp_path / "m.skops")) <= 1e-5
    session = onnxruntime.InferenceSession(tmp_path / "m.onnx")
    (found,) = session.run(None, {"X": X.to_numpy(dtype=np.float32)})
    expected = model.transform(X)
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())
    assert session.get_modelmeta().custom_metadata_map["features"].split("\n") == list(X.columns)


@pytest.mark.parametrize("before", [[], [SimpleImputer()]], ids=["alone", "after an imputer"])
@pytest.mark.parametrize("scaler", [StandardScaler(), StandardScaler(with_std=False)], ids=repr)
def test_onnx_standardises_and_projects_in_one_pass(tmp_path, scaler, before):
    import onnx

    model = fitted(*before, scaler, PairSpace(ridge=0.5, shrinkage=0.5, random_state=0))
    pairspace.save(model, tmp_path / "m.skops", X)
    assert export_onnx(model, tmp_path / "m.onnx", read_info(tmp_path / "m.skops")) <= 1e-5
    operations = [node.op_type for node in onnx.load(tmp_path / "m.onnx").graph.node]
    assert operations[-2:] == ["Sub", "MatMul"]
    assert "Scaler" not in operations


@pytest.mark.parametrize(
    "data", [X, X.to_numpy(), X.to_numpy().tolist()], ids=["frame", "array", "list"]
)
def test_onnx_takes_the_training_data_instead_of_a_description(tmp_path, data):
    import onnxruntime

    model = fitted(StandardScaler(), PairSpace(ridge=0.5, shrinkage=0.5), data=data)
    assert export_onnx(model, tmp_path / "m.onnx", data) <= 1e-5
    session = onnxruntime.InferenceSession(tmp_path / "m.onnx")
    (found,) = session.run(None, {"X": X.to_numpy(dtype=np.float32)})
    expected = model.transform(data)
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())


def test_what_onnx_cannot_hold_is_said(tmp_path):
    model = fitted(StandardScaler(), pairspace.SLE())
    pairspace.save(model, tmp_path / "m.skops", X)
    with pytest.raises(ValueError, match="SLE is not linear"):
        export_onnx(model, tmp_path / "m.onnx", read_info(tmp_path / "m.skops"))
    model = fitted(PairSpace(random_state=0))
    pairspace.save(model, tmp_path / "m.skops")
    with pytest.raises(ValueError, match="does not describe its training data"):
        export_onnx(model, tmp_path / "m.onnx", read_info(tmp_path / "m.skops"))
    assert not (tmp_path / "m.onnx").exists()


def test_onnx_that_would_be_inexact_is_not_written(tmp_path):
    """A mean of a hundred million has an error of up to four in single precision."""
    data = X + 100_000_003.3
    model = fitted(PairSpace(ridge=0.5, shrinkage=0.5, random_state=0), data=data)
    pairspace.save(model, tmp_path / "m.skops", data)
    with pytest.raises(ValueError, match="single precision is not enough"):
        export_onnx(model, tmp_path / "m.onnx", read_info(tmp_path / "m.skops"))
    assert not (tmp_path / "m.onnx").exists()


# ---- What importing costs --------------------------------------------------------------------


def test_importing_pairspace_imports_nothing_heavy():
    code = "import sys, pairspace, pairspace.tool.cli; print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    heavy = {"numpy", "scipy", "sklearn", "pandas", "pyarrow", "matplotlib", "skops", "jinja2"}
    assert not heavy & set(modules)


def test_every_public_name_is_found():
    assert set(pairspace.__all__) <= set(dir(pairspace))
    code = "import pairspace; pairspace.metrics.pair_auc, pairspace.plot.scatter"
    subprocess.run([sys.executable, "-c", code], check=True)
    for name in pairspace.__all__:
        assert getattr(pairspace, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = pairspace.Nothing


def test_a_file_whose_table_of_contents_points_outside_is_damaged(saved, tmp_path):
    """The zip file's directory begins before the file: reading it is an error of the system."""
    path = tmp_path / "model.skops"
    data = bytearray(Path(saved).read_bytes())
    start = data.rindex(b"PK\x05\x06") + 16
    data[start : start + 4] = (2**31).to_bytes(4, "little")
    path.write_bytes(bytes(data))
    with pytest.raises(ValueError, match="is not a pairspace model file, or is damaged"):
        read_info(path)
