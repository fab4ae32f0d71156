"""Semi-supervised dimensionality reduction: a small space in which what you know holds."""

from pairspace.cluster import KernelKMeans
from pairspace.constraints import Constraints, Contradiction, ContradictionError
from pairspace.linear import (
    BWDR,
    CFLD,
    DCA,
    LPP,
    LPPSI,
    MMC,
    RCA,
    SLPP,
    SSDR,
    SSWMV,
    WBDR,
    WMMC,
    WMV,
    WMVSearchCV,
)

__version__ = "0.1.0"

__all__ = [
    "BWDR",
    "CFLD",
    "DCA",
    "LPP",
    "LPPSI",
    "MMC",
    "RCA",
    "SLPP",
    "SSDR",
    "SSWMV",
    "WBDR",
    "WMMC",
    "WMV",
    "Constraints",
    "Contradiction",
    "ContradictionError",
    "KernelKMeans",
    "WMVSearchCV",
    "__version__",
]
