"""Fans made of some of the sets, and which of them may stand together (account once, 套算一次).

Chows, and the pungs of the three suits, each make such fans among themselves. What fan a group of
sets makes depends on how many suits it spans and on the steps between its ranks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Final

Groups = tuple[tuple[int, ...], ...]
Making = tuple[int, tuple[int, ...]]
"""(how many suits, steps from each rank to the next)."""

CHOW_FANS: Final[Mapping[Making, str]] = {
    (1, (0, 0, 0)): "quadruple-chow",
    (1, (1, 1, 1)): "four-pure-shifted-chows",
    (1, (2, 2, 2)): "four-pure-shifted-chows",
    (1, (0, 0)): "pure-triple-chow",
    (1, (3, 3)): "pure-straight",
    (1, (1, 1)): "pure-shifted-chows",
    (1, (2, 2)): "pure-shifted-chows",
    (3, (3, 3)): "mixed-straight",
    (3, (0, 0)): "mixed-triple-chow",
    (3, (1, 1)): "mixed-shifted-chows",
    (1, (0,)): "pure-double-chow",
    (2, (0,)): "mixed-double-chow",
    (1, (3,)): "short-straight",
    (1, (6,)): "two-terminal-chows",
}
PUNG_FANS: Final[Mapping[Making, str]] = {
    (1, (1, 1, 1)): "four-pure-shifted-pungs",
    (1, (1, 1)): "pure-shifted-pungs",
    (3, (0, 0)): "triple-pung",
    (3, (1, 1)): "mixed-shifted-pungs",
    (2, (0,)): "double-pung",
}
TERMINAL_CHOWS: Final = "pure-terminal-chows"
SUITED_TERMINAL_CHOWS: Final = "three-suited-terminal-chows"
OF_CHOWS: Final = frozenset({*CHOW_FANS.values(), TERMINAL_CHOWS, SUITED_TERMINAL_CHOWS})

ACCOUNT_ONCE: Final = "account-once"
NO_IDENTICAL: Final = "no-identical"
FREE_CHOICE: Final = "free-choice"


@dataclass(frozen=True, slots=True)
class Choice:
    """Fans that may stand together.

    `fans` maps an id to the groups of sets that make it, each set by its lowest tile. `left` are
    (id, id of the fan that holds the group or "", principle) of what was not taken. `pungs` are
    the faces left for terminal-honour-pung once other fans have used theirs up, None before that.
    """

    fans: Mapping[str, Groups]
    left: tuple[tuple[str, str, str], ...] = ()
    pungs: tuple[int, ...] | None = None


NOTHING: Final = Choice(MappingProxyType({}))


def choices(chows: tuple[int, ...], pungs: tuple[int, ...], eyes: int) -> list[Choice]:
    """Every choice of fans that cannot be added to; one empty choice where there are none.

    Sets are given by their lowest tile; honours make no such fan.
    """
    # Of the eyes only a five of a suit can matter.
    five = eyes if len(chows) == 4 and eyes in (4, 13, 22) else -1
    of_chows = _chow_choices(tuple(sorted(chows)), five)
    suited = tuple(sorted(tile for tile in pungs if tile < 27))
    if len(suited) < 2:
        return list(of_chows)
    of_pungs = _pung_choices(suited)
    if of_chows == (NOTHING,):
        return list(of_pungs)
    return [Choice({**a.fans, **b.fans}, a.left + b.left) for a in of_chows for b in of_pungs]


@lru_cache(maxsize=20_000)
def _chow_choices(chows: tuple[int, ...], eyes: int) -> tuple[Choice, ...]:
    return _choices(chows, CHOW_FANS, eyes)


@lru_cache(maxsize=20_000)
def _pung_choices(pungs: tuple[int, ...]) -> tuple[Choice, ...]:
    return _choices(pungs, PUNG_FANS, -1)


def fan_of(sets: tuple[int, ...], fans: Mapping[Making, str], eyes: int = -1) -> str:
    """The fan that these chows (or pungs) make together, or an empty text."""
    ranks = sorted(tile % 9 for tile in sets)
    suits = {tile // 9 for tile in sets}
    if ranks == [0, 0, 6, 6] and eyes >= 0:
        if suits == {eyes // 9}:
            return TERMINAL_CHOWS
        if len(set(sets)) == 4 and eyes // 9 not in suits:
            return SUITED_TERMINAL_CHOWS
    return fans.get((len(suits), tuple(b - a for a, b in pairwise(ranks))), "")


def _choices(sets: tuple[int, ...], fans: Mapping[Making, str], eyes: int) -> tuple[Choice, ...]:
    found: dict[tuple[int, ...], str] = {}
    for size in range(2, len(sets) + 1):
        for group in combinations(range(len(sets)), size):
            fan = fan_of(tuple(sets[i] for i in group), fans, eyes if size == 4 else -1)
            if fan:
                found[group] = fan
    kept: list[tuple[Counter[str], tuple[tuple[int, ...], ...]]] = []
    for selection in sorted(_selections(found), key=len, reverse=True):
        worth = Counter(found[group] for group in selection)
        if not any(worth <= other for other, _ in kept):
            kept.append((worth, selection))
    return tuple(_choice(sets, found, selection) for _, selection in kept) or (NOTHING,)


def _selections(found: Mapping[tuple[int, ...], str]) -> Iterator[Groups]:
    """Groups of sets (by place) that may stand together."""
    twos = [group for group in found if len(group) == 2]
    for group in found:
        if len(group) == 4:
            yield (group,)
        elif len(group) == 3:
            yield (group,)
            # The fourth set may be joined to one of the three, once.
            yield from ((group, two) for two in twos if len({*group, *two}) == 4)
    for size in range(1, 4):
        for lines in combinations(twos, size):
            if not _ring(lines) and not _twice(lines, found):
                yield lines


def _ring(lines: Iterable[tuple[int, ...]]) -> bool:
    """Whether these lines between sets close a ring."""
    joined: list[set[int]] = []
    for a, b in lines:
        touching = [part for part in joined if a in part or b in part]
        if any(a in part and b in part for part in touching):
            return True
        joined = [part for part in joined if part not in touching]
        joined.append({a, b}.union(*touching))
    return False


def _twice(lines: Iterable[tuple[int, ...]], found: Mapping[tuple[int, ...], str]) -> bool:
    """Whether a set stands in two lines of one name."""
    ends = [(found[line], end) for line in lines for end in line]
    return len(set(ends)) < len(ends)


def _choice(
    sets: tuple[int, ...], found: Mapping[tuple[int, ...], str], selection: Groups
) -> Choice:
    fans: dict[str, Groups] = {}
    for group in selection:
        fan = found[group]
        fans[fan] = (*fans.get(fan, ()), tuple(sets[i] for i in group))
    left = [_why_left(group, found, selection) for group in found if group not in selection]
    return Choice(fans, tuple(dict.fromkeys(left)))


def _why_left(
    group: tuple[int, ...], found: Mapping[tuple[int, ...], str], selection: Groups
) -> tuple[str, str, str]:
    fan = found[group]
    for taken in selection:
        if set(group) < set(taken):
            return fan, found[taken], ""
    for taken in selection:
        if found[taken] == fan and set(group) & set(taken):
            return fan, "", NO_IDENTICAL
    larger = len(group) > max(map(len, selection))
    return fan, "", FREE_CHOICE if larger else ACCOUNT_ONCE
