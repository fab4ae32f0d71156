"""All estimators, for the suites that hold for every one of them."""

from pairspace import (
    BWDR,
    CFLD,
    DCA,
    DSP,
    GGLE,
    LECAS,
    LFDA,
    LPP,
    LPPSI,
    MFA,
    MMC,
    NPE,
    RCA,
    S2PPCA,
    SCPLE,
    SDA,
    SELFDA,
    SLE,
    SLPP,
    SSDR,
    SSWMV,
    WBDR,
    WMMC,
    WMV,
    LaplacianEigenmaps,
    PairSpace,
)

LEARN_WITHOUT_SUPERVISION = [
    LPP(),
    LPPSI(),
    DSP(),
    WMV(),
    SSWMV(alpha=0.01),
    PairSpace(ridge=0.4, shrinkage=0.3),
    SELFDA(),
    NPE(n_neighbors=2),  # at most the features, of which some suites have few
    S2PPCA(n_components=1),  # less than the features
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
    SDA(n_components=1),
    LFDA(),
    MFA(n_pairs=60),
]
LINEAR = NEED_SUPERVISION + LEARN_WITHOUT_SUPERVISION

# Some suites have ten rows, which are too few for ten neighbours.
MANIFOLD = [
    LaplacianEigenmaps(n_neighbors=5),
    LECAS(n_neighbors=5),
    GGLE(n_neighbors=5),
    GGLE(n_neighbors=5, reach=8),
    SLE(),
    SLE(n_neighbors=5),
    SCPLE(),
]

# Two fits are compared: what is drawn at random (DSP's starts of k-means, say) must be the same.
for estimator in (*LINEAR, *MANIFOLD):
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=0)
