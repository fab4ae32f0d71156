"""
A map to look around in
=======================

What is special about a customer, a bottle, a patient who lies far from the others? The report that
``pairspace compare`` writes on the command line has a map: point at a row to see its record, zoom,
colour it by any column. It is one file, which loads nothing from the network.
"""

from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import scale

from pairspace import AutoReducer, Constraints
from pairspace.plot import compare
from pairspace.tool.report import write_report

wine = load_wine(as_frame=True)
grape = wine.target.map({0: "Barolo", 1: "Grignolino", 2: "Barbera"})
answers = Constraints.from_labels(wine.target, n_pairs=60, random_state=0)
auto = AutoReducer(candidates=["PairSpace", "PCA", "SSDR"], random_state=0).fit(wine.data, answers)
print(auto.summary_)

# %%
# A picture first. A red line is an answer that the map does not keep: those are worth a look.
maps = {"PCA": PCA(2).fit_transform(scale(wine.data)), auto.best_name_: auto.transform(wine.data)}
axes = compare(maps, answers, labels=grape)


# %%
# The report, in this page. ``write_report("wine.html", ...)`` writes it to a file. In a notebook,
# ``pairspace.plot.scatter(..., interactive=True)`` gives the map alone.
class Page(str):
    def _repr_html_(self):
        return f'<iframe srcdoc="{escape(self)}" width="100%" height="700" title="report"></iframe>'


with TemporaryDirectory() as folder:
    path = Path(folder, "wine.html")
    write_report(path, auto.best_estimator_, wine.data, constraints=answers, search=auto,
                 labels=grape, records=wine.data, title="wine")  # fmt: skip
    report = Page(path.read_text())
print(f"{len(report) / 1000:.0f} kB")
report
