"""One page about a space: the data, the answers, the candidates, what weighs, what is broken."""

from pairspace.report._page import write_report
from pairspace.report._weights import feature_weights

__all__ = ["feature_weights", "write_report"]
