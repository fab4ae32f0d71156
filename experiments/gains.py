"""Difference between a method and PCA on a half of the datasets, and its mean rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata


class Place(NamedTuple):
    """The setting, metric, method and dataset of a number of the study."""

    setting: str
    metric: str
    method: str
    dataset: str


Values = Mapping[Place, float]


class Gain:
    """The difference between a method and PCA on the datasets where both ran."""

    def __init__(
        self, values: Values, setting: str, metric: str, method: str, datasets: Sequence[str]
    ) -> None:
        self.of = {
            dataset: values[Place(setting, metric, method, dataset)]
            - values[Place(setting, metric, "PCA", dataset)]
            for dataset in datasets
            if Place(setting, metric, method, dataset) in values
            and Place(setting, metric, "PCA", dataset) in values
        }

    @property
    def mean(self) -> float:
        """Over the datasets."""
        return float(np.mean(list(self.of.values()))) if self.of else np.nan

    @property
    def median(self) -> float:
        """Over the datasets."""
        return float(np.median(list(self.of.values()))) if self.of else np.nan

    @property
    def worst(self) -> tuple[str, float]:
        """The dataset with the smallest gain, and that gain."""
        return min(self.of.items(), key=lambda item: item[1])

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ({self.worst[1]:+.3f})" if self.of else "–"


def complete(
    values: Values, setting: str, methods: Sequence[str], datasets: Sequence[str]
) -> list[str]:
    """The methods that ran on every dataset."""
    return [
        method
        for method in methods
        if all(Place(setting, "accuracy", method, dataset) in values for dataset in datasets)
    ]


def mean_ranks(
    values: Values, setting: str, methods: Sequence[str], datasets: Sequence[str]
) -> dict[str, float]:
    """Mean ranks by 1-NN of the methods that ran on every dataset; 1 is the best."""
    ran = complete(values, setting, methods, datasets)
    if not ran:
        return {}
    accuracy = np.array(
        [[values[Place(setting, "accuracy", method, d)] for method in ran] for d in datasets]
    )
    return dict(zip(ran, rankdata(-accuracy, axis=1).mean(axis=0).tolist(), strict=True))
