"""Semi-supervised dimensionality reduction from must-links, cannot-links and labels."""

from __future__ import annotations

from pairspace._version import __version__

TYPE_CHECKING = False  # that of typing, which takes 15 ms to import
if TYPE_CHECKING:
    from typing import Any

    from pairspace.asking import ask
    from pairspace.cluster import KernelKMeans, PairClusters, SKKMeans
    from pairspace.constraints import (
        Constraints,
        Contradiction,
        ContradictionError,
        ContradictionWarning,
    )
    from pairspace.linear import (
        BWDR,
        CFLD,
        DCA,
        DSP,
        LFDA,
        LPP,
        LPPSI,
        MFA,
        MMC,
        NPE,
        RCA,
        S2PPCA,
        SDA,
        SELF,
        SELFDA,
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
    from pairspace.model_selection import AutoReducer, PairSearchCV, cross_validate_pairs
    from pairspace.persistence import fold_scaler, load, save
    from pairspace.preprocessing import make_recipe
    from pairspace.tool.app.label import label


__all__ = [
    "BWDR",
    "CFLD",
    "DCA",
    "DSP",
    "GGLE",
    "LECAS",
    "LFDA",
    "LPP",
    "LPPSI",
    "MFA",
    "MMC",
    "NPE",
    "RCA",
    "S2PPCA",
    "SCPLE",
    "SDA",
    "SELF",
    "SELFDA",
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
    "ContradictionWarning",
    "KernelKMeans",
    "LaplacianEigenmaps",
    "PairClusters",
    "PairSearchCV",
    "PairSpace",
    "SKKMeans",
    "WMVSearchCV",
    "__version__",
    "ask",
    "cross_validate_pairs",
    "fold_scaler",
    "label",
    "load",
    "make_recipe",
    "save",
]

# Names are imported when they are asked for: scikit-learn takes two seconds, which nobody should
# wait for `pairspace --help`. What is in no other home is a method of linear/.
_HOMES = {
    "asking": ("ask",),
    "tool.app.label": ("label",),
    "cluster": ("KernelKMeans", "PairClusters", "SKKMeans"),
    "constraints": (
        "Constraints",
        "Contradiction",
        "ContradictionError",
        "ContradictionWarning",
    ),
    "manifold": ("GGLE", "LECAS", "SCPLE", "SLE", "LaplacianEigenmaps"),
    "model_selection": ("AutoReducer", "PairSearchCV", "cross_validate_pairs"),
    "persistence": ("fold_scaler", "load", "save"),
    "preprocessing": ("make_recipe",),
}
_MODULES = (
    "active",
    "asking",
    "cluster",
    "constraints",
    "datasets",
    "linear",
    "manifold",
    "metrics",
    "model_selection",
    "persistence",
    "plot",
    "preprocessing",
    "tool",
)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = next((home for home, names in _HOMES.items() if name in names), "linear")
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES})
