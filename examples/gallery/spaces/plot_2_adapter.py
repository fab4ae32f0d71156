"""
Your meaning of "similar"
=========================

Embeddings bring a meaning of "similar" along that need not be yours. In the one below, two pictures
are similar if they show the same letter. A designer means the same *typeface*, and has shown 480
pairs that are similar. They teach an adapter: a matrix to multiply the embeddings by.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from pairspace import CFLD, Constraints
from pairspace.persistence import export_onnx

folder = Path(plt.matplotlib.get_data_path(), "fonts", "ttf")  # 16 typefaces come with matplotlib
faces = sorted(folder.glob("DejaVuS*[!y].ttf")) + sorted(folder.glob("STIXG*.ttf"))
letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
letter, face = np.divmod(np.arange(len(letters) * len(faces)), len(faces))
pictures = np.empty((len(face), 24, 24))
for row, picture in enumerate(pictures):
    font, canvas = ImageFont.truetype(faces[face[row]], 20), Image.new("L", picture.shape)
    ImageDraw.Draw(canvas).text((12, 12), letters[letter[row]], 255, font, anchor="mm")
    picture[:] = np.asarray(canvas) / 255
strokes = 0.2 * np.log1p(np.abs(np.fft.rfft2(pictures)))
X = PCA(0.99).fit_transform(np.concatenate([pictures, strokes], axis=2).reshape(len(face), -1))
new = letter % 3 == 0  # every third letter is held out

# %%
# ``CFLD`` needs pairs of one kind only: "these are similar". The adapter is a plain matrix; as ONNX
# it runs in other languages. Distances do not depend on the mean that it subtracts before.
pairs = Constraints.from_labels(face[~new], per_class=30, random_state=0)
adapter = CFLD(10, shrinkage="auto").fit(X[~new], Constraints(len(pairs), pairs.must_link))
spaces = {"embedding": X[new], "with adapter": X[new] @ adapter.components_.T}
with TemporaryDirectory() as folder:
    export_onnx(adapter, Path(folder, "adapter.onnx"), X[~new])

# %%
# ``recall@20``: of the pictures in the same typeface, the share that is among the 20 nearest.
# Below: a new letter, and the ten pictures nearest to it. Frames: the same typeface.
figure, axes = plt.subplots(8, 11, figsize=(9, 6.4), layout="constrained")
for at, (name, Z) in enumerate(spaces.items()):
    nearest = NearestNeighbors(n_neighbors=20).fit(Z).kneighbors(return_distance=False)
    same = face[new][nearest] == face[new][:, None]
    print(f"{name:>12}: recall@20 {same.mean():.2f}")
    for line, row in zip(axes[at::2], (5, 90, 164, 300), strict=True):
        line[0].set_ylabel(name, rotation=0, ha="right", va="center")
        for ax, each, framed in zip(line, [row, *nearest[row]], [False, *same[row]], strict=False):
            ax.imshow(pictures[new][each], cmap="gray_r")
            ax.set(xticks=[], yticks=[])
            ax.spines[:].set(color="#0072b2" if framed else "white", linewidth=3)
