"""Model files without pickle, and export to ONNX."""

from pairspace.persistence._file import load, read_info, save
from pairspace.persistence._folding import fold_scaler
from pairspace.persistence._info import ModelInfo, fingerprint
from pairspace.persistence._onnx import export_onnx

__all__ = ["ModelInfo", "export_onnx", "fingerprint", "fold_scaler", "load", "read_info", "save"]
