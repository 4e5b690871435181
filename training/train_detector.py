"""Train the detector: YOLO11-pose with the classes tile and back and four corners.

Model, assignment and loss are ultralytics'; the loop is ours, because every picture is cut afresh,
the schedule runs
by the clock, and where a photo's labels are silent the loss must be silent too.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

os.environ.setdefault("YOLO_OFFLINE", "1")
os.environ.setdefault("YOLO_AUTOINSTALL", "0")

import torch
from torch import Tensor
from ultralytics.nn.tasks import PoseModel
from ultralytics.utils import DEFAULT_CFG
from ultralytics.utils.loss import v8PoseLoss

from training.sources import detector_sources
from training.train_progress import Progress, Schedule, command_line, short_numbers
from training.views import KNOWN_STRIDE, Labelled, View, cut_view

CLASSES = ("tile", "back")
CORNER_SIGMA = 0.05
"""How far a corner may be off, in roots of the tile's area, before its loss levels out: crops cut
by corners read better than crops by box only where the corners are this good."""


class KnownLoss(v8PoseLoss):
    """The pose loss, in which an anchor on ground where a class was not labelled teaches nothing
    of that class."""

    def __init__(self, model: PoseModel) -> None:
        super().__init__(model)
        self.known: Tensor | None = None
        plain: Callable[[Tensor, Tensor], Tensor] = torch.nn.BCEWithLogitsLoss(reduction="none")

        def masked(scores: Tensor, targets: Tensor) -> Tensor:
            cells = plain(scores, targets)
            return (
                cells
                if self.known is None
                else cells * torch.maximum(self.known, (targets > 0).to(cells.dtype))
            )

        self.bce = masked

    def __call__(self, preds: Any, batch: dict[str, Tensor]) -> Any:
        self.known = _by_anchor(batch["known"], [int(s) for s in self.stride])
        return super().__call__(preds, batch)


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is trained, for how long and from where."""

    scale: str = "n"
    minutes: float = 30.0
    size: int = 320
    batch: int = 16
    rate: float = 0.002
    hold: float = 0.3
    tile_px: tuple[float, float] = (15.0, 130.0)
    weight_decay: float = 5e-4
    average: float = 0.999
    seed: int = 0
    threads: int = 2


def new_model(scale: str) -> PoseModel:
    """A detector with fresh weights. ``scale``: n or s."""
    model = PoseModel(
        f"yolo11{scale}-pose.yaml", nc=len(CLASSES), data_kpt_shape=(4, 3), verbose=False
    )
    model.args = DEFAULT_CFG
    model.kpt_oks_sigmas = [CORNER_SIGMA] * 4
    model.names = dict(enumerate(CLASSES))
    return model


def batch_of(views: list[View]) -> dict[str, Tensor]:
    """Views as the loss takes them: boxes and corners normalised, pictures RGB in 0..1."""
    size = views[0].image.shape[0]
    pictures = np.stack([v.image[..., ::-1].transpose(2, 0, 1) for v in views])
    boxes = np.concatenate([v.boxes for v in views])
    centre, side = (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]
    corners = np.concatenate([v.corners for v in views]).copy()
    corners[..., :2] /= size
    owner = np.repeat(np.arange(len(views)), [len(v.boxes) for v in views])
    return {
        "img": torch.from_numpy(np.ascontiguousarray(pictures)).float() / 255.0,
        "batch_idx": torch.from_numpy(owner).float(),
        "cls": torch.from_numpy(np.concatenate([v.classes for v in views])).float()[:, None],
        "bboxes": torch.from_numpy(np.concatenate([centre, side], axis=1) / size).float(),
        "keypoints": torch.from_numpy(corners).float(),
        "known": torch.from_numpy(np.stack([v.known for v in views])).float(),
    }


def train(
    draw: Callable[[np.random.Generator], Labelled],
    recipe: Recipe,
    out: Path,
    start: Path | None = None,
) -> Path:
    """Train for ``recipe.minutes`` and write ``out/last.pt`` (weights, averaged weights,
    optimiser) every five minutes.

    ``start``: a checkpoint whose averaged weights to begin from. A run that was stopped goes on
    from ``out/last.pt``.
    """
    torch.set_num_threads(recipe.threads)
    model = new_model(recipe.scale).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=recipe.rate, weight_decay=recipe.weight_decay
    )
    progress = Progress(
        out, model, optimiser, Schedule(recipe.rate, recipe.minutes, recipe.hold), recipe.average
    )
    progress.begin(start)
    loss_of = KnownLoss(model)
    rng = np.random.default_rng([recipe.seed, progress.step])
    model.train()
    while not progress.finished:
        views: list[View] = []
        while len(views) < recipe.batch:
            source = draw(rng)
            views += [cut_view(source, rng, recipe.size, recipe.tile_px) for _ in range(2)]
        batch = batch_of(views)
        progress.set_rate()
        with short_numbers():
            seen = model(batch["img"].contiguous(memory_format=torch.channels_last))
        loss, parts = loss_of(_floats(seen), batch)
        optimiser.zero_grad(set_to_none=True)
        loss.sum().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimiser.step()
        progress.record({name: float(value) for name, value in parts.items()})
    progress.save()
    return progress.checkpoint


def _floats(outputs: Any) -> Any:
    """The same nest of outputs with every tensor in float32, for the loss."""
    if isinstance(outputs, dict):
        return {key: _floats(value) for key, value in outputs.items()}
    if isinstance(outputs, list | tuple):
        return type(outputs)(_floats(value) for value in outputs)
    return outputs.float()


def _by_anchor(known: Tensor, strides: list[int]) -> Tensor:
    """(B, 2, S/8, S/8) to (B, anchors, 2) in the head's order; a coarse anchor knows only what all
    its cells know."""
    rows = []
    for stride in strides:
        step = stride // KNOWN_STRIDE
        level = known if step == 1 else -torch.nn.functional.max_pool2d(-known, step)
        rows.append(level.flatten(2))
    return torch.cat(rows, 2).transpose(1, 2)


def main(arguments: list[str] | None = None) -> None:
    """The command line of `hupai train detector`."""
    parser = command_line(
        "detector", "photos and scenes", minutes=60.0, hold=0.3, photos=0.6, threads=2
    )
    parser.add_argument("--scale", choices=("n", "s"), default="n")
    parser.add_argument("--size", type=int, default=320)
    parser.add_argument("--batch", type=int, default=16)
    given = parser.parse_args(arguments)
    recipe = Recipe(
        scale=given.scale,
        minutes=given.minutes,
        size=given.size,
        batch=given.batch,
        rate=given.rate,
        hold=given.hold,
        threads=given.threads,
        seed=given.seed,
    )
    print(train(detector_sources(given.split, given.photos), recipe, given.out, given.start))


if __name__ == "__main__":
    main()
