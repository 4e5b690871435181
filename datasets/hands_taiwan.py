"""A finished hand as it lies on a Taiwanese table, seen from the player's side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.hand_parts import (
    BONUS,
    CONCEALED,
    WHICH_WINS,
    WINNING,
    LaidHand,
    Mix,
    Rng,
    concealed_faces,
    flip_some,
    laid_text,
    meld_items,
    steady_style,
    with_gaps,
)
from datasets.tables import Item, RowStyle, Table, put_items, row_length
from scorer.hand import Hand


class TaiwanLayout:
    """The player's view of a Taiwanese table: own row near, exposed row flat behind it."""

    def __init__(self, rng: Rng, table: Table, hand: Hand, elevation: float, mix: Mix) -> None:
        self.rng, self.table, self.hand, self.mix = rng, table, hand, mix
        self.elevation = elevation
        self.asks: set[str] = set()
        self.style = steady_style(rng, mix)
        # Faces of standing tiles are not seen from above.
        steep = float(np.rad2deg(elevation))
        if rng.random() < float(np.interp(steep, (50, 62, 70), (0.6, 0.35, 0.0))):
            lean = float(rng.choice([0.0, rng.uniform(0, 0.3)]))
            self.style = replace(self.style, pose="standing", lean=lean)

    def lay(self) -> LaidHand:
        rng, ts, hand = self.rng, self.table.ts, self.hand
        own = [Item(f, CONCEALED) for f in concealed_faces(rng, hand)]
        own = flip_some(rng, own, 0.25 if rng.random() < self.mix.flipped else 0.0)
        win_in = self._winning(own)
        gap = float(rng.uniform(0, 0.04) if rng.random() < 0.8 else rng.uniform(0.05, 0.3))
        own = with_gaps(rng, own, gap)
        if rng.random() < 0.15:
            # Gaps between groups that mean nothing.
            own = [
                replace(i, gap=i.gap + float(rng.uniform(0.3, 1.2)))
                if rng.random() < 0.2 and i.role == CONCEALED
                else i
                for i in own
            ]
        if _lost_among_gaps(own):
            self.asks.add(WHICH_WINS)
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
        return LaidHand(laid_text(hand, self.table, winning=win_in), tuple(sorted(self.asks)))

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
        sets = [meld_items(rng, m, k, sideways, self.asks) for k, m in enumerate(hand.melds)]
        gap = float(abs(rng.normal(0.06, 0.05)) if rng.random() < mix.pushed + 0.2
                    else rng.uniform(0.2, 0.8))  # fmt: skip
        row: list[Item] = []
        for items in sets:
            items = with_gaps(rng, items, float(rng.uniform(0, 0.04)))
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
        bonus = with_gaps(rng, bonus, 0.03)
        bonus = flip_some(rng, bonus, 0.3 if rng.random() < 0.3 else 0.0)
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


def _lost_among_gaps(own: list[Item]) -> bool:
    """Whether the winning tile lies a little off at the end of a row in which other gaps are as
    wide, and the order of the hand does not give it away either."""
    *hand, last = own
    if last.role != WINNING or last.quarters % 2 or last.gap == 0 or not hand:
        return False
    faces = [item.face for item in hand]
    tells = faces == sorted(faces) and last.face < faces[-1]
    return not tells and max((item.gap for item in hand[1:]), default=0.0) > 0.7 * last.gap
