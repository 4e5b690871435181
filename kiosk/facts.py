"""The options by which a command line states the rules and the facts of a win."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from kiosk.trouble import WrongUse
from kiosk.words import LANGUAGES
from scorer import (
    Fed,
    Hand,
    HouseFileError,
    HouseRuleError,
    HouseRules,
    Situation,
    Tile,
    UnknownRulesetError,
    Wind,
    find_ruleset,
    parse_tiles,
    presets,
    read_house,
    rulesets,
)
from scorer.houserules import no_such
from scorer.legality import events_of
from scorer.registry import preset_house
from scorer.situation import REPLACEMENTS
from scorer.table import table_of
from scorer.tiles import tiles_text
from scorer.winds import LETTERS

DEFAULT_RULESET = "taiwan"
OWN_FACTS: Final = {
    "sichuan": ("missing_suit", "already_won"),
    "riichi": ("dora", "ura_dora", "red_fives", "sticks"),
}
"""Arguments that say something in one game only."""
T = TypeVar("T")


class Adds(Protocol):
    """A parser or a group of its options."""

    def add_argument(self, *names: str, **settings: Any) -> Any: ...


def add_rules_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("rules")
    known = ", ".join([*rulesets(), *presets()])
    group.add_argument("--rules", metavar="ID", help=f"rule set or preset: {known}")
    group.add_argument(
        "--house", metavar="FILE", type=Path, help="the club's house rules (TOML, see hupai rules)"
    )
    group.add_argument("--base", type=_count, metavar="N", help="base 底 of a payment")
    group.add_argument("--tai", type=_count, metavar="N", help="what one tai 台 is worth")


def add_situation_arguments(parser: argparse.ArgumentParser) -> None:
    """Every fact of a win. What is not said is not known, except the dealer (East) and streak 0."""
    group = parser.add_argument_group(
        "facts of the win",
        "a fact that is not given is unknown; where it matters, no score is shown",
    )

    def seat(where: Adds, flag: str, about: str, default: Wind | None = None) -> None:
        where.add_argument(flag, type=_wind, metavar="SEAT", default=default, help=about)

    seat(group, "--seat", "the winner's seat: E, S, W or N")
    seat(group, "--round", "the round wind")
    how = group.add_mutually_exclusive_group()
    how.add_argument("--self-drawn", action="store_true", help="the winning tile was drawn")
    seat(how, "--discard-from", "who discarded the winning tile")
    seat(how, "--robbed-from", "whose added kong was robbed")
    seat(group, "--dealer", "the dealer's seat (E)", Wind.EAST)
    group.add_argument(
        "--streak", type=_count, default=0, metavar="N", help="times the dealer has stayed on (0)"
    )
    group.add_argument(
        "--event",
        action="append",
        default=[],
        metavar="ID",
        help="what happened, by the id of the item it earns (kong-draw, last-tile, …); repeatable",
    )
    group.add_argument("--replacement", choices=REPLACEMENTS, help="what a kong-draw replaced")
    group.add_argument("--missing-suit", choices="mps", help="Sichuan: the suit given up")
    group.add_argument(
        "--already-won", type=_winds, default=(), metavar="SEATS", help="who won before, as ES"
    )
    group.add_argument(
        "--also-won", type=_winds, default=(), metavar="SEATS", help="who wins on the same discard"
    )
    group.add_argument(
        "--fed",
        type=_argument(Fed.parse),
        action="append",
        default=[],
        metavar="SEAT:SET",
        help="who gave the tile of an exposed set, as S:234p, the newest last; repeatable",
    )
    group.add_argument("--wall-left", type=_count, metavar="N", help="tiles left in the wall")
    group.add_argument(
        "--seen", choices=("yes", "no"), help="whether the discarded face had been seen before"
    )


def add_riichi_arguments(parser: argparse.ArgumentParser) -> None:
    """The facts of a riichi win; honba is --streak."""
    group = parser.add_argument_group("facts of a riichi win")
    tiles = _argument(_indicators)
    group.add_argument(
        "--dora",
        type=tiles,
        metavar="TILES",
        help="the dora indicators turned up, as 3m7z, or none",
    )
    group.add_argument(
        "--ura-dora", type=tiles, default=(), metavar="TILES", help="the indicators beneath them"
    )
    group.add_argument("--red-fives", type=_count, metavar="N", help="how many red fives are held")
    group.add_argument(
        "--sticks", type=_winds, default=(), metavar="SEATS", help="whose riichi sticks lie, as ES"
    )


def add_language_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", choices=LANGUAGES, help="language of names and sentences")


def situation_of(arguments: argparse.Namespace) -> Situation:
    """The Situation these arguments state. Raises WrongUse naming the argument."""
    giver = arguments.discard_from if arguments.robbed_from is None else arguments.robbed_from
    self_drawn = True if arguments.self_drawn else (None if giver is None else False)
    if giver is not None and giver == arguments.seat:
        raise WrongUse(f"--seat and the player who gave the tile are both {giver.letter}.")
    try:
        return Situation(
            seat=arguments.seat,
            round=arguments.round,
            self_drawn=self_drawn,
            from_seat=giver,
            robbed=arguments.robbed_from is not None,
            dealer=arguments.dealer,
            streak=arguments.streak,
            events=frozenset(arguments.event),
            replacement=arguments.replacement,
            missing_suit=arguments.missing_suit,
            already_won=frozenset(arguments.already_won),
            also_won=frozenset(arguments.also_won),
            fed=tuple(arguments.fed),
            dora=getattr(arguments, "dora", None),
            ura_dora=getattr(arguments, "ura_dora", ()),
            red_fives=getattr(arguments, "red_fives", None),
            sticks=getattr(arguments, "sticks", ()),
            wall_left=arguments.wall_left,
            seen=None if arguments.seen is None else arguments.seen == "yes",
        )
    except ValueError as error:
        raise WrongUse(f"{error}.") from None


def house_of(arguments: argparse.Namespace) -> tuple[str, HouseRules]:
    """The rule set's id and the house rules in force. Raises WrongUse saying what is allowed."""
    try:
        if arguments.house is None:
            name = arguments.rules or DEFAULT_RULESET
            find_ruleset(name)
            house = preset_house(name)
        else:
            house = read_house_file(arguments.house, arguments.rules)
            name = house.ruleset
        wanted = {"base": arguments.base, "tai_value": arguments.tai}
        changed = {option: value for option, value in wanted.items() if value is not None}
        return name, house.but(**changed) if changed else house
    except UnknownRulesetError as error:
        raise WrongUse(f"--rules {error}.") from None
    except (HouseFileError, HouseRuleError) as error:
        raise WrongUse(f"{error}.") from None


def read_house_file(path: Path, ruleset: str | None = None) -> HouseRules:
    """A club file from disk. Raises WrongUse when it cannot be read or is of other rules."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise WrongUse(f"the house rules {path} cannot be read: {reason}.") from None
    house = read_house(text, str(path), ruleset)
    if ruleset is not None and find_ruleset(ruleset).id != house.ruleset:
        raise WrongUse(f"{path} holds house rules of {house.ruleset}, not of {ruleset}.")
    return house


def check_events(ruleset: str, house: HouseRules, situation: Situation) -> None:
    """Raises WrongUse for an event this rule set does not know."""
    known = events_of(table_of(ruleset, house))
    for event in sorted(situation.events - known):
        raise WrongUse(f"--event {event!r}: {no_such(event, sorted(known), 'event')}.")


def check_own_facts(ruleset: str, hand: Hand, arguments: argparse.Namespace) -> None:
    """Raises WrongUse for a fact that would count for nothing: of another game, a set not held."""
    played = find_ruleset(ruleset).id
    for game, names in OWN_FACTS.items():
        for name in names:
            if played != game and getattr(arguments, name) not in (None, ()):
                flag = f"--{name.replace('_', '-')}"
                raise WrongUse(f"{flag} is a fact of {game} only, and says nothing in {played}.")
    exposed = [set(meld.tiles) for meld in hand.melds if meld.is_exposed]
    for fed in arguments.fed:
        if set(fed.tiles) not in exposed:  # a kong may be named by three of its tiles
            told = f"{fed.seat.letter}:{tiles_text(fed.tiles)}"
            raise WrongUse(f"--fed {told}: the hand has no such exposed set in square brackets.")


def _argument(parse: Callable[[str], T]) -> Callable[[str], T]:
    """`parse` with its ValueError turned into argparse's own, so that the sentence is shown."""

    def parsed(text: str) -> T:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parsed


_wind = _argument(Wind.parse)


def _winds(text: str) -> tuple[Wind, ...]:
    letters = text.upper().replace(",", "").replace(" ", "")
    if not letters or set(letters) - set(LETTERS):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of seats; write for example ES")
    return tuple(Wind.parse(letter) for letter in letters)


def _indicators(text: str) -> tuple[Tile, ...]:
    return () if text.strip().lower() == "none" else tuple(parse_tiles(text))


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return number
