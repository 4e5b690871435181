"""Train the reader: a small network over 64-pixel crops that names the face, the turn and gives an
embedding."""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from datasets.photos import Photo, load_photos
from training.as_detected import Eye
from training.bonus_mixes import BonusMixes
from training.crops import UNKNOWN_TURN, Crop, DrawnCrops, PhotoCrops, SceneCrops, turned
from training.sources import SceneRing, face_bank
from training.train_progress import Progress, Schedule, command_line, short_numbers
from vision.crops import CORNERS
from vision.reader import WHITE

LABELS = 44
EMBEDDING = 128
LOGIT_SCALE = 16.0
LEAST_WEIGHT, MOST_WEIGHT = 0.3, 1.5
"""Bounds of a remembered crop's weight, in nats of its loss."""
HOPELESS = 3.0
MIXED = 0.2
INVERTED = 0.06
"""How often a crop is shown with light and dark exchanged."""
CORNER_SCALE = 10.0
"""Corners are learnt in tenths of a crop's side."""

DrawCrop = Callable[[np.random.Generator], Crop]


class Block(nn.Module):
    """Two 3×3 convolutions; the first halves the picture, the second adds to what it was given."""

    def __init__(self, narrow: int, wide: int) -> None:
        super().__init__()
        self.first = _conv(narrow, wide, 2)
        self.second = _conv(wide, wide, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.first(x)
        return x + self.second(x)


class ReaderNet(nn.Module):
    """(n, 3, 64, 64) RGB in 0..1 to face logits (n, 44), turn logits (n, 4), a unit embedding
    (n, 128) and where the tile's corners lie in the crop (n, 8: x y from the upper left on)."""

    def __init__(self, width: float = 1.0) -> None:
        super().__init__()
        a, b, c, d = (round(w * width / 8) * 8 for w in (24, 48, 96, 160))
        self.body = nn.Sequential(_conv(3, a, 2), Block(a, b), Block(b, c), Block(c, d))
        self.drop = nn.Dropout(0.2)
        self.embed = nn.Linear(d * 16, EMBEDDING)
        self.faces = nn.Parameter(torch.randn(LABELS, EMBEDDING) * 0.1)
        self.turn = nn.Linear(d * 16, 4)
        self.corners = nn.Linear(d * 16, 8)
        nn.init.zeros_(self.corners.weight)
        nn.init.zeros_(self.corners.bias)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        seen = self.drop(self.body((x - 0.5) * 4.0).flatten(1))
        embedding = nn.functional.normalize(self.embed(seen), dim=1)
        prototypes = nn.functional.normalize(self.faces, dim=1)
        corners = torch.from_numpy(CORNERS.reshape(1, 8)) + self.corners(seen) / CORNER_SCALE
        return LOGIT_SCALE * embedding @ prototypes.T, self.turn(seen), embedding, corners


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is trained and for how long by the clock ``now``. ``fresh``: part of a batch that is
    newly cut, the rest is seen again."""

    minutes: float = 22.0
    batch: int = 128
    fresh: float = 0.4
    rate: float = 0.002
    hold: float = 0.2
    weight_decay: float = 0.02
    smoothing: float = 0.05
    average: float = 0.998
    width: float = 1.0
    remembered: int = 40_000
    seed: int = 0
    threads: int = 1
    now: Callable[[], float] = time.monotonic


class Memory:
    """A ring of crops: cutting one takes longer than learning from it, so each is used a few
    times, and those that were read badly more often than those read well."""

    def __init__(self, size: int) -> None:
        self._images = np.empty((size, 3, 64, 64), np.uint8)
        self._labels = np.empty((size, 2), np.int64)
        self._corners = np.empty((size, 8), np.float32)
        self._weight = np.zeros(size)
        self._count = 0

    def add(self, crops: list[Crop]) -> None:
        """Put crops in the place of the oldest."""
        for crop in crops:
            at = self._count % len(self._images)
            self._images[at] = crop.image[..., ::-1].transpose(2, 0, 1)
            self._labels[at] = crop.label, crop.turn
            self._corners[at] = np.nan if crop.corners is None else crop.corners.reshape(8)
            self._weight[at] = MOST_WEIGHT
            self._count += 1

    def batch(self, size: int, newest: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Places (size,) of the ``newest`` crops and of others drawn by weight."""
        full = min(self._count, len(self._images))
        new = (self._count - 1 - np.arange(newest)) % len(self._images)
        steps = np.cumsum(self._weight[:full])
        old = np.searchsorted(steps, rng.random(size - newest) * steps[-1])
        return np.concatenate([new, np.minimum(old, full - 1)])

    def at(
        self, places: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.float32]]:
        """Pictures (n, 3, 64, 64) RGB, labels (n, 2: face, turn) and corners (n, 8), NaN where they
        are not known."""
        return self._images[places], self._labels[places], self._corners[places]

    def heed(self, places: NDArray[np.int64], loss: NDArray[np.float32]) -> None:
        """Weigh crops by how badly they were read; what is read very badly is mostly blurred beyond
        reading or labelled wrong."""
        weight = np.clip(loss, LEAST_WEIGHT, MOST_WEIGHT)
        weight[loss > HOPELESS] = LEAST_WEIGHT
        self._weight[places] = weight


def train(draw: DrawCrop, recipe: Recipe, out: Path, start: Path | None = None) -> Path:
    """Train for ``recipe.minutes``; checkpoints and the curve in ``out`` as for the detector."""
    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    model = ReaderNet(recipe.width).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=recipe.rate, weight_decay=recipe.weight_decay
    )
    schedule = Schedule(recipe.rate, recipe.minutes, recipe.hold)
    progress = Progress(out, model, optimiser, schedule, recipe.average, recipe.now)
    progress.begin(start)
    name_loss = nn.CrossEntropyLoss(label_smoothing=recipe.smoothing, reduction="none")
    turn_loss = nn.CrossEntropyLoss(ignore_index=UNKNOWN_TURN)
    rng = np.random.default_rng([recipe.seed, progress.step])
    memory, newest = Memory(recipe.remembered), round(recipe.batch * recipe.fresh)
    memory.add([draw(rng) for _ in range(recipe.batch * 4)])
    model.train()
    while not progress.finished:
        memory.add([draw(rng) for _ in range(newest)])
        places = memory.batch(recipe.batch, newest, rng)
        images, labels, corners = memory.at(places)
        progress.set_rate()
        target = torch.from_numpy(labels)
        crops = _relit(torch.from_numpy(images), target[:, 0]).contiguous(
            memory_format=torch.channels_last
        )
        with short_numbers():
            faces, turns, _, places_seen = (out.float() for out in model(crops))
        each = name_loss(faces, target[:, 0])
        memory.heed(places, each.detach().numpy())
        naming = each.mean()
        turning = (
            turn_loss(turns, target[:, 1]) if bool((target[:, 1] >= 0).any()) else turns.sum() * 0.0
        )
        optimiser.zero_grad(set_to_none=True)
        off = CORNER_SCALE * (places_seen - torch.from_numpy(corners))
        off = off[~off.isnan()]
        placing = nn.functional.smooth_l1_loss(off, torch.zeros_like(off), reduction="sum")
        placing = placing / max(off.numel(), 1)
        (naming + 0.3 * turning + 0.5 * placing).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        right = (faces.argmax(1) == target[:, 0]).float().mean()
        progress.record(
            {
                "name": naming.item(),
                "turn": turning.item(),
                "corner": placing.item(),
                "right": right.item(),
            }
        )
    progress.save()
    return progress.checkpoint


def crops_of(
    taken: list[Photo],
    photo_share: float,
    detector: Path | None = None,
    without: Container[str] = (),
) -> DrawCrop:
    """Crops of photos (``photo_share``); of the rest two in three of scenes, one drawn.

    ``MIXED`` of the photos' share are bonus tiles put together from two.
    One in seven of photos and scenes is no tile. With a ``detector`` many are cut where it sees
    them. ``without``: drawn designs that are not shown.
    """
    eye = Eye(detector) if detector is not None else None
    photos = PhotoCrops(taken, eye) if taken else None
    bank = face_bank(taken).without(without)
    scenes = SceneCrops(SceneRing(bank, size=96, every=90), eye)
    faces = DrawnCrops(replace(bank, pasted=0.0))
    mixes = BonusMixes(bank.photos)

    def draw(rng: np.random.Generator) -> Crop:
        pictures: PhotoCrops | SceneCrops = scenes
        if photos is not None and rng.random() < photo_share:
            if len(mixes) and rng.random() < MIXED:
                return turned(mixes.draw(rng), rng, 0.6)
            pictures = photos
        elif rng.random() < 1 / 3:
            return turned(faces.draw(rng), rng, 0.6)
        crop = pictures.draw_nothing(rng) if rng.random() < 1 / 7 else pictures.draw(rng)
        return turned(crop, rng, 0.6)

    return draw


def _conv(narrow: int, wide: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(narrow, wide, 3, stride, 1, bias=False),
        nn.BatchNorm2d(wide),
        nn.ReLU(inplace=True),
    )


def _relit(images: Tensor, faces: Tensor) -> Tensor:
    """Crops in 0..1 with a little new light and noise and one patch hidden, so that a crop seen
    again is not the same; some light where they were dark and the other way round."""
    x = images.float() / 255.0
    n = len(x)
    # Dark tiles are few among the photos. Hues stay; a blank white tile would be a back.
    other = (torch.rand(n) < INVERTED) & (faces != WHITE)
    x[other] += 1.0 - x[other].amax(1, keepdim=True) - x[other].amin(1, keepdim=True)
    x = x * (1.0 + 0.15 * torch.randn(n, 1, 1, 1)) + 0.05 * torch.randn(n, 3, 1, 1)
    for i in np.flatnonzero(
        np.random.default_rng(int(torch.randint(2**31, (1,)))).random(n) < 0.25
    ):
        h, w = (int(v) for v in torch.randint(6, 22, (2,)))
        top, left = int(torch.randint(64 - h, (1,))), int(torch.randint(64 - w, (1,)))
        x[i, :, top : top + h, left : left + w] = torch.rand(3, 1, 1)
    return x.clamp(0.0, 1.0)


def main(arguments: list[str] | None = None) -> None:
    """The command line of `hupai train reader`."""
    parser = command_line("reader", "crops of tiles", minutes=40.0, hold=0.2, photos=0.5, threads=1)
    parser.add_argument(
        "--detector", type=Path, help="a detector (ONNX); many crops are cut where it sees tiles"
    )
    parser.add_argument("--width", type=float, default=1.0)
    given = parser.parse_args(arguments)
    recipe = Recipe(
        minutes=given.minutes,
        rate=given.rate,
        hold=given.hold,
        width=given.width,
        threads=given.threads,
        seed=given.seed,
    )
    taken = load_photos(given.split) if given.photos > 0 else []
    draw = crops_of(taken, given.photos, given.detector)
    print(train(draw, recipe, given.out, given.start))


if __name__ == "__main__":
    main()
