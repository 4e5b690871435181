"""The likeliest assignment of faces that a hand can have, found exactly.

Every tile, or exposed set, is a slot with options in order of cost. Assignments are visited in
order of total cost (each exactly once, by the successor rule for k smallest sums), so the first
legal one is the best and the next ones are its true rivals.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from scorer.arrange import key_of
from scorer.houserules import HouseRules
from scorer.ruleset import Ruleset
from scorer.suits import SUIT_BITS, SUIT_MASK, UNIT, suit_waits
from scorer.waits import faces_of, set_waits
from vision.detections import BACK
from vision.faces import BONUS, Costs, is_bonus, is_set
from vision.thresholds import (
    CERTAIN_NATS,
    MAX_REPAIRS,
    MAX_STATES,
    REPAIR_NATS,
    REPAIR_TOTAL_NATS,
)

_FIVE_OR_MORE = 0b11000 * sum(UNIT)
_THREE_EACH = 3 * sum(UNIT)
_FULL = (1 << BONUS) - 1


@dataclass(frozen=True, slots=True)
class Completion:
    """A legal assignment: the face of every tile of the hand, and what it costs."""

    faces: dict[int, int]
    cost: float
    waits: tuple[int, ...] = ()
    """Faces that would complete it, when the winning tile is not in the picture."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Completions from the best on, all within `CERTAIN_NATS` of it; empty when none is near.

    exhausted: every assignment within reach was looked at.
    """

    completions: tuple[Completion, ...]
    exhausted: bool


@dataclass(frozen=True, slots=True)
class _Slot:
    tiles: tuple[int, ...]
    options: tuple[tuple[float, tuple[int, ...]], ...]
    is_set: bool


def solve(
    loose: Sequence[int],
    exposed: Sequence[tuple[int, ...]],
    costs: dict[int, Costs],
    rules: Ruleset,
    house: HouseRules | None = None,
    reach: Mapping[int, float] | None = None,
) -> Solution:
    """Completions of a hand with `loose` tiles (concealed, winning and bonus) and exposed sets.

    reach: the cost up to which a tile's first choice may be overruled, where it is not
    `REPAIR_NATS`.
    """
    far = reach or {}
    within = {
        i: {face: c for face, c in costs[i].items() if c <= far.get(i, REPAIR_NATS) or face == BACK}
        for i in (*loose, *(i for tiles in exposed for i in tiles))
    }
    slots = [_tile_slot(i, within[i]) for i in loose] + [_set_slot(s, within) for s in exposed]
    check = _Check(rules, house, len(exposed))
    if any(not slot.options for slot in slots) or not check.can_fit(slots):
        return Solution((), True)
    found: list[Completion] = []
    base = sum(slot.options[0][0] for slot in slots)
    for states, (extra, choice) in enumerate(_in_order(slots)):
        limit = found[0].cost + CERTAIN_NATS if found else REPAIR_TOTAL_NATS
        if base + extra > limit:
            return Solution(tuple(found), True)
        if states >= MAX_STATES:
            return Solution(tuple(found), False)
        waits = check(slots, choice)
        if waits is not None:
            faces = {
                tile: face
                for k, slot in enumerate(slots)
                for tile, face in zip(slot.tiles, slot.options[choice.get(k, 0)][1], strict=True)
            }
            found.append(Completion(faces, base + extra, waits))
    return Solution(tuple(found), True)


def is_complete(key: int, melds: int, rules: Ruleset, house: HouseRules | None) -> bool:
    """Whether the concealed tiles of `key` and `melds` sets make a complete hand."""
    pairs = 0
    for suit in range(4):
        part = key >> SUIT_BITS * suit & SUIT_MASK
        if part:
            size = part % 31 % 3
            if size == 1 or not suit_waits(suit, part)[0]:
                pairs = 9
                break
            pairs += size == 2
    if pairs == 1:
        return True
    return any(
        shape.find(key, melds) for shape in rules.shapes if _is_on(shape.option, rules, house)
    )


def waits_of(key: int, melds: int, rules: Ruleset, house: HouseRules | None) -> tuple[int, ...]:
    """Faces that would complete the concealed tiles of `key`."""
    mask = set_waits(key)
    for shape in rules.shapes:
        if _is_on(shape.option, rules, house):
            mask |= shape.waits(key, melds)
    return tuple(face for face in faces_of(mask & _FULL) if not _five(key + UNIT[face]))


def _is_on(option: str, rules: Ruleset, house: HouseRules | None) -> bool:
    return not option or bool((house or rules.house())[option])


def _five(key: int) -> bool:
    return bool((key + _THREE_EACH) & _FIVE_OR_MORE)


class _Check:
    """Whether a choice of options is a hand; answers its waits, () for a complete one."""

    def __init__(self, rules: Ruleset, house: HouseRules | None, melds: int) -> None:
        self.rules, self.house, self.melds = rules, house, melds
        self.size = 3 * (rules.sets - melds) + 2
        self.known: dict[int, tuple[int, ...] | None] = {}

    def __call__(self, slots: Sequence[_Slot], choice: dict[int, int]) -> tuple[int, ...] | None:
        key = shown = count = seen_bonus = 0
        for k, slot in enumerate(slots):
            faces = slot.options[choice.get(k, 0) if choice else 0][1]
            if slot.is_set:
                shown += key_of(faces)
                continue
            face = faces[0]
            if is_bonus(face):
                if seen_bonus >> face & 1:
                    return None
                seen_bonus |= 1 << face
            else:
                key += UNIT[face]
                count += 1
        if not self.size - 1 <= count <= self.size or _five(key + shown):
            return None
        if not self.rules.honours and (seen_bonus or (key + shown) >> 3 * SUIT_BITS):
            return None  # a game of three suits
        state = key * 2 + (count == self.size)
        if state not in self.known:
            self.known[state] = self._judge(key, count)
        waits = self.known[state]
        if waits:
            waits = tuple(face for face in waits if not _five(key + shown + UNIT[face]))
            return waits or None
        return waits

    def can_fit(self, slots: Sequence[_Slot]) -> bool:
        """Whether the number of tiles can be that of a hand, complete or waiting."""
        kinds = [{is_bonus(f[0]) for _, f in slot.options} for slot in slots if not slot.is_set]
        least, most = kinds.count({False}), len(kinds) - kinds.count({True})
        return least <= self.size and most >= self.size - 1

    def _judge(self, key: int, count: int) -> tuple[int, ...] | None:
        if count == self.size:
            return () if is_complete(key, self.melds, self.rules, self.house) else None
        return waits_of(key, self.melds, self.rules, self.house) or None


def _tile_slot(tile: int, costs: Costs) -> _Slot:
    options = [(c, (face,)) for face, c in costs.items() if face != BACK]
    return _Slot((tile,), tuple(sorted(options)), False)


def _set_slot(tiles: tuple[int, ...], costs: dict[int, Costs]) -> _Slot:
    """All ways to read the tiles as a set; a back in a kong takes the face of the others."""
    options: list[tuple[float, tuple[int, ...]]] = []
    for way in product(*(list(costs[i].items()) for i in tiles)):
        faces = tuple(face for face, _ in way)
        if is_set(faces):
            options.append((sum(c for _, c in way), faces))
    return _Slot(tiles, tuple(sorted(options)), True)


def _in_order(slots: Sequence[_Slot]) -> Iterator[tuple[float, dict[int, int]]]:
    """(extra cost, slot -> option where not the first) in order of cost, each choice once.

    At most `MAX_REPAIRS` slots differ from their first option.
    """
    steps = sorted(
        (slot.options[1][0] - slot.options[0][0], k)
        for k, slot in enumerate(slots)
        if len(slot.options) > 1
    )
    order = [k for _, k in steps]
    yield 0.0, {}
    if not order:
        return

    def extra(k: int, option: int) -> float:
        return slots[k].options[option][0] - slots[k].options[0][0]

    tie = 0
    heap: list[tuple[float, int, tuple[tuple[int, int], ...]]] = []
    heapq.heappush(heap, (extra(order[0], 1), tie, ((0, 1),)))
    while heap:
        cost, _, state = heapq.heappop(heap)
        yield cost, {order[at]: option for at, option in state}
        at, option = state[-1]
        k = order[at]
        successors = []
        if option + 1 < len(slots[k].options):
            more = extra(k, option + 1) - extra(k, option)
            successors.append((cost + more, (*state[:-1], (at, option + 1))))
        if at + 1 < len(order):
            step = extra(order[at + 1], 1)
            if len(state) < MAX_REPAIRS:
                successors.append((cost + step, (*state, (at + 1, 1))))
            if option == 1:
                successors.append((cost + step - extra(k, 1), (*state[:-1], (at + 1, 1))))
        for total, following in successors:
            tie += 1
            heapq.heappush(heap, (total, tie, following))
