"""The papers' tables and figures, run again. See docs/experiments.md."""
