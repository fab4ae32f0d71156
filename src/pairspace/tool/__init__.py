"""The command, its data files, its report, and the labelling page."""
