"""Tables laid for one fault each, photographed, and read by the shipped networks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from datasets.face_style import FaceStyle, clean_style
from datasets.hands import CONCEALED
from datasets.samples import tile_set
from datasets.scenes import Scene, photograph
from datasets.tables import Item, RowStyle, Table, put_items, row_length
from scorer import parse_tiles
from training.evaluate import Judged, judge, labels_of
from vision.detections import Detections
from vision.detector import Detector
from vision.pipeline import Eyes, Picture
from vision.reader import Reader
from vision.thresholds import MIN_TILE_P

STRAIGHT = RowStyle(gap=0.0, gap_jitter=0.0, wave=0.01, turn_jitter=0.008)


def row(codes: str, **how: object) -> list[Item]:
    """Items of a hand text, such as `456p`; `how` as for `Item`."""
    return [Item(int(tile), CONCEALED, gap=0.02, **how) for tile in parse_tiles(codes)]  # type: ignore[arg-type]


def laid(
    rows: Sequence[Sequence[Item]],
    *,
    seed: int = 1,
    size: tuple[int, int] = (960, 720),
    style: FaceStyle | None = None,
    elevation_deg: float = 68.0,
    fill: float = 0.9,
    beside: Sequence[tuple[int, list[Item]]] = (),
) -> Scene:
    """Rows of tiles one behind the other, the first one nearest to the camera.

    `beside`: a place in the first row, and what lies behind that tile, as of an added kong.
    """
    rng = np.random.default_rng(seed)
    table = Table(tile_set(rng, style or clean_style()))
    for n, items in enumerate(rows):
        start = (-row_length(list(items), table.ts) / 2, 1.5 * n * table.ts.height)
        put_items(rng, table, list(items), start, 0.0, STRAIGHT)
    for place, items in beside:
        before = row_length(list(rows[0][:place]), table.ts)
        start = (before - row_length(list(rows[0]), table.ts) / 2, 1.02)
        put_items(rng, table, items, start, 0.0, STRAIGHT)
    return photograph(
        rng,
        table,
        elevation=float(np.deg2rad(elevation_deg)),
        size=size,
        preset="kiosk",
        fill=fill,
        photos=False,
    )


@cache
def eyes() -> Eyes:
    return Eyes(Detector(), Reader())


def looked(image: Picture) -> Detections:
    return eyes().look(image)[0]


def read(scene: Scene, image: Picture | None = None) -> Judged:
    """What the networks say of the scene, or of another picture of it."""
    return judge(labels_of(scene, "scene"), looked(scene.image if image is None else image))


def surely_wrong(judged: Judged) -> list[int]:
    """Tiles that are named wrong and not even asked about: the worst fault there is."""
    named = [i for i in judged.wrong if judged.named[i] >= 0]
    return [int(i) for i in named if judged.sure[i] >= MIN_TILE_P]
