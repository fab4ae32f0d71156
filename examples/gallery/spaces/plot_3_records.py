"""
Records of the same person
==========================

Two lists of 500 customers, made up: typing errors, initials instead of first names, people who have
moved. A clerk has matched 100 of them. These must-links say which letters of which column matter:
notes and towns agree by chance. The others are matched by the nearest row of the other list.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.neighbors import NearestNeighbors

from pairspace import CFLD, Constraints

random = np.random.default_rng(0)
parts = ["an", "be", "da", "el", "fi", "go", "ha", "is", "ka", "lu", "ma", "ni", "or", "ru", "vi"]
people = pd.DataFrame()
for column, n, size in ("first", 40, 2), ("last", 300, 3), ("street", 150, 3), ("town", 12, 2):
    names = ["".join(each).title() for each in random.choice(parts, (n, size))]
    people[column] = random.choice(names, 500)
notes = ["prefers e-mail", "invoice by post", "call before delivery", "no newsletter", "paid late"]


def typed_in(people):
    moved, short = random.random((2, len(people), 1)) < 0.3
    others = people[["street", "town"]].sample(frac=1, random_state=random.integers(99))
    table = people.assign(note=random.choice(notes, len(people)))
    table[["street", "town"]] = np.where(moved, others, table[["street", "town"]])
    table["first"] = np.where(short[:, 0], table["first"].str[0] + ".", table["first"])
    return table.map(lambda s: s.replace(random.choice(list(s)), "", random.random() < 0.4))


both = pd.concat([typed_in(people), typed_in(people)], ignore_index=True)
print(both.iloc[[0, 500]].to_string())

# %%
# Two and three letters in a row, of each column.
vectors = [TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3)) for _ in both]
X = make_column_transformer(*zip(vectors, both.columns, strict=True)).fit_transform(both)
reduced = TruncatedSVD(200, random_state=0).fit_transform(X)
matched = Constraints(1000, [(row, row + 500) for row in range(100)])
learned = CFLD(100, shrinkage="auto").fit(reduced, matched).transform(reduced)

# %%
# The nearest matches first: how many are right among those that are accepted?
ax = plt.subplots(figsize=(6, 4), layout="constrained")[1]
for name, Z, colour in ("TF-IDF", X, "#777777"), ("CFLD", learned, "#d55e00"):
    far, match = NearestNeighbors(n_neighbors=1).fit(Z[500:]).kneighbors(Z[100:500])
    right = (match[:, 0] == np.arange(100, 500))[np.argsort(far[:, 0])]
    ax.plot(np.arange(1, 401), right.cumsum() / np.arange(1, 401), color=colour, label=name)
    print(f"{name}: {right.mean():.0%} of 400 right, {right[:100].mean():.0%} of the nearest 100")
ax.set(xlabel="accepted matches, the nearest first", ylabel="share that is right", ylim=(0, 1.02))
ax.legend()
