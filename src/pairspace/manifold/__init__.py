"""Graph methods, one per file."""

from pairspace.manifold.eigenmaps import LaplacianEigenmaps
from pairspace.manifold.ggle import GGLE
from pairspace.manifold.lecas import LECAS
from pairspace.manifold.scple import SCPLE
from pairspace.manifold.sle import SLE

# Methods to choose by name.
METHODS = (LaplacianEigenmaps, LECAS, GGLE, SLE, SCPLE)

__all__ = ["GGLE", "LECAS", "METHODS", "SCPLE", "SLE", "LaplacianEigenmaps"]
