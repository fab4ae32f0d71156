"""
Handwritten digits, grouped with 60 clicks
==========================================

A person places 60 of 1,797 digits beside those that are the same, one a click. Which digit comes
next is chosen by what is still in doubt. Groups of all digits are predicted from these answers.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from pairspace.active import PairQuestions, SimulatedPerson

X, y = load_digits(return_X_y=True)

# %%
# The person is simulated: it knows the digits. With ``pairspace label`` or ``pairspace.label`` the
# same questions are asked on a page in the browser.
questions = PairQuestions(X, kind="board", random_state=0)
person = SimulatedPerson(y)
clicks, scores = [], []
for click in range(1, 61):
    question = questions.next()
    questions.answer(question, person(question, questions.groups))
    if click % 20 == 0:
        questions.adopt(questions.plan().fit())
        clicks.append(click)
        scores.append(adjusted_rand_score(y, questions.space.clusters))
        print(f"{click} clicks: {len(questions.groups)} groups, ARI {scores[-1]:.2f}")

# %%
# Without answers, k-means has nothing but distances to go by, and must be told the number of
# groups. An ARI (adjusted Rand index) of 0 is chance, 1 is perfect.
kmeans = adjusted_rand_score(y, KMeans(10, n_init=10, random_state=0).fit_predict(X))
ax = plt.subplots(figsize=(6, 3.2), layout="constrained")[1]
ax.plot(clicks, scores, "o-", color="#d55e00", label="placed digits")
ax.axhline(kmeans, color="#555555", linestyle="--", label=f"k-means, no answers: {kmeans:.2f}")
ax.set(xlabel="clicks", ylabel="ARI, all digits", xticks=clicks, ylim=(0, 1))
ax.legend(loc="lower right")
# sphinx_gallery_thumbnail_number = 2

# %%
# The groups: on the left digits of which the prediction is sure, on the right those in most doubt.
# To place these would be the next thing to do.
found, sure = questions.space.clusters, questions.space.probabilities.max(axis=1)
figure, axes = plt.subplots(len(questions.groups), 16, figsize=(8, 5.2))
for line, group in zip(axes, range(len(questions.groups)), strict=True):
    rows = np.flatnonzero(found == group)
    rows = rows[np.argsort(-sure[rows], kind="stable")]
    for ax, row in zip(line, [*rows[:: len(rows) // 8][:8], *rows[-8:]], strict=True):
        ax.imshow(X[row].reshape(8, 8), cmap="gray_r")
        ax.set_axis_off()
print(f"{kmeans:.2f} without answers, {scores[-1]:.2f} after 60 clicks")
