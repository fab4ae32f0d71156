"""The papers' tables and figures, run again. See docs/develop/experiments.md."""
