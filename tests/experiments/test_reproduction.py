"""The papers' protocols do what their papers say, and the report draws and judges what came out."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn.cluster import KMeans
from sklearn.neighbors import KNeighborsClassifier

from experiments import documents, results
from experiments.__main__ import RESULTS
from experiments.figures import Figure, Figures
from experiments.papers import bwdr, dsp, dsp_times, lecas, sswmv
from experiments.pictures import pictures
from experiments.protocols import load_numbers
from experiments.ranks import critical_difference_picture, ranking
from experiments.report import page
from experiments.runner import run
from experiments.study_ranks import rankings
from experiments.table import Claim, Curves, Split, printed
from experiments.tables import (
    bwdr_figure4,
    bwdr_table2,
    pairspace_study,
    sswmv_table2,
    study_ranks,
)
from pairspace import DSP, LPP, SLPP, WBDR, WMVSearchCV
from pairspace.metrics import normalized_rand_index, pair_f_score

# ---- The protocols ---------------------------------------------------------------------------


def test_kmeans_is_scored_on_held_out_rows_as_projected():
    X, y = load_numbers("iris")
    split = Split("iris", "", 0, 1)
    folds = bwdr.prepare_folds(X, y, split, fraction=0.3, n_inner=0, threshold=0.9)
    assert not folds.inner
    assert folds.parameters == {"threshold": 0.9}
    found = bwdr.rand_index_by_dimension(folds, WBDR, 2)
    space = WBDR(2, threshold=0.9).fit(folds.outer.X_train, folds.outer.pairs)
    clusters = KMeans(3, n_init=5, random_state=0).fit_predict(space.transform(folds.outer.X_test))
    assert list(found) == ["accuracy"]
    assert len(found["accuracy"]) == 2
    assert found["accuracy"][1] == normalized_rand_index(folds.outer.y_test, clusters)


def test_labels_of_the_other_rows_are_hidden():
    X, y = load_numbers("wine")
    X[3, 2] = np.nan
    given = X.copy()
    task = sswmv.prepare_labels(X, y, Split("wine", "", 0, 0), share=0.5)
    assert len(task.train) == len(y) // 2
    assert not set(task.train) & set(task.test)
    given[3, 2] = np.nanmedian(given[task.train, 2])
    np.testing.assert_array_equal(task.X, given)
    seen = []

    class Spy(WMVSearchCV):
        def fit(self, X, labels):
            seen.append(labels)
            return super().fit(X, labels)

    found = sswmv.error_of_1nn(task, lambda k: Spy(max_components=k))
    (labels,) = seen
    assert (labels[task.test] == -1).all()
    assert np.array_equal(labels[task.train], y[task.train])
    search = WMVSearchCV(max_components=20).fit(task.X, labels)
    Z = search.transform(task.X)
    judge = KNeighborsClassifier(1).fit(Z[task.train], y[task.train])
    assert found["error"] == pytest.approx(1 - judge.score(Z[task.test], y[task.test]))
    assert found["error_of_largest_class"] == pytest.approx(np.mean(y[task.test] != 1))


def test_columns_of_length_one():
    X, _ = load_numbers("iris")
    X, _ = dsp.scaled("iris", X, X)
    assert X.min() == 0
    assert X.max() == 1
    plain, unit = LPP(2).fit(X), dsp.UnitColumns(LPP(2)).fit(X)
    lengths = np.linalg.norm(plain.components_, axis=1)
    assert abs(lengths - 1).max() > 0.01
    np.testing.assert_allclose(unit.transform(X) * lengths, plain.transform(X))
    assert np.allclose(np.linalg.norm(dsp.scaled("coil20_16", X + 1, X + 1)[0], axis=1), 1)
    assert dsp.scaled("pendigits", X, X)[0] is X


def test_clusters_after_reduction_and_by_a_method_that_clusters():
    X, y = load_numbers("iris")
    task = dsp.prepare_rows(X, y, Split("iris", "", 0, 0), per_class=5)
    assert task.n_components == 2
    assert task.width == dsp.WIDTHS["iris"]
    assert len(task.pairs.must_link) == len(task.pairs.cannot_link) == 15
    found = dsp.cluster(task, dsp.METHODS[dsp.DSP_OF_WIDTH])
    space = DSP(2, sigma=task.width, random_state=0).fit(task.X, task.pairs).transform(task.X)
    assert found[dsp.F] == pair_f_score(y, dsp.k_means(space, 3, task.seed)) > 0.7
    own = dsp.cluster(task, lambda k: dsp.SKKMeansOfWidth(k, random_state=0))
    one = dsp.SKKMeansOfWidth(3, gamma=1 / (2 * task.width**2), random_state=0)
    assert own[dsp.F] == pair_f_score(y, one.fit_predict(task.X, task.pairs))


def test_new_rows_are_not_learned_from():
    X, y = load_numbers("iris")
    sizes = {"iris": 2}
    folds = [
        dsp.prepare_held_out(X, y, Split("iris", "", 0, fold), per_class=5, n_components=sizes)
        for fold in range(5)
    ]
    assert [len(task.X_judged) for task in folds] == [30] * 5
    assert all(len(task.X) == len(task.pairs) == 120 for task in folds)
    assert sum(task.y_judged.sum() for task in folds) == y.sum()


def test_errors_at_each_dimension_are_those_of_separate_fits():
    X, y = load_numbers("wine")
    task = dsp.prepare_rows(X, y, Split("wine", "", 0, 0), per_class=5, n_components=200)
    for make in (dsp.METHODS["SLPP"], dsp.METHODS[dsp.DSP_OF_WIDTH]):
        found = dsp.error_by_dimension(task, make)
        assert set(found) <= {f"r = {r}" for r in (2, 5, 10)}
        for name, error in found.items():
            alone = task._replace(n_components=int(name[4:]))
            assert error == pytest.approx(1 - dsp.cluster(alone, make)[dsp.F])
    cells = [{"r = 2": 1.0, "r = 5": 3.0}, {"r = 2": 2.0}]
    assert dsp.mean_of_shared(cells) == {"r = 2": 1.5}


def test_times_are_ratios_to_pca(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(dsp_times.time, "process_time", lambda: float(next(clock)))
    X, y = load_numbers("iris")
    task = dsp_times.prepare_times(X, y, Split("iris", "", 0, 0), per_class=5, n_components={})
    assert len(task.X_train) == 30
    assert len(task.X) == 150
    # By this clock everything takes a second.
    learned = dsp_times.ratios_to_pca(task, SLPP)
    assert learned[dsp_times.OFFLINE] == learned[dsp_times.ONLINE] == 1.0
    at_once = dsp_times.ratios_to_pca(task, LPP)
    assert (at_once[dsp_times.OFFLINE], at_once[dsp_times.ONLINE]) == (0.0, 1.0)


def test_embeddings_are_scored_beside_the_largest_class():
    X, y = load_numbers("wine")
    rows = lecas.prepare_rows(X, y, Split("wine", "", 0, 0), max_rows=100, n_neighbors=7)
    assert len(rows.X) == 100
    found = lecas.judge_each_dimension(rows, lecas.METHODS["LE"])
    largest = np.bincount(rows.y).max() / 100
    assert found[lecas.LARGEST] == largest
    for c in lecas.DIMENSIONS:
        assert found[f"{lecas.PURITY}, c = {c}"] >= largest
        assert found[f"{lecas.F}, c = {c}"] <= found[f"{lecas.FMI}, c = {c}"]
    seven = lecas.METHODS["LE"](20).set_params(n_neighbors=7).fit(rows.X).embedding_[:, :2]
    judged = lecas.judge(rows, np.asarray(seven))
    assert judged[lecas.FMI] == pytest.approx(found[f"{lecas.FMI}, c = 2"], abs=0.05)


def test_supervised_embeddings_get_the_classes():
    X, y = load_numbers("iris")
    rows = lecas.prepare_rows(X, y, Split("iris", "", 0, 0), max_rows=150)
    embedded = lecas.embed(rows, lecas.METHODS["SCPLE"], 2)
    assert lecas.judge(rows, embedded)[lecas.ARI] > 0.9


# ---- The report ------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path):
    """A table of one dataset and two settings, run, with a claim, curves and printed numbers."""
    table = replace(
        sswmv_table2.TABLE,
        datasets=("wine",),
        repeats=1,
        methods={"2P-WMV": sswmv_table2.TABLE.methods["2P-WMV"]},
        paper={("90 % of the labels", "error"): printed("2P-WMV\n wine .078")},
        claims=[Claim("errors are small", lambda found: (found.mean() < 0.5, "so & so"))],
        curves=[
            Curves(
                y_label="error",
                x_label="share",
                x={"90 % of the labels": 0.9, "50 % of the labels": 0.5},
                over="settings",
                column="error",
            )
        ],
    )
    file = tmp_path / table.results_file
    run(table, file, n_jobs=1)
    return table, results.read(file)


def test_pictures_have_the_numbers_of_both(small):
    table, records = small
    drawn = pictures(table, records)
    assert list(drawn) == ["sswmv_table2_0", "sswmv_table2_curves_0"]
    beside, curves = drawn.values()
    assert beside.startswith("<svg")
    for word in ("wine", "2P-WMV", "ours", "the paper's", "90 % of the labels, error"):
        assert word in beside
    assert "share" in curves
    assert pictures(table, records) == drawn
    assert not pictures(table, {})


def test_claims_are_judged_when_all_has_run(small):
    table, records = small
    text = page(table, records, ["images/a.svg"])
    assert "| errors are small | holds | so & so |" in text
    assert "1 of 1 claims of the paper hold." in text
    assert f"![{table.title}](images/a.svg)" in text
    assert "errors are small" not in page(replace(table, repeats=2), records)
    wrong = replace(table, claims=[Claim("no", lambda found: (False, ""))])
    assert "| no | does not hold |" in page(wrong, records)


def test_a_table_may_show_the_cells_of_another():
    table = bwdr_figure4.TABLE
    assert table.results_file == bwdr_table2.TABLE.results_file
    assert set(table.cells()) <= set(bwdr_table2.TABLE.cells())
    (picture,) = documents.documents([table], RESULTS).svgs.values()
    assert "isolet1" in picture
    assert "seeds" not in picture


def test_files_are_written_beside_each_other(small, tmp_path):
    table, _ = small
    made = documents.documents([table], tmp_path)
    documents.write(made, tmp_path / "pages")
    written = {str(p.relative_to(tmp_path / "pages")) for p in (tmp_path / "pages").rglob("*.*")}
    assert {"papers/reproduction.md", "papers/sswmv.md"} < written
    text = (tmp_path / "pages/papers/sswmv.md").read_text(encoding="utf-8")
    for picture in re.findall(r"\]\((.*?svg)\)", text):
        assert (tmp_path / "pages/papers" / picture).is_file()
    assert "[SSWMV, Table II" in made.pages["papers/reproduction"]
    assert not documents.documents([table], tmp_path / "nothing").pages


def test_figures_are_chosen_by_name():
    found = Figures(
        Figure("error", setting, dataset, "A", ours, paper)
        for setting, dataset, ours, paper in (
            ("few", "iris", 0.1, 0.2),
            ("few", "wine", 0.3, None),
            ("many", "iris", 0.5, 0.4),
        )
    )
    assert found.mean(setting="few") == pytest.approx(0.2)
    assert found.paper_mean() == pytest.approx(0.3)
    assert found.by_dataset(setting="few") == {"iris": 0.1, "wine": 0.3}
    with pytest.raises(LookupError, match=r"no figure has .*'none'"):
        found.mean(setting="none")


def test_wins_are_counted_by_place():
    found = Figures(
        Figure("F", "", dataset, method, ours, None)
        for dataset, method, ours in (
            ("iris", "A", 0.5),
            ("iris", "B", 0.4),
            ("wine", "A", 0.3),
            ("wine", "B", 0.4),
            ("glass", "A", 0.3),
        )
    )
    assert found.wins("A", ["B"]) == (1, 2)
    assert found.wins("B", ["A"], smaller=True) == (1, 2)
    assert found.wins("A", ["A", "B"]) == (2, 3)


# ---- Ranks -----------------------------------------------------------------------------------


def test_the_critical_difference_is_that_of_the_books():
    random = np.random.default_rng(0)
    scores = random.normal([0, 0, 3, 3], size=(30, 4))
    found = ranking(dict(zip("abcd", scores.T, strict=True)))
    # Demšar's table has q = 2.569 for four methods at 5 %.
    assert found.critical_difference == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 30)), rel=1e-3)
    by_hand = rankdata(-scores, axis=1).mean(axis=0)
    assert dict(zip(found.methods, found.ranks, strict=True)) == dict(
        zip("abcd", by_hand, strict=True)
    )
    assert np.all(np.diff(found.ranks) >= 0)
    assert found.p_value < 1e-6
    assert found.groups == [(0, 1), (2, 3)]
    svg = critical_difference_picture("ranks", {"few": found, "many": found})
    assert svg.count("critical difference 0.86") == 2
    with pytest.raises(ValueError, match="needs at least 3 methods and 2 datasets"):
        ranking({"a": [1.0], "b": [2.0]})


def test_the_study_ranks_methods_that_ran_everywhere():
    records = results.read(RESULTS / pairspace_study.TABLE.results_file)
    setting = "5 pairs a class, standardised"
    found = rankings(study_ranks.TABLE, records, "accuracy")[setting]
    assert found.n_datasets == len(pairspace_study.TABLE.datasets)
    assert "LDA, shrunk" not in found.methods
    assert {"PCA", "PairSpace"} <= set(found.methods)
    assert np.mean(found.ranks) == pytest.approx((len(found.methods) + 1) / 2)
