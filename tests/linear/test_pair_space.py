"""PairSpace: against a literal transcription of its formula, the vote, and what it promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.datasets import load_digits, load_wine
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, scale

from oracles import pair_space as oracle
from oracles.lpp import knn_graph
from oracles.pairs import chunklets
from oracles.subspaces import principal_angles, same_columns_up_to_sign
from pairspace import CFLD, Constraints, PairSpace
from pairspace._core.data import rows_of
from pairspace._core.linalg import top_definite, whiten, within
from pairspace.base import Supervision
from pairspace.linear._shrinkage import Within
from pairspace.linear.pair_space import _weighting
from pairspace.linear.pair_space._mixture import Candidate, Mixture, Scatters

SHAPES = {"tall": (45, 6), "square": (30, 30), "wide": (24, 60)}
KINDS = ["pairs", "weighted pairs", "labels", "both"]


def rows_and_classes(shape, seed):
    """Three classes, columns of different spread."""
    n, d = SHAPES[shape]
    random = np.random.default_rng(seed)
    y = random.permutation(np.arange(n) % 3)
    X = random.normal(size=(n, d)) * np.linspace(0.5, 2, d) + 2 * random.normal(size=(3, d))[y]
    return X + 3, y


def pairs_of(c):
    return [tuple(pair) for pair in c.must_link.tolist()]


def weighted(c, seed=0):
    random = np.random.default_rng(seed)
    weights = random.uniform(0.2, 4, len(c.must_link))
    return Constraints(len(c), c.must_link, c.cannot_link, must_weight=weights)


def supervised(kind, y, seed, n_must=14):
    """What to pass to ``fit``, and to the oracle; must-links only, so that nothing votes."""
    all_must = Constraints.from_labels(y, fraction=1.0).must_link
    chosen = np.random.default_rng(seed).choice(len(all_must), n_must, replace=False)
    c = Constraints(len(y), all_must[chosen])
    if kind == "weighted pairs":
        c = weighted(c, seed)
    labels = np.where(np.arange(len(y)) % 3 == 0, y, -1)
    ours, theirs = {}, {}
    if kind != "labels":
        ours["constraints"] = c
        theirs |= {"must": pairs_of(c), "weights": c.must_weight.tolist()}
    if kind in ("labels", "both"):
        ours["y"] = labels
        theirs["y"] = labels.tolist()
    return ours, theirs


def check(fitted, X, expected):
    W, values, alpha, B = expected
    found = fitted.components_.T
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=1e-7)
    assert fitted.shrinkage_ == pytest.approx(alpha, abs=1e-9)
    assert principal_angles(found, W) < 1e-6
    assert same_columns_up_to_sign(found, W, rtol=1e-5)
    np.testing.assert_allclose(found.T @ B @ found, np.eye(len(values)), atol=1e-8)
    np.testing.assert_allclose(np.var(fitted.transform(X), axis=0), values, rtol=1e-7)


def same_space(a, b, tolerance=1e-6):
    assert principal_angles(a.components_.T, b.components_.T) < tolerance
    np.testing.assert_allclose(a.eigenvalues_, b.eigenvalues_, rtol=tolerance)


# ---- The formula ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_formula(shape, kind, seed):
    X, y = rows_and_classes(shape, seed)
    ours, theirs = supervised(kind, y, seed)
    for ridge, shrinkage in ((0.5, 0.3), (0.02, 0.9), (0.1, 0.0), (0.9, 1.0)):
        fitted = PairSpace(3, ridge=ridge, shrinkage=shrinkage).fit(X, **ours)
        check(fitted, X, oracle.pair_space(X, 3, ridge, shrinkage, **theirs))
        assert fitted.ridge_ == pytest.approx(ridge, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ridge", [0.1, 0.8])
def test_the_shrinkage_of_ledoit_and_wolf(shape, kind, ridge):
    X, y = rows_and_classes(shape, 3)
    for n_must in (3, 14, 40):
        ours, theirs = supervised(kind, y, 3, n_must)
        if "y" in ours:  # one class of labels has no cannot-links, so that nothing votes
            ours["y"] = np.where(ours["y"] == 0, 0, -1)
            theirs["y"] = ours["y"].tolist()
        fitted = PairSpace(2, ridge=ridge).fit(X, **ours)
        check(fitted, X, oracle.pair_space(X, 2, ridge, **theirs))


@pytest.mark.parametrize("kind", ["pairs", "weighted pairs"])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_shrinkage_is_that_of_the_specification_but_for_m_less_1(shape, kind):
    X, y = rows_and_classes(shape, 3)
    Z, _ = oracle.coordinates(X)
    near = oracle.neighbor_covariance(Z, 5)
    for n_must in (8, 14, 40):
        ours, theirs = supervised(kind, y, 3, n_must)
        differences = oracle.of_must_links(Z, theirs["must"], theirs["weights"])
        m = sum(f * w for _, f, w in differences) ** 2 / sum(f * w**2 for _, f, w in differences)
        alpha = oracle.intensity(differences, near, 0.5, unbiased=False)
        found = PairSpace(2, ridge=0.5).fit(X, **ours).shrinkage_
        assert found == pytest.approx(min(alpha * m / (m - 1), 1), abs=1e-9)


def test_the_start_is_a_ridge_of_half_and_ledoit_wolf():
    X, y = rows_and_classes("tall", 4)
    ours, theirs = supervised("pairs", y, 4)
    fitted = PairSpace(2).fit(X, **ours)
    assert fitted.ridge_ == pytest.approx(0.5)
    check(fitted, X, oracle.pair_space(X, 2, 0.5, **theirs))


@pytest.mark.parametrize("n_neighbors", [1, 5, 44, 1000])
def test_neighbors_and_their_ties(n_neighbors):
    """On a grid with duplicates most distances are tied; more neighbours than rows are all rows."""
    grid = np.stack(np.meshgrid(np.arange(6.0), np.arange(5.0), np.arange(1.0, 3)), -1)
    X = np.vstack([grid.reshape(-1, 3)[:40], grid.reshape(-1, 3)[:5]])
    must = [(0, 1), (7, 9), (20, 35), (4, 44)]
    fitted = PairSpace(2, n_neighbors=n_neighbors, ridge=0.2, shrinkage=0.6)
    fitted.fit(X, Constraints(len(X), must))
    check(fitted, X, oracle.pair_space(X, 2, 0.2, 0.6, must, k=n_neighbors))


def test_scale_and_offset_of_the_data_change_only_the_length_of_the_components():
    X, y = rows_and_classes("tall", 0)
    plain = PairSpace(2, random_state=0).fit(X, y)
    for factor in (1e-8, 1e8):
        scaled = PairSpace(2, random_state=0).fit(factor * X + 5 * factor, y)
        assert scaled.ridge_ == pytest.approx(plain.ridge_, abs=1e-6)
        same_space(scaled, plain)
        np.testing.assert_allclose(factor * scaled.components_, plain.components_, rtol=1e-5)


# ---- Degrees of freedom and weights -----------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_all_pairs_of_a_component_are_its_scatter(shape):
    """Σ T_c / Σ (c − 1), which is also what the components as labels give."""
    X, y = rows_and_classes(shape, 0)
    must = [(0, 1), (1, 2), (2, 3), (4, 5), (6, 7), (7, 8)]
    answers = Constraints(len(y), must)
    Z, _ = oracle.coordinates(X)
    scatter = np.zeros((Z.shape[1], Z.shape[1]))
    for component in chunklets(len(Z), must):
        deviations = Z[component] - Z[component].mean(axis=0)
        scatter += deviations.T @ deviations
    closed = Within.of_must_links(rows_of(Z), Supervision(answers.closure(), None, len(Z)))
    assert closed.weight == pytest.approx(3 + 1 + 2)
    assert closed.squared_weight == pytest.approx(3 + 1 + 2)
    np.testing.assert_allclose(closed.covariance, scatter / 6, atol=1e-10)

    method = PairSpace(2, ridge=0.2, shrinkage=0.4)
    same_space(
        method.fit(X, answers.closure()),
        PairSpace(**method.get_params()).fit(X, answers.components()),
    )


def test_closing_the_answers_does_not_make_them_more():
    """With pairs counted as independent, α would shrink by the number of implied pairs."""
    X, y = rows_and_classes("tall", 0)
    members = np.flatnonzero(y == 0)
    chain = Constraints(len(y), np.column_stack([members[:-1], members[1:]]))
    closed = PairSpace(2, ridge=0.5).fit(X, chain.closure()).shrinkage_
    of_labels = PairSpace(2, ridge=0.5).fit(X, chain.components()).shrinkage_
    assert 0 < closed < 1
    assert closed == pytest.approx(of_labels, rel=0.5)
    as_independent = oracle.pair_space(X, 2, 0.5, y=chain.components().tolist())[2]
    as_independent *= (len(members) - 1) / (len(members) * (len(members) - 1) / 2)
    assert closed > 3 * as_independent


@pytest.mark.parametrize(
    "method", [PairSpace(2, ridge=0.2, random_state=0), PairSpace(2, random_state=0)]
)
def test_a_repeated_pair_has_the_weight_of_both(method):
    X, y = rows_and_classes("tall", 0)
    c = Constraints.from_labels(y, n_pairs=60, random_state=0)
    twice = Constraints(len(y), np.vstack([c.must_link, c.must_link[:5, ::-1]]), c.cannot_link)
    weights = np.where(np.arange(len(c.must_link)) < 5, 2.0, 1.0)
    heavy = Constraints(len(y), c.must_link, c.cannot_link, must_weight=weights)
    a = method.fit(X, twice).components_
    np.testing.assert_array_equal(a, method.fit(X, heavy).components_)
    assert not np.allclose(a, method.fit(X, c).components_)


@pytest.mark.parametrize(
    "method", [PairSpace(2, ridge=0.2, random_state=0), PairSpace(2, random_state=0)]
)
def test_only_the_ratios_of_weights_count(method):
    X, y = rows_and_classes("tall", 0)
    c = weighted(Constraints.from_labels(y, n_pairs=80, random_state=0))
    heavy = Constraints(
        len(y),
        c.must_link,
        c.cannot_link,
        must_weight=3 * c.must_weight,
        cannot_weight=3 * c.cannot_weight,
    )
    plain = method.fit(X, c).components_
    np.testing.assert_allclose(method.fit(X, heavy).components_, plain, rtol=1e-7)


def test_an_answer_of_no_weight_is_none():
    X, y = rows_and_classes("tall", 0)
    must = Constraints.from_labels(y, n_pairs=60, random_state=0).must_link
    weights = np.where(np.arange(len(must)) % 2, 1.0, 1e-12)
    light = PairSpace(2, ridge=0.2, shrinkage=0.3).fit(
        X, Constraints(len(y), must, must_weight=weights)
    )
    # The light ones still join components, and so change the degrees of freedom of the others.
    W, values, _, _ = oracle.pair_space(X, 2, 0.2, 0.3, [tuple(p) for p in must], weights)
    np.testing.assert_allclose(light.eigenvalues_, values, rtol=1e-7)
    assert principal_angles(light.components_.T, W) < 1e-6


# ---- What it is at the ends -------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_full_ridge_is_pca(shape):
    X, y = rows_and_classes(shape, 0)
    for given_y in (None, y, Constraints.from_labels(y, n_pairs=50, random_state=0)):
        fitted = PairSpace(3, ridge=1.0).fit(X, given_y)
        assert principal_angles(fitted.components_.T, PCA(3).fit(X).components_.T) < 1e-6
        assert fitted.ridge_ == 1
        lengths = np.linalg.norm(fitted.components_, axis=1)
        np.testing.assert_allclose(lengths, lengths[0])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ridge", ["auto", 0.1])
def test_that_knows_no_must_link_is_a_ridged_lpp(shape, ridge):
    X, y = rows_and_classes(shape, 0)
    cannot = Constraints.from_labels(y, n_pairs=50, random_state=0).cannot_link
    r = 0.5 if ridge == "auto" else ridge
    expected = oracle.pair_space(X, 2, r)
    assert expected[2] == 1
    for nothing in (
        None,
        np.full(len(y), -1),
        np.where(np.arange(len(y)) < 1, y, -1),
        Constraints(len(y)),
        Constraints(len(y), (), cannot),
    ):
        for shrinkage in ("auto", 0.3):
            fitted = PairSpace(2, ridge=ridge, shrinkage=shrinkage).fit(X, nothing)
            check(fitted, X, expected)
            assert fitted.shrinkage_ == 1
            assert fitted.ridge_ == pytest.approx(r)


def test_without_ridge_the_neighbors_alone_are_the_inverse_of_lpp():
    X, _ = rows_and_classes("tall", 0)
    graph = knn_graph(X, 5)
    differences = [X[i] - X[j] for i in range(len(X)) for j in range(i) if graph[i, j]]
    near = sum(np.outer(e, e) for e in differences) / len(differences) / 2
    found = PairSpace(2, ridge=0.0).fit(X).components_
    np.testing.assert_allclose(found @ near @ found.T, np.eye(2), atol=1e-9)


@pytest.mark.parametrize("seed", [0, 1])
def test_all_labels_without_ridge_and_shrinkage_is_cfld(seed):
    X, y = rows_and_classes("tall", seed)
    for n_components in (1, 2):  # beyond, all eigenvalues are 1
        ours = PairSpace(n_components, ridge=0.0, shrinkage=0.0).fit(X, y)
        cfld = CFLD(n_components).fit(X, y)
        assert principal_angles(ours.components_.T, cfld.components_.T) < 1e-6
        # S_t / n over S_w / (n − 3), where CFLD has the sums
        n = len(y)
        np.testing.assert_allclose(ours.eigenvalues_, cfld.eigenvalues_ * (n - 3) / n, rtol=1e-8)


# ---- The mixture ------------------------------------------------------------------------------

shares = st.floats(0, 1)


@given(shares, shares)
def test_parameters_from_shares_of_parameters(shrinkage, ridge):
    mixture = Mixture.of_parameters(shrinkage, ridge)
    assert mixture.must + mixture.near + mixture.identity == pytest.approx(1)
    assert min(mixture.must, mixture.near, mixture.identity) >= 0
    assert mixture.ridge == pytest.approx(ridge, abs=1e-7)
    if ridge < 0.99:
        assert mixture.shrinkage == pytest.approx(shrinkage, abs=1e-6)


@given(shares, shares)
def test_any_shares_have_parameters(a, b):
    low, high = sorted((a, b))
    mixture = Mixture(must=low, near=high - low, identity=1 - high)
    assert 0 <= mixture.ridge <= 1
    assert 0 <= mixture.shrinkage <= 1
    again = Mixture.of_parameters(mixture.shrinkage, mixture.ridge)
    assert again.must == pytest.approx(mixture.must, abs=1e-7)
    assert again.near == pytest.approx(mixture.near, abs=1e-7)
    assert again.identity == pytest.approx(mixture.identity, abs=1e-7)


def test_a_full_ridge_leaves_nothing_to_shrink():
    for shrinkage in (0.0, 0.3, 1.0):
        mixture = Mixture.of_parameters(shrinkage, 1.0)
        assert (mixture.must, mixture.near, mixture.identity) == (0, 0, 1)
        assert (mixture.shrinkage, mixture.ridge) == (1, 1)


def test_a_lean_lies_between_none_and_full_shrinkage():
    X, y = rows_and_classes("tall", 0)
    ours, theirs = supervised("pairs", y, 0)
    known = Supervision(None, ours["constraints"], len(y))
    Z = rows_of(X)
    near = oracle.neighbor_covariance(oracle.coordinates(X)[0], 5)
    scatters = Scatters(Z.gram / len(Z), near, Within.of_must_links(Z, known))
    alpha = oracle.pair_space(X, 2, 0.3, **theirs)[2]
    assert 0 < alpha < 1
    for lean, expected in (
        (-1, 0),
        (-0.5, alpha / 2),
        (0, alpha),
        (0.5, (1 + alpha) / 2),
        (1, 1),
    ):
        mixture = Candidate(0.3, lean).mixture(scatters)
        assert mixture.shrinkage == pytest.approx(expected, abs=1e-9)
        assert mixture.ridge == pytest.approx(0.3)


def test_top_definite_is_the_generalised_eigenproblem():
    random = np.random.default_rng(0)
    A, root = random.normal(size=(2, 9, 9))
    A = A @ A.T
    B = root @ root.T + 0.1 * np.eye(9)
    found = top_definite(A, B, 4)
    np.testing.assert_allclose(A @ found.vectors, B @ found.vectors * found.values, atol=1e-8)
    np.testing.assert_allclose(found.vectors.T @ B @ found.vectors, np.eye(4), atol=1e-9)
    assert np.all(np.diff(found.values) < 0)
    slower = within(whiten(B), A, 4)
    np.testing.assert_allclose(found.values, slower.values)
    np.testing.assert_allclose(found.vectors, slower.vectors, atol=1e-8)
    singular = root[:, :5] @ root[:, :5].T
    found, slower = top_definite(A, singular, 3), within(whiten(singular), A, 3)
    assert principal_angles(found.vectors, slower.vectors) < 1e-6


# ---- The vote ---------------------------------------------------------------------------------


@pytest.fixture
def left_out(monkeypatch):
    """The rows that were held out, and what was left, of each fold."""
    calls = []
    without = Supervision.without

    def recorded(self, rows):
        left = without(self, rows)
        calls.append((rows.copy(), left))
        return left

    monkeypatch.setattr(Supervision, "without", recorded)
    return calls


def known_of(kind, seed=0, n=90):
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, n)
    X = random.normal(size=(n, 4)) + 2 * random.normal(size=(3, 4))[y]
    answers = Constraints.from_labels(y, n_pairs=150, random_state=seed)
    labels = np.where(np.arange(n) % 3 == 0, y, -1)
    return (
        X,
        y,
        {
            "pairs": Supervision(answers, None, n),
            "weighted pairs": Supervision(weighted(answers), None, n),
            "labels": Supervision(labels, None, n),
            "both": Supervision(labels, answers, n),
        }[kind],
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_nothing_about_a_held_out_row_is_learned(kind, seed, left_out):
    X, _, known = known_of(kind, seed)
    folds = list(_weighting._folds(rows_of(X), known, np.random.RandomState(seed)))
    assert len(folds) == len(left_out) == 4
    times_held_out = sum(held_out.astype(int) for held_out, _ in left_out)
    touched = known.labels >= 0
    touched[known.pairs.must_link] = True
    np.testing.assert_array_equal(times_held_out, touched.astype(int))
    for fold, (held_out, seen) in zip(folds, left_out, strict=True):
        assert held_out.any()
        assert not held_out[seen.pairs.must_link].any()
        assert not held_out[seen.pairs.cannot_link].any()
        assert (seen.labels[held_out] == -1).all()
        np.testing.assert_array_equal(seen.labels[~held_out], known.labels[~held_out])

        # what is learned is what the rest alone says, by the transcription
        kept = ~held_out[known.pairs.must_link].any(axis=1)
        must = [tuple(pair) for pair in known.pairs.must_link[kept].tolist()]
        labels = np.where(held_out, -1, known.labels).tolist()
        differences = oracle.of_must_links(X, must, known.pairs.must_weight[kept])
        differences += oracle.of_labels(X, labels)
        assert fold.learned.weight == pytest.approx(sum(f * w for _, f, w in differences))
        np.testing.assert_allclose(
            fold.learned.covariance, oracle.must_covariance(differences), atol=1e-9
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_judges_are_pairs_of_held_out_rows(kind, seed, left_out):
    X, y, known = known_of(kind, seed)
    folds = list(_weighting._folds(rows_of(X), known, np.random.RandomState(seed)))
    given_cannot = {tuple(pair) for pair in known.pairs.cannot_link.tolist()}
    given_must = {tuple(pair) for pair in known.pairs.must_link.tolist()}
    judged = []
    for fold, (held_out, _) in zip(folds, left_out, strict=True):
        assert held_out[fold.must].all()
        assert (y[fold.must[:, 0]] == y[fold.must[:, 1]]).all()
        assert (y[fold.cannot[:, 0]] != y[fold.cannot[:, 1]]).all()
        assert len({tuple(sorted(pair)) for pair in fold.must.tolist()}) == len(fold.must)
        of_answers = [pair for pair in fold.must.tolist() if (known.labels[pair] < 0).all()]
        assert {tuple(pair) for pair in of_answers} <= given_must
        judged += of_answers
        for pair in fold.cannot.tolist():
            assert tuple(pair) in given_cannot or (
                held_out[pair].all() and (known.labels[pair] >= 0).all()
            )
        labelled = known.labels[held_out & (known.labels >= 0)]
        of_labels = sum(int(np.sum(labelled == label)) - 1 for label in set(labelled.tolist()))
        assert fold.n_independent == len(of_answers) + of_labels
    rows = [row for pair in judged for row in pair]
    assert len(rows) == len(set(rows)), "judged must-links share a row"
    if kind == "pairs":
        assert len(judged) >= 12
        sizes = [len(fold.must) for fold in folds]
        assert max(sizes) - min(sizes) <= 1


def test_without_some_rows_nothing_is_known_about_them():
    _, y, known = known_of("both")
    c = weighted(known.pairs)
    known = Supervision(np.where(known.labels >= 0, y, -1), c, len(y))
    rows = np.zeros(len(y), dtype=bool)
    rows[::4] = True
    left = known.without(rows)
    kept = ~rows[c.must_link].any(axis=1)
    np.testing.assert_array_equal(left.pairs.must_link, c.must_link[kept])
    np.testing.assert_array_equal(left.pairs.must_weight, c.must_weight[kept])
    assert (left.labels[rows] == -1).all()
    np.testing.assert_array_equal(left.labels[~rows], known.labels[~rows])
    nothing = known.without(np.ones(len(y), dtype=bool))
    assert not nothing
    assert known.without(np.zeros(len(y), dtype=bool)).pairs == c


def test_without_keeps_the_codes_of_the_labels_that_are_left():
    known = Supervision(["b", "a", None, "c", "c"], None, 5)
    left = known.without(np.array([False, True, False, False, False]))
    np.testing.assert_array_equal(left.labels, np.where(np.arange(5) == 1, -1, known.labels))


def test_many_judges_are_sampled(monkeypatch):
    monkeypatch.setattr(_weighting, "MAX_JUDGED", 10)
    X, _, known = known_of("labels")
    for fold in _weighting._folds(rows_of(X), known, np.random.RandomState(0)):
        assert len(fold.must) <= 10
        assert len(fold.cannot) <= 10


@pytest.mark.parametrize("kind", KINDS)
def test_the_vote_depends_on_random_state_alone(kind):
    X, _, known = known_of(kind)
    labels = None if not (known.labels >= 0).any() else known.labels
    fits = []
    for global_seed in (0, 1):
        np.random.seed(global_seed)  # noqa: NPY002
        before = np.random.get_state()[1].copy()  # noqa: NPY002
        fits.append(PairSpace(2, random_state=7).fit(X, labels, constraints=known.pairs))
        np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    np.testing.assert_array_equal(fits[0].components_, fits[1].components_)
    assert fits[0].ridge_ == fits[1].ridge_
    other = PairSpace(2, random_state=8).fit(X, labels, constraints=known.pairs)
    assert other.ridge_ != fits[0].ridge_, "other folds vote a little differently"
    assert principal_angles(other.components_.T, fits[0].components_.T) < 0.5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("given_parameters", [{}, {"ridge": 0.3}, {"shrinkage": 0.3}])
def test_chosen_parameters_are_parameters(kind, given_parameters):
    for seed in range(4):
        X, _, known = known_of(kind, seed)
        labels = None if not (known.labels >= 0).any() else known.labels
        fitted = PairSpace(2, random_state=0, **given_parameters)
        fitted.fit(X, labels, constraints=known.pairs)
        assert 0 <= fitted.ridge_ <= 1
        assert 0 <= fitted.shrinkage_ <= 1
        if "ridge" in given_parameters:
            assert fitted.ridge_ == pytest.approx(0.3)
        # the B of these parameters is the B that was used
        kwargs = {"must": pairs_of(known.pairs), "weights": known.pairs.must_weight}
        check(
            fitted,
            X,
            oracle.pair_space(
                X, 2, fitted.ridge_, fitted.shrinkage_, y=known.labels.tolist(), **kwargs
            ),
        )


def test_too_few_answers_do_not_vote():
    X, y = rows_and_classes("tall", 0)
    n = len(y)
    four = [(0, 1), (2, 3), (4, 5), (6, 7)]
    cannot = [(8, 9), (10, 11), (12, 13), (14, 15)]
    start = PairSpace(2, ridge=0.5, random_state=0)
    for must, cannot_link in (
        (four[:3], cannot),  # three independent must-links
        ([(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)], cannot),  # a star: one can be held out
        (four, cannot[:3]),
        (four, ()),
    ):
        fitted = PairSpace(2, random_state=0).fit(X, Constraints(n, must, cannot_link))
        assert fitted.ridge_ == pytest.approx(0.5)
        check(fitted, X, oracle.pair_space(X, 2, 0.5, must=must))
        same_space(fitted, start.fit(X, Constraints(n, must)))
    voted = PairSpace(2, random_state=0).fit(X, Constraints(n, four, cannot))
    assert voted.ridge_ != pytest.approx(0.5)


def telling(seed, n=300):
    """Neighbours share one of four clusters; the classes are in two other, quieter directions."""
    random = np.random.default_rng(seed)
    y, cluster = random.integers(0, 3, n), random.integers(0, 4, n)
    X = random.normal(size=(n, 6))
    X[:, 0] += 12 * (cluster % 2)
    X[:, 1] += 12 * (cluster // 2)
    X[:, 2] += 4 * (y == 1)
    X[:, 3] += 4 * (y == 2)
    return X, y


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_decisive_votes_leave_the_start(seed):
    X, y = telling(seed)
    train, test = slice(0, 150), slice(150, 300)
    answers = Constraints.from_labels(y[train], n_pairs=600, random_state=seed)
    chosen = PairSpace(2, random_state=0).fit(X[train], answers)
    assert chosen.shrinkage_ < 0.2
    assert chosen.ridge_ < 0.1
    neighbors_only = PairSpace(2, shrinkage=1.0, random_state=0).fit(X[train], answers)
    start = PairSpace(2, ridge=0.5).fit(X[train], Constraints(150, answers.must_link))
    found = chosen.score(X[test], y[test])
    assert found > neighbors_only.score(X[test], y[test]) + 0.2
    assert found > start.score(X[test], y[test]) + 0.2
    of_labels = PairSpace(2, random_state=0).fit(X[train], y[train])
    assert of_labels.score(X[test], y[test]) > neighbors_only.score(X[test], y[test]) + 0.2


def test_votes_that_tell_nothing_apart_stay_near_the_start():
    moved = []
    for seed in range(12):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(100, 6)), random.integers(0, 3, 100)
        answers = Constraints.from_labels(y, n_pairs=150, random_state=seed)
        chosen = PairSpace(2, random_state=0).fit(X, answers)
        start = PairSpace(2, ridge=0.5).fit(X, Constraints(100, answers.must_link))
        moved.append((abs(chosen.ridge_ - 0.5), abs(chosen.shrinkage_ - start.shrinkage_)))
    assert np.median(moved, axis=0).max() < 0.15
    assert np.max(moved) < 0.4


def test_votes_that_are_all_equal_are_the_prior():
    """In one dimension all candidates order the pairs alike: half the weight is the start's."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 1)), random.integers(0, 2, 60)
    answers = Constraints.from_labels(y, n_pairs=80, random_state=0)
    known = Supervision(answers, None, 60)
    Z = rows_of(X)
    scatters = Scatters(Z.gram / 60, np.array([[0.1]]), Within.of_must_links(Z, known))
    candidates = [Candidate(0.5, shrinkage=0.5), *(Candidate(r, shrinkage=0.0) for r in (0, 0.2))]
    found = _weighting.vote(Z, known, scatters, candidates, 1, np.random.RandomState(0))
    assert found.must == pytest.approx(0.5 * 0.25 + 0.25 * 1 + 0.25 * 0.8)
    assert found.must + found.near + found.identity == pytest.approx(1)


def test_equal_lengths_count_half():
    must, cannot = _weighting._shares(np.array([1.0, 2, 2, 3, 0]), 2)
    np.testing.assert_allclose(must, [2 / 3, (1 / 3 + 2 / 3) / 2])
    np.testing.assert_allclose(cannot, [(1 / 2 + 1) / 2, 1, 0])


def test_many_small_classes_vote():
    """Pairs drawn at random would hardly ever be of one class."""
    random = np.random.default_rng(0)
    y = np.repeat(np.arange(800), 2)
    X = random.normal(size=(800, 5))[y] + 0.3 * random.normal(size=(1600, 5))
    for seed in range(3):
        fitted = PairSpace(2, random_state=seed).fit(X, y)
        assert np.isfinite(fitted.components_).all()
        assert 0 <= fitted.ridge_ <= 1


# ---- Kinds of input ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wide", [False, True])
def test_sparse_and_single_precision(kind, wide):
    random = np.random.default_rng(0)
    n, d = (60, 90) if wide else (90, 12)
    y = np.arange(n) % 3
    X = (random.normal(size=(n, d)) + random.normal(size=(3, d))[y]) * (random.random((n, d)) < 0.4)
    X = X.astype(np.float32).astype(np.float64)  # the same rows in both precisions
    answers = Constraints.from_labels(y, n_pairs=120, random_state=0)
    given_y = np.where(np.arange(n) % 2, y, -1) if kind in ("labels", "both") else None
    pairs = {"labels": None, "weighted pairs": weighted(answers)}.get(kind, answers)
    dense = PairSpace(3, random_state=0).fit(X, given_y, constraints=pairs)
    for other, tolerance in (
        (csr_array(X), 1e-6),
        (X.astype(np.float32), 1e-4),
        (csr_array(X.astype(np.float32)), 1e-4),
    ):
        fitted = PairSpace(3, random_state=0).fit(other, given_y, constraints=pairs)
        assert fitted.components_.dtype == other.dtype
        assert fitted.ridge_ == pytest.approx(dense.ridge_, abs=tolerance)
        assert fitted.shrinkage_ == pytest.approx(dense.shrinkage_, abs=tolerance)
        same_space(fitted, dense, tolerance)


# ---- Edges ------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_one_must_link(shape):
    X, y = rows_and_classes(shape, 0)
    fitted = PairSpace(2).fit(X, Constraints(len(y), [(0, 7)]))
    check(fitted, X, oracle.pair_space(X, 2, 0.5, must=[(0, 7)]))


@pytest.mark.parametrize("make", [np.asarray, csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["pairs", "labels"])
def test_known_rows_that_are_identical_say_nothing(shape, kind, make):
    X, y = rows_and_classes(shape, 0)
    X[:3] = X[0] / 30  # thirds of a sum of three are not always the number itself
    labels = np.where(np.arange(len(y)) < 3, 0, -1)
    known = labels if kind == "labels" else Constraints(len(y), [(0, 1), (1, 2)])
    fitted = PairSpace(2).fit(make(X), known)
    assert fitted.shrinkage_ == pytest.approx(1)
    W, values, _, _ = oracle.pair_space(X, 2, 0.5)
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=1e-6)
    assert principal_angles(fitted.components_.T, W) < 1e-5


@pytest.mark.parametrize("make", [np.asarray, csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("d", [4, 60])
def test_neighbors_that_are_identical_say_nothing(d, make):
    """Each row six times: all neighbours coincide, and what is left is PCA, or the must-links."""
    X = np.repeat(np.random.default_rng(0).normal(size=(9, d)), 6, axis=0)
    alone = PairSpace(2).fit(make(X))
    assert principal_angles(alone.components_.T, PCA(2).fit(X).components_.T) < 1e-5
    must = [(0, 6), (12, 20), (30, 40)]
    with_pairs = PairSpace(2, ridge=0.5, shrinkage=0.5).fit(make(X), Constraints(len(X), must))
    Z, Q = oracle.coordinates(X)
    S_m = oracle.must_covariance(oracle.of_must_links(Z, must))
    identity = np.trace(S_m) / len(S_m) * np.eye(len(S_m))
    found = Q.T @ with_pairs.components_.T
    B = 0.25 * S_m + 0.75 * identity
    np.testing.assert_allclose(found.T @ B @ found, np.eye(2), atol=1e-6)


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1])
@pytest.mark.parametrize("d", [3, 30])
@pytest.mark.parametrize("known", ["nothing", "labels", "pairs"])
def test_identical_rows_are_refused(value, d, known):
    X = np.full((12, d), value)
    given_y = {
        "nothing": None,
        "labels": np.arange(12) % 2,
        "pairs": Constraints.from_labels(np.arange(12) % 2, fraction=1.0),
    }[known]
    with pytest.raises(ValueError, match=r"(rows of X span only [01] direction|rows .*identical)"):
        PairSpace(2, random_state=0).fit(X, given_y)


@pytest.mark.parametrize("d", [6, 60])
@pytest.mark.parametrize("ridge", ["auto", 0.0, 0.3])
def test_more_components_than_the_rank_of_the_data(d, ridge):
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 3)) @ random.normal(size=(3, d))
    y = np.arange(40) % 2
    fitted = PairSpace(3, ridge=ridge, random_state=0).fit(X, y)
    assert fitted.rank_ == 3
    with pytest.raises(ValueError, match=r"n_components=5, but .* span only 3 directions"):
        PairSpace(5, ridge=ridge, random_state=0).fit(X, y)


def test_without_ridge_few_must_links_span_few_directions():
    X, y = rows_and_classes("tall", 0)
    few = Constraints(len(y), [(0, 1), (2, 3)])
    message = r"n_components=3, but the must-links .*\(ridge=0\) span only 2 directions"
    with pytest.raises(ValueError, match=message):
        PairSpace(3, ridge=0.0, shrinkage=0.0).fit(X, few)
    assert PairSpace(2, ridge=0.0, shrinkage=0.0).fit(X, few).rank_ == 2


def test_without_ridge_the_vote_does_not_fail_where_a_fold_spans_few_directions():
    """A fold learns from a single must-link, which α = 0 would leave alone in B."""
    X, y = rows_and_classes("tall", 0)
    must = [(0, 1), (0, 2), (3, 4), (5, 6), (7, 8)]
    cannot = [(0, 3), (1, 5), (3, 7), (5, 8), (9, 10)]
    for n_must in (4, 5):
        answers = Constraints(len(y), must[:n_must], cannot)
        for seed in range(5):
            for n_components in (2, 4):
                fitted = PairSpace(n_components, ridge=0.0, random_state=seed).fit(X, answers)
                assert np.isfinite(fitted.components_).all()


@pytest.mark.parametrize("d", [1, 2, 9])
def test_three_rows(d):
    X = np.random.default_rng(0).normal(size=(3, d))
    n_components = min(d, 2)
    for known in (None, [0, 0, 1], Constraints(3, [(0, 1)], [(1, 2)])):
        fitted = PairSpace(n_components, random_state=0).fit(X, known)
        must = [] if known is None else [(0, 1)]
        check(fitted, X, oracle.pair_space(X, n_components, 0.5, must=must))


def test_one_feature():
    X, y = telling(0)
    X = X[:, :1]
    for known in (None, y, Constraints.from_labels(y, n_pairs=200, random_state=0)):
        fitted = PairSpace(1, random_state=0).fit(X, known)
        assert fitted.components_.shape == (1, 1)
        assert fitted.components_[0, 0] > 0
        assert 0 <= fitted.ridge_ <= 1
        assert 0 <= fitted.shrinkage_ <= 1


@pytest.fixture
def problems(monkeypatch):
    """The eigenproblems of the vote: A, B, and how many components."""
    asked = []
    solve = _weighting.top_definite

    def recorded(A, B, k):
        asked.append((A, B, k))
        return solve(A, B, k)

    monkeypatch.setattr(_weighting, "top_definite", recorded)
    return asked


def test_many_features_vote_in_leading_directions(problems):
    random = np.random.default_rng(0)
    y = np.arange(330) % 3
    X = random.normal(size=(330, 310)) + random.normal(size=(3, 310))[y]
    answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    fitted = PairSpace(230, ridge=0.3, random_state=0).fit(X, answers)
    assert {(len(A), len(B), k) for A, B, k in problems} == {(200, 200, 200)}
    assert fitted.components_.shape == (230, 310)
    must = pairs_of(answers)
    check(fitted, X, oracle.pair_space(X, 230, 0.3, fitted.shrinkage_, must))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_leading_directions_vote_much_as_all_do(seed, problems, monkeypatch):
    random = np.random.default_rng(seed)
    X, y = telling(seed)
    X = np.column_stack([X, 0.3 * random.normal(size=(len(y), 34))])
    answers = Constraints.from_labels(y, n_pairs=400, random_state=seed)
    in_all = PairSpace(2, random_state=0).fit(X, answers)
    assert {(len(A), k) for A, _, k in problems} == {(40, 2)}
    problems.clear()
    monkeypatch.setattr(_weighting, "MAX_ORDER", 39)
    monkeypatch.setattr(_weighting, "LEADING", 20)
    fitted = PairSpace(2, random_state=0).fit(X, answers)
    assert {(len(A), k) for A, _, k in problems} == {(20, 2)}
    assert fitted.ridge_ == pytest.approx(in_all.ridge_, abs=0.2)
    assert fitted.shrinkage_ == pytest.approx(in_all.shrinkage_, abs=0.2)
    assert fitted.score(X, y) == pytest.approx(in_all.score(X, y), abs=0.02)


def test_what_leading_directions_judge_is_what_would_be_used(problems, monkeypatch):
    """B in these directions, and not another B with the ridge of fewer directions."""
    random = np.random.default_rng(0)
    X, y = telling(0)
    X = np.column_stack([X, 0.3 * random.normal(size=(len(y), 34))])
    answers = Constraints.from_labels(y, n_pairs=400, random_state=0)
    PairSpace(2, random_state=0).fit(X, answers)
    of_all = list(problems)
    problems.clear()
    monkeypatch.setattr(_weighting, "MAX_ORDER", 39)
    monkeypatch.setattr(_weighting, "LEADING", 20)
    PairSpace(2, random_state=0).fit(X, answers)
    covariance = oracle.total_covariance(X - X.mean(axis=0))
    leading = np.linalg.eigh(covariance)[1][:, ::-1][:, :20]
    assert len(problems) == len(of_all)
    for (A, B, _), (A_all, B_all, _) in zip(problems, of_all, strict=True):
        for found, whole in ((A, A_all), (B, B_all)):
            # in either basis: they may differ in signs
            expected = np.linalg.eigvalsh(leading.T @ whole @ leading)
            np.testing.assert_allclose(np.linalg.eigvalsh(found), expected, rtol=1e-6)


def test_contradicting_answers_are_weighed_and_not_refused():
    X, y = rows_and_classes("tall", 0)
    n = len(y)
    i, j, k = np.flatnonzero(y == 0)[:3]
    chain = Constraints(n, [(i, j), (j, k)], [(i, k)])
    others = Constraints.from_labels(
        np.where(np.isin(np.arange(n), [i, j, k]), -1, y), per_class=9, random_state=0
    )
    answers = chain | others
    assert answers.contradictions()
    fitted = PairSpace(2, random_state=0).fit(X, answers)
    assert 0 < fitted.ridge_ < 1
    check(
        fitted,
        X,
        oracle.pair_space(X, 2, fitted.ridge_, fitted.shrinkage_, pairs_of(answers)),
    )
    labels = np.full(n, -1)
    labels[[i, k]] = 0, 1  # which the chain joins
    must = Constraints(n, chain.must_link)
    fitted = PairSpace(2).fit(X, labels, constraints=must)
    check(fitted, X, oracle.pair_space(X, 2, 0.5, must=pairs_of(must), y=labels.tolist()))


@pytest.mark.parametrize("name", ["ridge", "shrinkage"])
@pytest.mark.parametrize("value", [-0.1, 1.1, "some", None])
def test_parameters_are_checked(name, value):
    X, y = rows_and_classes("tall", 0)
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        PairSpace(**{name: value}).fit(X, y)


# ---- Wrong answers ----------------------------------------------------------------------------


def flipped(answers, share, seed):
    """The same pairs, a share of them answered wrongly."""
    links = np.vstack([answers.must_link, answers.cannot_link])
    same = np.arange(len(links)) < len(answers.must_link)
    wrong = np.random.default_rng(seed).choice(len(links), round(share * len(links)), replace=False)
    same[wrong] ^= True
    return Constraints(len(answers), links[same], links[~same])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_wrong_answers_cost_little(seed):
    X, y = load_digits(return_X_y=True)
    X = scale(X)
    order = np.random.default_rng(seed).permutation(len(y))
    train, test = order[: len(y) // 2], order[len(y) // 2 :]

    def accuracy(space):
        nearest = KNeighborsClassifier(1).fit(space.transform(X[train]), y[train])
        return nearest.score(space.transform(X[test]), y[test])

    pca = accuracy(PCA(9).fit(X[train]))
    answers = Constraints.from_labels(y[train], per_class=20, random_state=seed)
    for share in (0.0, 0.1, 0.2):
        space = PairSpace(9, random_state=0).fit(X[train], flipped(answers, share, seed))
        assert accuracy(space) > pca - 0.02
        if share == 0:
            assert accuracy(space) > pca


# ---- In scikit-learn's hands ------------------------------------------------------------------


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return X, y, Constraints.from_labels(y, n_pairs=600, random_state=0)


def test_grid_search_with_constraints_as_y(wine):
    X, _, answers = wine
    folds = KFold(3, shuffle=True, random_state=0)
    pipeline = make_pipeline(StandardScaler(), PairSpace(2, random_state=0))
    search = GridSearchCV(pipeline, {"pairspace__ridge": [0.1, 0.5, 1.0, "auto"]}, cv=folds)
    search.fit(X, answers)
    scores = []
    for train, test in folds.split(X):
        scaler = StandardScaler().fit(X[train])
        space = PairSpace(2, ridge=0.1, random_state=0)
        space.fit(scaler.transform(X[train]), answers[train])
        scores.append(space.score(scaler.transform(X[test]), answers[test]))
    assert search.cv_results_["mean_test_score"][0] == pytest.approx(np.mean(scores))
    assert search.best_score_ > 0.9
    assert search.transform(X).shape == (len(X), 2)


def test_cross_validation_with_constraints_beside_the_labels(wine):
    X, y, answers = wine
    folds = KFold(3, shuffle=True, random_state=0)
    pipeline = make_pipeline(
        StandardScaler(), PairSpace(2, random_state=0), KNeighborsClassifier(3)
    )
    unknown = {"pairspace__constraints": answers}
    found = cross_val_score(pipeline, X, y, cv=folds, params=unknown)
    expected = []
    for train, test in folds.split(X):
        scaler = StandardScaler().fit(X[train])
        space = PairSpace(2, random_state=0)
        space.fit(scaler.transform(X[train]), y[train], constraints=answers[train])
        near = KNeighborsClassifier(3).fit(space.transform(scaler.transform(X[train])), y[train])
        expected.append(near.score(space.transform(scaler.transform(X[test])), y[test]))
    np.testing.assert_allclose(found, expected)
    assert found.mean() > 0.9


def test_columns_have_names(wine):
    X, _, answers = wine
    space = PairSpace(3, random_state=0).set_output(transform="pandas")
    embedded = space.fit_transform(X, answers)
    assert list(embedded.columns) == ["pairspace0", "pairspace1", "pairspace2"]
    assert space.get_feature_names_out().tolist() == list(embedded.columns)
    np.testing.assert_allclose(embedded.to_numpy(), (X - space.mean_) @ space.components_.T)
