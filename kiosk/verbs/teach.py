"""Learn mahjong in small steps: practice, and why a hand is worth what it is.

Without more words a round of practice begins: name a tile, find the winning tiles, say who pays,
count a hand. Answers are checked by the rules that score; what was missed comes again.

examples:
  hupai teach
  hupai teach practice --kind count --difficulty 2 --rules hongkong
  hupai teach practice --item half-flush
  hupai teach practice --from-ledger
  hupai teach why "66678m11333p555z[222z]@6m" --seat W --round E --discard-from S
  hupai teach why --picture hand.jpg --seat S --round E --self-drawn
  hupai teach almost "66678m11333p555z[222z]@6m" --seat W --round E --self-drawn --two
  hupai teach waits "66678m11333p555z[222z]" --seat W --round E
  hupai teach tiles 1m 7z
  hupai teach winds --seat W --round E
  hupai teach sheet --rules taiwan --house club.toml --out sheet.html

Exit code 0: done. 1: the hand is no win, is not ready, or a fact is missing. 2: wrong use.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from kiosk import facts, teach_text
from kiosk.output import write_out
from kiosk.receipt import receipt, section
from kiosk.teach_practice import add_practice_arguments, practise
from kiosk.trouble import GOOD, NOT_GOOD, Trouble, WrongUse
from kiosk.words import preferred_language
from scorer import (
    Hand,
    HandTextError,
    HouseRules,
    Result,
    Situation,
    Tile,
    TileCodeError,
    Wind,
    parse_tiles,
    score,
)
from scorer.names import wind_name, word
from scorer.table import table_of

SHOWN_DISCARDS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_practice_arguments(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")

    def action(name: str, about: str) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=about)

    # What stands before the word `practice` counts unless it is said again behind it.
    practice = actions.add_parser(
        "practice", help="questions, with hints (the default)", argument_default=argparse.SUPPRESS
    )
    add_practice_arguments(practice)
    for name, about in (
        ("why", "why a hand is worth what it is, or why it is no win"),
        ("almost", "what was one tile away"),
        ("waits", "what a hand waits for, or which tile to give away"),
    ):
        own = action(name, about)
        own.add_argument("hand", metavar="HAND", nargs="?", help="the hand text; quote it")
        own.add_argument("--picture", metavar="FILE", help="read the hand from a picture instead")
        facts.add_rules_arguments(own)
        facts.add_situation_arguments(own)
        facts.add_riichi_arguments(own)
        facts.add_language_argument(own)
        own.add_argument("--json", action="store_true", help="print JSON")
        if name == "almost":
            own.add_argument("--two", action="store_true", help="two tiles away as well")
        if name == "waits":
            own.add_argument("--open", metavar="TILES", default="", help="tiles seen elsewhere")
    tiles = action("tiles", "names, readings, how to tell a tile")
    tiles.add_argument("codes", metavar="TILE", nargs="*", help="as 1m or 7z (all)")
    winds = action("winds", "seats, rounds and bonus tiles")
    for flag in ("--seat", "--round"):
        winds.add_argument(flag, metavar="WIND", help="E, S, W or N")
    sheet = action("sheet", "a score sheet to print")
    sheet.add_argument("--out", type=Path, metavar="FILE", required=True, help="the HTML page")
    for own in (winds, sheet):
        facts.add_rules_arguments(own)
    for own in (tiles, winds, sheet):
        facts.add_language_argument(own)


def run(arguments: argparse.Namespace) -> int:
    language = arguments.lang = arguments.lang or preferred_language()
    actions = {"why": _why, "almost": _almost, "waits": _waits}
    if arguments.action in actions:
        ruleset, house = facts.house_of(arguments)
        situation = facts.situation_of(arguments)
        facts.check_events(ruleset, house, situation)
        hand = _hand(arguments, situation, ruleset, house)
        return actions[arguments.action](arguments, hand, situation, ruleset, house)
    if arguments.action == "tiles":
        return _tiles(arguments.codes, language)
    if arguments.action == "winds":
        return _winds(arguments, language)
    if arguments.action == "sheet":
        return _sheet(arguments, language)
    return practise(arguments, language)


def _hand(
    arguments: argparse.Namespace, situation: Situation, ruleset: str, house: HouseRules | None
) -> Hand:
    """The hand that was written or photographed."""
    if (arguments.hand is None) is (arguments.picture is None):
        raise WrongUse("write one hand, or name one --picture.")
    if arguments.hand is not None:
        try:
            return Hand.parse(arguments.hand)
        except HandTextError as error:
            raise WrongUse(f"the hand cannot be read: {error}.") from None
    from kiosk.verbs.read import read_frame
    from vision.sources import SourceError, open_source

    try:
        with open_source(arguments.picture, live=False) as frames:
            frame = next(iter(frames))
    except SourceError as error:
        raise Trouble(f"{error}.") from None
    reading = read_frame(frame, ruleset, situation, house)
    if reading.hand is None:
        raise Trouble(f"no hand was found in {arguments.picture}.")
    unsure = ", ".join(unsure.face.code for unsure in reading.unsure)
    if arguments.action == "waits":
        # A hand before its win is hardly ever read without a doubt: say it, and go on.
        arguments.unsure = unsure
        return reading.hand
    if unsure or not (reading.certain or reading.result.problems):
        raise Trouble(
            f"the picture is not certain; `hupai read {arguments.picture}` says what is open. "
            f"Or write the hand; it may be {reading.text}."
        )
    return reading.hand


def _why(
    arguments: argparse.Namespace,
    hand: Hand,
    situation: Situation,
    ruleset: str,
    house: HouseRules | None,
) -> int:
    from teach.repair import not_a_win
    from teach.why import why

    language = arguments.lang
    result = score(hand, situation, ruleset, house)
    wrong = not_a_win(hand, situation, ruleset, house)
    explained = None if wrong else why(hand, situation, result, language)
    if arguments.json:
        found = wrong or explained
        _print_json(result.to_json() | {"explained": found.to_json() if found else None})
    elif wrong is not None:
        unit = word("units", table_of(ruleset, house).rules.unit, language)
        print(teach_text.not_a_win_text(wrong, hand, unit, language))
    elif explained is None:
        print(receipt(hand, situation, result, language, flags=True))
    else:
        print(teach_text.why_text(hand, situation, result, language))
    return GOOD if result.is_good else NOT_GOOD


def _almost(
    arguments: argparse.Namespace,
    hand: Hand,
    situation: Situation,
    ruleset: str,
    house: HouseRules | None,
) -> int:
    from teach.almost import near_misses

    language = arguments.lang
    result = score(hand, situation, ruleset, house)
    if not result.is_good:
        print(receipt(hand, situation, result, language, flags=True))
        return NOT_GOOD
    table = table_of(ruleset, house)
    asked = (1, 2) if arguments.two else (1,)
    found = {tiles: near_misses(hand, situation, ruleset, house, tiles) for tiles in asked}
    if arguments.json:
        names = {1: "one", 2: "two"}
        _print_json({names[n]: [miss.to_json() for miss in rows] for n, rows in found.items()})
        return GOOD
    parts = [teach_text.almost_text(rows, n, table, language) for n, rows in found.items()]
    print("\n\n".join(["\n".join(teach_text.drawn(hand)), *parts]))
    return GOOD


def _waits(
    arguments: argparse.Namespace,
    hand: Hand,
    situation: Situation,
    ruleset: str,
    house: HouseRules | None,
) -> int:
    from teach.discards import discards, outlook
    from teach.waits import waits, winning_only
    from teach.words import say

    language = arguments.lang
    try:
        seen = parse_tiles(arguments.open)
    except HandTextError as error:
        raise WrongUse(f"--open {error}.") from None
    unsure = getattr(arguments, "unsure", "")
    if unsure and not arguments.json:
        print(f"{hand}\n{teach_text.unsure_text(unsure, language)}\n")
    rules = table_of(ruleset, house).rules
    size = len(hand.tiles) - hand.kongs
    if size == 3 * rules.sets + 2:
        ranked = discards(hand, situation, ruleset, house, seen)
        if arguments.json:
            _print_json({"discards": [each.to_json() for each in ranked]})
        elif ranked:
            unit = word("units", rules.unit, language)
            lines = teach_text.discards_text(ranked[:SHOWN_DISCARDS], unit, language)
            print("\n".join([*teach_text.drawn(hand), "", *lines]))
        else:
            print(say("waits", "no-way", language))
        return GOOD if ranked else NOT_GOOD
    if size != 3 * rules.sets + 1:
        raise _wrong_size(score(hand, situation, ruleset, house), language)
    found = winning_only(waits(hand, situation, ruleset, house, seen))
    view = None if found else outlook(hand, situation, ruleset, house, seen)
    if arguments.json:
        told: dict[str, Any] = {"waits": [wait.to_json() for wait in found]}
        told |= {"outlook": view.to_json() if view else None}
        _print_json(told | {"hand": str(hand), "unsure": unsure.split(", ") if unsure else []})
    elif found:
        print("\n".join([*teach_text.drawn(hand), "", teach_text.waits_text(found, language)]))
    else:
        lines = [say("waits", "none", language)]
        away = teach_text.outlook_text(view, language) if view else None
        lines.append(away or say("waits", "no-way", language))
        print("\n".join([*teach_text.drawn(hand), "", *lines]))
    return GOOD if found and not unsure else NOT_GOOD


def _wrong_size(result: Result, language: str) -> Trouble:
    return Trouble(" ".join(problem.text(language) for problem in result.problems))


def _tiles(codes: list[str], language: str) -> int:
    from teach.dictionary import dictionary, entry

    try:
        tiles = [Tile.parse(code) for code in codes]
    except TileCodeError as error:
        raise WrongUse(f"{error}.") from None
    if Tile.BACK in tiles:
        raise WrongUse("0b is a tile face down: turn it up to see what it is.")
    for found in [entry(tile, language) for tile in tiles] or dictionary(language):
        name = found.name if found.name == found.chinese else f"{found.name} {found.chinese}"
        alike = teach_text.alike_text(found.alike, language)
        lines = [line for line in (found.tell, found.said, found.seat_text, alike) if line]
        picture = teach_text.drawn_tile(found.tile) if codes else []
        print("\n".join([*picture, section(f"{found.tile.code}  {name}", lines)]))
    return GOOD


def _winds(arguments: argparse.Namespace, language: str) -> int:
    from teach.winds import explained, for_seat
    from teach.words import say

    table = table_of(*facts.house_of(arguments))
    lines = list(explained(language, table))
    if arguments.seat or arguments.round:
        try:
            seat, round = Wind.parse(arguments.seat or "E"), Wind.parse(arguments.round or "E")
        except ValueError as error:
            raise WrongUse(f"{error}.") from None
        lines += ["", *for_seat(seat, round, language, table)]
    order = " → ".join(f"{wind_name(w, language)} ({w + 1})" for w in Wind)
    print("\n".join([say("winds", "head", language), order, "", *lines]))
    return GOOD


def _sheet(arguments: argparse.Namespace, language: str) -> int:
    from teach.sheet import sheet_html

    page = sheet_html(*facts.house_of(arguments), language)
    write_out(arguments.out, page.encode("utf-8"))
    print(arguments.out)
    return GOOD


def _print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))
