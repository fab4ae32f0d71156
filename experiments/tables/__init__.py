"""One file a table or figure, each with a ``TABLE``."""
