"""What a person runs: the command, its files, its report, and the labelling page."""
