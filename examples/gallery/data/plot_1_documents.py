"""
Documents
=========

700 functions of SciPy, by their documentation. Which ones belong together? Someone who reads 50
of them, and puts each beside others of its kind, gets the subpackages. TF-IDF stays sparse.
"""

import inspect
from importlib import import_module

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score

from pairspace.active import PairQuestions, SimulatedPerson
from pairspace.plot import compare

names = ("signal", "ndimage", "optimize", "stats", "linalg", "fft")
texts, home = [], []
for name in names:
    module = import_module(f"scipy.{name}")
    documented = [inspect.getdoc(getattr(module, each)) or "" for each in module.__all__]
    texts += [text.split("References\n---")[0] for text in documented if len(text) > 300]
    home += [name] * (len(texts) - len(home))
home = np.array(home)
vectors = TfidfVectorizer(stop_words="english", min_df=3, max_df=0.5, sublinear_tf=True)
X = vectors.fit_transform(texts)

# %%
questions = PairQuestions(X, kind="board", test_every=None, random_state=0)
reader = SimulatedPerson(home)
read = []
for number in range(1, 51):
    question = questions.next()
    read.extend(question.rows)
    questions.answer(question, reader(question, questions.groups))
    if number in (20, 35, 50):
        questions.adopt(questions.plan().fit())
groups = questions.space.clusters

# %%
# What else could be done: k-means without reading, or a classifier for 50 texts drawn at random.
drawn = np.random.default_rng(0).permutation(len(texts))[:50]
classifier = LogisticRegression(C=10).fit(X[drawn], home[drawn])
for name, found in {
    "k-means": KMeans(6, n_init=5, random_state=0).fit_predict(X),
    "50 random texts, classifier": classifier.predict(X),
    "50 chosen texts, pairspace": groups,
}.items():
    print(f"{name:>27}: ARI {adjusted_rand_score(home, found):.2f}")

# %%
# A map without answers, and the one that the answers give. Colours: the subpackages.
without = TruncatedSVD(2, random_state=0).fit_transform(X)
axes = compare({"TruncatedSVD": without, "PairSpace": questions.space.embedding}, labels=home)
