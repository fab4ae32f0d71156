"""Export of linear models to ONNX."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairspace._core.files import replacing
from pairspace._version import __version__
from pairspace.linear import LinearReducer
from pairspace.persistence._folding import fold_scaler
from pairspace.persistence._info import ModelInfo

TOLERANCE = 1e-5  # relative to the largest coordinate: single precision has 6e-8 for each operation
N_CHECKED = 1_000
OPSET = 17


def export_onnx(model: Any, path: str | os.PathLike[str], info: ModelInfo | Any) -> float:
    """Export a fitted pipeline of scalers and a linear method as an ONNX file, and check it.

    The ONNX model takes single-precision rows as ``X`` and returns their coordinates. Before the
    file is written, onnxruntime runs it on random rows with the mean and variance of the training
    data, and the result is compared with ``transform``. Needs ``pip install 'pairspace[onnx]'``.

    Parameters
    ----------
    model : estimator
        A fitted estimator, as :func:`load` returns it.
    path : path
        The file, usually with the suffix .onnx.
    info : ModelInfo, or array-like of shape (n_samples, n_features)
        The description of the model, as :func:`read_info` returns it; or its training data.

    Returns
    -------
    float
        The largest difference from ``transform``, relative to the largest coordinate.
    """
    if not isinstance(info, ModelInfo):
        info = ModelInfo.of(model, info if hasattr(info, "shape") else np.asarray(info), {})
    _refuse_what_is_not_linear(model, info)
    with np.errstate(all="ignore"):  # what single precision can't hold is seen in the results
        converted = _convert(fold_scaler(model), info)
        X = _rows_to_check(info)
        expected = np.asarray(model.transform(_named(X.astype(np.float64), info)))
        found = _run(converted, X)
        difference = float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-300))
    if not np.isfinite(difference):
        raise ValueError(
            "single precision, which ONNX models have, can't hold the values of this model: scale "
            "the data first"
        )
    if not difference <= TOLERANCE:
        raise ValueError(
            f"the ONNX model differs from transform by {difference:.1e} of the largest coordinate, "
            f"more than {TOLERANCE:.0e}: scale the data first, single precision is not enough"
        )
    with replacing(path) as temporary:
        temporary.write_bytes(converted)
    return difference


def _refuse_what_is_not_linear(model: Any, info: ModelInfo) -> None:
    steps = [step for _, step in getattr(model, "steps", [("model", model)])]
    if any(hasattr(step, "transformers_") for step in steps):
        raise ValueError(
            "models with a ColumnTransformer, which encodes columns, can't be exported: "
            "only models of numeric columns can"
        )
    if not hasattr(steps[-1], "components_"):
        raise ValueError(
            f"{type(steps[-1]).__name__} is not linear: only methods of pairspace.linear and "
            "others with components_ can be exported"
        )
    if info.training is None or "mean" not in info.training:
        raise ValueError(
            "the model file does not describe its training data, which the check needs: "
            "save the model with pairspace.save(model, path, X)"
        )


def _convert(model: Any, info: ModelInfo) -> bytes:
    try:
        from skl2onnx import convert_sklearn
        from skl2onnx.common.data_types import FloatTensorType
    except ImportError:
        raise ImportError("export needs ONNX: pip install 'pairspace[onnx]'") from None
    ours = {
        type(step)
        for _, step in getattr(model, "steps", [("model", model)])
        if isinstance(step, LinearReducer)
    }
    converted = convert_sklearn(
        model,
        name="pairspace",
        initial_types=[("X", FloatTensorType([None, info.n_features]))],
        target_opset=OPSET,
        custom_shape_calculators=dict.fromkeys(ours, _shape),
        custom_conversion_functions=dict.fromkeys(ours, _as_product),
    )
    for key, value in (
        ("pairspace", __version__),
        ("features", "\n".join(info.features or [])),
    ):
        entry = converted.metadata_props.add()
        entry.key, entry.value = key, value
    return converted.SerializeToString()


def _shape(operator: Any) -> None:
    """How wide the result of a linear reducer is."""
    from skl2onnx.common.data_types import FloatTensorType

    width = len(operator.raw_operator.components_)
    operator.outputs[0].type = FloatTensorType([None, width])


def _as_product(scope: Any, operator: Any, container: Any) -> None:
    """A linear reducer as two operations: less the mean, times the components."""
    from skl2onnx.algebra.onnx_ops import OnnxMatMul, OnnxSub

    reducer = operator.raw_operator
    centred = OnnxSub(
        operator.inputs[0], reducer.mean_.astype(np.float32), op_version=container.target_opset
    )
    OnnxMatMul(
        centred,
        reducer.components_.T.astype(np.float32),
        op_version=container.target_opset,
        output_names=operator.outputs[:1],
    ).add_to(scope, container)


def _rows_to_check(info: ModelInfo) -> NDArray[np.float32]:
    assert info.training is not None
    mean, std = (np.asarray(info.training[key]) for key in ("mean", "std"))
    random = np.random.default_rng(0)
    return (mean + std * random.standard_normal((N_CHECKED, len(mean)))).astype(np.float32)


def _named(X: NDArray[Any], info: ModelInfo) -> Any:
    if info.features is None:
        return X
    import pandas as pd

    return pd.DataFrame(X, columns=info.features)


def _run(converted: bytes, X: NDArray[np.float32]) -> NDArray[Any]:
    import onnxruntime

    session = onnxruntime.InferenceSession(converted, providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"X": X})[0])
