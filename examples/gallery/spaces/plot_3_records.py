"""
Records of the same person
==========================

Two lists of customers, typed in at different times: names with errors, streets abbreviated, people
who have moved. Which rows are the same person? A clerk has matched 80 rows. These must-links say
which letters matter and which do not: towns and notes agree by chance.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from pairspace import CFLD, Constraints,PairSpace,RCA,SSDR,WBDR

random = np.random.default_rng(0)
parts = ("an be da el fi go ha is jo ka lu ma ni or pe ru sa to vi wen").split()
N=500

def words(n, k):
    return ["".join(random.choice(parts, k)).title() for _ in range(n)]


first, last, streets, towns = words(40, 2), words(300, 3), words(150, 3), words(12, 2)
notes = ["prefers e-mail", "invoice by post", "call before delivery", "no newsletter", "paid late"]


def typed(text):
    """Text with an error in three of ten cases."""
    at = random.integers(1, len(text))
    return text[:at - 1] + text[at:] if random.random() < 0.4 else text


people = pd.DataFrame({
    "first": random.choice(first, N), "last": random.choice(last, N),
    "street": random.choice(streets, N), "town": random.choice(towns, N),
})


def list_of(people):
    moved = random.random(len(people)) < 0.3
    table = people.copy()
    table.loc[moved, "street"] = random.choice(streets, moved.sum())
    table.loc[moved, "town"] = random.choice(towns, moved.sum())
    short = random.random(len(people)) < 0.3
    table["first"] = np.where(short, table["first"].str[0] + ".", table["first"])
    table["note"] = random.choice(notes, len(people))
    return table.map(typed)


both = pd.concat([list_of(people), list_of(people)], ignore_index=True)
print(both.iloc[[0, N]])
