"""A second, slow and plain scorer of the two Hong Kong tables, written apart from `scorer`.

Like brute.py it shares no code with the product but the tiles and the hand, and reads
rules/hong-kong.md again. Events are left aside; totals are cut at 13.
"""

from __future__ import annotations

from collections import Counter

from scorer import Hand, Situation
from tests.scorer.brute import Set, partitions

LIMIT = 13
ORPHANS = {t for t in range(34) if t > 26 or t % 9 in (0, 8)}
GATES = Counter({0: 3, 8: 3} | dict.fromkeys(range(1, 8), 1))


def concealed(hand: Hand) -> tuple[int, ...]:
    assert hand.winning is not None
    return tuple(sorted([*map(int, hand.concealed), int(hand.winning)]))


def is_seven_pairs(hand: Hand) -> bool:
    return not hand.melds and all(n % 2 == 0 for n in Counter(concealed(hand)).values())


def is_orphans(hand: Hand) -> bool:
    return not hand.melds and set(concealed(hand)) == ORPHANS


def is_nine_gates(hand: Hand) -> bool:
    tiles = Counter(t % 9 for t in concealed(hand))
    one_suit = len({t // 9 for t in concealed(hand)}) == 1 and min(concealed(hand)) < 27
    return not hand.melds and one_suit and not GATES - tiles


def suits(hand: Hand) -> tuple[bool, int]:
    """(honours present, number of suits)."""
    found = {t.suit for t in hand.tiles}
    return "z" in found, len(found - {"z"})


def flowers(hand: Hand, seat: int) -> int:
    if not hand.bonus:
        return 1
    faan = 0
    for first in (34, 38):
        held = {int(t) for t in hand.bonus if first <= t < first + 4}
        faan += 2 if len(held) == 4 else (first + seat in held)
    return faan


def total(hand: Hand, facts: Situation, ruleset: str) -> int:
    """The best total under the default house rules."""
    digital = ruleset == "hongkong-digital"
    scores = []
    for way in partitions(concealed(hand)):
        # The discard may stand in any set or pair that holds it.
        for ended in {group for group in way if int(hand.winning or 0) in group}:
            score = _digital(hand, facts, way, ended) if digital else _of_sets(
                hand, facts, way, ended)  # fmt: skip
            scores.append(score)
    if is_orphans(hand):
        scores.append(13)
    if digital and is_seven_pairs(hand):
        honours, many = suits(hand)
        limit = honours and not many
        rest = 4 + 1 + bool(facts.self_drawn) + flowers(hand, facts.seat or 0)
        flush = 0 if many > 1 else 3 if honours else 7
        scores.append(LIMIT if limit else rest + flush)
    return min(LIMIT, max(scores))


def _shape(hand: Hand, facts: Situation, way: tuple[Set, ...], ended: Set) -> tuple[
    int, list[int], int, bool
]:  # fmt: skip
    """(eyes, pungs, concealed pungs, whether a set was claimed)."""
    eyes = next(group for group in way if len(group) == 2)[0]
    sets = [g for g in way if len(g) == 3] + [tuple(map(int, m.tiles[:3])) for m in hand.melds]
    pungs = [g[0] for g in sets if g[0] == g[1]]
    hidden = sum(len(g) == 3 and g[0] == g[1] for g in way)
    hidden += sum(m.kind == "concealed-kong" for m in hand.melds)
    if not facts.self_drawn and len(ended) == 3 and ended[0] == ended[1]:
        hidden -= 1
    return eyes, pungs, hidden, any(m.kind != "concealed-kong" for m in hand.melds)


def _of_sets(hand: Hand, facts: Situation, way: tuple[Set, ...], ended: Set) -> int:
    assert facts.seat is not None
    assert facts.round is not None
    eyes, pungs, hidden, claimed = _shape(hand, facts, way, ended)
    honours, many = suits(hand)
    winds = [p for p in pungs if 27 <= p < 31]
    dragons = [p for p in pungs if p >= 31]
    gates = is_nine_gates(hand)
    terminals = not honours and all(t % 9 in (0, 8) for t in hand.tiles)
    kongs = sum(m.is_kong for m in hand.melds)
    faan = flowers(hand, facts.seat) + bool(facts.self_drawn)
    faan += not pungs
    if len(pungs) == 4:
        bigger = not many or terminals or hidden == 4 or kongs == 4 or len(winds) == 4
        faan += 0 if bigger else 3
    if many == 1:
        faan += 3 if honours else 0 if gates else 7
    faan += 10 if not many else 0
    faan += 10 if hidden == 4 else 0
    faan += 10 if terminals and len(pungs) == 4 else 0
    faan += 10 if gates else 0
    faan += 13 if kongs == 4 else 0
    faan += bool(honours and many and all(t in ORPHANS for t in hand.tiles))
    faan += not (claimed or gates or hidden == 4)
    if len(dragons) == 3:
        faan += 8
    else:
        faan += 5 if len(dragons) == 2 and eyes >= 31 else len(dragons)
    if len(winds) == 4:
        faan += 13
    elif len(winds) == 3 and 27 <= eyes < 31:
        faan += 6
    else:
        faan += (27 + facts.seat in winds) + (27 + facts.round in winds)
    return faan


def _digital(hand: Hand, facts: Situation, way: tuple[Set, ...], ended: Set) -> int:
    assert facts.seat is not None
    eyes, pungs, hidden, claimed = _shape(hand, facts, way, ended)
    honours, many = suits(hand)
    dragons = [p for p in pungs if p >= 31]
    terminals = len(pungs) == 4 and not honours and all(t % 9 in (0, 8) for t in hand.tiles)
    if (
        not many
        or terminals
        or len(dragons) == 3
        or sum(27 <= p < 31 for p in pungs) == 4
        or sum(m.is_kong for m in hand.melds) == 4
        or is_nine_gates(hand)
        or (hidden == 4 and facts.self_drawn)
    ):
        return LIMIT
    faan = flowers(hand, facts.seat) + bool(facts.self_drawn) + (not claimed)
    faan += 1 if not pungs and eyes < 27 else 0
    faan += 3 if len(pungs) == 4 else 0
    faan += (3 if honours else 7) if many == 1 else 0
    faan += 5 if len(dragons) == 2 and eyes >= 31 else len(dragons)
    return faan + (27 + facts.seat in pungs) + (27 in pungs)
