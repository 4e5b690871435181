"""Finished hands as people lay them down, with what the picture tells about them.

The ways and their frequencies follow what was seen on real tables: Taiwanese tables from the
player's side, Hong Kong hands on cloth, and hands laid down as separate sets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import numpy as np

from datasets.classes import BACK, WINDS
from datasets.tables import Item, RowStyle, Table, put_heap, put_items, put_wall, row_length
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
    hidden_kong: float = 0.23
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
        if has_kong == want_kong and (want_bonus or not hand.bonus):
            break
        hand = winning_hand(lot, ruleset).hand
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
        laid = _Taiwan(rng, table, draw_hand(rng, ruleset, mix), elevation, mix).lay()
    else:
        weights = {"hongkong": 0.5, "taiwan": 0.28, "mcr": 0.15, "sichuan": 0.07}
        hand = draw_hand(rng, pick_ruleset(rng, weights), mix)
        laid = _cloth(rng, table, hand, mix) if way == "cloth" else _sets(rng, table, hand, mix)
    if rng.random() < mix.other_tiles:
        _others(rng, table)
    return laid


def _steady(rng: Rng, mix: Mix) -> RowStyle:
    messy = rng.random() < mix.messy
    return RowStyle(
        wave=float(rng.uniform(0.04, 0.14)) if messy else float(rng.uniform(0.0, 0.03)),
        turn_jitter=float(rng.uniform(0.02, 0.08)) if messy else float(rng.uniform(0.0, 0.02)),
    )


def _gaps(rng: Rng, items: list[Item], gap: float) -> list[Item]:
    """The items with ``gap`` (and a little chance) before each but the first."""
    out = items[:1]
    for item in items[1:]:
        out.append(replace(item, gap=item.gap + max(0.0, gap + float(rng.normal(0, 0.015)))))
    return out


def _flip_some(rng: Rng, items: list[Item], share: float) -> list[Item]:
    return [
        replace(i, quarters=2) if i.quarters == 0 and rng.random() < share else i for i in items
    ]


def _concealed(rng: Rng, hand: Hand, *, sort_share: float = 0.85) -> list[int]:
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


def _meld_items(rng: Rng, meld: Meld, k: int, sideways: bool, ask: set[str]) -> list[Item]:
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


def _text(hand: Hand, table: Table, *, winning: bool = True) -> str:
    """The hand text; a concealed kong none of whose tiles shows its face is written as backs."""
    melds = []
    for k, meld in enumerate(hand.melds):
        tiles = [s for s in table.solids if s.role == f"kong-{k}"]
        if tiles and not any(s.face_up for s in tiles):
            meld = Meld(CONCEALED_KONG, (Tile(BACK),) * 4)
        melds.append(meld)
    return str(Hand(hand.concealed, tuple(melds), hand.bonus, hand.winning if winning else None))


class _Taiwan:
    """The player's view of a Taiwanese table: own row near, exposed row flat behind it."""

    def __init__(self, rng: Rng, table: Table, hand: Hand, elevation: float, mix: Mix) -> None:
        self.rng, self.table, self.hand, self.mix = rng, table, hand, mix
        self.elevation = elevation
        self.asks: set[str] = set()
        self.style = _steady(rng, mix)
        # Faces of standing tiles are not seen from above.
        steep = float(np.rad2deg(elevation))
        if rng.random() < float(np.interp(steep, (50, 62, 70), (0.6, 0.35, 0.0))):
            lean = float(rng.choice([0.0, rng.uniform(0, 0.3)]))
            self.style = replace(self.style, pose="standing", lean=lean)

    def lay(self) -> LaidHand:
        rng, ts, hand = self.rng, self.table.ts, self.hand
        own = [Item(f, CONCEALED) for f in _concealed(rng, hand)]
        own = _flip_some(rng, own, 0.25 if rng.random() < self.mix.flipped else 0.0)
        win_in = self._winning(own)
        gap = float(rng.uniform(0, 0.04) if rng.random() < 0.8 else rng.uniform(0.05, 0.3))
        own = _gaps(rng, own, gap)
        if rng.random() < 0.15:
            # Gaps between groups that mean nothing.
            own = [
                replace(i, gap=i.gap + float(rng.uniform(0.3, 1.2)))
                if rng.random() < 0.2 and i.role == CONCEALED
                else i
                for i in own
            ]
        angle = float(rng.normal(0, 0.03))
        length = row_length(own, ts)
        left = -length / 2
        bend = float(rng.normal(0, 0.012)) if rng.random() < 0.15 else 0.0
        two = len(own) > 9 and rng.random() < 0.08
        if two:
            half = len(own) // 2
            put_items(rng, self.table, own[:half], (left / 2, 0.0), angle, self.style)
            deep = self._depth() + float(rng.uniform(0.0, 0.3))
            flat = replace(self.style, pose="lying") if rng.random() < 0.3 else self.style
            y = self._behind(flat) if flat.pose == "lying" else self._hidden_depth()
            put_items(rng, self.table, own[half:], (left / 2, max(y, deep)), angle, flat)
            back = max(y, deep) + ts.height
        else:
            put_items(rng, self.table, own, (left, 0.0), angle, self.style, bend=bend)
            back = 0.0
        self._exposed(left, length, angle, back, bend)
        return LaidHand(_text(hand, self.table, winning=win_in), tuple(sorted(self.asks)))

    def _depth(self) -> float:
        ts = self.table.ts
        return ts.thickness if self.style.pose == "standing" else ts.height

    def _hidden_depth(self) -> float:
        """How far behind a standing row another standing one is seen almost whole."""
        ts = self.table.ts
        return ts.thickness + 0.75 * ts.height / float(np.tan(self.elevation))

    def _behind(self, style: RowStyle) -> float:
        """y of the middle of a lying row behind the own row (whose reference is y = 0)."""
        ts = self.table.ts
        if self.style.pose == "standing":
            # Up to a third of a lying tile may vanish behind the standing ones.
            blind = (ts.height - ts.thickness) / float(np.tan(self.elevation))
            least = ts.thickness + max(0.05, blind - 0.3 * ts.height)
            return least + ts.height / 2 + abs(float(self.rng.normal(0, 0.35)))
        return ts.height + 0.05 + abs(float(self.rng.normal(0, 0.3)))

    def _winning(self, own: list[Item]) -> bool:
        """Put the winning tile somewhere; False when it is not in the picture."""
        rng, hand, ts = self.rng, self.hand, self.table.ts
        if hand.winning is None:
            return True
        face = int(hand.winning)
        roll = rng.random()
        if roll < self.mix.win_outside:
            self.asks.add(WHICH_WINS)
            return False
        roll = (roll - self.mix.win_outside) / (1 - self.mix.win_outside)
        if roll < self.mix.unmarked_win:
            self.asks.add(WHICH_WINS)
            own.insert(int(rng.integers(len(own) + 1)), Item(face, WINNING))
            return True
        kind = str(rng.choice(["apart", "side", "turned", "front", "far"],
                              p=[0.42, 0.24, 0.16, 0.1, 0.08]))  # fmt: skip
        standing_up = self.style.pose == "standing"
        if kind == "side" and not standing_up:
            own.append(Item(face, WINNING, int(rng.choice([1, 3])), gap=float(rng.uniform(0, 0.4))))
        elif kind in ("apart", "far") or (kind == "side" and rng.random() < 0.4):
            gap = rng.uniform(0.35, 1.2) if kind != "far" else rng.uniform(1.2, 3.0)
            own.append(Item(face, WINNING, gap=float(gap)))
        else:
            length = row_length(own, ts)
            flat = RowStyle()
            turn = float(rng.normal(0, 0.1))
            if kind == "front":
                at = (float(rng.uniform(-0.3, 0.5) * length), -ts.height - float(rng.uniform(0, 1)))
            else:
                turn = float(rng.choice([-1, 1]) * rng.uniform(0.35, 0.8))
                if kind == "side":
                    turn = np.pi / 2
                at = (length / 2 + float(rng.uniform(1.0, 1.8)), float(rng.uniform(0, 0.4)))
            put_items(rng, self.table, [Item(face, WINNING)], at, turn, flat)
        return True

    def _exposed(self, left: float, length: float, angle: float, back: float, bend: float) -> None:
        rng, hand, mix, ts = self.rng, self.hand, self.mix, self.table.ts
        sideways = rng.random() < mix.sideways_claim
        sets = [_meld_items(rng, m, k, sideways, self.asks) for k, m in enumerate(hand.melds)]
        gap = float(abs(rng.normal(0.06, 0.05)) if rng.random() < mix.pushed + 0.2
                    else rng.uniform(0.2, 0.8))  # fmt: skip
        row: list[Item] = []
        for items in sets:
            items = _gaps(rng, items, float(rng.uniform(0, 0.04)))
            row += [replace(items[0], gap=gap if row else 0.0), *items[1:]]
        if len(sets) > 1 and rng.random() < 0.05:
            # A kong's fourth tile added after the next set.
            for items in sets[:-1]:
                if len(items) == 4 and not any(i.back for i in items):
                    last = next(i for i in reversed(row) if i.role == items[0].role)
                    row.remove(last)
                    row.append(replace(last, quarters=0, gap=0.05))
                    break
        bonus = [Item(int(t), BONUS) for t in hand.bonus]
        rng.shuffle(bonus)
        bonus = _gaps(rng, bonus, 0.03)
        bonus = _flip_some(rng, bonus, 0.3 if rng.random() < 0.3 else 0.0)
        place = str(rng.choice(["left", "alone", "between", "ends", "front"],
                               p=[0.5, 0.2, 0.1, 0.08, 0.12]))  # fmt: skip
        apart: list[Item] = []
        if bonus and row:
            if place == "left":
                row[0] = replace(row[0], gap=float(abs(rng.normal(0.08, 0.15))))
                row = bonus + row
            elif place == "between" and len(sets) > 1:
                first = len(sets[0])
                row = row[:first] + bonus + row[first:]
            elif place == "ends":
                k = len(bonus) // 2
                row = bonus[:k] + row + bonus[k:]
            else:
                apart = bonus
        elif bonus:
            if place == "front":
                apart = bonus
            else:
                row = bonus
        flat = replace(self.style, pose="lying", lean=0.0)
        if row:
            y = back + self._behind(flat)
            wide = row_length(row, ts)
            start = left + float(rng.choice([0.0, (length - wide) / 2, length - wide]))
            start += float(rng.normal(0, 0.8))
            y += abs(bend) * (length / 2) ** 2
            put_items(rng, self.table, row, (start, y), angle, flat)
            back = y
        if apart:
            wide = row_length(apart, ts)
            if place == "front" and not self._front_taken():
                at = (
                    left + float(rng.uniform(0, 0.4)) * length,
                    -ts.height - float(rng.uniform(0.1, 1)),
                )
            else:
                step = back + ts.height * 1.1 if back else self._behind(flat)
                at = (left + float(rng.uniform(0, 0.6)) * length, step)
            put_items(rng, self.table, apart, at, angle, flat)

    def _front_taken(self) -> bool:
        return any(s.role == WINNING and s.centre[1] < -0.8 for s in self.table.solids)


def _cloth(rng: Rng, table: Table, hand: Hand, mix: Mix) -> LaidHand:
    """A Hong Kong hand on cloth: one row, or the exposed sets in a second row above."""
    ts = table.ts
    asks: set[str] = set()
    style = _steady(rng, mix)
    sideways = rng.random() < mix.sideways_claim * 0.6
    every_set_apart = rng.random() < 0.2
    one_row = rng.random() < 0.3
    set_gap = float(rng.uniform(0.3, 0.9))
    angle = float(rng.normal(0, 0.02))
    melds = [_meld_items(rng, m, k, sideways, asks) for k, m in enumerate(hand.melds)]
    melds = [_gaps(rng, m, 0.02) for m in melds]
    faces = _concealed(rng, hand, sort_share=0.9)
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
        groups = _arranged(whole)
        own = [replace(i, gap=0.0 if k else set_gap) for g in groups for k, i in enumerate(g)]
        own[0] = replace(own[0], gap=0.0)
    else:
        own = _gaps(rng, own, float(rng.uniform(0, 0.05)))
    own = _flip_some(rng, own, 0.3 if rng.random() < mix.flipped else 0.0)
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
    bonus = _gaps(rng, [Item(int(t), BONUS) for t in hand.bonus], 0.04)
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
    return LaidHand(_text(hand, table), tuple(sorted(asks)))


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


def _arranged(hand: Hand) -> list[list[Item]]:
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


def _sets(rng: Rng, table: Table, hand: Hand, mix: Mix) -> LaidHand:
    """Sets and pair scattered, each turned a little; nothing tells which were claimed."""
    asks: set[str] = {CLAIMED}
    groups = [_meld_items(rng, m, k, False, asks) for k, m in enumerate(hand.melds)]
    groups += _arranged(hand)
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
        put_items(rng, table, _gaps(rng, group, 0.02), (x, y), angle, _steady(rng, mix))
    return LaidHand(_text(hand, table), tuple(sorted(asks)))


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
