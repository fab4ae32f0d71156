"""All estimators, for the suites that hold for every one of them."""

from pairspace import (
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
)

LEARN_WITHOUT_SUPERVISION = [
    LPP(),
    LPPSI(),
    DSP(),
    WMV(),
    SSWMV(alpha=0.01),
    PairSpace(ridge=0.4, shrinkage=0.3),
]
NEED_SUPERVISION = [
    BWDR(),
    WBDR(),
    SSDR(),
    CFLD(),
    CFLD(shrinkage="auto"),
    RCA(),
    DCA(n_components=1),  # at most one less than the classes, of which some suites have two
    MMC(),
    WMMC(weight=2.0),
    SLPP(),
]
LINEAR = NEED_SUPERVISION + LEARN_WITHOUT_SUPERVISION
