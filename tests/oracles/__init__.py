"""Literal, slow, dense transcriptions of the papers, sharing no code with the package."""
