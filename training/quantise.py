"""An int8 form of the detector: static quantisation over pictures of the training split."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from datasets.photos import load_photos
from vision.detector import prepare

CALIBRATION_PICTURES = 48
INPUT_PX = 640
QUANTISED = ["Conv", "Sigmoid", "Mul", "Add", "Concat", "MaxPool", "Resize", "Split"]
HEAD = "/model/model.23/"
"""The detection head: its last convolutions give distances and scores, which eight bits blur."""


class _Pictures(CalibrationDataReader):
    """Every so many-th photo of train as the network sees it, all in one form."""

    def __init__(self, count: int) -> None:
        photos = load_photos("train")
        step = max(1, len(photos) // count)
        self._blobs: Iterator[dict[str, Any]] = (
            {"images": _square(prepare(photo.image(), INPUT_PX)[0])}
            for photo in photos[::step][:count]
        )

    def get_next(self) -> dict[str, Any] | None:
        return next(self._blobs, None)


def _square(blob: np.ndarray) -> np.ndarray:
    out = np.full((1, 3, INPUT_PX, INPUT_PX), 114 / 255, np.float32)
    out[:, :, : blob.shape[2], : blob.shape[3]] = blob
    return out


def quantise(source: Path, out: Path, pictures: int = CALIBRATION_PICTURES) -> None:
    """Write ``source`` (a float detector) as int8: weights by channel, activations by tensor, the
    head's last convolutions left in float. Metadata is kept."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        quant_pre_process(str(source), str(plain), skip_symbolic_shape=True)
        model = onnx.load(str(plain))
        last = [node.name for node in model.graph.node if _in_float(node.name)]
        quantize_static(
            str(plain),
            str(out),
            _Pictures(pictures),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=QUANTISED,
            nodes_to_exclude=last,
        )
    small = onnx.load(str(out))
    said = {p.key: p.value for p in onnx.load(str(source)).metadata_props}
    onnx.helper.set_model_props(small, said)
    onnx.save(small, str(out))


def _in_float(name: str) -> bool:
    """Whether a node is a last convolution of the head or what decodes its output."""
    in_branch = any(f"{HEAD}{branch}" in name for branch in ("cv2", "cv3", "cv4"))
    return name.startswith(HEAD) and (not in_branch or ".2/Conv" in name)


def main(arguments: list[str] | None = None) -> None:
    """The command line: float detector in, int8 detector out."""
    parser = argparse.ArgumentParser(prog="python -m training.quantise", description=main.__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pictures", type=int, default=CALIBRATION_PICTURES)
    given = parser.parse_args(arguments)
    quantise(given.source, given.out, given.pictures)
    print(f"{given.out} {given.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
