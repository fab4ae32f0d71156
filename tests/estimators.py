"""All estimators, for the suites that hold for every one of them."""

from pairspace import BWDR, WBDR

LINEAR = [BWDR(), WBDR()]
NEED_SUPERVISION = [BWDR(), WBDR()]
