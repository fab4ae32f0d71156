"""WMVSearchCV: cell by cell against the plain loop, and the conventions of a search."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from scipy.stats import rankdata
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from pairspace import SSWMV, WMV, Constraints
from pairspace.linear import wmv_search
from pairspace.linear.wmv_search import PAPER_BETAS, WMVSearchCV

BETAS = [-1.5, -0.3, -0.01]


@parametrize_with_checks(
    [WMVSearchCV(cv=2), WMVSearchCV(BETAS, alpha=0.01, cv=2, propagation="majority")]
)
@pytest.mark.filterwarnings("ignore:fewer labelled rows than the 2 folds")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def wine():
    """Half of wine, standardised, with a third of the labels unknown."""
    X, y = load_wine(return_X_y=True)
    X, y = StandardScaler().fit_transform(X)[::2], y[::2]
    return X, np.where(np.arange(len(y)) % 3 == 0, -1, y)


def plain_loop(X, y, make, betas, n_components, cv, constraints=None):
    """The accuracies of all cells (folds × betas × dimensions), each from public estimators."""
    labelled = np.flatnonzero(y != -1)
    cells = []
    for train, test in cv.split(labelled, y[labelled]):
        train, test = labelled[train], labelled[test]
        hidden = y.copy()
        hidden[test] = -1
        pairs = None if constraints is None else not_about(constraints, test)
        for beta in betas:
            Z = make(n_components, beta=beta).fit(X, hidden, constraints=pairs).transform(X)
            for k in range(1, n_components + 1):
                nearest = KNeighborsClassifier(1).fit(Z[train, :k], y[train])
                cells.append(nearest.score(Z[test, :k], y[test]))
    return np.reshape(cells, (-1, len(betas), n_components))


def not_about(constraints, rows):
    def keep(links, weights):
        kept = [i for i, pair in enumerate(links) if not set(pair) & set(rows)]
        return links[kept], weights[kept]

    must, must_weight = keep(constraints.must_link, constraints.must_weight)
    cannot, cannot_weight = keep(constraints.cannot_link, constraints.cannot_weight)
    return Constraints(
        len(constraints), must, cannot, must_weight=must_weight, cannot_weight=cannot_weight
    )


def check_cells(search, cells):
    """All of cv_results_ and best_*_ from the cells alone."""
    n_splits, n_betas, n_components = cells.shape
    results, cells = search.cv_results_, cells.reshape(n_splits, -1)
    assert search.n_splits_ == n_splits
    for i, split in enumerate(cells):
        np.testing.assert_array_equal(results[f"split{i}_test_score"], split)
    assert f"split{n_splits}_test_score" not in results
    mean = cells.mean(axis=0)
    np.testing.assert_allclose(results["mean_test_score"], mean, atol=1e-15)
    np.testing.assert_allclose(results["std_test_score"], cells.std(axis=0), atol=1e-15)
    ranks = rankdata(-mean.round(10), method="min")
    np.testing.assert_array_equal(results["rank_test_score"], ranks)
    np.testing.assert_array_equal(
        results["param_n_components"], list(range(1, n_components + 1)) * n_betas
    )
    wanted = min(
        range(len(mean)),
        key=lambda i: (
            -mean.round(10)[i],
            results["param_n_components"][i],
            results["param_beta"][i],
        ),
    )
    assert search.best_index_ == wanted
    assert search.best_params_ == results["params"][wanted]
    assert search.best_params_ == {
        "beta": results["param_beta"][wanted],
        "n_components": results["param_n_components"][wanted],
    }
    assert search.best_score_ == pytest.approx(mean[wanted], abs=1e-15)
    assert search.best_estimator_.beta == search.best_params_["beta"]
    assert search.best_estimator_.n_components == search.best_params_["n_components"]


# ---- The plain loop -----------------------------------------------------------------------------


@pytest.mark.parametrize("known", ["all", "partial"])
def test_every_cell_is_that_of_the_plain_loop(wine, known):
    X, y = wine
    if known == "all":
        y = load_wine(return_X_y=True)[1][::2]
    search = WMVSearchCV().fit(X, y)
    assert search.cv_results_["param_beta"][::13].tolist() == list(PAPER_BETAS)
    search = WMVSearchCV(PAPER_BETAS[::4]).fit(X, y)
    check_cells(search, plain_loop(X, y, WMV, PAPER_BETAS[::4], 13, StratifiedKFold(5)))
    assert type(search.best_estimator_) is WMV


@pytest.mark.parametrize("propagation", ["neighbors", "majority", "clusters", "silhouette"])
def test_every_cell_with_propagation(wine, propagation):
    X, y = wine
    options = {"alpha": 0.05, "propagation": propagation, "random_state": 3}
    if propagation in ("neighbors", "majority"):
        options["n_neighbors"] = 4
    if propagation == "clusters":
        options["n_clusters"] = 4
    betas = BETAS[:1] if propagation == "silhouette" else BETAS  # which is slow

    search = WMVSearchCV(betas, max_components=6, cv=2, **options).fit(X, y)
    cells = plain_loop(
        X, y, lambda *k, **b: SSWMV(*k, **b, **options), betas, 6, StratifiedKFold(2)
    )
    check_cells(search, cells)
    wanted = SSWMV(**search.best_params_, **options).fit(X, y)
    np.testing.assert_allclose(search.transform(X), wanted.transform(X), atol=1e-12)


def test_pairs_of_held_out_rows_are_hidden_with_their_labels(wine):
    X, y = wine
    random = np.random.default_rng(0)
    truth = load_wine(return_X_y=True)[1][::2]
    drawn = Constraints.from_labels(truth, n_pairs=300, random_state=0)
    c = Constraints(
        len(y),
        drawn.must_link,
        drawn.cannot_link,
        must_weight=random.uniform(1, 9, len(drawn.must_link)),
        cannot_weight=random.uniform(1, 9, len(drawn.cannot_link)),
    )
    search = WMVSearchCV(BETAS, cv=3).fit(X, y, constraints=c)
    check_cells(search, plain_loop(X, y, WMV, BETAS, 13, StratifiedKFold(3), c))
    wanted = WMV(**search.best_params_).fit(X, y, constraints=c)
    np.testing.assert_allclose(search.components_, wanted.components_, atol=1e-12)


def test_rows_in_fewer_directions_than_features():
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([X, X[:, 0] - X[:, 1], np.full(len(X), 7.0)])
    search = WMVSearchCV(BETAS).fit(X, y)
    assert search.cv_results_["param_n_components"].max() == 4
    check_cells(search, plain_loop(X, y, WMV, BETAS, 4, StratifiedKFold(5)))


def test_more_features_than_rows():
    random = np.random.default_rng(0)
    y = np.arange(24) % 3
    X = random.normal(size=(24, 60))
    X[:, :5] += y[:, None]
    search = WMVSearchCV(BETAS, cv=3).fit(X, y)
    check_cells(search, plain_loop(X, y, WMV, BETAS, 20, StratifiedKFold(3)))


def test_any_splitter(wine):
    X, y = wine
    cv = StratifiedKFold(4, shuffle=True, random_state=1)
    check_cells(WMVSearchCV(BETAS, cv=cv).fit(X, y), plain_loop(X, y, WMV, BETAS, 13, cv))
    cv = KFold(3, shuffle=True, random_state=1)
    check_cells(WMVSearchCV(BETAS, cv=cv).fit(X, y), plain_loop(X, y, WMV, BETAS, 13, cv))


@pytest.mark.parametrize("n_bytes", [1, 2_000, 10**9])
def test_blocks_change_nothing(wine, monkeypatch, n_bytes):
    wanted = WMVSearchCV(BETAS).fit(*wine)
    monkeypatch.setattr(wmv_search, "BLOCK_BYTES", n_bytes)
    found = WMVSearchCV(BETAS).fit(*wine)
    for name, column in wanted.cv_results_.items():
        np.testing.assert_array_equal(found.cv_results_[name], column)


# ---- The choice ---------------------------------------------------------------------------------


def test_the_papers_grid():
    assert len(PAPER_BETAS) == 21
    assert PAPER_BETAS[:3] == (-2.0, -1.9, -1.8)
    assert PAPER_BETAS[-3:] == (-0.2, -0.1, -0.01)


def test_when_all_are_as_good_the_fewest_components_and_the_hardest_push():
    random = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = random.normal(size=(40, 3)) + 100 * y[:, None]
    search = WMVSearchCV([-0.5, -2.0, -1.0]).fit(X, y)
    assert search.best_score_ == 1
    assert search.best_params_ == {"beta": -2.0, "n_components": 1}
    assert search.best_index_ == 3
    assert (search.cv_results_["rank_test_score"] == 1).all()


@pytest.mark.parametrize(
    ("first_fold", "best"),
    [
        ([[0.5, 0.8, 0.8], [0.5, 0.8, 0.8]], (-2.0, 2)),  # fewer components, then the harder push
        ([[0.5, 0.8, 0.7], [0.5, 0.6, 0.8]], (-1.0, 2)),  # fewer components before a harder push
        ([[0.5, 0.8, 0.9], [0.5, 0.6, 0.8]], (-1.0, 3)),  # but better before both
        ([[0.5, 0.1 + 0.2, 0], [0.3, 0.5, 0.5]], (-1.0, 1)),
    ],
)
def test_ties(first_fold, best):
    search = WMVSearchCV()
    search._store(np.array([-1.0, -2.0]), np.array([first_fold, np.full((2, 3), 0.6)]))
    assert tuple(search.best_params_.values()) == best


def test_equal_means_of_other_folds_are_ties():
    """0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last digit."""
    search = WMVSearchCV()
    cells = np.array([[0.3, 0.1], [0.2, 0.2], [0.1, 0.3]])
    assert cells.mean(axis=0)[0] < cells.mean(axis=0)[1]
    search._store(np.array([-1.0]), cells[:, None, :])
    np.testing.assert_array_equal(search.cv_results_["rank_test_score"], [1, 1])
    assert search.best_params_ == {"beta": -1.0, "n_components": 1}


def test_it_is_the_best_method_fitted_on_everything(wine):
    X, y = wine
    search = WMVSearchCV().fit(X, y)
    wanted = WMV(**search.best_params_).fit(X, y)
    for name in ("components_", "mean_", "eigenvalues_", "rank_"):
        np.testing.assert_array_equal(getattr(search, name), getattr(wanted, name))
    np.testing.assert_array_equal(search.transform(X), wanted.transform(X))
    np.testing.assert_array_equal(search.transform(X), search.best_estimator_.transform(X))
    back = search.inverse_transform(search.transform(X))
    np.testing.assert_allclose(back, wanted.inverse_transform(wanted.transform(X)), atol=1e-12)
    assert search.score(X, y) == wanted.score(X, y)


def test_rows_without_labels_stay_in_the_spread(wine):
    X, y = wine
    wider = X.copy()
    wider[np.flatnonzero(y == -1), 0] *= 50
    a, b = WMVSearchCV().fit(X, y), WMVSearchCV().fit(wider, y)
    assert not np.array_equal(a.cv_results_["mean_test_score"], b.cv_results_["mean_test_score"])


def test_labels_of_any_kind(wine):
    X, y = wine
    wanted = WMVSearchCV(BETAS).fit(X, y)
    names = np.array(["barolo", "grignolino", "barbera", None], dtype=object)[y]
    codes = np.array([1, 2, 0, -1])[y]  # the names in their order
    for labels in (names, names.tolist(), pd.Series(names), codes):
        found = WMVSearchCV(BETAS).fit(X, labels)
        for name, column in wanted.cv_results_.items():
            np.testing.assert_array_equal(found.cv_results_[name], column)


@pytest.mark.parametrize("random_state", [None, 5, np.random.RandomState(5)])
def test_the_refit_uses_the_seed_of_the_search(wine, random_state):
    X, y = wine
    search = WMVSearchCV(
        BETAS, cv=2, alpha=0.05, propagation="clusters", random_state=random_state
    ).fit(X, y)
    seed = search.best_estimator_.random_state
    assert isinstance(seed, int)
    again = clone(search).set_params(random_state=seed).fit(X, y)
    np.testing.assert_array_equal(
        search.cv_results_["mean_test_score"], again.cv_results_["mean_test_score"]
    )
    np.testing.assert_array_equal(search.components_, again.components_)


def test_sparse_and_float32():
    random = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = random.poisson(0.5 + y[:, None], size=(90, 8)) + random.random((90, 8)).round(3)
    dense = WMVSearchCV(BETAS).fit(X, y)
    sparse = WMVSearchCV(BETAS).fit(csr_array(X), y)
    assert sparse.best_params_ == dense.best_params_
    np.testing.assert_allclose(sparse.transform(csr_array(X)), dense.transform(X), atol=1e-8)
    narrow = WMVSearchCV(BETAS).fit(X.astype(np.float32), y)
    assert narrow.transform(X.astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(
        narrow.cv_results_["mean_test_score"], dense.cv_results_["mean_test_score"], atol=0.05
    )


# ---- Its place among scikit-learn's objects -----------------------------------------------------


def test_frames_in_and_out(wine):
    X, y = wine
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(13)])
    search = WMVSearchCV(BETAS, max_components=3).set_output(transform="pandas")
    embedded = search.fit_transform(frame, y)
    names = [f"wmvsearchcv{i}" for i in range(search.best_params_["n_components"])]
    assert list(embedded.columns) == names == list(search.get_feature_names_out())
    assert list(search.best_estimator_.feature_names_in_) == list(frame.columns)
    np.testing.assert_array_equal(search.best_estimator_.transform(frame), embedded.to_numpy())
    assert pd.DataFrame(search.cv_results_).shape == (9, 11)


def test_in_a_pipeline_that_is_validated():
    X, y = load_wine(return_X_y=True)
    steps = StandardScaler(), WMVSearchCV(BETAS, cv=3), KNeighborsClassifier(1)
    assert cross_val_score(make_pipeline(*steps), X, y, cv=3).min() > 0.9


# ---- Bad input ----------------------------------------------------------------------------------

X = np.random.default_rng(0).normal(size=(30, 4))
Y = np.arange(30) % 3


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed, but the target y is None"),
        (np.full(30, -1), "needs labels of 2 classes or more, and 0 is known"),
        (np.zeros(30), "needs labels of 2 classes or more, and 1 is known"),
        (Constraints(30, [(0, 3)], [(0, 1)]), "with pairs alone use WMV"),
        (Y[:-1], "X has 30 rows, but y has 29 labels"),
        (np.arange(30) % 10, "fewer labelled rows than the 5 folds in class 0, 1, 2, 3"),
    ],
)
def test_labels_that_do_not_suffice(y, message):
    with pytest.raises(ValueError, match=message):
        WMVSearchCV().fit(X, y)


def test_a_small_class_is_named():
    y = np.array(["a", "b", "c"], dtype=object)[Y]
    y[y == "b"] = [*["b"] * 3, *[None] * 7]
    with pytest.warns(UserWarning, match="than the 5 folds in class 'b': some folds") as caught:
        search = WMVSearchCV(BETAS).fit(X, y)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    codes = np.array([{"a": 0, "b": 1, "c": 2, None: -1}[label] for label in y])
    with pytest.warns(UserWarning, match="The least populated class"):
        check_cells(search, plain_loop(X, codes, WMV, BETAS, 4, StratifiedKFold(5)))


def test_a_class_that_only_the_hidden_row_has():
    """The labels left are those of one class, 1, which must not be taken for -1 and 1."""
    y = np.r_[0, np.ones(9, dtype=int), np.full(20, -1)]
    with pytest.warns(UserWarning, match="than the 5 folds in class 0: some folds"):
        search = WMVSearchCV(BETAS).fit(X, y)
    assert search.best_score_ < 1


@pytest.mark.parametrize(
    ("betas", "message"),
    [
        ([], "betas=.*one finite number or more"),
        ([-1.0, 0.5], "betas=.*none above 0"),
        ([-1.0, np.nan], "betas=.*finite"),
        ([-np.inf], "betas=.*finite"),
        ([[-1.0]], "betas=.*a list"),
        (-1.0, "'betas' parameter of WMVSearchCV must be an array-like or None"),
    ],
)
def test_grid(betas, message):
    with pytest.raises(ValueError, match=message):
        WMVSearchCV(betas).fit(X, Y)


@pytest.mark.parametrize(
    ("name", "value"),
    [("cv", 1), ("max_components", 0), ("alpha", -1.0), ("propagation", "best"), ("cv", "five")],
)
def test_parameters_out_of_range(name, value):
    message = f"The '{name}' parameter of WMVSearchCV must be .* Got {value!r} instead"
    with pytest.raises(ValueError, match=message):
        WMVSearchCV(**{name: value}).fit(X, Y)


def test_rows_that_are_all_the_same():
    with pytest.raises(ValueError, match="rank of X is 0: the rows are equal"):
        WMVSearchCV().fit(np.ones((30, 3)), Y)


def test_values_too_large_to_square():
    with (
        np.errstate(over="ignore", invalid="ignore"),
        pytest.raises(ValueError, match="too large to square; scale the columns"),
    ):
        WMVSearchCV().fit(X * 1e200, Y)


def test_the_callers_arrays_are_left_alone(wine):
    X, y = (a.copy() for a in wine)
    X.flags.writeable = y.flags.writeable = False
    WMVSearchCV(BETAS, propagation="majority").fit(X, y)
    np.testing.assert_array_equal(X, wine[0])
    np.testing.assert_array_equal(y, wine[1])
