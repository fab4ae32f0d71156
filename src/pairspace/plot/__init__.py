"""Plots of embeddings, leaderboards and spectra, on matplotlib axes or as Bokeh figures."""

from pairspace.plot._choice import leaderboard, spectrum
from pairspace.plot._spaces import compare, scatter

__all__ = ["compare", "leaderboard", "scatter", "spectrum"]
