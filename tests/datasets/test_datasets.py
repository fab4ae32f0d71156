"""Datasets by name, from every source, without a network."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.utils import Bunch

from pairspace import WBDR, Constraints, datasets
from pairspace.datasets import _load
from pairspace.datasets._catalogue import markdown_table

PAGE = Path(__file__).parents[2] / "docs" / "results" / "datasets.md"


@pytest.fixture(autouse=True)
def _no_folder_and_no_network(monkeypatch):
    def no_network(**_):
        raise OSError("no network in tests")

    monkeypatch.delenv("PAIRSPACE_DATA", raising=False)
    monkeypatch.setattr(_load, "fetch_openml", no_network)


def write(folder, name, **arrays):
    np.savez(folder / f"{name}.npz", **arrays)
    return folder


@pytest.mark.parametrize("name", [*_load.SHIPPED, *_load.SYNTHETIC])
def test_what_needs_no_folder_is_as_the_catalogue_says(name):
    entry, bunch = datasets.catalogue()[name], datasets.load(name)
    assert bunch.data.shape == (entry.n_samples, entry.n_features)
    assert bunch.target.shape == (entry.n_samples,)
    assert np.array_equal(np.unique(bunch.target), np.arange(entry.n_classes))
    assert len(bunch.target_names) == entry.n_classes
    assert len(bunch.feature_names) == entry.n_features
    assert np.isnan(bunch.data).sum() == entry.n_missing
    assert bunch.frame is None
    assert name in bunch.DESCR


def test_scikit_learn_comes_first():
    X, y = datasets.load("wdbc", return_X_y=True)
    wanted = load_breast_cancer()
    assert np.array_equal(X, wanted.data)
    assert np.array_equal(y, wanted.target)


def test_as_frame_holds_the_same():
    plain, framed = datasets.load("iris"), datasets.load("iris", as_frame=True)
    assert list(framed.data.columns) == plain.feature_names
    assert np.array_equal(framed.data.to_numpy(), plain.data)
    assert np.array_equal(framed.target.to_numpy(), plain.target)
    assert list(framed.frame.columns) == [*plain.feature_names, "target"]
    X, y = datasets.load("iris", as_frame=True, return_X_y=True)
    assert X.equals(framed.data)
    assert y.equals(framed.target)


def test_any_file_of_the_folder_is_loaded(tmp_path, monkeypatch):
    X = np.array([[1.0, np.nan], [2.0, 3.0], [0.0, 1.0]], dtype=np.float32)
    write(tmp_path, "mine", X=X, y=[1, 0, 1], classes=["no", "yes"], features=["a", "b"])
    write(tmp_path, "bare", X=X, y=["dog", "cat", "dog"])
    for how in ("option", "variable"):
        home = {"data_home": tmp_path} if how == "option" else {}
        if how == "variable":
            monkeypatch.setenv("PAIRSPACE_DATA", str(tmp_path))
        mine = datasets.load("mine", **home)
        np.testing.assert_array_equal(mine.data, X)
        assert mine.data.dtype == np.float32
        assert mine.target.tolist() == [1, 0, 1]
        assert (mine.target_names, mine.feature_names) == (["no", "yes"], ["a", "b"])
        bare = datasets.load("bare", **home)
        assert bare.target.tolist() == [1, 0, 1]
        assert (bare.target_names, bare.feature_names) == (["cat", "dog"], ["x0", "x1"])
        assert {"mine", "bare", "iris", "rings"} <= set(datasets.available(**home))


def test_the_option_wins_over_the_variable(tmp_path, monkeypatch):
    for folder, value in (("a", 1.0), ("b", 2.0)):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, "mine", X=[[value]], y=[0])
    monkeypatch.setenv("PAIRSPACE_DATA", str(tmp_path / "a"))
    assert datasets.load("mine").data.item() == 1.0
    assert datasets.load("mine", data_home=tmp_path / "b").data.item() == 2.0


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"X": [[1.0]]}, "must have the arrays X and y; 'y' is missing"),
        ({"X": [1.0], "y": [0]}, "must be a 2-D array of numbers; got 1-D"),
        ({"X": [["a"]], "y": [0]}, "2-D array of numbers"),
        ({"X": [[1.0], [2.0]], "y": [0]}, "2 rows, but y has the shape"),
        ({"X": [[1.0]], "y": [1], "classes": ["only"]}, "must be codes 0 … 0"),
        ({"X": [[1.0]], "y": [-1], "classes": ["only"]}, "must be codes"),
        ({"X": [[1.0]], "y": [0.5], "classes": ["a", "b"]}, "must be codes"),
        ({"X": [[1.0]], "y": [0], "features": ["a", "b"]}, "1 columns, but features"),
        ({"X": np.array([[None]]), "y": [0]}, "no object arrays"),
    ],
)
def test_bad_files_say_what_is_wrong(tmp_path, arrays, message):
    with pytest.raises(ValueError, match=message):
        datasets.load("bad", data_home=write(tmp_path, "bad", **arrays))


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 torn"])
def test_files_that_are_no_archives(tmp_path, content):
    (tmp_path / "bad.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"bad\.npz is not an \.npz file of plain arrays"):
        datasets.load("bad", data_home=tmp_path)


def test_a_single_array_is_no_dataset(tmp_path):
    with open(tmp_path / "bad.npz", "wb") as file:
        np.save(file, np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"is not an \.npz file"):
        datasets.load("bad", data_home=tmp_path)


def test_a_known_name_means_known_data(tmp_path):
    write(tmp_path, "heart", X=np.ones((5, 2)), y=np.zeros(5, int))
    with pytest.raises(
        ValueError, match=r"heart must have 270 rows and 13 columns.*has 5 and 2: .*another name"
    ):
        datasets.load("heart", data_home=tmp_path)


def test_unknown_names_get_near_ones(tmp_path):
    with pytest.raises(ValueError, match="unknown dataset 'irys': did you mean iris"):
        datasets.load("irys")
    with pytest.raises(ValueError, match="use one of australian, "):
        datasets.load("zzzzzz")
    write(tmp_path, "outside", X=[[1.0]], y=[0])
    (tmp_path / "in").mkdir()
    with pytest.raises(ValueError, match="unknown dataset"):
        datasets.load("../outside", data_home=tmp_path / "in")


def test_a_folder_that_is_none(tmp_path, monkeypatch):
    with pytest.raises(NotADirectoryError, match=r"data_home=.*nowhere"):
        datasets.load("heart", data_home=tmp_path / "nowhere")
    monkeypatch.setenv("PAIRSPACE_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(NotADirectoryError, match=r"PAIRSPACE_DATA=.*nowhere"):
        datasets.available()


def test_absent_data_says_what_to_do(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"w1a is not available.*Put w1a\.npz.*LIBSVM"):
        datasets.load("w1a")
    with pytest.raises(FileNotFoundError, match="does not exist"):
        datasets.load("heart", data_home=tmp_path, download_if_missing=False)
    with pytest.raises(OSError, match=r"OpenML \(number 53\): .*no network in tests.*heart\.npz"):
        datasets.load("heart")


def test_openml_by_its_pinned_number(monkeypatch):
    asked = []

    def fetched(**options):
        asked.append(options)
        return Bunch(
            data=np.arange(625.0 * 4).reshape(625, 4),
            target=np.array(["R", "B", "L", "L", "R"] * 125, dtype=object),
            feature_names=["a", "b", "c", "d"],
        )

    monkeypatch.setattr(_load, "fetch_openml", fetched)
    balance = datasets.load("balance")
    assert asked == [{"data_id": 11, "as_frame": False, "parser": "liac-arff"}]
    assert balance.target_names == ["B", "L", "R"]
    assert balance.target[:5].tolist() == [2, 0, 1, 1, 2]
    assert "balance" in datasets.available(download=True)
    assert "balance" not in datasets.available()
    with pytest.raises(ValueError, match="sonar must have 208 rows"):
        datasets.load("sonar")


def test_the_catalogue_is_sound():
    entries = datasets.catalogue()
    assert list(entries) == sorted(entries)
    numbers = [entry.openml_id for entry in entries.values() if entry.openml_id is not None]
    assert len(numbers) == len(set(numbers))
    for entry in entries.values():
        assert entry.n_classes >= 2
        assert entry.source
        assert set(entry.papers) <= {"BWDR/WBDR", "SSWMV", "DSP", "LE-CAS"}


def test_the_page_holds_the_catalogue():
    remedy = "put the output of `python -m pairspace.datasets` into docs/results/datasets.md"
    assert markdown_table() in PAGE.read_text(encoding="utf-8"), remedy


def test_blobs_hide_from_pca_and_not_from_pairs():
    X, y = datasets.make_noisy_blobs(200, n_classes=5, n_informative=2, n_noise=3, random_state=1)
    assert X.shape == (200, 5)
    assert np.bincount(y).tolist() == [40] * 5
    again, _ = datasets.make_noisy_blobs(
        200, n_classes=5, n_informative=2, n_noise=3, random_state=1
    )
    assert np.array_equal(X, again)
    space = WBDR(2).fit(X, Constraints.from_labels(y, n_pairs=500, random_state=0))
    assert (
        np.abs(space.components_[:, :2]).min(axis=0).max() > np.abs(space.components_[:, 2:]).max()
    )
    no_classes, _ = datasets.make_noisy_blobs(10, n_informative=0, n_noise=1, random_state=0)
    assert no_classes.shape == (10, 1)


@pytest.mark.parametrize(
    "wrong", [{"n_classes": 0}, {"n_samples": 0}, {"noise": -1.0}, {"n_noise": -1}]
)
def test_blobs_refuse(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        datasets.make_noisy_blobs(**wrong)


def test_rings_lie_within_each_other():
    X, y = datasets.make_noisy_rings(100, n_noise=1, random_state=0)
    radius = np.hypot(X[:, 0], X[:, 1])
    assert X.shape == (100, 3)
    assert radius[y == 1].max() < radius[y == 0].min()
