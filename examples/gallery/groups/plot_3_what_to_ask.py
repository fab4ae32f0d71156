"""
Which question to ask next
==========================

The same number of answers helps little or much, depending on what is asked. A simulated person
compares pairs of digits, chosen in three ways, or says which of the groups so far a digit is in.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from pairspace.active import PairQuestions, SimulatedPerson

X, y = (table[:400] for table in load_digits(n_class=6, return_X_y=True))
NUMBERS = (20, 40, 60)


def scores(strategy, kind, seed):
    """The ARI of the groups after so many answers."""
    questions = PairQuestions(X, kind=kind, strategy=strategy, random_state=seed)
    person, found = SimulatedPerson(y), []
    for number in range(1, max(NUMBERS) + 1):
        question = questions.next()
        questions.answer(question, person(question, questions.groups))
        if number in NUMBERS:
            questions.adopt(questions.plan().fit())
            found.append(adjusted_rand_score(y, questions.space.clusters))
    return found


# %%
# Random pairs, as most studies use them; a strategy from the literature; and ours, for pairs
# and for boards ("which of these groups is it in?"), where a click is one answer, too.
strategies = {
    "random pairs": ("random", "pair", "#777777", ":"),
    "Explore–Consolidate (2004)": ("explore-consolidate", "pair", "#0072b2", "--"),
    "medoids, pairs (default)": ("medoids", "pair", "#e69f00", "-"),
    "doubt, boards (default)": ("doubt", "board", "#d55e00", "-"),
}
ax = plt.subplots(figsize=(7, 4), layout="constrained")[1]
for name, (strategy, kind, colour, style) in strategies.items():
    found = scores(strategy, kind, seed=0)
    ax.plot(NUMBERS, found, style, marker="o", color=colour, label=name)
    print(f"{name:>26}: " + ", ".join(f"{score:.2f}" for score in found))
kmeans = adjusted_rand_score(y, KMeans(6, n_init=10, random_state=0).fit_predict(X))
ax.axhline(kmeans, color="black", linewidth=1, label="k-means, no answers")
ax.set(xlabel="answers", ylabel="ARI, all rows", xticks=NUMBERS)
ax.legend(loc="lower right", fontsize="small")
