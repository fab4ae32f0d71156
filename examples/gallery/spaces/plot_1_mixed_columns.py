"""
Mixed columns in a pipeline
===========================

Customers with numbers of different units, categories and gaps. A shop owner says of 80 pairs of
customers whether she would treat them alike. The answers go through the pipeline as ``y``.
"""

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from pairspace import Constraints, PairSearchCV, PairSpace
from pairspace.metrics import pair_auc
from pairspace.plot import compare

random = np.random.default_rng(0)
group = random.choice(["student", "family", "retired"], size=400)
typical = {"age": (23, 41, 70), "basket": (15, 90, 35), "visits": (9, 5, 14), "phone": (95, 60, 20)}
of = pd.DataFrame(typical, index=["student", "family", "retired"]).loc[group]
customers = pd.DataFrame(
    {
        "age": random.normal(of["age"], 11).round(),
        "basket": np.exp(random.normal(np.log(of["basket"]), 0.6)).round(2),
        "visits": random.poisson(of["visits"]),
        "device": np.where(100 * random.random(400) < of["phone"], "phone", "computer"),
        "region": random.choice(["north", "south", "east", "west"], size=400),
        **{f"survey_{k}": random.normal(size=400) for k in range(8)},
    }
)
customers = customers.mask(random.random(customers.shape) < 0.08)  # what is missing
print(customers.head(3).iloc[:, :6])

# %%
# Any transformers of scikit-learn come before the space. ``PairSearchCV`` holds out answers, where
# ``GridSearchCV`` would hold out rows, and have few pairs to judge by.
numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
columns = make_column_transformer(
    (OneHotEncoder(handle_unknown="ignore"), ["device", "region"]), remainder=numbers
)
new = np.arange(400) >= 250
answers = Constraints.from_labels(group[~new], n_pairs=80, random_state=0)
imputer = "columntransformer__remainder__simpleimputer__strategy"
grid = {"pairspace__n_components": [2, 4], imputer: ["mean", "median"]}
space = make_pipeline(columns, PairSpace(random_state=0))
search = PairSearchCV(space, grid, random_state=0).fit(customers[~new], answers)
print(search.best_params_, f"held-out pairs: {search.best_score_:.2f}")

# %%
# New customers. Pair AUC: how often two of one group are closer than two of different groups.
pca = make_pipeline(columns, PCA(2)).fit(customers[~new])
maps = {"PCA": pca.transform(customers[new]), "PairSpace": search.transform(customers[new])}
axes = compare(maps, labels=group[new])
print({name: f"pair AUC {pair_auc(Z, group[new]):.2f}" for name, Z in maps.items()})
