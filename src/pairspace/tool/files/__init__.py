"""Data files (csv, tsv, parquet, feather, npy, npz): reading of features, ids and labels."""

from pairspace.tool.files._cells import Convention, date_order, to_dates, to_numbers
from pairspace.tool.files._columns import CATEGORY, DATE, NUMBER, TEXT, NoFeaturesError
from pairspace.tool.files._dialect import AS_SEEN, TextFormat
from pairspace.tool.files._messages import counted, named
from pairspace.tool.files._pairs import pair_table, read_pairs, refuse_names
from pairspace.tool.files._select import Data, Selection, features_of, read_data
from pairspace.tool.files._sources import SUFFIXES, Source, open_source, read_as_written
from pairspace.tool.files._write import OUTPUTS, check_output_format, write_blocks

__all__ = [
    "AS_SEEN",
    "CATEGORY",
    "DATE",
    "NUMBER",
    "OUTPUTS",
    "SUFFIXES",
    "TEXT",
    "Convention",
    "Data",
    "NoFeaturesError",
    "Selection",
    "Source",
    "TextFormat",
    "check_output_format",
    "counted",
    "date_order",
    "features_of",
    "named",
    "open_source",
    "pair_table",
    "read_as_written",
    "read_data",
    "read_pairs",
    "refuse_names",
    "to_dates",
    "to_numbers",
    "write_blocks",
]
