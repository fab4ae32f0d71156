"""Data files (csv, tsv, parquet, feather, npy, npz): reading of features, ids and labels."""

from pairspace.tool.files._messages import counted, named
from pairspace.tool.files._pairs import pair_table, read_pairs, refuse_names
from pairspace.tool.files._select import Data, Selection, features_of, read_data
from pairspace.tool.files._sources import SUFFIXES, Source, open_source
from pairspace.tool.files._write import OUTPUTS, check_output_format, write_blocks

__all__ = [
    "OUTPUTS",
    "SUFFIXES",
    "Data",
    "Selection",
    "Source",
    "check_output_format",
    "counted",
    "features_of",
    "named",
    "open_source",
    "pair_table",
    "read_data",
    "read_pairs",
    "refuse_names",
    "write_blocks",
]
