"""Model files without pickle, and models for other programs."""

from pairspace.models._file import load, read_info, save
from pairspace.models._info import ModelInfo, fingerprint
from pairspace.models._onnx import export_onnx

__all__ = ["ModelInfo", "export_onnx", "fingerprint", "load", "read_info", "save"]
