"""The report in a real browser, and what it says."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_wine
from sklearn.decomposition import NMF, PCA, TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace import SLE, AutoReducer, Constraints, PairSpace
from pairspace.metrics import pair_distances
from pairspace.tool.report import feature_weights, write_report

SECTIONS = ["data", "answers", "candidates", "space", "features", "violations"]
EVIL = "<script>document.title = 'taken'</script><img src=http://example.org/x.png>"


@pytest.fixture(scope="module")
def wines():
    X, y = load_wine(return_X_y=True, as_frame=True)
    return X, y.to_numpy(), Constraints.from_labels(y, n_pairs=60, random_state=0)


@pytest.fixture(scope="module")
def search(wines):
    X, _, pairs = wines
    candidates = ["PairSpace", "PCA", "SSDR"]
    return AutoReducer(candidates=candidates, n_repeats=1, cv=3, random_state=0).fit(X, pairs)


class Visit:
    """A page opened in a browser that notes what it asks for and complains about."""

    def __init__(self, browser, path):
        self.requests, self.complaints = [], []
        self.page = browser.new_page(viewport={"width": 1000, "height": 800})
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(path.as_uri())
        self.page.wait_for_load_state("networkidle")


def test_the_page_opens_without_the_network(browser, wines, search, tmp_path):
    X, y, pairs = wines
    path = tmp_path / "report.html"
    write_report(
        path, search.best_estimator_, X, labels=y, constraints=pairs, search=search, title="wines"
    )
    visit = Visit(browser, path)
    page = visit.page
    assert [url for url in visit.requests if not url.startswith("data:")] == [path.as_uri()]
    assert visit.complaints == []
    assert page.title() == "wines · pairspace"
    assert page.locator(".verdict").inner_text() == search.summary_
    assert [one.get_attribute("id") for one in page.locator("section").all()] == SECTIONS
    for image in page.locator("picture img").all():
        assert image.evaluate("image => image.complete && image.naturalWidth > 300")
    for details in page.locator("details").all():
        details.locator("summary").click()
    chosen = page.locator("tr.chosen")  # in the comparison with no reduction, and in the list
    assert [row.inner_text().count(search.best_name_) for row in chosen.all()] == [1, 1]
    compared = page.locator("#candidates table").first.inner_text()
    assert "no reduction, raw" in compared
    assert "no reduction, standardised" in compared
    # Nothing is wider than the window, also on a telephone.
    for width in (1000, 400):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_the_page_lists_the_violated_pairs(browser, wines, tmp_path):
    X, _, pairs = wines
    model = make_pipeline(StandardScaler(), PairSpace(random_state=0)).fit(X, pairs)
    ids = [f"bottle {row}" for row in range(len(X))]
    write_report(tmp_path / "r.html", model, X, constraints=pairs, ids=ids)
    found = pair_distances(model.transform(X), pairs)
    visit = Visit(browser, tmp_path / "r.html")
    heads = (
        "cards => cards.map(card => [...card.querySelectorAll('thead th')].map(th => th.innerText))"
    )
    listed = {tuple(names[1:]) for names in visit.page.locator(".pair").evaluate_all(heads)}
    expected = {
        (ids[i], ids[j])
        for links, violated in (
            (pairs.must_link, found.must_violated),
            (pairs.cannot_link, found.cannot_violated),
        )
        for i, j in links[violated]
    }
    assert expected
    assert listed == expected
    assert f"violates {found.n_violations} of 60 pairs:" in re.sub(
        r"\s+", " ", visit.page.locator("#violations").inner_text()
    )
    visit.page.close()


def test_what_comes_from_the_data_is_only_text(browser, wines, tmp_path):
    X, y, pairs = wines
    X = X.rename(columns={"proline": EVIL})
    model = make_pipeline(StandardScaler(), PairSpace(random_state=0)).fit(X, pairs)
    kinds = np.array([f"{EVIL}{kind}" for kind in y], dtype=object)
    ids = [f"{EVIL}{row}" for row in range(len(X))]
    contradicting = (
        pairs | Constraints(len(X), [(0, 1), (1, 2)]) | Constraints(len(X), (), [(0, 2)])
    )
    path = tmp_path / "r.html"
    write_report(
        path, model, X, labels=kinds, constraints=contradicting, ids=ids, title=EVIL, notes=[EVIL]
    )
    visit = Visit(browser, path)
    assert visit.page.title().startswith("<script>")
    assert visit.page.locator("script").count() == 2  # the map's data and its script
    assert visit.page.locator("img[src*=example]").count() == 0
    visit.page.locator("#map canvas").first.focus()
    visit.page.keyboard.press("ArrowRight")  # selects a row: its record is shown
    assert EVIL in visit.page.locator(".map-record").inner_text()
    assert EVIL in visit.page.locator(".map-legend").inner_text()
    assert visit.page.title().startswith("<script>")
    assert [url for url in visit.requests if not url.startswith("data:")] == [path.as_uri()]
    assert visit.complaints == []
    assert "= <script>" in visit.page.locator("#answers .wrong").first.inner_text()
    visit.page.close()


def test_manifold_methods_and_labels_alone_have_a_page(browser, wines, tmp_path):
    X, y, _ = wines
    X = X.to_numpy()
    model = make_pipeline(StandardScaler(), SLE(n_neighbors=5)).fit(X, y)
    write_report(tmp_path / "r.html", model, X, labels=y)
    visit = Visit(browser, tmp_path / "r.html")
    assert "not linear" in visit.page.locator("#features").inner_text()
    assert "500 pairs drawn from the labels" in visit.page.locator("#violations").inner_text()
    assert visit.page.locator("#answers").count() == 0
    visit.page.close()


def test_with_nothing_known_the_page_says_less(wines, tmp_path):
    X, _, _ = wines
    write_report(tmp_path / "r.html", PCA(1).fit(X), X)
    page = (tmp_path / "r.html").read_text()
    assert 'id="features"' in page
    assert 'id="violations"' not in page


def test_weights_are_those_of_the_whole_pipeline(wines):
    X, _, pairs = wines
    scaler = StandardScaler().fit(X)
    reducer = PairSpace(3, random_state=0).fit(scaler.transform(X), pairs)
    model = make_pipeline(scaler, reducer)
    weights = feature_weights(
        make_pipeline(StandardScaler(), PairSpace(3, random_state=0)).fit(X, pairs), X
    )
    assert weights.names == X.columns.tolist()
    # One standard deviation is one unit after the scaler.
    np.testing.assert_allclose(weights.values, reducer.components_, atol=1e-8)
    (name, value), *_ = weights.heaviest(0, 1)
    assert abs(value) == pytest.approx(np.abs(reducer.components_[0]).max())
    assert name == X.columns[np.abs(reducer.components_[0]).argmax()]
    with pytest.warns(UserWarning, match="feature names"):
        unnamed = feature_weights(model, X.to_numpy())
    assert unnamed.names[:2] == ["x0", "x1"]


def test_holes_in_the_data_do_not_hide_the_weights(wines):
    from sklearn.impute import SimpleImputer

    X, _, pairs = wines
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.05)
    model = make_pipeline(SimpleImputer(), StandardScaler(), PairSpace(random_state=0))
    weights = feature_weights(model.fit(holes, pairs), holes)
    assert np.isfinite(weights.values).all()


def test_frames_with_one_column_have_weights():
    X = pd.DataFrame({"only": [1.0, 2.0, 4.0]})
    assert feature_weights(PCA(1).fit(X), X).heaviest(0)[0][0] == "only"


def texts_and_numbers():
    random = np.random.default_rng(0)
    topics = {"ships": ["harbour", "sail", "mast"], "bread": ["flour", "oven", "yeast"]}
    return pd.DataFrame(
        [
            {"title": " ".join(random.choice(topics[topic], 8)), "length": random.normal()}
            for topic in ("ships", "bread") * 20
        ]
    )


def test_words_have_weights_whatever_the_steps_are_called():
    X = texts_and_numbers()
    titles = Pipeline([("counts", CountVectorizer()), ("lsa", TruncatedSVD(3, random_state=0))])
    parts = [("sizes", StandardScaler(), ["length"]), ("titles", titles, "title")]
    model = Pipeline([("prepare", ColumnTransformer(parts)), ("reduce", PCA(2, random_state=0))])
    weights = feature_weights(model.fit(X), X)
    assert weights.names == ["length", "flour", "harbour", "mast", "oven", "sail", "yeast"]
    # A word's weight is what one more of it changes, times the deviation of its count.
    more = X.assign(title=X["title"] + " flour")
    moved = (model.transform(more) - model.transform(X)).mean(axis=0)
    deviation = X["title"].str.count("flour").std(ddof=0)
    np.testing.assert_allclose(weights.values[:, 1], moved * deviation, atol=1e-8)
    # ... and that of a number is what one deviation of it changes.
    more = X.assign(length=X["length"] + X["length"].std(ddof=0))
    moved = (model.transform(more) - model.transform(X)).mean(axis=0)
    np.testing.assert_allclose(weights.values[:, 0], moved, atol=1e-8)


def test_outputs_have_weights_where_no_step_reduces_linearly():
    X = texts_and_numbers()
    parts = [("a", CountVectorizer(), "title"), ("b", "passthrough", ["length"])]
    plain = feature_weights(make_pipeline(ColumnTransformer(parts), PCA(1)).fit(X), X)
    assert set(plain.names[:-1]) == {"flour", "harbour", "mast", "oven", "sail", "yeast"}
    assert plain.names[-1] == "length"
    topics = make_pipeline(CountVectorizer(), NMF(2, random_state=0))  # not linear
    front = ColumnTransformer([("a", topics, "title"), ("b", "passthrough", ["length"])])
    weights = feature_weights(make_pipeline(front, PCA(1)).fit(X), X)
    assert weights.names == ["nmf0", "nmf1", "length"]
    assert feature_weights(make_pipeline(front, SLE(n_neighbors=5)).fit(X, [0, 1] * 20), X) is None
