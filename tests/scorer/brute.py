"""A second, slow and plain scorer of the Taiwan main table, written apart from `scorer`.

It shares no code with the product but the tiles and the hand: arrangements are found by taking
tiles off a list, waits by trying every face, and items by reading rules/taiwan.md again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scorer import Hand, Situation

Set = tuple[int, ...]
HONOURS = range(27, 34)


def partitions(tiles: tuple[int, ...], eyes: bool = False) -> set[tuple[Set, ...]]:
    """Every way to split tiles into sets and one pair; each way is a sorted tuple of sets."""
    if not tiles:
        return {()} if eyes else set()
    first, rest = tiles[0], tiles[1:]
    ways: set[tuple[Set, ...]] = set()
    groups: list[Set] = [(first, first, first)]
    if not eyes:
        groups.append((first, first))
    if first < 27 and first % 9 <= 6:
        groups.append((first, first + 1, first + 2))
    for group in groups:
        left = list(rest)
        try:
            for tile in group[1:]:
                left.remove(tile)
        except ValueError:
            continue
        for way in partitions(tuple(left), eyes or len(group) == 2):
            ways.add(tuple(sorted((group, *way))))
    return ways


def is_pairs_and_triplet(tiles: tuple[int, ...]) -> bool:
    counts = sorted(n % 2 for n in Counter(tiles).values())
    odd = [n for n in Counter(tiles).values() if n % 2]
    return len(tiles) == 17 and sum(counts) == 1 and odd == [3]


def complete(tiles: tuple[int, ...], melds: int) -> bool:
    if not melds and is_pairs_and_triplet(tiles):
        return True
    return bool(partitions(tuple(sorted(tiles))))


def sole_wait(hand: Hand) -> bool:
    """Whether one face alone completes the hand before the win; four held are no wait."""
    before = tuple(map(int, hand.concealed))
    held = Counter([*before, *(int(t) for meld in hand.melds for t in meld.tiles)])
    waits = [
        face for face in range(34) if held[face] < 4 and complete((*before, face), len(hand.melds))
    ]
    return len(waits) == 1


def readings(hand: Hand) -> Iterator[tuple[tuple[Set, ...], Set]]:
    """(sets and eyes of the concealed part, the one that the winning tile completed)."""
    assert hand.winning is not None
    winning = int(hand.winning)
    tiles = tuple(sorted([*map(int, hand.concealed), winning]))
    for way in partitions(tiles):
        for group in set(way):
            if winning in group:
                yield way, group


def total(hand: Hand, facts: Situation) -> int:
    """The best total of the main table of `taiwan`, events left aside."""
    best = [_of_sets(hand, facts, way, group, sole_wait(hand)) for way, group in readings(hand)]
    tiles = (*map(int, hand.concealed), *([] if hand.winning is None else [int(hand.winning)]))
    if not hand.melds and is_pairs_and_triplet(tiles):
        best.append(8 + bool(facts.self_drawn) + _flush(hand) + _bonus(hand, facts))
    return max(best)


def _flush(hand: Hand) -> int:
    suits = {t.suit for t in hand.tiles}
    if suits == {"z"}:
        return 16
    if len(suits - {"z"}) > 1:
        return 0
    return 4 if "z" in suits else 8


def _bonus(hand: Hand, facts: Situation) -> int:
    assert facts.seat is not None
    tai = 0
    for group in ({34, 35, 36, 37}, {38, 39, 40, 41}):
        held = group & set(map(int, hand.bonus))
        if held == group:
            tai += 2
        elif min(group) + facts.seat in held:
            tai += 1
    return tai


def _of_sets(hand: Hand, facts: Situation, way: tuple[Set, ...], ended: Set, sole: bool) -> int:
    assert facts.seat is not None
    assert facts.round is not None
    assert hand.winning is not None
    exposed = [m for m in hand.melds if m.is_exposed]
    eyes = next(group for group in way if len(group) == 2)
    sets = [g for g in way if len(g) == 3] + [tuple(map(int, m.tiles[:3])) for m in hand.melds]
    pungs = [g[0] for g in sets if g[0] == g[1]]
    own = [g for g in way if len(g) == 3 and g[0] == g[1]]
    hidden = len(own) + sum(not m.is_exposed for m in hand.melds)
    if not facts.self_drawn and ended in own:
        hidden -= 1
    wait = _wait(ended, int(hand.winning))
    tai = _flush(hand) + _bonus(hand, facts)
    claimed = len(exposed) == 5
    if claimed:
        tai += 1 if facts.self_drawn else 2
    else:
        tai += bool(facts.self_drawn)
        tai += sole and wait in ("edge", "closed", "pair")
    if not exposed:
        tai += 2 if facts.self_drawn else 1
    tai += {3: 2, 4: 5, 5: 8}.get(hidden, 0) + (4 if len(pungs) == 5 else 0)
    dragons = sum(p >= 31 for p in pungs)
    winds = sum(27 <= p <= 30 for p in pungs)
    if dragons == 3:
        tai += 8
    elif dragons == 2 and eyes[0] >= 31:
        tai += 4
    else:
        tai += dragons
    if winds == 4:
        tai += 16
    else:
        tai += 8 if winds == 3 and 27 <= eyes[0] <= 30 else 0
        tai += (27 + facts.round in pungs) + (27 + facts.seat in pungs)
    plain = not hand.bonus and not any(t.is_honour for t in hand.tiles)
    if not pungs and plain and not facts.self_drawn and wait == "open":
        tai += 2
    return tai


def _wait(group: Set, winning: int) -> str:
    if len(group) == 2:
        return "pair"
    if group[0] == group[1]:
        return "shanpon"
    if winning == group[1]:
        return "closed"
    edge = group[0] % 9 == (6 if winning == group[0] else 0)
    return "edge" if edge else "open"
