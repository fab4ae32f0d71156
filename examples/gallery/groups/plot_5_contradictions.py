"""
Contradictions, found and repaired
==================================

People say of pairs of digits whether they are the same, and one answer is wrong. If a = b and
b = c, but a ≠ c, then these answers can't all be right. ``Constraints`` finds all such chains.
"""

from collections import Counter
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from pairspace import Constraints

X, y = load_digits(return_X_y=True)
X, y = X[np.isin(y, (3, 8))][:60], y[np.isin(y, (3, 8))][:60]
right = Constraints.from_labels(y, n_pairs=150, random_state=0)
mistake = (int(np.flatnonzero(y == 3)[5]), int(np.flatnonzero(y == 8)[5]))
must_link = [*right.must_link, mistake]
answers = Constraints(len(X), must_link, right.cannot_link)

# %%
# Each contradiction is a pair that is said to differ, and the shortest chain of answers by which it
# is the same. Every proof needs the mistake, so it is the answer that is in most chains. Counting
# them is cheaper than to look again at all answers.
found = answers.contradictions()
used = Counter(tuple(sorted(link)) for each in found for link in pairwise(each.chain))
print(f"{answers} has {len(found)} contradictions; the answers in most chains:")
for (a, b), times in used.most_common(3):
    print(f"  {a} = {b} in {times} of them", "(the mistake)" * ((a, b) == tuple(sorted(mistake))))

# %%
# Three chains. The first and the last digit of each are said to be different; where is the wrong
# "same"? Here it is marked; a person sees it at once.
figure, axes = plt.subplots(3, 6, figsize=(9, 4.2), layout="constrained")
longest = sorted((each.chain for each in found if len(each.chain) <= 6), key=len)[-3:]
for line, chain in zip(axes, longest, strict=True):
    for ax in line:
        ax.set_axis_off()
    for ax, row in zip(line, chain, strict=False):
        ax.imshow(X[row].reshape(8, 8), cmap="gray_r")
        ax.set_title(f"row {row}", fontsize=9)
    for ax, (a, b) in zip(line, pairwise(chain), strict=False):
        wrong = y[a] != y[b]
        ax.text(8.6, 3.5, "=", size=20, color="#d55e00" if wrong else "black", va="center")
    line[0].text(-1.5, 3.5, "≠", size=20, va="center", ha="right")

# %%
# Without that answer nothing is contradicted. Methods that are given contradictory answers say so
# with the first chain, as a warning, or as an error if they need classes.
((worst, _),) = used.most_common(1)
repaired = [link for link in must_link if tuple(sorted(link)) != worst]
left = Constraints(len(X), repaired, right.cannot_link).contradictions()
print(f"{len(found)} contradictions before, {len(left)} after one answer was taken back")
