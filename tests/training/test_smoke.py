"""The training smoke test (`make test-train`): a few steps, a stop, going on, an ONNX file."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from datasets.bank import FaceBank
from models import open_session
from training.sources import SceneRing, from_scene

if any(importlib.util.find_spec(name) is None for name in ("torch", "ultralytics", "onnx")):
    pytest.skip("torch is not in this environment: make test-train", allow_module_level=True)


@pytest.fixture(scope="module")
def ring() -> SceneRing:
    return SceneRing(FaceBank.own(), size=8, every=1000)


def test_a_detector_learns_stops_goes_on_and_is_exported(ring: SceneRing, tmp_path: Path) -> None:
    import torch

    from training.export import export_detector, save_small
    from training.train_detector import Recipe, train

    def draw(rng: np.random.Generator):  # type: ignore[no-untyped-def]
        return from_scene(ring.draw(rng))

    first = Recipe(minutes=0.02, size=160, batch=4, threads=1)
    checkpoint = train(draw, first, tmp_path / "run")
    steps = torch.load(checkpoint, weights_only=True)["step"]
    train(draw, Recipe(minutes=0.06, size=160, batch=4, threads=1), tmp_path / "run")
    assert torch.load(checkpoint, weights_only=True)["step"] > steps > 0
    export_detector(checkpoint, tmp_path / "d.onnx")
    session = open_session(tmp_path / "d.onnx")
    (out,) = session.run(None, {"images": np.zeros((2, 3, 160, 224), np.float32)})
    assert out.shape == (2, 18, (20 * 28) + (10 * 14) + (5 * 7))
    save_small(checkpoint, tmp_path / "small.pt")
    assert (tmp_path / "small.pt").stat().st_size < 8_000_000


def test_a_reader_learns_and_is_exported(ring: SceneRing, tmp_path: Path) -> None:
    from training.crops import SceneCrops
    from training.export import export_reader
    from training.train_reader import Recipe, train

    crops = SceneCrops(ring)
    checkpoint = train(crops.draw, Recipe(minutes=0.05, batch=16, remembered=200), tmp_path / "run")
    export_reader(checkpoint, tmp_path / "r.onnx")
    session = open_session(tmp_path / "r.onnx")
    outputs = session.run(None, {"crops": np.zeros((5, 3, 64, 64), np.float32)})
    assert [out.shape for out in outputs] == [(5, 44), (5, 4), (5, 128), (5, 8)]
