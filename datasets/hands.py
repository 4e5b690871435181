"""Finished hands as people lay them down, with what the picture tells about them.

The ways and their frequencies follow what was seen on real tables: Taiwanese tables from the
player's side, Hong Kong hands on cloth, and hands laid down as separate sets.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.classes import WINDS
from datasets.hand_parts import (
    BONUS,
    CLAIMED,
    CONCEALED,
    MARKER,
    WHICH_KONG,
    WHICH_WINS,
    WINNING,
    LaidHand,
    Mix,
    Rng,
    arranged,
    concealed_faces,
    draw_hand,
    flip_some,
    laid_text,
    meld_items,
    pick_ruleset,
    steady_style,
    with_gaps,
)
from datasets.hands_taiwan import TaiwanLayout
from datasets.tables import Item, RowStyle, Table, put_heap, put_items, put_wall, row_length
from scorer.hand import Hand

__all__ = [
    "BONUS",
    "CLAIMED",
    "CONCEALED",
    "MARKER",
    "WHICH_KONG",
    "WHICH_WINS",
    "WINNING",
    "LaidHand",
    "Mix",
    "draw_hand",
    "lay_hand",
]


def lay_hand(
    rng: Rng, table: Table, elevation: float, *, way: str | None = None, mix: Mix | None = None
) -> LaidHand:
    """Put a random finished hand on the table.

    ``elevation`` of the camera (radians) decides how far exposed tiles must lie behind standing
    ones to be seen. ``way`` is ``taiwan``, ``cloth`` or ``sets``.
    """
    mix = mix or Mix()
    if way is None:
        way = str(rng.choice(["taiwan", "cloth", "sets"], p=[0.58, 0.35, 0.07]))
    if way == "taiwan":
        ruleset = pick_ruleset(rng, {"taiwan": 0.85, "taiwan-classic": 0.1, "hongkong": 0.05})
        laid = TaiwanLayout(rng, table, draw_hand(rng, ruleset, mix), elevation, mix).lay()
    else:
        weights = {"hongkong": 0.5, "taiwan": 0.28, "mcr": 0.15, "sichuan": 0.07}
        hand = draw_hand(rng, pick_ruleset(rng, weights), mix)
        laid = _cloth(rng, table, hand, mix) if way == "cloth" else _sets(rng, table, hand, mix)
    if rng.random() < mix.other_tiles:
        _others(rng, table)
    return laid


def _cloth(rng: Rng, table: Table, hand: Hand, mix: Mix) -> LaidHand:
    """A Hong Kong hand on cloth: one row, or the exposed sets in a second row above."""
    ts = table.ts
    asks: set[str] = set()
    style = steady_style(rng, mix)
    sideways = rng.random() < mix.sideways_claim * 0.6
    every_set_apart = rng.random() < 0.2
    one_row = rng.random() < 0.3
    set_gap = float(rng.uniform(0.3, 0.9))
    angle = float(rng.normal(0, 0.02))
    melds = [meld_items(rng, m, k, sideways, asks) for k, m in enumerate(hand.melds)]
    melds = [with_gaps(rng, m, 0.02) for m in melds]
    faces = concealed_faces(rng, hand, sort_share=0.9)
    marked = rng.random() >= mix.unmarked_win or hand.winning is None
    if hand.winning is not None and not marked:
        asks.add(WHICH_WINS)
        faces.append(int(hand.winning))
        faces.sort()
    roles = [CONCEALED] * len(faces)
    if hand.winning is not None and not marked:
        roles[faces.index(int(hand.winning))] = WINNING
    own = [Item(f, r) for f, r in zip(faces, roles, strict=True)]
    if every_set_apart:
        asks.add(CLAIMED)
        whole = hand if not marked else replace(hand, winning=None)
        groups = arranged(whole)
        own = [replace(i, gap=0.0 if k else set_gap) for g in groups for k, i in enumerate(g)]
        own[0] = replace(own[0], gap=0.0)
    else:
        own = with_gaps(rng, own, float(rng.uniform(0, 0.05)))
    own = flip_some(rng, own, 0.3 if rng.random() < mix.flipped else 0.0)
    exposed: list[Item] = []
    for items in melds:
        exposed += [replace(items[0], gap=set_gap if exposed or one_row else 0.0), *items[1:]]
    row = own + exposed if one_row else own
    if one_row and melds:
        asks.add(CLAIMED)
    length = row_length(row, ts)
    left = -length / 2
    put_items(rng, table, row, (left, 0.0), angle, style)
    above = ts.height * float(rng.uniform(1.05, 1.5))
    bonus = with_gaps(rng, [Item(int(t), BONUS) for t in hand.bonus], 0.04)
    if not one_row and exposed:
        wide = row_length(exposed, ts)
        start = left + float(rng.uniform(0, max(0.1, length - wide)))
        put_items(rng, table, exposed, (start, above), angle, style)
        bonus_y = above * 2 if rng.random() < 0.6 else 0.0
    else:
        bonus_y = above if rng.random() < 0.7 else 0.0
    if bonus:
        wide = row_length(bonus, ts)
        if bonus_y > 0:
            at = (left + float(rng.uniform(0, max(0.1, length - wide))), bonus_y)
        else:
            at = (left - wide - float(rng.uniform(0.3, 1.0)), 0.0)
        put_items(rng, table, bonus, at, angle, style)
    if hand.winning is not None and marked:
        _apart(rng, table, int(hand.winning), left, length)
    if rng.random() < 0.08:
        marker = Item(int(rng.choice(list(WINDS))), MARKER)
        at = (left + length + float(rng.uniform(2.5, 4)), float(rng.uniform(1.5, 3)))
        put_items(rng, table, [marker], at, float(rng.normal(0, 0.3)), style)
    return LaidHand(laid_text(hand, table), tuple(sorted(asks)))


def _apart(rng: Rng, table: Table, face: int, left: float, length: float) -> None:
    """The winning tile, turned at the right end; rarely above, at the left or far away."""
    ts = table.ts
    turn = float(rng.choice([-1, 1]) * np.deg2rad(rng.uniform(20, 45)))
    where = rng.random()
    for attempt in range(20):
        slip = 0.15 * attempt
        if where < 0.78:
            at = (
                left + length + float(rng.uniform(0.2, 0.9)) + slip,
                float(rng.uniform(-0.4, 0.3)),
            )
        elif where < 0.86:
            at = (left + length - float(rng.uniform(0, 2)), -ts.height - 0.5 - slip)
        elif where < 0.93:
            at = (left - float(rng.uniform(1.3, 2.0)) - slip, float(rng.uniform(-0.3, 0.3)))
        else:
            at = (left + length + float(rng.uniform(2, 4)) + slip, float(rng.uniform(-0.4, 0.4)))
        trial = Table(ts)
        put_items(rng, trial, [Item(face, WINNING)], at, turn, RowStyle())
        if table.free(trial.solids[0]) or attempt == 19:
            table.add(trial.solids[0])
            return


def _sets(rng: Rng, table: Table, hand: Hand, mix: Mix) -> LaidHand:
    """Sets and pair scattered, each turned a little; nothing tells which were claimed."""
    asks: set[str] = {CLAIMED}
    groups = [meld_items(rng, m, k, False, asks) for k, m in enumerate(hand.melds)]
    groups += arranged(hand)
    if hand.winning is not None:
        asks.add(WHICH_WINS)
    if hand.bonus:
        groups.append([Item(int(t), BONUS) for t in hand.bonus])
    columns = int(rng.integers(2, 4))
    rng.shuffle(groups)
    pitch_x, pitch_y = 5.2, table.ts.height + 1.0
    for k, group in enumerate(groups):
        row, column = divmod(k, columns)
        angle = float(rng.normal(0, 0.1))
        x = (column - (columns - 1) / 2) * pitch_x - len(group) / 2 + float(rng.normal(0, 0.3))
        y = -row * pitch_y + float(rng.normal(0, 0.12))
        put_items(rng, table, with_gaps(rng, group, 0.02), (x, y), angle, steady_style(rng, mix))
    return LaidHand(laid_text(hand, table), tuple(sorted(asks)))


def _others(rng: Rng, table: Table) -> None:
    """Tiles that are not of this hand: discards, walls, other players' sets."""
    x0, y0, x1, y1 = table.extent()
    what = rng.random()
    if what < 0.75:
        near = 0.6 if rng.random() < 0.2 else 2.5
        spread = float(rng.uniform(1.5, 3.0))
        at = (float(rng.uniform(x0 + 2, x1 - 2)), y1 + near + spread * 1.5)
        put_heap(
            rng, table, at, int(rng.integers(3, 24)), spread=spread,
            any_turn=bool(rng.random() < 0.75), down=float(rng.choice([0.0, 0.25])), bonus=False,
        )  # fmt: skip
    if what > 0.4:
        for _ in range(int(rng.integers(1, 3))):
            y = table.extent()[3] + float(rng.uniform(1.2, 4))
            start = (float(rng.uniform(x0 - 2, (x0 + x1) / 2)), y)
            put_wall(rng, table, start, float(rng.normal(0, 0.06)), int(rng.integers(5, 18)))
    if rng.random() < 0.3:
        side = float(rng.choice([-1, 1]))
        x = x1 + rng.uniform(2.5, 5) if side > 0 else x0 - rng.uniform(2.5, 5)
        faces = [int(f) for f in rng.integers(0, 34, int(rng.choice([3, 6, 7])))]
        items = [Item(f, "other") for f in faces]
        trial = Table(table.ts)
        turn = np.pi / 2 * side
        start = (float(x), float((y0 + y1) / 2 - side * row_length(items, table.ts) / 2 + 3))
        put_items(rng, trial, items, start, turn, RowStyle())
        for solid in trial.solids:
            table.add_if_free(solid)
