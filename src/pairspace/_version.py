"""The version, for all that writes files."""

__version__ = "0.1.0"
