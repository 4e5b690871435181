"""A given hand laid on a table and photographed: the sample pictures that ship with the product.

Faces, backgrounds and everything else in view are drawn by code; no photograph is used.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.drawing import DrawnDesign
from datasets.face_style import FaceStyle, clean_style
from datasets.hands import BONUS, CONCEALED, WINNING
from datasets.scenes import Scene, photograph
from datasets.tables import Item, RowStyle, Table, put_items, row_length
from datasets.tileset import Ink, TileSet
from scorer.hand import CONCEALED_KONG, Hand

LAYINGS = ("apart", "turned", "in-row")
"""Where the winning tile lies: apart at the right end, turned there, or among the others."""


def draw_hand_picture(
    hand: Hand,
    *,
    seed: int,
    winning: str = "turned",
    elevation_deg: float = 62.0,
    size: tuple[int, int] = (1280, 960),
    preset: str = "kiosk",
    fill: float = 0.85,
    own_look: bool = True,
) -> Scene:
    """The hand as a careful player lays it down: exposed sets and bonus tiles behind the own row.

    ``winning`` is one of ``LAYINGS``. ``own_look`` takes the product's own tile drawings, else a
    design drawn by lot. ``preset`` and ``fill`` place the camera, see
    `photograph`. The same arguments give the same picture.
    """
    if winning not in LAYINGS:
        raise ValueError(f"{winning!r}: the winning tile lies {', '.join(LAYINGS)}")
    rng = np.random.default_rng(seed)
    table = Table(tile_set(rng, clean_style() if own_look else FaceStyle.random(rng)))
    style = RowStyle(wave=0.015, turn_jitter=0.012)
    own = [Item(int(tile), CONCEALED, gap=float(rng.uniform(0, 0.03))) for tile in hand.concealed]
    if hand.winning is not None and winning == "in-row":
        own.append(Item(int(hand.winning), WINNING))
        own.sort(key=lambda item: item.face)
    length = row_length(own, table.ts)
    put_items(rng, table, own, (-length / 2, 0.0), 0.0, style)
    if hand.winning is not None and winning != "in-row":
        turn = float(rng.uniform(0.45, 0.65)) if winning == "turned" else 0.0
        at = (length / 2 + (0.75 if turn else 0.6), -0.15 if turn else 0.0)
        put_items(rng, table, [Item(int(hand.winning), WINNING)], at, turn, style)
    behind = [Item(int(tile), BONUS, gap=0.02) for tile in hand.bonus]
    for k, meld in enumerate(hand.melds):
        role = f"kong-{k}" if meld.kind == CONCEALED_KONG else f"set-{k}"
        hidden = (0, 3) if meld.kind == CONCEALED_KONG else ()
        items = [
            Item(int(tile), role, back=i in hidden, gap=0.02) for i, tile in enumerate(meld.tiles)
        ]
        behind += [replace(items[0], gap=0.3 if behind else 0.0), *items[1:]]
    if behind:
        put_items(rng, table, behind, (-length / 2, table.ts.height * 1.25), 0.0, style)
    elevation = float(np.deg2rad(elevation_deg))
    return photograph(
        rng, table, elevation=elevation, size=size, preset=preset, fill=fill, photos=False
    )


def tile_set(rng: np.random.Generator, style: FaceStyle) -> TileSet:
    """A green-backed set of one design."""
    return TileSet(
        height=1.34,
        thickness=0.78,
        radius=0.07,
        body=(226, 238, 245),
        back=(66, 128, 30),
        seam=0.42,
        gloss=0.3,
        designs=(DrawnDesign(style),) * 6,
        ink=replace(Ink.random(rng), keep=True),
        scale=0.86,
    )
