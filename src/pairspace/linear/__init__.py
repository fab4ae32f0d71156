"""Linear methods, one paper's method a file."""

from pairspace.linear.bwdr import BWDR
from pairspace.linear.wbdr import WBDR

__all__ = ["BWDR", "WBDR"]
