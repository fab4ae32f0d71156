"""
Many more columns than rows
===========================

Gene expression, made up: 120 patients and 3,000 genes, of which 100 differ between three subtypes
of a disease. A thousand others follow how long a sample was stored and the cell cycle, and k-means
groups by these. The subtypes of ten patients each are known.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score

from pairspace import PairClusters, PairSpace
from pairspace.plot import compare

random = np.random.default_rng(0)
subtype, stored, cycle = random.integers(3, size=120), *random.normal(size=(2, 120))
X = random.normal(size=(120, 3000))
X[:, :100] += random.normal(size=(3, 100))[subtype]
X[:, 100:700] += np.outer(stored, random.normal(size=600))
X[:, 700:1100] += np.outer(cycle, random.normal(size=400))
known = np.full(120, -1)
for k in range(3):
    known[np.flatnonzero(subtype == k)[:10]] = k

# %%
# The groups of the other patients. Rows without a label help ``PairClusters``; logistic regression
# does not use them.
others = known < 0
classifier = LogisticRegression(max_iter=1000).fit(X[~others], known[~others])
clusters = PairClusters(random_state=0).fit(X, known)
kmeans = KMeans(3, n_init=10, random_state=0).fit(X)
print(f"Subtypes of the other {others.sum()} patients, adjusted Rand index:")
for name, found in {
    "k-means": kmeans.labels_,
    "LogisticRegression": classifier.predict(X),
    "PairClusters": clusters.labels_,
}.items():
    print(f"{name:>18}: {adjusted_rand_score(subtype[others], found[others]):.2f}")

# %%
# A map of the patients, and which genes it is made of. Random pairs would say too little about so
# many columns, and with three quarters of the difference between the subtypes the map shows little.
space = PairSpace(2, random_state=0).fit(X, known)
axes = compare({"PCA": PCA(2).fit_transform(X), "PairSpace": space.transform(X)}, labels=subtype)

# %%
# The 100 genes come first; the lines mark the groups of genes.
weight = np.abs(space.components_).max(axis=0)
ax = plt.subplots(figsize=(8, 2.6), layout="constrained")[1]
ax.plot(weight, ".", markersize=3, color="#0072b2")
ax.vlines([100, 700, 1100], 0, weight.max(), color="#888888", linestyle=":")
ax.set(xlabel="gene", ylabel="weight in the space")
print("of the 100 genes with the largest weights, right:", (np.argsort(-weight)[:100] < 100).sum())
