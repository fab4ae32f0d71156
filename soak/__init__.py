"""Faults while people answer: run it with make soak."""
