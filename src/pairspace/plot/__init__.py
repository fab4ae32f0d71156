"""Pictures of spaces and of the choice between them: matplotlib axes in, matplotlib axes out."""

from pairspace.plot._choice import leaderboard, spectrum
from pairspace.plot._spaces import compare, scatter

__all__ = ["compare", "leaderboard", "scatter", "spectrum"]
