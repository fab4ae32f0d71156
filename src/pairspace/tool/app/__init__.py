"""The labelling page: it asks a person which rows are the same."""
