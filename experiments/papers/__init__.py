"""The protocols of the papers, one file a paper."""
