"""
One sample, three instruments
=============================

Each instrument has a gain and a drifting baseline of its own. Forty samples of unknown kind were
measured on all three. Must-links between the spectra of one sample tell what the instruments do.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

from pairspace import CFLD, Constraints
from pairspace.plot import compare

random = np.random.default_rng(0)
x = np.linspace(0, 1, 120)
peaks = np.exp(-(((x - random.uniform(0.05, 0.95, (8, 1))) / 0.02) ** 2))
kinds = random.gamma(2, size=(4, 8))  # the heights of the eight peaks, for four kinds of samples
curves = np.stack([np.ones(120), 2 * x - 1, np.sin(3 * x), np.cos(5 * x)])
baselines, gains = random.normal(size=(3, 4)), (1.0, 1.5, 0.7)


def measured(heights, instrument):
    drift = baselines[instrument] + 0.5 * random.normal(size=(len(heights), 4))
    noise = random.normal(scale=0.1, size=(len(heights), 120))
    return gains[instrument] * heights @ peaks + 1.5 * drift @ curves + noise


# %%
references = kinds[random.integers(4, size=40)] * random.lognormal(0, 0.3, size=(40, 8))
X = np.vstack([measured(references, instrument) for instrument in range(3)])
same_sample = [(i, i + 40 * instrument) for i in range(40) for instrument in (1, 2)]
space = CFLD(8, shrinkage="auto").fit(X, Constraints(len(X), same_sample))

# %%
# New samples: spectra of the first instrument have labels, those of the others do not. The second
# derivative is what chemists use against baselines.
instrument, kind = np.repeat([0, 1, 2], 200), random.integers(4, size=600)
heights = kinds[kind] * random.lognormal(0, 0.3, size=(600, 8))
new = np.vstack([measured(heights[instrument == k], k) for k in range(3)])
tables = {"spectra": new, "PCA": PCA(8).fit_transform(new)}
tables |= {"second derivative": np.diff(new, 2, axis=1), "CFLD": space.transform(new)}
here = instrument == 0
print("Spectra of the second and third instrument whose kind is right:")
for name, table in tables.items():
    nearest = KNeighborsClassifier(5).fit(table[here], kind[here])
    print(f"{name:>18}: {nearest.score(table[~here], kind[~here]):.2f}")

# %%
# Four spectra of each instrument, by its colour; then all new spectra, by the kind of the sample.
figure, axes = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
for k, colour in enumerate(("#0072b2", "#d55e00", "#009e73")):
    axes[0].plot(x, new[instrument == k][:4].T, color=colour, alpha=0.7)
axes[0].set(title="three instruments", xlabel="wavelength")
compare({"PCA": tables["PCA"], "CFLD": tables["CFLD"]}, labels=kind, axes=axes[1:])
