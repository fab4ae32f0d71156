"""Data in files: csv, tsv, parquet, feather, npy and npz become features, ids and labels."""

from pairspace.files._pairs import pair_table, read_pairs, refuse_names
from pairspace.files._select import Data, Selection, read_data
from pairspace.files._sources import SUFFIXES, Source, open_source

__all__ = [
    "SUFFIXES",
    "Data",
    "Selection",
    "Source",
    "open_source",
    "pair_table",
    "read_data",
    "read_pairs",
    "refuse_names",
]
