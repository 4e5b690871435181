"""Rows of tiles in a picture: which tile is whose neighbour, in what direction, with what gap.

Distances are in widths or heights of the tiles concerned, so that they hold at any scale. A row
may be turned, curved, broken by gaps or stepped; it is found by linking each tile to its neighbour
along the main direction and then joining pieces that continue one another.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.detections import BACK, Detections, centres, up_vectors, widths_px

Floats = NDArray[np.float64]

NEAR_WIDTHS = 1.7
"""Tiles closer than this (centre to centre) vote for the main direction."""
LINK_GAP_WIDTHS = 1.2
"""A neighbour further away than this starts a new piece of the row."""
LINK_STEP_HEIGHTS = 0.45
"""How far a neighbour may be stepped up or down."""
LINK_STEP_WIDTHS = 0.4
"""So far too, in widths: standing faces seen from high up are flat, but step as other tiles do."""
JOIN_GAP_WIDTHS = 7.0
"""Pieces of one row may lie this far apart."""
FAR_GAP_WIDTHS = 1.5
JOIN_SKEW_DEG = 30.0
JOIN_STEP_HEIGHTS = 0.42
SIZE_RATIO = 0.66
"""Neighbours differ less than this in size (perspective within a row is slow)."""
SPLIT_GAP_WIDTHS = 2.5
"""Parts of a row further apart than this are judged one by one."""
BLOCK_GAP_WIDTHS = 0.33
"""A wider gap than this separates blocks."""
ODD_GAP_WIDTHS = 0.6
"""A wider gap than this parts bonus tiles from others that merely lie in line with them."""
ASPECT = 1.35
"""Height of a face over its width."""
UPRIGHT = 0.3
"""Half of a player's tiles may lie upside down; two thirds of them do not."""
SIDEWAYS_DEG = 60.0
TURNED_DEG = 11.0
"""Turned at least this much a tile lies at an angle; winning tiles are turned by 20–45°."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The tiles in the player's own axes: `u` runs to the player's right, `v` towards the player.

    centre: (n, 2) u, v in pixels. extent: (n, 2) sizes along u and v. width: (n,) a tile's width as
    it would be along the row: how tall a face looks says only how flat it is seen. side: (n,) root
    of the area, the same for lying tiles however they are turned. lean: (n,)
    degrees between the printed up and the player's away, −180..180.
    slope: (n,) rise of v over u along the edge that lies across, by which a bent row is followed.
    angle: degrees of `u` in the picture. corners: (n, 4, 2) of the tiles, about their centres.
    """

    centre: Floats
    corners: Floats
    extent: Floats
    width: Floats
    side: Floats
    lean: Floats
    slope: Floats
    angle: float
    is_back: NDArray[np.bool_]

    def sideways(self, i: int) -> bool:
        """Lies on its side, as a claimed tile does."""
        return bool(SIDEWAYS_DEG <= abs(self.lean[i]) <= 180 - SIDEWAYS_DEG)

    def turned(self, i: int) -> bool:
        """Lies at an angle that is neither upright, upside down nor sideways."""
        return bool(self.off(i) > TURNED_DEG)

    def off(self, i: int) -> float:
        """Degrees to the nearest right angle."""
        off = abs(float(self.lean[i])) % 90
        return min(off, 90 - off)


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles of one row from the player's left to right, and the gap after each, in tile widths."""

    tiles: tuple[int, ...]
    gaps: tuple[float, ...]

    def blocks(self, gap_widths: float = BLOCK_GAP_WIDTHS) -> list[tuple[int, ...]]:
        """The row cut at every gap wider than `gap_widths`."""
        blocks: list[list[int]] = [[self.tiles[0]]]
        for tile, gap in zip(self.tiles[1:], self.gaps, strict=True):
            if gap > gap_widths:
                blocks.append([])
            blocks[-1].append(tile)
        return [tuple(block) for block in blocks]


def plane_of(detections: Detections) -> Plane:
    """The player's axes, from how neighbours lie and which way most faces stand."""
    quads = detections.quads.astype(np.float64)
    centre = centres(detections.quads).astype(np.float64)
    up = up_vectors(detections.quads).astype(np.float64)
    width = widths_px(detections.quads).astype(np.float64)
    is_back = detections.faces == BACK
    angle = _main_angle(centre, up, width, is_back)
    right = np.array([np.cos(angle), np.sin(angle)])
    away = np.array([np.sin(angle), -np.cos(angle)])
    # Faces show which side the player sits on, mostly the camera's.
    seen = ~is_back
    if (up[seen] @ away + UPRIGHT * away @ np.array([0.0, -1.0])).sum() < 0:
        right, away, angle = -right, -away, angle + np.pi
    axes = np.stack([right, -away], axis=1)
    flat = quads @ axes
    lean = np.degrees(np.arctan2(up @ right, up @ away))
    extent = np.asarray(np.ptp(flat, axis=1), np.float64)
    off = np.abs(lean)
    lies_sideways = (off >= SIDEWAYS_DEG) & (off <= 180 - SIDEWAYS_DEG)
    return Plane(
        centre=centre @ axes,
        corners=flat - (centre @ axes)[:, None],
        extent=extent,
        width=np.where(lies_sideways, extent[:, 0] / ASPECT, width),
        side=_side(flat),
        lean=lean,
        slope=np.zeros(len(quads)) if _plain(up) else _across(flat, lies_sideways),
        angle=float(np.degrees(angle)),
        is_back=is_back,
    )


def levelled(plane: Plane, row: Row) -> Plane:
    """The plane with the row's leans measured against its own: perspective makes the tiles at the
    ends of a row lean although they lie straight, standing ones more than lying ones.
    """
    index = np.array(row.tiles)
    lean = (plane.lean[index] + 90) % 180 - 90
    straight = np.abs(lean) < 35
    if straight.sum() < 2:
        return plane
    u, lean = plane.centre[index[straight], 0], lean[straight]
    if len(lean) == 2:
        # One of them may be a turned winning tile.
        u, lean = u[:1], lean[np.abs(lean).argmin() :][:1]
    i, j = np.triu_indices(len(u), 1)
    slope = 0.0
    if len(u) > 4:
        slope = float(np.median((lean[j] - lean[i]) / np.where(u[j] == u[i], 1.0, u[j] - u[i])))
    offset = float(np.median(lean - slope * u))
    fixed = plane.lean.copy()
    fixed[index] -= offset + slope * plane.centre[index, 0]
    return replace(plane, lean=(fixed + 180) % 360 - 180)


def apart(row: Row, odd: Container[int]) -> list[Row]:
    """The row cut where a gap parts the odd tiles from the others."""
    pairs = zip(row.tiles, row.tiles[1:], row.gaps, strict=False)
    cut = [
        k
        for k, (a, b, gap) in enumerate(pairs, 1)
        if gap > ODD_GAP_WIDTHS and (a in odd) != (b in odd)
    ]
    return _cut(row, cut)


def _cut(row: Row, places: Sequence[int]) -> list[Row]:
    edges = [0, *places, len(row.tiles)]
    return [Row(row.tiles[a:b], row.gaps[a : b - 1]) for a, b in pairwise(edges)]


def parts_of(plane: Plane, row: Row) -> list[Row]:
    """The row cut where the parts may be of different owners: at wide gaps, and before or after
    an end tile that lies across the row.
    """
    cut = {k + 1 for k, gap in enumerate(row.gaps) if gap > SPLIT_GAP_WIDTHS}
    if len(row.tiles) > 2:
        cut |= {1} if skew_of(plane, row, row.tiles[0]) > TURNED_DEG else set()
        last = len(row.tiles) - 1
        cut |= {last} if skew_of(plane, row, row.tiles[last]) > TURNED_DEG else set()
    return _cut(row, sorted(cut))


def skew_of(plane: Plane, row: Row, tile: int) -> float:
    """Degrees by which the tile's edge is off the line of its neighbours in the row."""
    at = row.tiles.index(tile)
    near = [i for i in row.tiles[max(0, at - 3) : at + 4] if i != tile]
    slope = float(np.median(plane.slope[near])) if len(near) > 1 else line_slope(plane, row)
    return abs(float(np.degrees(np.arctan(plane.slope[tile]) - np.arctan(slope))))


def line_slope(plane: Plane, row: Row) -> float:
    """Slope of the line through the row's tiles; level for a single tile."""
    if len(row.tiles) < 2:
        return 0.0
    index = list(row.tiles)
    return float(np.polyfit(plane.centre[index, 0], plane.centre[index, 1], 1)[0])


def without(row: Row, dropped: Container[int]) -> Row:
    """The row without some tiles; where one lay inside, a gap remains."""
    kept: list[int] = []
    gaps: list[float] = []
    gap = 0.0
    for k, i in enumerate(row.tiles):
        if i in dropped:
            gap += 1.0
        else:
            if kept:
                gaps.append(gap)
            kept.append(i)
            gap = 0.0
        gap += row.gaps[k] if k < len(row.gaps) else 0.0
    return Row(tuple(kept), tuple(gaps))


def rows_of(plane: Plane, join: bool = True) -> list[Row]:
    """All rows, each tile in exactly one; longest first. Without `join`, pieces stay apart."""
    pieces = _linked(plane)
    while join and (pair := _joinable(plane, pieces)) is not None:
        a, b = pair
        pieces = [p for k, p in enumerate(pieces) if k not in (a, b)] + [pieces[a] + pieces[b]]
    rows = [Row(tuple(p), _gaps(plane, p)) for p in pieces]
    return sorted(rows, key=lambda row: (-len(row.tiles), row.tiles))


def _main_angle(centre: Floats, up: Floats, width: Floats, is_back: NDArray[np.bool_]) -> float:
    """Radians in −π/2..π/2: the direction in which most close neighbours lie."""
    n = len(centre)
    if n == 0:
        return 0.0
    # The printed faces vote too: little where they are plain boxes, which always say "upright".
    own = 0.4 if _plain(up) else 1.5
    votes: list[tuple[float, float]] = []
    gap = np.linalg.norm(centre[:, None] - centre[None], axis=2)
    np.fill_diagonal(gap, np.inf)
    for i in range(n):
        for j in np.argsort(gap[i], kind="stable")[:2]:
            if gap[i, j] < NEAR_WIDTHS * (width[i] + width[j]) / 2 and not is_back[i]:
                dx, dy = centre[j] - centre[i]
                votes.append((float(np.arctan2(dy, dx)), float(width[i])))
        votes.append((float(np.arctan2(up[i, 0], -up[i, 1])), own * float(width[i])))
    theta = np.array([v[0] for v in votes])
    weight = np.array([v[1] for v in votes])
    # Sum over a window of about ±8°, in the doubled angle (a direction has no sign).
    near = np.exp(20.0 * (np.cos(2 * (theta[:, None] - theta[None])) - 1))
    best = int(np.argmax(near @ weight))
    pull = weight * near[best]
    mean = np.arctan2((pull * np.sin(2 * theta)).sum(), (pull * np.cos(2 * theta)).sum()) / 2
    return float(mean)


def _side(flat: Floats) -> Floats:
    """Square root of the area of each quad."""
    a, b = flat[:, 2] - flat[:, 0], flat[:, 3] - flat[:, 1]
    side: Floats = np.sqrt(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / 2)
    return side


def _plain(up: Floats) -> bool:
    """Whether all quads are upright boxes, which say nothing of how a tile really lies."""
    return bool((np.abs(up).max(axis=1) > 0.9999).all())


def _across(flat: Floats, sideways: NDArray[np.bool_]) -> Floats:
    """Slope of the printed top edge, or of the side where a tile lies on its side; at most 30°."""
    edge = np.where(sideways[:, None], flat[:, 2] - flat[:, 1], flat[:, 1] - flat[:, 0])
    edge = edge * np.where(edge[:, :1] < 0, -1.0, 1.0)
    slope: Floats = np.clip(edge[:, 1] / np.maximum(edge[:, 0], 1e-6), -0.58, 0.58)
    return slope


def _mean(a: Floats) -> Floats:
    """(n, n) means of every two values."""
    mean: Floats = (a[:, None] + a[None]) / 2
    return mean


def _alike(plane: Plane) -> NDArray[np.bool_]:
    """(n, n) whether two tiles are about the same size in the picture."""
    alike = np.zeros((len(plane.width),) * 2, np.bool_)
    # Either measure will do: a tile cut off by the picture's edge keeps its height.
    for size in (plane.width, plane.extent[:, 1]):
        smaller, larger = np.minimum(size[:, None], size), np.maximum(size[:, None], size)
        alike |= smaller >= SIZE_RATIO * larger
    return alike


def _linked(plane: Plane) -> list[list[int]]:
    """Pieces of rows: tiles linked to the nearest neighbour on their right, if mutual."""
    n = len(plane.centre)
    if n == 0:
        return []
    unit = np.minimum(plane.width, plane.extent[:, 0])
    du = plane.centre[None, :, 0] - plane.centre[:, None, 0]
    dv = plane.centre[None, :, 1] - plane.centre[:, None, 1]
    # Straight on, or along the tiles' own edges where the row bends.
    dv = np.minimum(np.abs(dv), np.abs(dv - _mean(plane.slope) * du))
    w, h, touch = _mean(unit), _mean(plane.extent[:, 1]), _mean(plane.extent[:, 0])
    step = np.maximum(LINK_STEP_HEIGHTS * h, LINK_STEP_WIDTHS * w)
    linkable = (du > 0.3 * w) & (du < touch + LINK_GAP_WIDTHS * w)
    linkable &= (dv <= step) & _alike(plane)
    cost = np.where(linkable, du + 1.5 * dv, np.inf)
    right, left = cost.argmin(axis=1), cost.argmin(axis=0)
    follows = {i: int(right[i]) for i in range(n) if linkable[i, right[i]] and left[right[i]] == i}
    pieces = []
    for start in sorted(set(range(n)) - set(follows.values())):
        piece = [start]
        while piece[-1] in follows:
            piece.append(follows[piece[-1]])
        pieces.append(piece)
    return pieces


def _line_at(plane: Plane, piece: list[int], u: float, tail: bool) -> float:
    """Where the piece's own line would run at `u`, from its six tiles nearest to that end."""
    end = piece[-6:] if tail else piece[:6]
    us, vs = plane.centre[end, 0], plane.centre[end, 1]
    if len(end) < 3:
        return float(vs.mean())
    # Shrunk towards level: few tiles say little about the slope.
    slope = float(np.polyfit(us, vs, 1)[0]) * (len(end) - 1) / len(end)
    edge = us[-1] if tail else us[0]
    reach = np.clip(u - edge, -4 * plane.width[end].mean(), 4 * plane.width[end].mean())
    return float(vs.mean() + slope * (edge - us.mean() + reach))


def _joinable(plane: Plane, pieces: list[list[int]]) -> tuple[int, int] | None:
    """The nearest two pieces (left, right) that continue each other, or None."""
    ends = np.array([[piece[0], piece[-1]] for piece in pieces], np.int64).reshape(-1, 2)
    pair = np.ix_(ends[:, 1], ends[:, 0])
    w, h = _mean(plane.width)[pair], _mean(plane.extent[:, 1])[pair]
    touch = _mean(plane.extent[:, 0])[pair]
    delta = plane.centre[ends[:, 0]][None] - plane.centre[ends[:, 1]][:, None]
    gap = delta[..., 0] - touch
    close = (gap > -0.4 * w) & (gap < JOIN_GAP_WIDTHS * w) & (np.abs(delta[..., 1]) < 2.5 * h)
    close &= _alike(plane)[pair]
    # Over a wide gap only tiles that lie the same way continue a row.
    skew = np.abs(plane.lean[ends[:, 0]][None] - plane.lean[ends[:, 1]][:, None]) % 180
    close &= (gap < FAR_GAP_WIDTHS * w) | (np.minimum(skew, 180 - skew) < JOIN_SKEW_DEG)
    np.fill_diagonal(close, False)
    best: tuple[float, int, int] | None = None
    for a, b in np.argwhere(close):
        left, right = pieces[a], pieces[b]
        longer, tail = (left, True) if len(left) >= len(right) else (right, False)
        other = plane.centre[right[0] if tail else left[-1]]
        step = abs(other[1] - _line_at(plane, longer, float(other[0]), tail))
        if step > JOIN_STEP_HEIGHTS * h[a, b]:
            continue
        cost = float(gap[a, b] / w[a, b] + 3 * step / h[a, b])
        if best is None or cost < best[0]:
            best = (cost, int(a), int(b))
    return None if best is None else best[1:]


def _gaps(plane: Plane, piece: list[int]) -> tuple[float, ...]:
    """Free space between neighbours in tile widths, along the line from one to the next.

    Plain boxes around tilted tiles are too large and overlap, so reaches are first scaled by what
    the row's own median spacing says of them.
    """
    if len(piece) < 2:
        return ()
    index = np.array(piece)
    step, width = np.diff(plane.centre[index], axis=0), plane.width[index]
    apart = np.linalg.norm(step, axis=1)
    ahead = step / np.maximum(apart, 1e-6)[:, None]
    touch = _reach(plane.corners[index[:-1]], ahead) + _reach(plane.corners[index[1:]], -ahead)
    scale = np.clip(np.median(apart / touch), 0.55, 1.08) if len(piece) > 3 else 1.0
    gaps = (apart - scale * touch) / np.minimum(width[1:], width[:-1])
    return tuple(float(g) for g in gaps)


def _reach(corners: Floats, ahead: Floats) -> Floats:
    """How far from its centre each quad (k, 4, 2) reaches in the direction given (k, 2)."""
    edge = np.roll(corners, -1, axis=1) - corners
    # On the edge's line lie all x with x × edge = corner × edge.
    across = corners[..., 0] * edge[..., 1] - corners[..., 1] * edge[..., 0]
    toward = ahead[:, None, 0] * edge[..., 1] - ahead[:, None, 1] * edge[..., 0]
    away = np.where(toward * across > 1e-9, across / np.where(toward == 0, 1.0, toward), np.inf)
    reach: Floats = away.min(axis=1)
    return reach
