"""Linear methods, one paper's method a file."""

from pairspace.linear._base import LinearReducer
from pairspace.linear.bwdr import BWDR
from pairspace.linear.cfld import CFLD
from pairspace.linear.dca import DCA
from pairspace.linear.dsp import DSP
from pairspace.linear.lfda import LFDA
from pairspace.linear.lpp import LPP, LPPSI, SLPP
from pairspace.linear.mfa import MFA
from pairspace.linear.mmc import MMC, WMMC
from pairspace.linear.npe import NPE
from pairspace.linear.pair_space import PairSpace
from pairspace.linear.rca import RCA
from pairspace.linear.s2ppca import S2PPCA
from pairspace.linear.sda import SDA
from pairspace.linear.selfda import SELFDA
from pairspace.linear.ssdr import SSDR
from pairspace.linear.sswmv import SSWMV
from pairspace.linear.wbdr import WBDR
from pairspace.linear.wmv import WMV
from pairspace.linear.wmv_search import WMVSearchCV

SELF = SELFDA  # the name in its paper

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
    SDA,
    SELFDA,
    LFDA,
    MFA,
    NPE,
    S2PPCA,
)

__all__ = [
    "BWDR",
    "CFLD",
    "DCA",
    "DSP",
    "LFDA",
    "LPP",
    "LPPSI",
    "METHODS",
    "MFA",
    "MMC",
    "NPE",
    "RCA",
    "S2PPCA",
    "SDA",
    "SELF",
    "SELFDA",
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
