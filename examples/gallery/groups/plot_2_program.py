"""
A program answers instead of a person
=====================================

949 colours have names that people gave them in a survey of xkcd: "dusty rose", "blue grey",
"puke". Which are reds, greens, blues? A rule knows it for names with such a word in them, and is
not sure about the others. It is asked about 100 colours, which ``pairspace.ask`` chooses.
"""

import re

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import XKCD_COLORS, rgb_to_hsv, to_rgb
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

import pairspace
from pairspace.asking import Reply

names = [name.removeprefix("xkcd:") for name in XKCD_COLORS]
X = np.array([to_rgb(colour) for colour in XKCD_COLORS.values()])
KINDS = re.compile("blue|green|purple|red|pink|yellow|orange|brown|grey")


# %%
# The program gets a colour and the groups found so far. It returns the number of a group, "new" or
# "not sure". A language model could take its place: answers can have a confidence and a cost.
def kind_of(name):
    return (KINDS.findall(name) or [""])[-1]  # "blue grey" is a grey


def rule(query):
    kind = kind_of(query.items[0])
    numbers = {group.name: group.number for group in query.groups}
    return numbers.get(kind, Reply("new", name=kind)) if kind else "not sure"


clusters = pairspace.ask(X, rule, budget=100, items=names, random_state=0)
print((clusters.answers_["answer"] == "not sure").sum(), "of 100 answers: not sure")

# %%
# The groups, each sorted by hue.
ax = plt.subplots(figsize=(9, 4.5), layout="constrained")[1]
for at in range(clusters.n_clusters_):
    members = np.array(sorted(X[clusters.labels_ == at], key=lambda colour: rgb_to_hsv(colour)[0]))
    ax.imshow(members[None], extent=(0, len(members), at - 0.4, at + 0.4), aspect="auto")
titles = [group.title for group in clusters.groups_]
ax.set_yticks(range(len(titles)), titles)
ax.set(xlim=(0, 300), ylim=(-0.5, len(titles) - 0.5), xlabel="number of colours")

# %%
# The rule knows most of the colours that it was not asked about, so the groups can be judged.
truth = np.array([kind_of(name) for name in names])
judged = (truth != "") & ~np.isin(np.arange(len(X)), clusters.placed_rows_)
kmeans = KMeans(len(titles), n_init=10, random_state=0).fit_predict(X)
for name, groups in {"pairspace": clusters.labels_, "k-means": kmeans}.items():
    ari = adjusted_rand_score(truth[judged], groups[judged])
    print(f"{name:>9}: ARI of {judged.sum()} colours not asked about {ari:.2f}")
