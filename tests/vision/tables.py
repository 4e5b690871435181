"""Small synthetic tables: a hand laid out as people do, seen by a camera, as detections.

Only geometry, no picture: what the detector and the reader would say if they made no mistake, or
the mistakes that are asked for. Frequencies and measures follow the photographs described for the
Taiwanese player's view and for Hong Kong hands on cloth.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from random import Random

import numpy as np

from scorer.hand import CONCEALED_KONG, Hand
from scorer.tiles import Tile
from vision.detections import BACK, Detections, turn_of_quads
from vision.layout import CLAIMED, KONG, WINNING
from vision.reading import Reading

TALL = 1.35


@dataclass
class Table:
    """Tiles in table units (one tile width): centre x to the right, y away; degrees clockwise."""

    faces: list[int] = field(default_factory=list)
    places: list[tuple[float, float, float]] = field(default_factory=list)
    standing: list[bool] = field(default_factory=list)
    own: list[bool] = field(default_factory=list)

    def put(
        self, face: int, x: float, y: float, turn: float = 0.0, up: bool = False, own: bool = True
    ) -> None:
        self.faces.append(int(face))
        self.places.append((x, y, turn))
        self.standing.append(up)
        self.own.append(own)


@dataclass(frozen=True)
class Laid:
    """Detections and the truth. shows: what the picture cannot show of it."""

    detections: Detections
    hand: Hand
    own: tuple[bool, ...]
    hidden: frozenset[str]


def lay(
    rng: Random,
    hand: Hand,
    *,
    exposed: str = "behind",
    winning: str = "turned",
    bonus: str = "left",
    strangers: bool = False,
    kongs_down: bool = True,
    sideways: float = 0.5,
    upside_down: float = 0.0,
    elevation_deg: float | None = None,
    roll_deg: float | None = None,
    noise_px: float = 0.4,
) -> Laid:
    """Lay out `hand`.

    exposed: behind | in-front. winning: turned | sideways | apart | in-front | among | away.
    bonus: left (of the exposed row) | behind | own-left | between.
    """
    table = Table()
    hidden: set[str] = set()
    gap = rng.uniform(0.0, 0.06)
    up = exposed == "behind" and rng.random() < 0.4
    if exposed != "behind" and winning == "in-front":
        winning = "turned"
    end = _own_row(rng, table, hand, gap, up, winning, hidden)
    away = rng.uniform(1.5, 2.0) * TALL if exposed == "behind" else -rng.uniform(1.3, 1.6) * TALL
    x = rng.uniform(-1.0, 1.0)
    flowers = list(hand.bonus)
    rng.shuffle(flowers)
    if bonus == "own-left":
        for k, face in enumerate(flowers):
            table.put(face, -1.0 * (len(flowers) - k) - rng.uniform(0.02, 0.5), 0.0)
    elif bonus == "behind" or not hand.melds:
        start = rng.uniform(0.0, max(0.5, end - len(flowers)))
        level = TALL * rng.uniform(1.5, 2.0)
        level += away if exposed == "behind" and hand.melds else 0.0
        for k, face in enumerate(flowers):
            table.put(face, start + 1.03 * k, level, rng.choice((0, 0, 0, 180)))
    else:
        for face in flowers if bonus == "left" else flowers[: len(flowers) // 2]:
            table.put(face, x, away)
            x += 1.03
    melds = list(hand.melds)
    for k, meld in enumerate(melds):
        if bonus == "between" and k == len(melds) // 2:
            for face in flowers[len(flowers) // 2 :]:
                table.put(face, x, away)
                x += 1.03
        x = _meld(rng, table, meld.kind, list(meld.tiles), x, away, kongs_down, sideways, hidden)
        x += rng.uniform(0.0, 0.08)
    if strangers:
        right = max(x for x, _, _ in table.places)
        _strangers(rng, table, max(y for _, y, _ in table.places), right)
    if elevation_deg is None:
        # Standing faces are seen from low down only.
        elevation_deg = rng.uniform(33, 50) if up else rng.uniform(35, 88)
    return laid_of(
        rng,
        table,
        hand,
        frozenset(hidden),
        upside_down=upside_down,
        elevation_deg=elevation_deg,
        roll_deg=roll_deg,
        noise_px=noise_px,
    )


def laid_of(
    rng: Random,
    table: Table,
    hand: Hand | None = None,
    hidden: frozenset[str] = frozenset(),
    *,
    upside_down: float = 0.0,
    elevation_deg: float = 60.0,
    roll_deg: float | None = 0.0,
    noise_px: float = 0.2,
) -> Laid:
    """What a camera sees of the table, its tiles in no order."""
    flips = [rng.random() < upside_down for _ in table.faces]
    quads = _seen(rng, table, flips, elevation_deg, roll_deg, noise_px)
    order = list(range(len(table.faces)))
    rng.shuffle(order)
    detections = Detections.of_faces(
        quads[order], [table.faces[i] for i in order], turn_of_quads(quads[order])
    )
    return Laid(detections, hand or Hand(()), tuple(table.own[i] for i in order), hidden)


def _own_row(
    rng: Random, table: Table, hand: Hand, gap: float, up: bool, winning: str, hidden: set[str]
) -> float:
    tiles = list(hand.concealed)
    if rng.random() < 0.25:
        rng.shuffle(tiles)
    last = hand.winning
    if last is not None and winning == "among":
        tiles.insert(rng.randrange(len(tiles) + 1), last)
        hidden.add(WINNING)
    x = 0.0
    for face in tiles:
        table.put(face, x, rng.gauss(0, 0.03), rng.gauss(0, 1.0), up)
        x += 1.0 + max(0.0, rng.gauss(gap, 0.01))
    if last is None or winning in ("among", "away"):
        return x
    if winning == "turned":
        angle = rng.choice((-1, 1)) * rng.uniform(20, 45)
        table.put(last, x + 0.25 + rng.uniform(0, 0.7), rng.gauss(0, 0.1), angle)
    elif winning == "sideways":
        table.put(last, x + (TALL - 1) / 2 + rng.uniform(0, 0.3), -0.1, rng.choice((90, 270)))
    elif winning == "apart":
        table.put(last, x + rng.uniform(0.5, 1.5), rng.gauss(0, 0.05), 0.0, up)
    else:
        table.put(
            last, rng.uniform(x * 0.3, x * 0.8), -TALL * rng.uniform(1.1, 1.5), rng.gauss(0, 8)
        )
    return x


def _meld(
    rng: Random,
    table: Table,
    kind: str,
    tiles: list[Tile],
    x: float,
    y: float,
    kongs_down: bool,
    sideways: float,
    hidden: set[str],
) -> float:
    faces = [int(tile) for tile in tiles]
    side = -1
    if kind == CONCEALED_KONG:
        if kongs_down:
            down = rng.choice(((0, 3), (1, 2), (0, 1, 2), (0, 3)))
            faces = [BACK if k in down else face for k, face in enumerate(faces)]
        else:
            hidden.add(KONG)
    else:
        if len(faces) == 4:
            hidden.add(KONG)
        if kind == "chow" and rng.random() < 0.5:
            rng.shuffle(faces)
        if rng.random() < sideways:
            side = rng.randrange(len(faces))
    for k, face in enumerate(faces):
        width = TALL if k == side else 1.0
        turn = rng.choice((90, 270)) if k == side else rng.gauss(0, 1.0)
        table.put(face, x + (width - 1) / 2, y - (TALL - 1) / 2 * (k == side), turn)
        x += width + rng.uniform(0.0, 0.05)
    return x


def _strangers(rng: Random, table: Table, behind: float, width: float) -> None:
    """Discards further away, a wall behind them, and the next player's exposed set."""
    y = max(behind, 0.0) + 3.6 * TALL
    for row in range(2):
        for k in range(rng.randrange(3, 9)):
            x, turn = width * 0.2 + 1.3 * k + rng.uniform(-0.1, 0.1), rng.uniform(-35, 35)
            table.put(rng.randrange(34), x, y + row * 1.7 * TALL, turn, own=False)
    for k in range(12):
        table.put(BACK, k * 1.02, y + 4.4 * TALL, rng.gauss(0, 1), own=False)
    for k in range(3):
        table.put(20, width + 7.0, 2.0 + 1.02 * k, -90, own=False)


def _seen(
    rng: Random,
    table: Table,
    flips: list[bool],
    elevation_deg: float,
    roll_deg: float | None,
    noise_px: float,
) -> np.ndarray:
    """(n, 4, 2) corner pixels through a pinhole camera in front of the player."""
    elevation = math.radians(elevation_deg)
    roll = math.radians(rng.uniform(-11, 11) if roll_deg is None else roll_deg)
    places = np.array(table.places)
    middle = np.array([places[:, 0].mean(), np.median(places[:, 1])])
    far = 34.0
    camera = np.array([middle[0], middle[1] - far * math.cos(elevation), far * math.sin(elevation)])
    forward = np.array([0.0, math.cos(elevation), -math.sin(elevation)])
    right = np.array([1.0, 0.0, 0.0])
    down = np.cross(forward, right)
    quads = []
    for (x, y, turn), up, flip in zip(table.places, table.standing, flips, strict=True):
        a = math.radians(-turn - (180 if flip else 0))
        across = np.array([math.cos(a), math.sin(a), 0.0])
        tall = np.array([-math.sin(a), math.cos(a), 0.0])
        if up:
            tall = np.array([0.0, 0.25, 0.97]) * (-1 if flip else 1)
        centre = np.array([x, y, 0.7 if up else 0.0])
        corners = [
            centre + sx * across / 2 + sy * tall * TALL / 2
            for sx, sy in ((-1, 1), (1, 1), (1, -1), (-1, -1))
        ]
        points = np.array(corners) - camera
        depth = points @ forward
        quads.append(np.stack([points @ right, points @ down], axis=1) / depth[:, None])
    pixels = np.array(quads) * 900
    turn_matrix = np.array([[math.cos(roll), -math.sin(roll)], [math.sin(roll), math.cos(roll)]])
    pixels = pixels @ turn_matrix.T + 640
    noise = np.random.default_rng(rng.randrange(2**32)).normal(0, noise_px, pixels.shape)
    return np.asarray(pixels + noise, np.float32)


def is_right(reading: Reading, truth: Hand, asks: Collection[str] | None = None) -> bool:
    """Exact hand text, or the same tiles with a doubt named about all that differs.

    asks: what the picture cannot tell; a doubt about anything else excuses nothing.
    """
    hand = reading.hand
    if hand is None:
        return False
    if str(hand) == str(truth):
        return True
    doubts = set(reading.layout.doubts)
    if asks is not None:
        doubts &= set(asks)
        if hand.winning != truth.winning and WINNING not in asks:
            return False
    same_tiles = Counter(hand.tiles) == Counter(truth.tiles) and hand.bonus == truth.bonus
    if not same_tiles:
        return False
    if hand.winning != truth.winning and hand.winning is not None:
        return False
    mine, theirs = (
        sorted(tuple(meld.tiles) for meld in h.melds if not meld.is_kong) for h in (hand, truth)
    )
    if mine != theirs and CLAIMED not in doubts:
        return False
    kongs = [sorted((m.tiles, m.kind) for m in h.melds if m.is_kong) for h in (hand, truth)]
    if kongs[0] != kongs[1]:
        return KONG in doubts and [t for t, _ in kongs[0]] == [t for t, _ in kongs[1]]
    return True
