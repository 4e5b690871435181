"""Which rows belong to the player's hand, and why the others do not.

The own row is the one with most faces standing towards the player, near and large. Other rows
join it when they lie close by, in line with it, at about its size, and when the hand then has a
number of tiles that a hand can have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.detections import BACK
from vision.faces import is_bonus
from vision.rows import Plane, Row, line_slope, rows_of

BEHIND_HEIGHTS = 2.5
IN_FRONT_HEIGHTS = 2.4
LEVEL_HEIGHTS = 0.5
ASIDE_WIDTHS = 6.0
BONUS_SLACK = 1.3
"""Bonus tiles may lie this much further off: no discard is ever a bonus tile."""
ALIGNED_DEG = 14.0
WINNING_WIDTHS = 3.5
"""A single tile further from the row than this is not its winning tile."""
REACH_WIDTHS = 9.0
"""A bonus tile this close to the hand that is not counted to it is asked about."""
ODD_PAIR = 1.2
"""Cost of two different tiles lying by themselves: eyes are alike, discards are not."""
LONE_BEHIND = 1.0
"""Cost of a single tile behind a row: winning tiles lie there rarely, discards always."""
NEAR_COST = 6.0
"""A single tile below this may be the winning one, if it completes the hand."""
VAGUE_COST = 1.3
"""A single tile above this is marked where it is taken for the winning one."""
MAX_UNITS = 9
"""Rows considered beside the own one; 2^9 choices are tried."""

TOUCHING_WIDTHS = 0.3
"""Tiles closer than this lie side by side in one row."""

FACE_DOWN = "face down: a wall or another player's tiles"
FACING_AWAY = "faces another player"
ALONE = "a single tile beside a full hand: a seat marker or a discard"
SCATTERED = "lies at an angle among others: a discard"
FAR = "too far from the hand"
SIZE = "of another size: further from the camera or nearer to it"


@dataclass(frozen=True, slots=True)
class Member:
    """A row that may belong to the hand; cost 0 is as good as sure, above 4 is not believed."""

    row: Row
    cost: float
    reason: str


@dataclass(frozen=True, slots=True)
class Membership:
    """Rows of the hand; why every other tile is not of it; whether a bonus tile was left out (or
    taken in) that might as well not have been; single tiles that lie where a winning tile may,
    but not so clearly that nothing else could.
    """

    rows: list[Row]
    others: dict[int, str]
    doubtful_bonus: bool
    near: list[int]


def hand_sizes(sets: int | None) -> tuple[int, ...]:
    """Tiles of a complete hand without kongs: 3 × sets + 2 of the given game, or of both games."""
    return (14, 17) if sets is None else (3 * sets + 2,)


def own_row(plane: Plane, rows: Sequence[Row], faces: NDArray[np.int64]) -> Row | None:
    """The player's row: many faces, upright from the player's side, large and near."""
    size = plane.width
    seen = ~plane.is_back
    if not seen.any():
        return None
    largest = float(np.percentile(size[seen], 90))
    reach = np.ptp(plane.centre[seen, 1]) + largest
    nearest = float(plane.centre[seen, 1].max())

    def worth(row: Row) -> float:
        index = np.array(row.tiles)
        kept = index[seen[index]]
        if not len(kept):
            return 0.0
        turned = np.abs(plane.lean[kept])
        facing = np.where((turned < 50) | (turned > 130), 1.0, 0.5)
        near = 1.0 - 0.4 * (nearest - plane.centre[kept, 1].mean()) / reach
        scale = min(1.0, float(np.median(size[kept])) / largest)
        bonus = np.array([is_bonus(int(f)) for f in faces[kept]])
        return float((facing * np.where(bonus, 0.6, 1.0)).sum() * near * scale**1.5)

    best = max(rows, key=worth)
    return best if worth(best) > 0 else None


def members(
    plane: Plane, rows: Sequence[Row], own: Row, faces: NDArray[np.int64], sets: int | None
) -> Membership:
    """Which rows and single tiles belong to the hand, the own row first."""
    accepted = [own]
    out: dict[int, str] = {}
    doubtful = False
    vague: list[int] = []
    sideways = _columns(plane)
    theirs = [row for row in rows if row is not own and sideways.issuperset(row.tiles)]
    out |= {i: FACING_AWAY for row in theirs for i in row.tiles}
    todo = [row for row in rows if row is not own and row not in theirs]
    # Rows behind rows are judged from the row next to them, so this runs until nothing changes.
    while True:
        judged = [_judge(plane, row, accepted, faces) for row in todo]
        near = sorted((m for m in judged if m.cost < 4), key=lambda m: m.cost)[:MAX_UNITS]
        chosen = _choose(near, accepted, faces, sets)
        if not chosen:
            break
        accepted += [member.row for member in chosen]
        doubtful |= any(m.cost > 2.0 and _all_bonus(m.row, faces) for m in chosen)
        vague += [m.row.tiles[0] for m in chosen if m.cost > VAGUE_COST and len(m.row.tiles) == 1]
        todo = [row for row in todo if not any(row is member.row for member in chosen)]
    for member in judged:
        doubtful |= _all_bonus(member.row, faces) and _in_reach(plane, member.row, accepted)
        for i in member.row.tiles:
            out[i] = member.reason or (ALONE if len(member.row.tiles) == 1 else FAR)
    single = [m.row.tiles[0] for m in judged if m.cost < NEAR_COST and len(m.row.tiles) == 1]
    apart = [i for i in (*vague, *single) if not is_bonus(int(faces[i]))]
    return Membership(accepted, out, doubtful, apart)


def _columns(plane: Plane) -> set[int]:
    """Tiles on their sides, one right behind the other: rows of the players to the left and
    right. The hand's own sideways tiles lie in its rows or alone.
    """
    across = replace(
        plane,
        centre=plane.centre[:, ::-1],
        corners=plane.corners[..., ::-1],
        extent=plane.extent[:, ::-1],
        slope=np.zeros_like(plane.slope),
    )
    return {
        i
        for row in rows_of(across, join=False)
        for a, b, gap in zip(row.tiles, row.tiles[1:], row.gaps, strict=False)
        if gap < TOUCHING_WIDTHS and plane.sideways(a) and plane.sideways(b)
        for i in (a, b)
    }


def _in_reach(plane: Plane, row: Row, accepted: Sequence[Row]) -> bool:
    """Near enough that a person might count it to this hand."""
    index = np.array(row.tiles)
    hosts = np.concatenate([np.array(host.tiles) for host in accepted])
    delta = np.abs(plane.centre[index][:, None] - plane.centre[hosts][None]).sum(axis=2)
    return bool(delta.min() < REACH_WIDTHS * float(np.median(plane.width[hosts])))


def _all_bonus(row: Row, faces: NDArray[np.int64]) -> bool:
    return all(is_bonus(int(faces[i])) for i in row.tiles)


def _judge(plane: Plane, row: Row, accepted: Sequence[Row], faces: NDArray[np.int64]) -> Member:
    index = np.array(row.tiles)
    bonus = _all_bonus(row, faces)
    backs = plane.is_back[index]
    if backs.all() and len(index) not in (4, 8):
        return Member(row, 9.0, FACE_DOWN)
    # Strays do not vouch for further strays.
    hosts = [host for k, host in enumerate(accepted) if k == 0 or len(host.tiles) > 2]
    costs = [_beside(plane, index, np.array(host.tiles), bonus) for host in hosts]
    cost, reason = min(costs)
    if len(index) > 1 and not bonus:
        if _skew(plane, row) > ALIGNED_DEG:
            return Member(row, 9.0, SCATTERED)
        if len(index) == 2 and len(set(faces[index])) == 2:
            cost += ODD_PAIR
        turned = np.abs(plane.lean[index][~backs])
        if len(turned) > 2 and ((turned > 50) & (turned < 130)).mean() > 0.6:
            return Member(row, 9.0, FACING_AWAY)
    elif bonus and float(np.median([plane.off(i) for i in row.tiles])) > ALIGNED_DEG:
        cost += 1.5
    if backs.any():
        cost += 0.5
    return Member(row, cost, reason)


def _skew(plane: Plane, row: Row) -> float:
    """Degrees between the row's line and its tiles' own edges: a heap has no line."""
    edges = np.arctan(plane.slope[list(row.tiles)])
    off = np.degrees(np.abs(edges - np.arctan(line_slope(plane, row))))
    if len(edges) > 2:
        return float(np.median(off))
    # Two tiles make hardly a line, and one of them may be a turned winning tile.
    return float(min(off.min(), np.degrees(np.abs(edges)).min()))


def _beside(
    plane: Plane, index: NDArray[np.int64], host: NDArray[np.int64], bonus: bool
) -> tuple[float, str]:
    """How implausible it is that the tiles belong beside the row `host`, and why."""
    slack = BONUS_SLACK if bonus else 1.0
    u, v = plane.centre[index, 0], plane.centre[index, 1]
    hu, hv = plane.centre[host, 0], plane.centre[host, 1]
    width = float(np.median(plane.width[host]))
    # Standing faces seen from high up look flat: the taller of the two is the measure.
    height = max(float(np.median(plane.extent[k, 1])) for k in (host, index))
    level = float(np.interp(np.clip(u.mean(), hu.min(), hu.max()), hu, hv))
    away = (v.mean() - level) / height
    half_host = float(np.median(plane.extent[host, 0])) / 2
    half = float(np.median(plane.extent[index, 0])) / 2
    aside = max(u.min() - half - hu.max() - half_host, hu.min() - half_host - u.max() - half, 0.0)
    aside = float(aside) / width
    # By width, or by area where a tile is turned: whichever says that the sizes agree.
    ratios = [float(np.median(m[index]) / np.median(m[host])) for m in (plane.width, plane.side)]
    ratio = min(ratios, key=lambda r: abs(np.log(r)))
    low, high = (0.5, 1.25) if away < 0 else (0.72, 1.5)
    if not low < ratio < high:
        return 9.0, SIZE
    limit = BEHIND_HEIGHTS if away < 0 else IN_FRONT_HEIGHTS
    if abs(away) > limit * slack or aside > ASIDE_WIDTHS * slack:
        return 9.0, FAR
    cost = 0.25 * aside / slack
    if abs(away) > LEVEL_HEIGHTS:
        cost += max(0.0, abs(away) / slack - 1.3) + (0.3 if away > 0 else 0.0)
    expected = 1.0 if abs(away) < LEVEL_HEIGHTS else 1.0 - 0.06 * abs(away) * np.sign(-away)
    cost += 3.0 * max(0.0, abs(float(np.log(ratio / expected))) - 0.12)
    if len(index) > 2 and len(host) > 2:
        tilt = np.degrees(np.arctan(np.polyfit(u, v, 1)[0] - np.polyfit(hu, hv, 1)[0]))
        cost += max(0.0, abs(float(tilt)) - 8.0) / 6.0
    if len(index) == 1 and not bonus:
        cost += 0.5 + (3.0 if aside > WINNING_WIDTHS else 0.0)
        cost += LONE_BEHIND if away < -LEVEL_HEIGHTS else 0.0
    return float(cost), FAR


def _choose(
    near: Sequence[Member], accepted: Sequence[Row], faces: NDArray[np.int64], sets: int | None
) -> list[Member]:
    """The likeliest choice of further rows, given how many tiles a hand has."""
    if not near:
        return []
    base = [_faces(row, faces) for row in accepted]
    options = [_faces(member.row, faces) for member in near]
    best: tuple[float, tuple[bool, ...]] | None = None
    for pick in product((False, True), repeat=len(near)):
        tiles = list(base)
        cost = 0.0
        for taken, member, option in zip(pick, near, options, strict=True):
            if taken:
                tiles.append(option)
                cost += member.cost
            else:
                bonus = sum(is_bonus(face) for face in option)
                # A long row that lies well is hardly there by chance.
                drop = 1.6 + 0.35 * len(option) + 1.2 * bonus
                cost += max(0.0, drop - 0.6 * member.cost)
        cost += _count_cost(tiles, sets)
        if best is None or cost < best[0] - 1e-9:
            best = (cost, pick)
    assert best is not None
    return [member for taken, member in zip(best[1], near, strict=True) if taken]


def _faces(row: Row, faces: NDArray[np.int64]) -> list[int]:
    return [int(faces[i]) for i in row.tiles]


def _count_cost(rows: Sequence[Sequence[int]], sets: int | None) -> float:
    """How odd it is for a hand to have these tiles: too many costs more than too few."""
    tiles = [face for row in rows for face in row]
    counts = Counter(tiles)
    total = sum(not is_bonus(face) for face in tiles)
    kongs = [_kongs(row, own=k == 0) for k, row in enumerate(rows)]
    sure, most = sum(a for a, _ in kongs), sum(b for _, b in kongs)
    costs = []
    for size in hand_sizes(sets):
        over = total - size
        if sure <= over <= most:
            costs.append(0.0)
        elif over == sure - 1:
            costs.append(0.8)
        elif over < sure:
            costs.append(1.5 + 0.25 * (sure - over))
        else:
            costs.append(2.5 + 0.6 * (over - most))
    fifth = sum(n > 4 for face, n in counts.items() if face != BACK)
    double = sum(n > 1 for face, n in counts.items() if is_bonus(face))
    return min(costs) + 1.5 * fifth + 3.0 * double


def _kongs(row: Sequence[int], own: bool) -> tuple[int, int]:
    """Least and most kongs in a row: tiles face down are one for sure, four alike may be one.

    Claimed sets fill their row, so that there four alike and a tile too many are one for sure.
    """
    backs = sum(face == BACK for face in row)
    whole = sum(len(run) // 4 for run in "".join("b" if f == BACK else " " for f in row).split())
    backs -= 4 * whole
    sure = whole + -(-backs // 4)
    tiles = [face for face in row if not is_bonus(face)]
    alike = sum(n >= 4 for face, n in Counter(tiles).items() if face != BACK)
    most = max(sure, whole + backs // 2) + alike
    if not own and len(tiles) % 3 and most >= len(tiles) % 3:
        sure = max(sure, len(tiles) % 3)
    return sure, most
