"""Semi-supervised dimensionality reduction: a small space in which what you know holds."""

from pairspace.constraints import Constraints, Contradiction, ContradictionError
from pairspace.linear import BWDR, WBDR

__version__ = "0.1.0"

__all__ = ["BWDR", "WBDR", "Constraints", "Contradiction", "ContradictionError", "__version__"]
