"""
Wrong answers, and what they cost
=================================

People err. 200 of 1,797 digits get labels, of which one in five is wrong. The panel of learners in
``PairClusters`` judges each label by a prediction that has not seen it, and lists the labels in the
order of doubt: these need a second look.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.metrics import adjusted_rand_score

from pairspace import PairClusters

X, y = load_digits(return_X_y=True)
random = np.random.default_rng(0)
rows = random.permutation(len(X))[:200]
right, wrong = np.full((2, len(X)), -1)
right[rows] = wrong[rows] = y[rows]
wrong[rows[:40]] = (y[rows[:40]] + random.integers(1, 10, size=40)) % 10

# %%
# The 48 labels in most doubt, as they were given; wrong ones are framed.
clusters = PairClusters(random_state=0).fit(X, wrong)
doubtful = clusters.doubtful_answers_["i"][:48].to_numpy()
print(f"{(wrong[doubtful] != y[doubtful]).sum()} of 40 wrong labels are among the 48 in most doubt")
figure, axes = plt.subplots(3, 16, figsize=(10, 3), layout="constrained")
for ax, row in zip(axes.flat, doubtful, strict=True):
    ax.imshow(X[row].reshape(8, 8), cmap="gray_r")
    ax.set(xticks=[], yticks=[], title=f"“{wrong[row]}”")
    ax.spines[:].set(color="#d55e00" if wrong[row] != y[row] else "white", linewidth=3)

# %%
# What wrong labels cost, and what the second look brings back. ``PairClusters`` gives doubtful
# labels less weight. Random labels, as here, are easy to doubt; wrong answers about rows that lie
# between groups cost more, and can't be told from right ones.
repaired = wrong.copy()
repaired[doubtful] = y[doubtful]
trees = ExtraTreesClassifier(200, random_state=0)
print("ARI of the groups of all digits:")
for name, labels in {
    "all right": right,
    "1 in 5 wrong": wrong,
    "looked at again": repaired,
}.items():
    known = labels >= 0
    ours = clusters if labels is wrong else PairClusters(random_state=0).fit(X, labels)
    theirs = trees.fit(X[known], labels[known]).predict(X)
    scores = adjusted_rand_score(y, ours.labels_), adjusted_rand_score(y, theirs)
    print("{:>16}: PairClusters {:.2f}, ExtraTreesClassifier {:.2f}".format(name, *scores))
