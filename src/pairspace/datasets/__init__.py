"""Datasets by name: from scikit-learn, a folder, OpenML, or generated."""

from pairspace.datasets._catalogue import Entry, catalogue
from pairspace.datasets._load import available, load
from pairspace.datasets._synthetic import make_noisy_blobs, make_noisy_rings

__all__ = ["Entry", "available", "catalogue", "load", "make_noisy_blobs", "make_noisy_rings"]
