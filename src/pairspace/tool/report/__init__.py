"""A report on a space: data, answers, candidates, feature weights and violated pairs."""

from pairspace.tool.report._baselines import Score, baselines
from pairspace.tool.report._page import write_report
from pairspace.tool.report._weights import feature_weights

__all__ = ["Score", "baselines", "feature_weights", "write_report"]
