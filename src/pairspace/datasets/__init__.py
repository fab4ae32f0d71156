"""Datasets by name: what scikit-learn ships, a folder of yours, OpenML, and a few made here."""

from pairspace.datasets._catalogue import Entry, catalogue
from pairspace.datasets._load import available, load
from pairspace.datasets._synthetic import make_noisy_blobs, make_noisy_rings

__all__ = ["Entry", "available", "catalogue", "load", "make_noisy_blobs", "make_noisy_rings"]
