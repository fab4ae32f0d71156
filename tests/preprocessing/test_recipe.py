"""A frame of mixed columns becomes numbers, by a recipe that can be read and saved."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import issparse
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline

import pairspace
from pairspace import Constraints, PairSpace, make_recipe
from pairspace.metrics import pair_auc
from pairspace.preprocessing import DateEncoder, TextEncoder, describe_recipe, is_categorical


@pytest.fixture
def frame():
    random = np.random.default_rng(0)
    n = 60
    made = pd.DataFrame(
        {
            "age": random.integers(20, 80, n),
            "income": random.normal(size=n),
            "plan": pd.Series(random.choice(["basic", "pro"], n)).where(np.arange(n) % 10 != 0),
            "joined": pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 999, n), "D"),
            "note": [f"word{at} and more" for at in range(n)],
            "member": random.random(n) < 0.5,
        }
    )
    made.loc[:20, "income"] = np.nan
    made.loc[3, "joined"] = pd.NaT
    return made


def test_each_kind_of_column_has_its_part(frame):
    recipe = make_recipe(frame)
    assert describe_recipe(recipe) == [
        "numbers: age, member → median, standardised",
        "numbers: income → median, with a column for missing, standardised",
        "dates: joined → days, median, standardised",
        "categories: plan → one-hot",
    ]
    Z = recipe.fit_transform(frame)
    # Two numbers, one with its indicator, a date, and basic, pro and missing.
    assert Z.shape == (60, 2 + 2 + 1 + 3)
    assert np.isfinite(Z).all()
    assert "categories: plan → one-hot, 3 columns" in describe_recipe(recipe)
    indicator = (
        recipe.get_feature_names_out()
        .tolist()
        .index("numbers_often_missing__missingindicator_income")
    )
    assert len(np.unique(Z[:, indicator])) == 2


def test_text_is_sparse_and_may_be_missing(frame):
    frame.loc[[0, 7], "note"] = [None, np.nan]
    recipe = make_recipe(frame, text=["note"], ignore=["joined"], impute=False, scale=False)
    assert describe_recipe(recipe) == [
        "numbers: age, income, member → as they are",
        "categories: plan → one-hot",
        "text: note → TF-IDF",
    ]
    Z = make_recipe(frame, text=["note"], ignore=["income"]).fit_transform(frame)
    assert issparse(Z)
    assert Z.shape[1] == 2 + 1 + 3 + 60


@pytest.mark.parametrize("dtype", ["Float64", "Int64", "boolean", "double[pyarrow]"])
def test_numbers_are_left_as_they_are_in_every_dtype(dtype):
    frame = pd.DataFrame({"a": pd.array([1, None, 0], dtype=dtype), "b": [0.5, 1.5, 2.5]})
    recipe = make_recipe(frame, impute=False, scale=False)
    Z = recipe.fit_transform(frame)
    assert Z.dtype == np.float64
    np.testing.assert_array_equal(Z, [[1, 0.5], [np.nan, 1.5], [0, 2.5]])


def test_new_values_and_other_missing_ones_are_no_error(frame):
    recipe = make_recipe(frame).fit(frame)
    new = frame.copy()
    new.loc[0, "plan"] = "unheard of"
    new.loc[1, "age"] = np.nan
    assert np.isfinite(recipe.transform(new)).all()


def test_numbers_can_be_categories(frame):
    recipe = make_recipe(frame[["age"]].assign(age=lambda f: f["age"] % 3), categories=["age"])
    assert recipe.fit_transform(frame[["age"]].assign(age=lambda f: f["age"] % 3)).shape == (60, 3)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (["a", "b"] * 10, True),
        (["a"] * 20, False),  # says nothing
        ([f"v{at}" for at in range(20)], False),  # a value for each row
        ([f"v{at % 4}" for at in range(20)], True),
        ([f"v{at % 5}" for at in range(20)], False),  # four rows for each
        (["a", "b"] * 4 + [None] * 12, False),  # mostly missing
        ([1.0, 2.0] * 10, False),
        (pd.Categorical([f"v{at % 10}" for at in range(20)]), True),
    ],
)
def test_what_is_a_category(column, expected):
    assert is_categorical(pd.Series(column)) is expected


def test_wrong_names_are_refused(frame):
    with pytest.raises(ValueError, match="text must name columns of the frame; got 'notes'"):
        make_recipe(frame, text=["notes"])
    with pytest.raises(TypeError, match="text must be a list of columns; got 'note'"):
        make_recipe(frame, text="note")
    with pytest.raises(ValueError, match="no columns to learn from"):
        make_recipe(frame[["note"]])


def test_days_are_counted_in_universal_time():
    zoned = pd.to_datetime(pd.Series(["1970-01-02 06:00"])).dt.tz_localize("Etc/GMT-6")
    naive = pd.Series(pd.to_datetime(["1970-01-02 12:00"]))
    days = DateEncoder().fit_transform(pd.DataFrame({"a": zoned, "b": naive}))
    np.testing.assert_allclose(days, [[1.0, 1.5]])


def test_columns_may_be_named_by_numbers():
    frame = pd.DataFrame({0: ["a b", "b c", "c d"], 1: [1.0, 2.0, 4.0]})
    recipe = make_recipe(frame, text=[0], scale=False)
    assert describe_recipe(recipe) == ["numbers: 1 → median", "text: 0 → TF-IDF"]


def test_missing_texts_have_no_words():
    made = TextEncoder().fit_transform(["red apple", None, np.nan, pd.NA, ""])
    assert made.sum(axis=1).ravel().tolist()[0][1:] == [0, 0, 0, 0]


def test_a_model_with_a_recipe_is_saved_and_loaded(frame, tmp_path):
    answers = Constraints(60, must_link=[(0, 1), (4, 9)], cannot_link=[(0, 5), (2, 8)])
    recipe = make_recipe(frame, text=["note"])
    model = make_pipeline(recipe, PairSpace(random_state=0)).fit(frame, answers)
    pairspace.save(model, tmp_path / "model.skops", frame)
    again = pairspace.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(again.transform(frame), model.transform(frame))
    info = pairspace.persistence.read_info(tmp_path / "model.skops")
    assert info.steps[0]["recipe"] == describe_recipe(recipe)
    assert info.training["kinds"] == {"plan": "text", "joined": "date", "note": "text"}


def test_answers_help_on_mixed_columns():
    from pairspace.tool.demo.customers import customers

    frame, group = customers()
    frame = frame.drop(columns="name").assign(joined=lambda f: pd.to_datetime(f["joined"]))
    answers = Constraints.from_labels(group, per_class=8, random_state=0)
    found = {}
    for reducer in (PCA(3, random_state=0), PairSpace(3, random_state=0)):
        Z = make_pipeline(make_recipe(frame), reducer).fit(frame, answers).transform(frame)
        found[type(reducer).__name__] = pair_auc(Z, group)
    assert found["PairSpace"] > found["PCA"] + 0.1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.ones((4, 2)), "must be a pandas DataFrame; got ndarray"),
        (None, "must be a pandas DataFrame; got NoneType"),
        (pl.DataFrame({"a": [1.0]}), r"got DataFrame: pass frame.to_pandas\(\)"),
        (pd.Series([1.0], name="a"), "must be a pandas DataFrame; got Series"),
    ],
)
def test_what_is_no_frame_is_refused(given, message):
    with pytest.raises(TypeError, match=message):
        make_recipe(given)


def test_options_that_are_no_lists_and_names_that_occur_twice_are_refused():
    with pytest.raises(TypeError, match="ignore must be a list of columns; got 3"):
        make_recipe(pd.DataFrame({"a": [1.0]}), ignore=3)
    with pytest.raises(ValueError, match="got 'a' more than once"):
        make_recipe(pd.DataFrame(np.ones((2, 2)), columns=["a", "a"]))


def test_columns_without_any_value_and_columns_of_lists_are_left_out():
    frame = pd.DataFrame(
        {"a": [1.0, 2.0], "b": [np.nan] * 2, "c": [None] * 2, "d": [[1], [2]]}
    ).astype({"b": "Float64"})
    for impute in (True, False):
        recipe = make_recipe(frame, impute=impute)
        assert recipe.fit_transform(frame).tolist() == [[-1.0], [1.0]]
    with pytest.raises(ValueError, match="no columns to learn from"):
        make_recipe(frame[["b", "c"]])
