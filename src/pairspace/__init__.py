"""Semi-supervised dimensionality reduction: a small space in which what you know holds."""

from pairspace.cluster import KernelKMeans, SKKMeans
from pairspace.constraints import Constraints, Contradiction, ContradictionError
from pairspace.linear import (
    BWDR,
    CFLD,
    DCA,
    DSP,
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
    PairSpace,
    WMVSearchCV,
)
from pairspace.manifold import GGLE, LECAS, SCPLE, SLE, LaplacianEigenmaps
from pairspace.model_selection import AutoReducer, cross_validate_pairs

__version__ = "0.1.0"

__all__ = [
    "BWDR",
    "CFLD",
    "DCA",
    "DSP",
    "GGLE",
    "LECAS",
    "LPP",
    "LPPSI",
    "MMC",
    "RCA",
    "SCPLE",
    "SLE",
    "SLPP",
    "SSDR",
    "SSWMV",
    "WBDR",
    "WMMC",
    "WMV",
    "AutoReducer",
    "Constraints",
    "Contradiction",
    "ContradictionError",
    "KernelKMeans",
    "LaplacianEigenmaps",
    "PairSpace",
    "SKKMeans",
    "WMVSearchCV",
    "__version__",
    "cross_validate_pairs",
]
