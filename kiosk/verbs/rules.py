"""Show the rules: what there is, what an item is worth, what a club plays differently.

examples:
  hupai rules list
  hupai rules show taiwan
  hupai rules show taiwan --toml > club.toml
  hupai rules check club.toml
  hupai rules diff taiwan taiwan-b
  hupai rules diff taiwan taiwan-sml --hand "23456p123456s99p[123m]@1p" --self-drawn
  hupai rules document --out docs
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kiosk import rulebook
from kiosk.facts import (
    add_riichi_arguments,
    add_situation_arguments,
    read_house_file,
    situation_of,
)
from kiosk.receipt import columns
from kiosk.trouble import GOOD, NOT_GOOD, WrongUse
from kiosk.words import LANGUAGES, preferred_language, say
from scorer import (
    Hand,
    HandTextError,
    HouseFileError,
    HouseRules,
    Result,
    UnknownRulesetError,
    find_ruleset,
    presets,
    rulesets,
    write_house,
)
from scorer.engine import score_with
from scorer.houserules import written
from scorer.names import item_jyutping, item_name, item_text, option_text, ruleset_name, word
from scorer.registry import preset_house
from scorer.table import Table, table_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="the rule sets and presets")
    show = actions.add_parser("show", help="items and house rules of a rule set, preset or file")
    show.add_argument("rules", metavar="ID|FILE")
    show.add_argument("--toml", action="store_true", help="as a file for a club to edit")
    check = actions.add_parser("check", help="whether a club's file is good")
    check.add_argument("file", metavar="FILE", type=Path)
    diff = actions.add_parser("diff", help="how two tables differ")
    diff.add_argument("left", metavar="ID|FILE")
    diff.add_argument("right", metavar="ID|FILE")
    diff.add_argument("--hand", metavar="HAND", help="a hand to score in both; quote it")
    add_situation_arguments(diff)
    add_riichi_arguments(diff)
    document = actions.add_parser("document", help="write the rules reference, a page a rule set")
    document.add_argument("--out", metavar="DIR", type=Path, required=True)
    for action in (listing, show, diff):
        action.add_argument("--json", action="store_true", help="as JSON")
        action.add_argument("--lang", choices=LANGUAGES, help="language of the names")


def run(arguments: argparse.Namespace) -> int:
    action = {
        "list": _list,
        "show": _show,
        "check": _check,
        "diff": _diff,
        "document": _document,
    }[arguments.action]
    try:
        return action(arguments)
    except (UnknownRulesetError, HouseFileError) as error:
        raise WrongUse(f"{error}.") from None


def _list(arguments: argparse.Namespace) -> int:
    language = arguments.lang or preferred_language()
    rows = []
    for id in (*rulesets(), *presets()):
        rules = find_ruleset(id)
        of = "" if rules.id == id else rules.id
        rows.append({"id": id, "name": ruleset_name(id, language), "preset_of": of})
    if arguments.json:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        cells = [(row["id"], row["name"], row["preset_of"]) for row in rows]
        print("\n".join(columns(cells)))
    return GOOD


def _show(arguments: argparse.Namespace) -> int:
    table = _table(arguments.rules)
    if arguments.toml:
        print(write_house(table.house_rules), end="")
        return GOOD
    language = arguments.lang or preferred_language()
    in_force = table.house_rules.all()
    about = {name: option_text(table.rules.id, name, language) for name in in_force}
    if arguments.json:
        items = [_item_json(table, i, language) for i in range(len(table.items))]
        house = [
            {
                "name": option.name,
                "value": in_force[option.name],
                "about": about[option.name],
                "may_be": option.allowed(),
            }
            for option in table.rules.options
        ]
        print(json.dumps({"items": items, "house_rules": house}, ensure_ascii=False, indent=2))
        return GOOD
    rows = [
        (item.id, item_name(table.rules.id, item.id, language), str(value), item.source)
        for item, value in zip(table.items, table.values, strict=True)
    ]
    print(f"{ruleset_name(table.name, language)} ({table.name} {table.rules.version})\n")
    print("\n".join(columns(rows)))
    print()
    house_rows = [(name, written(value), about[name]) for name, value in in_force.items()]
    print("\n".join(columns(house_rows)))
    return GOOD


def _item_json(table: Table, i: int, language: str) -> dict[str, object]:
    item = table.items[i]
    return {
        "id": item.id,
        "name": item_name(table.rules.id, item.id, language),
        "jyutping": item_jyutping(table.rules.id, item.id),
        "value": table.values[i],
        "text": item_text(table.rules.id, item.id, language),
        "source": item.source,
    }


def _check(arguments: argparse.Namespace) -> int:
    try:
        house = read_house_file(arguments.file)
    except HouseFileError as error:
        print(error)
        return NOT_GOOD
    changes = len(house.options) + len(house.values)
    title = f"{house.title}: " if house.title else ""
    print(f"{title}house rules of {house.ruleset}, {changes} different from its defaults.")
    return GOOD


def _diff(arguments: argparse.Namespace) -> int:
    left, right = _table(arguments.left), _table(arguments.right)
    language = arguments.lang or preferred_language()
    worth = [_worth(table) for table in (left, right)]
    house = [{k: written(v) for k, v in t.house_rules.all().items()} for t in (left, right)]
    rows = [
        {"kind": kind, "id": id, "left": values[0].get(id), "right": values[1].get(id)}
        for kind, values in (("item", worth), ("house rule", house))
        for id in dict.fromkeys([*values[0], *values[1]])
        if values[0].get(id) != values[1].get(id)
    ]
    results = _scores(arguments, left, right)
    if arguments.json:
        answer: object = rows
        if results:
            worth_json = [result.to_json() for result in results]
            answer = {"differences": rows, "left": worth_json[0], "right": worth_json[1]}
        print(json.dumps(answer, ensure_ascii=False, indent=2))
        return GOOD
    if results:
        for table, result in zip((left, right), results, strict=True):
            print(f"{table.name}: {_in_words(table, result, language)}")
        print()
    if not rows:
        print(f"{arguments.left} and {arguments.right} are the same.")
        return GOOD
    cells = [("", arguments.left, arguments.right, "")]
    for row in rows:
        name = ""
        if row["kind"] == "item":
            owner = left if row["left"] is not None else right
            name = item_name(owner.rules.id, str(row["id"]), language)
        cells.append((str(row["id"]), row["left"] or "–", row["right"] or "–", name))
    print("\n".join(columns(cells)))
    return GOOD


def _scores(arguments: argparse.Namespace, *tables: Table) -> list[Result]:
    """What the hand is worth in each table; nothing without a hand."""
    if arguments.hand is None:
        return []
    try:
        hand = Hand.parse(arguments.hand)
    except HandTextError as error:
        raise WrongUse(f"the hand cannot be read: {error}.") from None
    situation = situation_of(arguments)
    return [score_with(hand, situation, table) for table in tables]


def _in_words(table: Table, result: Result, language: str) -> str:
    """A score in one line: the total and its items, the range, or why it is none."""
    unit = word("units", result.unit, language)
    if result.problems:
        return " ".join(problem.text(language) for problem in result.problems)
    if result.total is None:
        if result.range is None:
            return say("no_range", language)
        low, high = result.range
        return say("range", language, low=low, high=high, unit=unit)
    items = (
        f"{item_name(table.rules.id, item.id, language)} {item.total}" for item in result.items
    )
    return f"{result.total} {unit} ({', '.join(items)})"


def _document(arguments: argparse.Namespace) -> int:
    arguments.out.mkdir(parents=True, exist_ok=True)
    for id in rulesets():
        path = arguments.out / f"rules-{id}.md"
        path.write_text(rulebook.page(id), encoding="utf-8")
        print(path)
    return GOOD


def _table(name: str) -> Table:
    """The compiled table of a rule set, a preset, or a club's file."""
    house: HouseRules
    if name.endswith(".toml"):
        house = read_house_file(Path(name))
        return table_of(house.ruleset, house)
    find_ruleset(name)
    house = preset_house(name)
    return Table(find_ruleset(name), house, name)


def _worth(table: Table) -> dict[str, str]:
    return {item.id: str(v) for item, v in zip(table.items, table.values, strict=True)}
