"""
Which question to ask next
==========================

The same number of answers helps little or much, depending on what is asked. Here a simulated person
compares pairs of wines, chosen in five ways, and groups are predicted after every 15 answers.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import scale

from pairspace.active import PairQuestions, SimulatedPerson

X, cultivar = load_wine(return_X_y=True)
X = scale(X)
NUMBERS = (15, 30, 45, 60)


def scores(strategy, kind, seed):
    """The ARI of the groups after so many answers."""
    questions = PairQuestions(X, kind=kind, strategy=strategy, random_state=seed)
    person, found = SimulatedPerson(cultivar), []
    for number in range(1, max(NUMBERS) + 1):
        question = questions.next()
        questions.answer(question, person(question, questions.groups))
        if number in NUMBERS:
            questions.adopt(questions.plan().fit())
            found.append(adjusted_rand_score(cultivar, questions.space.clusters))
    return found


# %%
# Random pairs, as most studies use them; two strategies from the literature; and ours, for pairs
# and for boards ("which of these groups is it in?"), where a click is one answer, too.
strategies = {
    "random pairs": ("random", "pair", "#777777", ":"),
    "Explore–Consolidate (2004)": ("explore-consolidate", "pair", "#009e73", "--"),
    "Min–Max (2008)": ("min-max", "pair", "#0072b2", "-."),
    "medoids, pairs (default)": ("medoids", "pair", "#e69f00", "-"),
    "doubt, boards (default)": ("doubt", "board", "#d55e00", "-"),
}
ax = plt.subplots(figsize=(7, 4), layout="constrained")[1]
for name, (strategy, kind, colour, style) in strategies.items():
    mean = np.mean([scores(strategy, kind, seed) for seed in range(2)], axis=0)
    ax.plot(NUMBERS, mean, style, marker="o", color=colour, label=name)
    print(f"{name:>26}: " + ", ".join(f"{score:.2f}" for score in mean))
kmeans = adjusted_rand_score(cultivar, KMeans(3, n_init=10, random_state=0).fit_predict(X))
ax.axhline(kmeans, color="black", linewidth=1, label="k-means, no answers")
ax.set(xlabel="answers", ylabel="ARI, all rows (mean of two people)", xticks=NUMBERS)
ax.legend(loc="lower right", fontsize="small")
