"""Write the files of docs/guide/tool.md, wine.csv and answers.csv, to the current folder.

wine.csv has 178 bottles with a name and 13 measurements; every fifth has the label of its grape.
answers.csv has 40 answers of a simulated annotator: whether two bottles are of the same grape.
"""

from __future__ import annotations

from sklearn.datasets import load_wine

from pairspace import Constraints

bunch = load_wine(as_frame=True)
wine = bunch.data.rename(columns={"od280/od315_of_diluted_wines": "dilution"})
wine.insert(0, "bottle", [f"b{row:03d}" for row in range(len(wine))])
wine["village"] = [f"village {row % 89}" for row in range(len(wine))]
wine["grape"] = [
    f"grape {'ABC'[grape]}" if row % 5 == 0 else "" for row, grape in enumerate(bunch.target)
]
wine.to_csv("wine.csv", index=False)

answers = Constraints.from_labels(bunch.target, n_pairs=40, random_state=0)
answers.write("answers.csv", ids=wine["bottle"].tolist())
print(f"wine.csv: {len(wine)} bottles; answers.csv: {answers.to_frame().shape[0]} answers")
