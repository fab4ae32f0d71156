"""One page about a space: the data, the answers, the candidates, what weighs, what is broken."""

from pairspace.tool.report._page import write_report
from pairspace.tool.report._weights import feature_weights

__all__ = ["feature_weights", "write_report"]
