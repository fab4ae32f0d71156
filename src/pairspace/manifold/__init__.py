"""Graph methods, one per file."""

from pairspace.manifold.eigenmaps import LaplacianEigenmaps
from pairspace.manifold.ggle import GGLE
from pairspace.manifold.lecas import LECAS
from pairspace.manifold.scple import SCPLE
from pairspace.manifold.sle import SLE

__all__ = ["GGLE", "LECAS", "SCPLE", "SLE", "LaplacianEigenmaps"]
