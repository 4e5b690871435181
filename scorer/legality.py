"""Why a hand or a situation is not possible: every reason, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .arrange import key_of
from .hand import CONCEALED_KONG, KONG, Hand
from .result import Problem
from .situation import Situation
from .suits import BITS, COUNT, SUIT_BITS, UNIT
from .tiles import CODES, FACES, Tile
from .view import View
from .waits import faces_of

if TYPE_CHECKING:
    from .table import Table

_ONES = sum(UNIT)
_MORE_THAN_FOUR = 24 * _ONES
# Events that end the deal before a winning tile can be told from the others.
NO_WINNING_TILE = frozenset({"heavenly-hand", "eight-flowers", "seven-flowers", "flower-win"})


def hand_problems(view: View, table: Table, loose: bool = False) -> list[Problem]:
    """What is impossible about the tiles; `loose` for a win that needs no complete hand."""
    hand, rules = view.hand, table.rules
    need = 3 * rules.sets + 2 + view.kongs + view.concealed_kongs
    if (
        (view.size == need or (loose and view.size < need))
        and view.key % COUNT == view.size
        and not (view.key + 3 * _ONES) & _MORE_THAN_FOUR
        and view.bonus.bit_count() == len(hand.bonus)
        and (rules.honours or not view.honours)
        and (not view.bonus or table.bonus_tiles)
        and (view.winning >= 0 or loose or view.events & NO_WINNING_TILE)
        and len(view.melds) <= rules.sets
    ):
        return []
    return _all_reasons(hand, table, need, loose, view.events)


def _all_reasons(
    hand: Hand, table: Table, need: int, loose: bool, events: frozenset[str]
) -> list[Problem]:
    rules = table.rules
    problems = []
    tiles = hand.tiles
    have = len(tiles)
    if have > need:
        problems.append(Problem("too-many-tiles", {"have": have, "need": need}))
    elif have < need and not loose:
        problems.append(Problem("too-few-tiles", {"have": have, "need": need}))
    if len(hand.melds) > rules.sets:
        problems.append(Problem("too-many-sets", {"have": len(hand.melds), "need": rules.sets}))
    for face in sorted(set(tiles) | set(hand.bonus)):
        count = (tiles + hand.bonus).count(face)
        code = CODES[face]
        if face < FACES and count > 4:
            problems.append(Problem("fifth-copy", {"tile": code, "count": count}))
        elif face.is_bonus and count > 1:
            problems.append(Problem("second-bonus", {"tile": code, "count": count}))
        elif face is Tile.BACK:
            problems.append(Problem("face-down", {"count": count}))
        if (face.is_bonus and face in tiles) or (not face.is_bonus and face in hand.bonus):
            problems.append(Problem("bonus-in-hand", {"tile": code}))
        if face.is_honour and not rules.honours:
            problems.append(Problem("foreign-tile", {"tile": code}))
    if hand.bonus and not table.bonus_tiles:
        problems.append(Problem("no-bonus-tiles", {"count": len(hand.bonus)}))
    if hand.winning is None and not loose and not events & NO_WINNING_TILE and have == need:
        problems.append(Problem("no-winning-tile"))
    return problems


def situation_problems(hand: Hand, situation: Situation, table: Table) -> list[Problem]:
    """What cannot all be true of one win."""
    problems = []
    events = situation.events
    if events:
        known = events_of(table)
        for event in sorted(events - known):
            problems.append(Problem("unknown-event", {"event": event, "choices": sorted(known)}))
    if situation.self_drawn:
        if situation.robbed:
            problems.append(clash("self-drawn", "robbing-kong"))
        elif situation.from_seat is not None:
            facts = {"from": situation.from_seat.letter}
            problems.append(Problem("self-drawn-from", facts))
        if situation.also_won:
            problems.append(Problem("also-won-self-drawn"))
    if situation.from_seat is not None and situation.from_seat == situation.seat:
        problems.append(Problem("own-discard", {"seat": situation.from_seat.letter}))
    if any(fed.seat == situation.seat for fed in situation.fed):
        problems.append(Problem("fed-by-winner"))
    if "kong-draw" in events and not hand.bonus and not hand.kongs:
        problems.append(Problem("kong-draw-without-kong"))
    elif events & {"kong-draw", "double-kong"} and not _replaced_is_held(hand, situation):
        problems.append(Problem("replacement-not-held"))
    if situation.robbed and hand.winning is not None:
        count = hand.tiles.count(hand.winning)
        if count > 1:
            problems.append(Problem("robbed-copies", {"tile": hand.winning.code, "count": count}))
    if situation.from_seat is not None and situation.from_seat in situation.also_won:
        problems.append(Problem("own-discard", {"seat": situation.from_seat.letter}))
    elif situation.also_won:
        first = _nearer(situation, getattr(table.house, "multiple_winners", "nearest"))
        if first:
            problems.append(Problem("not-nearest", {"first": first}))
    return problems


def events_of(table: Table) -> frozenset[str]:
    """The event ids the rule set knows; `last-copy` is a fact everywhere."""
    own = {item.id for item in table.rules.items if item.event}
    return table.rules.events | own | {"last-copy", "robbing-kong"}


def clash(a: str, b: str) -> Problem:
    """Two facts that exclude each other."""
    return Problem("contradiction", {"a": a, "b": b})


def _replaced_is_held(hand: Hand, situation: Situation) -> bool:
    """Whether the hand holds what the tile is said to have replaced."""
    what = situation.replacement
    if what is None:
        return True
    if what == "bonus":
        return bool(hand.bonus)
    kind = CONCEALED_KONG if what == CONCEALED_KONG else KONG
    return any(meld.kind == kind for meld in hand.melds)


def _nearer(situation: Situation, rule: Any) -> str:
    seat, giver = situation.seat, situation.from_seat
    if rule != "nearest" or seat is None or giver is None:
        return ""
    for other in sorted(situation.also_won, key=lambda wind: wind.after(giver)):
        if other.after(giver) < seat.after(giver):
            return other.letter
    return ""


def incomplete(view: View, table: Table, explain: bool) -> Problem:
    """That the hand is not complete, with every exchange of one tile that would complete it."""
    return Problem("not-complete", {"repairs": repairs(view.hand, table) if explain else []})


def repairs(hand: Hand, table: Table) -> list[dict[str, Any]]:
    """Exchanges of one concealed tile that make the hand complete: [{"out", "in": [...]}]."""
    from .engine import waits_before

    loose = list(hand.concealed) + ([] if hand.winning is None else [hand.winning])
    concealed = key_of(loose)
    whole = concealed + key_of([tile for meld in hand.melds for tile in meld.tiles])
    found = []
    for out in sorted(set(loose)):
        unit = UNIT[out]
        if not unit:
            continue
        mask = waits_before(whole - unit, concealed - unit, len(hand.melds), table)
        faces = [f for f in faces_of(mask) if f != out and whole >> BITS * f & COUNT < 4]
        if not table.rules.honours:
            faces = [f for f in faces if f * BITS < 3 * SUIT_BITS]
        if faces:
            found.append({"out": CODES[out], "in": [CODES[f] for f in faces]})
    return found
