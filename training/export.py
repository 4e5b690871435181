"""From a checkpoint to an ONNX file that says of itself what it is, and to small resumable
weights."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training.train_detector import CLASSES, new_model
from training.train_reader import LABELS, ReaderNet

LICENCE = "AGPL-3.0-or-later"
OPSET = 17
FACE_NAMES = tuple(
    [f"{n}{suit}" for suit in "mps" for n in range(1, 10)]
    + ["1z", "2z", "3z", "4z", "7z", "6z", "5z"]
    + [f"{n}f" for n in range(1, 9)]
    + ["0b", "none"]
)


class _Detector(nn.Module):
    """The detector's decoded output alone."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, x: Tensor) -> Tensor:
        out = self.model(x)
        return out[0] if isinstance(out, tuple) else out


def export_detector(checkpoint: Path, out: Path, scale: str = "n", *, half: bool = True) -> str:
    """Write the averaged weights as ONNX (dynamic batch, height and width); the SHA-256 of the
    file."""
    model = new_model(scale)
    _load(model, checkpoint)
    model = model.fuse(verbose=False).eval()
    head = model.model[-1]
    head.export, head.dynamic, head.format = True, True, "onnx"
    axes = {"images": {0: "batch", 2: "height", 3: "width"}, "tiles": {0: "batch", 2: "anchors"}}
    _write(_Detector(model), torch.rand(1, 3, 640, 640), out, ["images"], ["tiles"], axes)
    return _finish(out, "pose", CLASSES, 640, half)


def export_reader(checkpoint: Path, out: Path, width: float = 1.0, *, half: bool = True) -> str:
    """Write the averaged weights as ONNX (dynamic batch); the SHA-256 of the file."""
    model = ReaderNet(width)
    _load(model, checkpoint)
    names = ["faces", "turn", "embedding", "corners"]
    axes = {name: {0: "batch"} for name in ["crops", *names]}
    _write(model.eval(), torch.rand(2, 3, 64, 64), out, ["crops"], names, axes)
    assert len(FACE_NAMES) == LABELS
    return _finish(out, "read", FACE_NAMES, 64, half)


def save_small(checkpoint: Path, out: Path) -> None:
    """The averaged weights alone in float16: enough to go on from."""
    weights = torch.load(checkpoint, map_location="cpu", weights_only=True)["averaged"]
    torch.save(
        {"averaged": {key: v.half() if v.is_floating_point() else v for key, v in weights.items()}},
        out,
    )


def _load(model: nn.Module, checkpoint: Path) -> None:
    weights = torch.load(checkpoint, map_location="cpu", weights_only=True)["averaged"]
    model.load_state_dict(
        {key: v.float() if v.is_floating_point() else v for key, v in weights.items()}
    )


def _write(
    model: nn.Module,
    example: Tensor,
    out: Path,
    ins: list[str],
    outs: list[str],
    axes: dict[str, dict[int, str]],
) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        torch.onnx.export(
            model,
            (example,),
            str(out),
            input_names=ins,
            output_names=outs,
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )


def _finish(out: Path, task: str, classes: tuple[str, ...], input_px: int, half: bool) -> str:
    """Put the metadata in; store large weights as float16, cast back when the file is opened."""
    model = onnx.load(str(out))
    if half:
        _store_half(model.graph)
    said = {
        "task": task,
        "classes": ",".join(classes),
        "input_px": str(input_px),
        "licence": LICENCE,
    }
    onnx.helper.set_model_props(model, said)
    onnx.checker.check_model(model)
    onnx.save(model, str(out))
    return hashlib.sha256(out.read_bytes()).hexdigest()


def _store_half(graph: onnx.GraphProto) -> None:
    casts = []
    for tensor in graph.initializer:
        if tensor.data_type != onnx.TensorProto.FLOAT or np.prod(tensor.dims, dtype=np.int64) < 512:
            continue
        name = tensor.name
        small = numpy_helper.from_array(
            numpy_helper.to_array(tensor).astype(np.float16), f"{name}_half"
        )
        tensor.CopyFrom(small)
        casts.append(
            onnx.helper.make_node("Cast", [f"{name}_half"], [name], to=onnx.TensorProto.FLOAT)
        )
    nodes = list(graph.node)
    del graph.node[:]
    graph.node.extend(casts + nodes)


def main(arguments: list[str] | None = None) -> None:
    """The command line of `hupai export`."""
    parser = argparse.ArgumentParser(prog="hupai export", description="Write a checkpoint as ONNX.")
    parser.add_argument("network", choices=("detector", "reader"))
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="the ONNX file to write")
    parser.add_argument(
        "--small", type=Path, help="also write the weights to go on from, in float16"
    )
    parser.add_argument("--scale", choices=("n", "s"), default="n", help="of the detector")
    parser.add_argument("--width", type=float, default=1.0, help="of the reader")
    given = parser.parse_args(arguments)
    if given.network == "detector":
        digest = export_detector(given.checkpoint, given.out, given.scale)
    else:
        digest = export_reader(given.checkpoint, given.out, given.width)
    if given.small:
        save_small(given.checkpoint, given.small)
    print(f"{given.out} {given.out.stat().st_size / 1e6:.1f} MB sha256 {digest}")


if __name__ == "__main__":
    main()
