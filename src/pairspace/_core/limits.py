"""The range of numbers that methods compute with.

Covariances are squares, and their errors are fourth powers. Between these limits both are floats
with all their digits; values beyond are refused where they are given.
"""

from __future__ import annotations

SMALLEST, LARGEST = 1e-75, 1e75
