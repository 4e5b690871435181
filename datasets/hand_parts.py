"""What every way of laying a hand shares: drawing it, its roles, its sets as items of a row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import numpy as np

from datasets.classes import BACK
from datasets.tables import Item, RowStyle, Table
from scorer.hand import CONCEALED_KONG, Hand, Meld
from scorer.registry import rulesets
from scorer.sampling import winning_hand
from scorer.tiles import Tile

Rng = np.random.Generator

CONCEALED, WINNING, BONUS, MARKER = "concealed", "winning", "bonus", "marker"
"""Roles of tiles; exposed sets are ``set-0`` …, concealed kongs ``kong-0`` … in meld order."""

CLAIMED, WHICH_KONG, WHICH_WINS = "claimed", "kong", "winning-tile"
"""What a picture may fail to tell."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Shares of hands that show an oddity."""

    pushed: float = 0.55
    other_tiles: float = 0.42
    hidden_kong: float = 0.28
    bonus: float = 0.55
    unmarked_win: float = 0.1
    win_outside: float = 0.06
    sideways_claim: float = 0.3
    messy: float = 0.18
    flipped: float = 0.12


@dataclass(frozen=True, slots=True)
class LaidHand:
    """``text`` is the hand that lies there; ``asks`` names what the picture cannot tell."""

    text: str
    asks: tuple[str, ...]


def draw_hand(rng: Rng, ruleset: str, mix: Mix) -> Hand:
    """A legal finished hand, with bonus tiles and a concealed kong as often as the mix says."""
    lot = Random(int(rng.integers(2**32)))
    want_kong = rng.random() < mix.hidden_kong
    want_bonus = rng.random() < mix.bonus
    hand = winning_hand(lot, ruleset).hand
    for _ in range(60):
        has_kong = any(m.kind == CONCEALED_KONG for m in hand.melds)
        if has_kong == want_kong:
            break
        hand = winning_hand(lot, ruleset).hand
    if hand.bonus and not want_bonus:
        hand = Hand(hand.concealed, hand.melds, (), hand.winning)
    if want_bonus and not hand.bonus and ruleset != "sichuan":
        n = int(rng.choice([1, 2, 3, 4], p=[0.4, 0.35, 0.15, 0.1]))
        chosen = rng.choice(8, n, replace=False)
        bonus = tuple(Tile(34 + int(k)) for k in chosen)
        hand = Hand(hand.concealed, hand.melds, bonus, hand.winning)
    return hand


def pick_ruleset(rng: Rng, preferred: dict[str, float]) -> str:
    """One of the rule sets that exist, by the weights given."""
    known = {k: v for k, v in preferred.items() if k in rulesets()} or {"taiwan": 1.0}
    p = np.array(list(known.values()))
    return str(list(known)[int(rng.choice(len(p), p=p / p.sum()))])


def steady_style(rng: Rng, mix: Mix) -> RowStyle:
    messy = rng.random() < mix.messy
    return RowStyle(
        wave=float(rng.uniform(0.04, 0.14)) if messy else float(rng.uniform(0.0, 0.03)),
        turn_jitter=float(rng.uniform(0.02, 0.08)) if messy else float(rng.uniform(0.0, 0.02)),
    )


def with_gaps(rng: Rng, items: list[Item], gap: float) -> list[Item]:
    """The items with ``gap`` (and a little chance) before each but the first."""
    out = items[:1]
    for item in items[1:]:
        out.append(replace(item, gap=item.gap + max(0.0, gap + float(rng.normal(0, 0.015)))))
    return out


def flip_some(rng: Rng, items: list[Item], share: float) -> list[Item]:
    return [
        replace(i, quarters=2) if i.quarters == 0 and rng.random() < share else i for i in items
    ]


def concealed_faces(rng: Rng, hand: Hand, *, sort_share: float = 0.85) -> list[int]:
    faces = [int(t) for t in hand.concealed]
    if rng.random() > sort_share:
        # Half sorted: some neighbours have not found their place yet.
        for _ in range(int(rng.integers(1, 6))):
            i, j = rng.integers(len(faces), size=2)
            faces[i], faces[j] = faces[j], faces[i]
    elif rng.random() < 0.4:
        order = rng.permutation(4)
        faces.sort(key=lambda f: (order[min(f // 9, 3)], f))
    return faces


def meld_items(rng: Rng, meld: Meld, k: int, sideways: bool, ask: set[str]) -> list[Item]:
    faces = [int(t) for t in meld.tiles]
    if meld.kind == CONCEALED_KONG:
        role = f"kong-{k}"
        shown = int(rng.choice([0, 1, 2, 3, 4], p=[0.15, 0.12, 0.28, 0.3, 0.15]))
        down = {
            0: (0, 1, 2, 3),
            1: (0, 1, 2) if rng.random() < 0.5 else (0, 1, 3),
            2: (1, 2),
            3: (0, 3),
            4: (),
        }[shown]
        if not down:
            ask.add(WHICH_KONG)
        return [Item(f, role, back=i in down) for i, f in enumerate(faces)]
    role = f"set-{k}"
    if rng.random() < 0.15:
        rng.shuffle(faces)
    items = [Item(f, role) for f in faces]
    if sideways:
        at = int(rng.integers(len(items)))
        items[at] = replace(items[at], quarters=int(rng.choice([1, 3])))
    return items


def laid_text(hand: Hand, table: Table, *, winning: bool = True) -> str:
    """The hand text; a concealed kong none of whose tiles shows its face is written as backs."""
    melds = []
    for k, meld in enumerate(hand.melds):
        tiles = [s for s in table.solids if s.role == f"kong-{k}"]
        if tiles and not any(s.face_up for s in tiles):
            meld = Meld(CONCEALED_KONG, (Tile(BACK),) * 4)
        melds.append(meld)
    return str(Hand(hand.concealed, tuple(melds), hand.bonus, hand.winning if winning else None))


def arranged(hand: Hand) -> list[list[Item]]:
    """The concealed and the winning tile as sets and a pair; in threes where they are neither."""
    last = [] if hand.winning is None else [int(hand.winning)]
    faces = sorted([*map(int, hand.concealed), *last])
    found = _split(tuple(faces), False)
    if found is None:
        found = [faces[k : k + 3] for k in range(0, len(faces), 3)]
    wins = -1 if hand.winning is None else int(hand.winning)
    groups = []
    for group in found:
        items = []
        for face in group:
            items.append(Item(face, WINNING if face == wins else CONCEALED))
            if face == wins:
                wins = -1
        groups.append(items)
    return groups


def _split(faces: tuple[int, ...], paired: bool) -> list[list[int]] | None:
    """``faces`` (sorted) as chows and pungs and at most one pair, or None."""
    if not faces:
        return []
    first = faces[0]
    tries: list[list[int]] = []
    if faces.count(first) >= 3:
        tries.append([first] * 3)
    if first < 27 and first % 9 < 7 and first + 1 in faces and first + 2 in faces:
        tries.append([first, first + 1, first + 2])
    if not paired and faces.count(first) >= 2:
        tries.append([first] * 2)
    for group in tries:
        rest = list(faces)
        for face in group:
            rest.remove(face)
        found = _split(tuple(rest), paired or len(group) == 2)
        if found is not None:
            return [group, *found]
    return None
