"""Linear methods, one paper's method a file."""

from pairspace.linear._base import LinearReducer
from pairspace.linear.bwdr import BWDR
from pairspace.linear.cfld import CFLD
from pairspace.linear.dca import DCA
from pairspace.linear.dsp import DSP
from pairspace.linear.lpp import LPP, LPPSI, SLPP
from pairspace.linear.mmc import MMC, WMMC
from pairspace.linear.pair_space import PairSpace
from pairspace.linear.rca import RCA
from pairspace.linear.ssdr import SSDR
from pairspace.linear.sswmv import SSWMV
from pairspace.linear.wbdr import WBDR
from pairspace.linear.wmv import WMV
from pairspace.linear.wmv_search import WMVSearchCV

# Methods to choose by name, by family.
METHODS = (
    PairSpace,
    BWDR,
    WBDR,
    SSDR,
    CFLD,
    RCA,
    DCA,
    MMC,
    WMMC,
    WMV,
    SSWMV,
    LPP,
    LPPSI,
    DSP,
    SLPP,
)

__all__ = [
    "BWDR",
    "CFLD",
    "DCA",
    "DSP",
    "LPP",
    "LPPSI",
    "METHODS",
    "MMC",
    "RCA",
    "SLPP",
    "SSDR",
    "SSWMV",
    "WBDR",
    "WMMC",
    "WMV",
    "LinearReducer",
    "PairSpace",
    "WMVSearchCV",
]
