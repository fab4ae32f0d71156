"""Plots of embeddings, leaderboards and spectra, on matplotlib axes or as Bokeh figures."""

from pairspace.plot._choice import leaderboard, spectrum
from pairspace.plot._layout import curved_layout
from pairspace.plot._spaces import compare, scatter

__all__ = ["compare", "curved_layout", "leaderboard", "scatter", "spectrum"]
