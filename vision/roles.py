"""What each tile of the hand is: concealed, in which exposed set, bonus tile, or winning tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

import numpy as np

from vision.belongs import hand_sizes
from vision.detections import BACK
from vision.faces import Costs, is_bonus, is_set
from vision.rows import BLOCK_GAP_WIDTHS, Plane, Row, levelled, without
from vision.sets import SetGuess, best_set, partition, partition_with_eyes

CLAIMED = "claimed"
"""Doubt: the picture does not say which sets were claimed."""
KONG = "kong"
"""Doubt: a kong lies face up, so it may have been claimed, added or concealed."""
WINNING = "winning-tile"
"""Doubt: two tiles could be the winning one."""

RIGHT_GAP_WIDTHS = 0.2
"""A gap before the last tile that is the only one of its size: the last tile was drawn."""
LEFT_GAP_WIDTHS = 0.8
"""At the left end a winning tile is rare, and a small gap there means nothing."""
SET_GAP_WIDTHS = 0.15
LEAST_SORTED = 7
"""Fewer tiles may lie in order by chance."""
CLAIMED_GAP_WIDTHS = 1.2
"""Claimed sets lie closer together than this."""
HALF_HAND = 8
"""A hand laid in two rows is split about in half."""
STANDING_RATIO = 1.2
"""Standing faces look this much taller than lying ones beside them."""
SET_COST = 6.0
"""A row is read as sets only below this average cost for a set."""


@dataclass(slots=True)
class Roles:
    """Indexes into the detections; `exposed` holds the sets in reading order."""

    concealed: list[int] = field(default_factory=list)
    exposed: list[tuple[int, ...]] = field(default_factory=list)
    bonus: list[int] = field(default_factory=list)
    winning: int | None = None
    doubts: set[str] = field(default_factory=set)


def roles_of(plane: Plane, rows: Sequence[Row], costs: dict[int, Costs], sets: int | None) -> Roles:
    """Roles of all tiles of `rows`, the own row first. `sets`: 4 or 5, or None when unknown."""
    roles = Roles()
    first = {i: next(iter(costs[i])) for row in rows for i in row.tiles}
    roles.bonus = [i for row in rows for i in row.tiles if is_bonus(first[i])]
    pieces = [without(row, roles.bonus) for row in rows]
    pieces = [piece for piece in pieces if piece.tiles]
    if not pieces:
        return roles
    nearest = max(pieces, key=lambda row: _depth(plane, row))
    pieces = _hand_row_first(plane, pieces, costs)
    claimed = [row for row in rows if not set(row.tiles) & set(pieces[0].tiles)]
    if _untold(plane, pieces, nearest, costs) or any(_wide_gap(row, first) for row in claimed):
        roles.doubts.add(CLAIMED)
    room = _room(pieces, sets)
    candidate, sure = _winning_tile(plane, pieces, costs)
    if candidate is not None:
        left = [without(piece, [candidate]) for piece in pieces]
        left = [piece for piece in left if piece.tiles]
        trial = Roles(bonus=roles.bonus, doubts=set(roles.doubts))
        _fill(plane, left, costs, first, room, trial)
        if len(trial.concealed) % 3 == 1:
            trial.winning = candidate
            if not sure:
                trial.doubts.add(WINNING)
            return trial
    _fill(plane, pieces, costs, first, room, roles)
    return roles


def _room(pieces: Sequence[Row], sets: int | None) -> int:
    """How many kongs the number of tiles leaves room for: each is a tile too many."""
    total = sum(len(piece.tiles) for piece in pieces)
    return min((total - size for size in hand_sizes(sets) if total >= size - 1), default=0)


def _depth(plane: Plane, row: Row) -> float:
    """How near to the player a row lies; single tiles are no row."""
    return float(np.median(plane.centre[list(row.tiles), 1])) - (1e6 if len(row.tiles) < 2 else 0)


def _hand_row_first(plane: Plane, pieces: Sequence[Row], costs: dict[int, Costs]) -> list[Row]:
    """Mostly the nearest row holds the hand; but a row of whole sets holds no eyes, so then the
    claimed sets were laid in front and the hand is the longest of the other rows.
    """
    own, *others = pieces
    loose = [p for p in others if _as_sets(p, costs) is None]
    if not loose or _as_sets(own, costs) is None:
        return list(pieces)
    # One tile may be all that is left of a hand; then the turned one beside it is the winning one.
    hand = max(loose, key=lambda piece: (len(piece.tiles), -plane.off(piece.tiles[0])))
    return [hand, own, *(piece for piece in others if piece is not hand)]


def _untold(plane: Plane, pieces: Sequence[Row], nearest: Row, costs: dict[int, Costs]) -> bool:
    """Whether several rows do not say by themselves which of them were claimed.

    The usual table does: the hand nearest, the claimed sets in one row behind it. Sets laid in
    front say it only when the hand stands behind them.
    """
    rows = [piece for piece in pieces[1:] if len(piece.tiles) > 1]
    if len(rows) > 1:
        return True
    if len(pieces[0].tiles) == 1:
        return False  # four or five sets laid down, and the eyes
    if rows and _sorted_on(pieces[0], rows[0], costs):
        return True  # or one hand, sorted over two rows
    if pieces[0] is nearest or not rows:
        return False
    tall = [
        float(np.median(plane.extent[list(row.tiles), 1] / plane.width[list(row.tiles)]))
        for row in (pieces[0], nearest)
    ]
    return tall[0] < STANDING_RATIO * tall[1]


def _sets_at_an_end(faces: Sequence[int]) -> bool:
    """Whether the row is a sorted hand and whole sets beside it."""
    for cut in range(3, len(faces) - 1):
        for sets, hand in ((faces[:cut], faces[cut:]), (faces[-cut:], faces[:-cut])):
            whole = all(is_set(tuple(sets[k : k + 3])) for k in range(0, cut, 3))
            if whole and _is_sorted(hand):
                return True
    return False


def _wide_gap(row: Row, first: dict[int, int]) -> bool:
    """Whether sets lie far apart in the row, as where all are laid out, the concealed ones too."""
    plain = [not is_bonus(first[i]) for i in row.tiles]
    between = zip(row.gaps, plain, plain[1:], strict=False)
    return any(gap > CLAIMED_GAP_WIDTHS and a and b for gap, a, b in between)


def _sorted_on(hand: Row, behind: Row, costs: dict[int, Costs]) -> bool:
    """Whether the row behind goes on where the hand's sorting ends, which claims hardly do."""
    faces = [next(iter(costs[i])) for i in (*hand.tiles, *behind.tiles)]
    return len(behind.tiles) >= HALF_HAND and _is_sorted(faces)


def _is_sorted(faces: Sequence[int]) -> bool:
    """Whether every suit lies together and its tiles rise, or all of them fall; honours lie in
    any order.
    """
    suits = [min(face // 9, 3) for face in faces]
    pairs = zip(pairwise(faces), pairwise(suits), strict=True)
    steps = [b - a for (a, b), (s, t) in pairs if s == t < 3]
    apart = [suit for suit, _ in groupby(suits)]
    one_way = all(step >= 0 for step in steps) or all(step <= 0 for step in steps)
    return len(set(apart)) == len(apart) and one_way


def _set_by_set(faces: Sequence[int]) -> bool:
    """Whether the tiles lie set by set, with one pair or one single tile for the eyes."""
    reach = {(0, False)}
    for at in range(len(faces)):
        for eyes in (False, True):
            if (at, eyes) not in reach:
                continue
            for size in (3, 4):
                if at + size <= len(faces) and is_set(tuple(faces[at : at + size])):
                    reach.add((at + size, eyes))
            if not eyes:
                reach.add((at + 1, True))
                if at + 1 < len(faces) and faces[at] == faces[at + 1]:
                    reach.add((at + 2, True))
    return (len(faces), True) in reach


def _winning_tile(
    plane: Plane, pieces: Sequence[Row], costs: dict[int, Costs]
) -> tuple[int | None, bool]:
    """The tile that lies as a winning tile does, and whether nothing else could be it.

    In this order: turned or sideways at an end of the own row, alone in front, behind or beside,
    or merely apart at an end. One turned tile means something, several mean nothing.
    """
    own = pieces[0]
    plane = levelled(plane, own)
    found: list[tuple[float, int]] = []
    # In a jumbled row a tile must stand out to mean something.
    usual = 3.0 * float(np.median([plane.off(i) for i in own.tiles])) if len(own.tiles) > 2 else 0
    odd = [
        i
        for i in own.tiles
        if not plane.is_back[i]
        and ((plane.turned(i) and plane.off(i) > usual) or plane.sideways(i))
    ]
    # Claimed tiles lie sideways; at the right end one that lies askew is none of them.
    askew = [i for i in odd if not plane.sideways(i)]
    alone = odd if len(odd) == 1 or own.tiles[0] in odd else askew
    alone = alone if len(alone) == 1 else []
    ends = [(own.tiles[-1], own.gaps[-1:], 0.3), (own.tiles[0], own.gaps[:1], 0.0)]
    for i, gap, right in ends if len(own.tiles) > 1 else []:
        if i in alone:
            found.append((4.0 + right, i))
        elif i in odd and gap[0] > BLOCK_GAP_WIDTHS:
            found.append((3.0 + right, i))
        elif right and abs(gap[0]) > SET_GAP_WIDTHS and _out_of_order(own, costs):
            found.append((2.8, i))
        elif gap[0] > (RIGHT_GAP_WIDTHS if right else LEFT_GAP_WIDTHS) and _stands_out(own, gap[0]):
            found.append((1.0 + 2 * right + min(gap[0], 1.0) / 2, i))
    for piece in pieces[1:]:
        if len(piece.tiles) == 1:
            found.append((2.5, piece.tiles[0]))
        elif not _last_in_set(piece, costs):
            # The hand lies in two rows, and the tile at the end of the second.
            last, off = piece.tiles[-1], piece.gaps[-1]
            stands_out = plane.sideways(last) or (plane.turned(last) and plane.off(last) > usual)
            if stands_out or (off > RIGHT_GAP_WIDTHS and _stands_out(piece, off)):
                found.append((2.6, last))
    if not found:
        return None, False
    found.sort(reverse=True)
    # Merely apart at the left end it may as well be the first tile of the hand.
    worth, best = found[0]
    sure = worth > 1.0 + 0.5 and all(
        worth - other >= 1.0 or _alike(best, i, costs) for other, i in found[1:]
    )
    return best, sure


def _alike(a: int, b: int, costs: dict[int, Costs]) -> bool:
    return next(iter(costs[a])) == next(iter(costs[b]))


def _last_in_set(row: Row, costs: dict[int, Costs]) -> bool:
    """Whether the row is one of sets, and its last tile lies close to the others of its set."""
    found = _as_sets(row, costs)
    if found is None:
        return False
    last = next(guess.tiles for guess in found if len(row.tiles) - 1 in guess.tiles)
    return last[0] == len(row.tiles) - len(last) and row.gaps[-1] <= BLOCK_GAP_WIDTHS


def _out_of_order(row: Row, costs: dict[int, Costs]) -> bool:
    """Whether the row is a sorted hand but for its last tile."""
    faces = [next(iter(costs[i])) for i in row.tiles]
    return len(faces) > LEAST_SORTED and _is_sorted(faces[:-1]) and not _is_sorted(faces)


def _stands_out(row: Row, gap: float) -> bool:
    """Whether a gap is the only one of its size: in a row with many gaps they mean nothing."""
    return sum(other > 0.7 * gap for other in row.gaps) == 1


def _fill(
    plane: Plane,
    pieces: Sequence[Row],
    costs: dict[int, Costs],
    first: dict[int, int],
    room: int,
    roles: Roles,
) -> None:
    """Concealed tiles and exposed sets of the rows, the winning tile already taken out."""
    own, *others = pieces
    rest: list[Row] = []
    for piece in others:
        found = _as_sets(piece, costs)
        if found is None:
            rest.append(piece)
        else:
            _expose(piece, found, roles)
    if any(len(piece.tiles) > 2 for piece in rest):
        # A second row that is no row of sets: part of the hand, or sets that were not seen whole.
        roles.doubts.add(CLAIMED)
    loose: list[Row] = []
    had_row_behind = bool(roles.exposed)
    for piece in (own, *rest):
        marked = _marked_windows(plane, piece, costs)
        roles.exposed += marked
        loose.append(without(piece, {i for window in marked for i in window}))
    for piece in loose:
        if piece.tiles:
            _own_row(piece, costs, first, room, had_row_behind, roles)


def _as_sets(piece: Row, costs: dict[int, Costs]) -> list[SetGuess] | None:
    found = partition([costs[i] for i in piece.tiles], _breaks(piece))
    if found is None or sum(s.cost for s in found) > SET_COST * len(found):
        return None
    return found


def _breaks(piece: Row) -> frozenset[int]:
    return frozenset(k + 1 for k, gap in enumerate(piece.gaps) if gap > BLOCK_GAP_WIDTHS)


def _expose(piece: Row, found: Sequence[SetGuess], roles: Roles) -> None:
    for guess in found:
        tiles = tuple(piece.tiles[k] for k in guess.tiles)
        roles.exposed.append(tiles)
        if len(tiles) == 4 and BACK not in guess.faces:
            roles.doubts.add(KONG)


def _own_row(
    row: Row,
    costs: dict[int, Costs],
    first: dict[int, int],
    room: int,
    had_row_behind: bool,
    roles: Roles,
) -> None:
    """A row that holds concealed tiles: take out what can only be exposed, keep the rest."""
    blocks = row.blocks()
    order = [first[i] for i in row.tiles]
    laid_out = not _is_sorted(order) and (_set_by_set(order) or _sets_at_an_end(order))
    if had_row_behind:
        # Small gaps in a hand before its claimed sets mean nothing.
        laid_out = _sets_apart(row, costs, CLAIMED_GAP_WIDTHS)
    elif len(order) > 4:
        laid_out = laid_out or _sets_apart(row, costs, SET_GAP_WIDTHS)
    else:
        laid_out = False
    if laid_out:
        # Nobody holds a hand like that: it was laid out to be shown, with the claimed sets or not.
        roles.doubts.add(CLAIMED)
    if len(blocks) > 1 and not had_row_behind:
        row = _gapped(row, blocks, costs, roles)
    # Too many tiles for a hand without kongs: four alike lying together are one.
    kongs = sum(len(tiles) == 4 for tiles in roles.exposed)
    for window in _kong_windows(row, first):
        if kongs >= room:
            break
        roles.exposed.append(window)
        roles.doubts |= {KONG, CLAIMED}
        row = without(row, window)
        kongs += 1
    roles.concealed += row.tiles


def _sets_apart(row: Row, costs: dict[int, Costs], least: float) -> bool:
    """Whether every set, and the pair, lies by itself, gaps being wider than ``least``."""
    blocks = row.blocks(least)
    if len(blocks) < 3 or any(len(block) not in (2, 3, 4) for block in blocks):
        return False
    return all(
        partition([costs[i] for i in block]) is not None
        if len(block) > 2
        else bool(set(costs[block[0]]) & set(costs[block[1]]))
        for block in blocks
    )


def _marked_windows(plane: Plane, row: Row, costs: dict[int, Costs]) -> list[tuple[int, ...]]:
    """Sets of neighbours that a sideways tile or a back marks as laid down."""
    taken: set[int] = set()
    windows: list[tuple[int, ...]] = []
    marks = [k for k, i in enumerate(row.tiles) if plane.sideways(i) or bool(plane.is_back[i])]
    for mark in marks:
        best: tuple[float, tuple[int, ...]] | None = None
        for size in (4, 3):
            for start in range(mark - size + 1, mark + 1):
                window = tuple(range(start, start + size))
                if start < 0 or window[-1] >= len(row.tiles) or taken & set(window):
                    continue
                found = best_set([costs[row.tiles[k]] for k in window])
                if found is None:
                    continue
                inner = sum(max(0.0, row.gaps[k]) for k in window[:-1])
                cost = found[0] + 2.0 * inner - 0.5 * (size == 4)
                if best is None or cost < best[0]:
                    best = (cost, window)
        if best is not None and mark not in taken:
            taken |= set(best[1])
            windows.append(tuple(row.tiles[k] for k in best[1]))
    return windows


def _gapped(
    row: Row, blocks: Sequence[tuple[int, ...]], costs: dict[int, Costs], roles: Roles
) -> Row:
    """A single row with gaps. Blocks that are sets may have been claimed; the picture only hints.

    One block with the eyes and loose tiles beside blocks of whole sets is read as hand and exposed
    sets. When every block is a set, or the pair, nothing tells which were claimed.
    """
    whole: list[tuple[tuple[int, ...], list[SetGuess]]] = []
    loose: list[tuple[int, ...]] = []
    for block in blocks:
        found = partition([costs[i] for i in block]) if len(block) >= 3 else None
        if found is not None and sum(s.cost for s in found) <= SET_COST * len(found):
            whole.append((block, found))
        else:
            loose.append(block)
    if not whole:
        return row
    roles.doubts.add(CLAIMED)
    main = len(loose) == 1 and len(loose[0]) > 2
    if not main:
        return row
    if partition_with_eyes([costs[i] for i in loose[0]]) is None and len(loose[0]) % 3 == 2:
        # The loose part is no hand by itself, so the gaps were not between sets.
        return row
    taken: list[int] = []
    for block, found in whole:
        _expose(Row(block, (0.0,) * (len(block) - 1)), found, roles)
        taken += block
    return without(row, taken)


def _kong_windows(row: Row, first: dict[int, int]) -> list[tuple[int, ...]]:
    return [
        row.tiles[k : k + 4]
        for k in range(len(row.tiles) - 3)
        if len({first[i] for i in row.tiles[k : k + 4]}) == 1
    ]
