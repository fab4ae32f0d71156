"""Small files to try the command with: customers of a shop, and answers about pairs of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pairspace._core.files import replacing
from pairspace.constraints import Constraints

N_CUSTOMERS, N_ANSWERS = 200, 64
FIRST = (
    "Ada", "Ben", "Carla", "David", "Emma", "Felix", "Grace", "Hugo", "Iris", "Jonas",
    "Karin", "Leo", "Mara", "Nils", "Olga", "Paul", "Rosa", "Sven", "Tina", "Victor",
)  # fmt: skip
LAST = (
    "Berg", "Costa", "Diaz", "Evans", "Fischer", "Gupta", "Haas", "Ito", "Jensen", "Klein",
    "Lopez", "Meyer",
)  # fmt: skip
REGIONS = ("north", "south", "east", "west")
NAMES = "customers.csv", "answers.csv"


class Group(NamedTuple):
    """The customers of a group: means, and shares of values. The files do not name the groups."""

    age: float
    visits: float  # a month
    basket: float
    returned: float  # share of the orders
    plans: tuple[float, float, float]  # basic, plus, pro
    mobile: float  # share of the customers who order by phone
    years: float  # since they joined


GROUPS = (
    Group(27, 7, 24, 0.22, (0.75, 0.2, 0.05), 0.9, 1.5),  # young, many small orders
    Group(41, 4, 85, 0.08, (0.15, 0.7, 0.15), 0.6, 4),  # families
    Group(48, 9, 210, 0.05, (0.05, 0.15, 0.8), 0.3, 6),  # small firms
    Group(66, 2, 55, 0.03, (0.7, 0.25, 0.05), 0.1, 9),  # older, seldom
)


def write_files(folder: Path) -> tuple[Path, Path]:
    """Write customers.csv and answers.csv.

    Parameters
    ----------
    folder : Path
        Where to write them.

    Returns
    -------
    tuple of Path
        The two files.
    """
    frame, group = customers()
    answers = answers_about(group, N_ANSWERS)
    data, pairs = (folder / name for name in NAMES)
    with replacing(data) as temporary:
        frame.to_csv(temporary, index=False)
    answers.write(pairs, ids=frame["name"].tolist())
    return data, pairs


def answers_about(group: Any, n_answers: int) -> Constraints:
    """Answers of a person who compares customers with one of each known group, until two match.

    Parameters
    ----------
    group : ndarray of int
        The groups that the person has in mind.
    n_answers : int
        The number of answers.

    Returns
    -------
    Constraints
        The answers.
    """
    random = np.random.default_rng(1)
    shown: list[int] = []  # a customer of each known group
    same: list[tuple[int, int]] = []
    different: list[tuple[int, int]] = []
    for row in random.permutation(len(group)).tolist():
        for other in random.permutation(shown).astype(int).tolist():
            if len(same) + len(different) == n_answers:
                return Constraints(len(group), same, different)
            if group[row] == group[other]:
                same.append((other, row))
                break
            different.append((other, row))
        else:
            shown.append(row)
    raise ValueError(f"{len(group)} customers give only {len(same) + len(different)} answers")


def customers() -> tuple[Any, Any]:
    """The customers as a frame, and their groups, which the frame does not have."""
    import pandas as pd

    random = np.random.default_rng(0)
    group = random.integers(len(GROUPS), size=N_CUSTOMERS)
    of = np.array([each[:4] + each[5:] for each in GROUPS])[group].T  # all but the plans
    age, visits, basket, returned, mobile, years = of
    n = N_CUSTOMERS
    names = random.permutation([f"{first} {last}" for first in FIRST for last in LAST])[:n]
    days = (365 * np.clip(random.normal(years, 2.0), 0.1, None)).astype(int)
    plans = [random.choice(["basic", "plus", "pro"], p=GROUPS[each].plans) for each in group]
    calls = random.poisson(random.gamma(1.2, 2, size=n))
    clicks = random.poisson(random.gamma(1.5, 3, size=n))
    frame = pd.DataFrame(
        {
            "name": names,
            "age": np.clip(random.normal(age, 11), 18, 90).round().astype(int),
            "region": random.choice(REGIONS, size=n),
            "plan": plans,
            "device": np.where(random.random(n) < mobile, "phone", "computer"),
            "joined": (pd.Timestamp("2026-01-01") - pd.to_timedelta(days, unit="D")).strftime(
                "%Y-%m-%d"
            ),
            "visits": random.poisson(visits),
            "basket": np.exp(random.normal(np.log(basket), 0.45)).round(2),
            "returned": np.clip(random.normal(returned, 0.05), 0, 1).round(2),
            # What differs most between customers need not be what matters to the person.
            "support_calls": calls,
            "support_minutes": (calls * random.normal(7, 1, size=n)).round(1),
            "complaints": random.binomial(calls, 0.4),
            "newsletter_clicks": clicks,
            "newsletter_visits": random.binomial(clicks, 0.6),
            "rating": np.clip(random.normal(4.2 - 0.25 * calls, 0.6), 1, 5).round().astype(int),
        }
    )
    return frame, group
