"""The worked hands of public sources (shared cases), read as hands and situations.

A case *agrees* when the rule set gives its answer, *agrees under house rules* when a club that
plays as its source does gives it, and otherwise *contradicts* the rules and must be listed with
the reason in tests/data/known-differences.md.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scorer import Fed, Hand, HouseRules, Meld, Situation, Tile, Wind
from scorer.handtext import parse_tiles
from tests.support import REPOSITORY, shared

Case = Mapping[str, Any]
KNOWN = REPOSITORY / "tests" / "data" / "known-differences.md"

AGREES = "agrees"
HOUSE = "agrees under house rules"
CONTRADICTS = "contradicts the rules"


def load(name: str) -> list[Case]:
    """The cases of one shared file."""
    text = shared("cases", f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def hand_of(case: Case) -> Hand:
    """The hand of a case; its `tiles` include the winning tile."""
    tiles = parse_tiles(case["tiles"])
    winning = None
    if case["winning_tile"]:
        winning = Tile.parse(case["winning_tile"])
        tiles.remove(winning)
    melds = [meld_of(text) for text in case["melds"]]
    return Hand(tuple(tiles), tuple(melds), tuple(parse_tiles(case["flowers"])), winning)


def meld_of(text: str) -> Meld:
    """`[123m]`, `[1111m+]` (added) or `{1111m}` (concealed)."""
    return Meld.of(parse_tiles(text.strip("[]{}+")), concealed=text.startswith("{"))


def flags_of(case: Case) -> dict[str, str]:
    """The situation flags: `streak:2` is {"streak": "2"}, a bare flag has an empty value."""
    flags = {}
    for flag in case["situation"] or ():
        name, _, value = flag.partition(":")
        flags[name] = value
    return flags


def situation_of(case: Case, events: Mapping[str, str]) -> Situation:
    """The facts of a case; `events` maps its flags to our event ids."""
    flags = flags_of(case)
    seat = Wind.parse(case["seat"]) if case["seat"] else Wind.SOUTH
    how = case["win_by"]
    giver = None
    if how in ("discard", "rob"):
        giver = Wind.parse(flags["from"]) if flags.get("from") else Wind((seat + 3) % 4)
    return Situation(
        seat=seat,
        round=Wind.parse(case["round"]) if case["round"] else Wind.EAST,
        self_drawn=how == "self",
        from_seat=giver,
        robbed=how == "rob",
        dealer=seat if "dealer" in flags and not flags["dealer"] else Wind.EAST,
        streak=int(flags.get("streak", 0)),
        events=frozenset(events[flag] for flag in flags if flag in events),
    )


def matches_payments(expected: Mapping[str, int], found: Mapping[Wind, int], winner: Wind,
                     giver: Wind | None, dealer: Wind) -> bool:  # fmt: skip
    """Whether payments agree, whatever way the case names the seats."""
    losers = [w for w in Wind if w is not winner]
    others = [w for w in losers if w not in (giver, dealer)]
    for key, amount in expected.items():
        if key in "ESWN":
            seats = [Wind.parse(key)]
        elif key in "0123" or key in "ABCD":
            seats = [Wind("0123".index(key) if key in "0123" else "ABCD".index(key))]
        else:
            seats = {
                "winner": [winner],
                "discarder": [giver] if giver is not None else [],
                "dealer": [dealer],
                "each": losers,
                "each_loser": losers,
                "others_each": others,
                "others": [w for w in losers if w is not giver],
            }[key]
        if any(found[seat] != amount for seat in seats):
            return False
    return True


@dataclass
class Tally:
    """The class of each case of a file."""

    name: str
    classes: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def share(self, which: str) -> float:
        return Counter(self.classes.values())[which] / max(1, len(self.classes))

    def lines(self) -> list[str]:
        counts = Counter(self.classes.values())
        return [f"{self.name}: {len(self.classes)} cases"] + [
            f"  {which}: {counts[which]}" for which in (AGREES, HOUSE, CONTRADICTS)
        ]


Check = Callable[[Case, HouseRules | None], bool]
"""Whether the rule set, under these house rules, gives the answer of the case."""
Houses = Callable[[Case], Iterable[HouseRules]]
"""House rules of the case's source, most usual first."""


def classify(name: str, cases: Iterable[Case], check: Check, houses: Houses) -> Tally:
    """Put every case into its class."""
    tally = Tally(name)
    for case in cases:
        id = case["id"]
        if check(case, None):
            tally.classes[id] = AGREES
            continue
        for house in houses(case):
            if check(case, house):
                tally.classes[id] = HOUSE
                changed = [f"{option} = {value}" for option, value in house.options]
                changed += [f"{item} worth {value}" for item, value in house.values]
                tally.notes[id] = ", ".join(changed)
                break
        else:
            tally.classes[id] = CONTRADICTS
    return tally


def known_differences() -> set[str]:
    """The case ids that tests/data/known-differences.md explains."""
    text = KNOWN.read_text(encoding="utf-8")
    return {part for part in text.split("`")[1::2] if part}


def fed_of(melds: Iterable[Meld], seat: Wind) -> tuple[Fed, ...]:
    """Every exposed set of a hand, given by one player."""
    return tuple(Fed(seat, meld.tiles) for meld in melds if meld.is_exposed)
