"""
Your meaning of "similar"
=========================

Embeddings bring a meaning of "similar" along that need not be yours. In the one below, two pictures
are similar if they show the same letter. A designer means the same *typeface*, and has shown 480
pairs that are similar. They teach an adapter: a matrix to multiply the embeddings by.
"""

from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from pairspace import CFLD, Constraints
from pairspace.persistence import export_onnx

fonts = sorted(Path(plt.matplotlib.get_data_path(), "fonts/ttf").glob("[DS]*[!y].ttf"))[:16]
letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
pictures = [Image.new("L", (24, 24)) for _ in letters for _ in fonts]
for at, picture in enumerate(pictures):
    font = ImageFont.truetype(fonts[at % 16], 20)
    ImageDraw.Draw(picture).text((12, 12), letters[at // 16], 255, font, anchor="mm")
pixels = np.array(pictures) / 255
strokes = 0.2 * np.log1p(np.abs(np.fft.rfft2(pixels)))
X = PCA(0.99).fit_transform(np.hstack([pixels.reshape(len(X_), -1) for X_ in (pixels, strokes)]))
