"""PairSpace: the estimator, its mixture of scatters, and the weighting by held-out pairs."""

from pairspace.linear.pair_space._estimator import PairSpace

__all__ = ["PairSpace"]
