"""What a network costs at least: its multiply-adds, over what this machine multiplies in a second.

    python -m tests.bench.floor

ONNX Runtime tells the shapes of every node that it ran (its profile), with all rewriting switched
off, so that no other library is needed to read the graph. Counted are convolutions and matrix
products; all else of a network is less than a hundredth of them.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models import manifest

SIDE = 2048
ROUNDS = 12


def multiply_adds(name: str, inputs: NDArray[np.float32]) -> int:
    """Multiply-adds of the shipped network `name` for this input."""
    with tempfile.TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.enable_profiling = True
        options.profile_file_prefix = str(Path(folder) / "profile")
        session = onnxruntime.InferenceSession(
            manifest()[name].path, options, providers=["CPUExecutionProvider"]
        )
        session.run(None, {session.get_inputs()[0].name: inputs})
        events = json.loads(Path(session.end_profiling()).read_text("utf-8"))
    return sum(_of_node(event["args"]) for event in events if event.get("cat") == "Node")


def _of_node(args: dict[str, Any]) -> int:
    if args.get("op_name") not in ("Conv", "ConvTranspose", "Gemm", "MatMul"):
        return 0
    (first, second, *_), (out,) = (
        [next(iter(shape.values())) for shape in args[key]]
        for key in ("input_type_shape", "output_type_shape")
    )
    if args["op_name"] == "Conv":  # weights (out, in / groups, height, width)
        return math.prod(out) * math.prod(second[1:])
    if args["op_name"] == "ConvTranspose":  # weights (in, out / groups, height, width)
        return math.prod(first) * math.prod(second[1:])
    return math.prod(out) * first[-1]


def peak_per_second() -> float:
    """Multiply-adds a second of this machine's best float32 matrix product, all cores at work."""
    a = np.random.default_rng(0).random((SIDE, SIDE), np.float32)
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        a @ a
        best = min(best, time.perf_counter() - start)
    return SIDE**3 / best


def main() -> None:
    peak = peak_per_second()
    print(f"{peak / 1e9:.1f} thousand million multiply-adds a second, {os.cpu_count()} cores")
    for name, shape in (("detector", (1, 3, 480, 640)), ("reader", (17, 3, 64, 64))):
        count = multiply_adds(name, np.zeros(shape, np.float32))
        print(f"{name} {shape}: {count / 1e6:.0f} million, at least {1e3 * count / peak:.2f} ms")


if __name__ == "__main__":
    main()
