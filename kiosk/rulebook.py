"""The rules reference: one Markdown page for each rule set, written from its tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from scorer import Ruleset, find_ruleset
from scorer.houserules import written
from scorer.names import item_jyutping, item_name, item_text, option_text, ruleset_name, word
from scorer.ruleset import ONE, OWN, READING
from scorer.table import Table, table_of

SCOPES = {
    "": "",
    OWN: " (of its own sets)",
    ONE: " (one of them)",
    READING: " (the same tiles read otherwise)",
}
NOTE = "This page is written by `hupai rules document` from the tables that score; do not edit it."


def page(ruleset: str) -> str:
    """The reference of one rule set. Raises UnknownRulesetError when there is none of that id."""
    rules = find_ruleset(ruleset)
    table = table_of(ruleset)
    unit = word("units", rules.unit)
    lines = [
        f"# {ruleset_name(ruleset)} (`{ruleset}`)",
        f"{NOTE} Version {rules.version}; values in {unit} under the default house rules.",
        "## Items",
        *_items(table, ruleset),
        "## What leaves out what",
        *_exclusions(rules, ruleset),
        "## House rules",
        "A club writes what it plays differently into a TOML file; `hupai rules check FILE` "
        "names what is wrong with it.",
        *_options(rules),
    ]
    for heading, (head, *rows) in rules.reference:
        lines += [f"## {heading}", _table(head, rows)]
    return "\n\n".join(lines) + "\n"


def _items(table: Table, ruleset: str) -> list[str]:
    on = {item.id: value for item, value in zip(table.items, table.values, strict=True)}
    rows = []
    for item in table.rules.items:
        names = [item_name(ruleset, item.id, language) for language in ("en", "zh-Hant", "zh-Hans")]
        chinese = names[1] if names[1] == names[2] else f"{names[1]} / {names[2]}"
        spoken = item_jyutping(ruleset, item.id)
        chinese += f" ({spoken})" if spoken else ""
        value = str(on[item.id]) if item.id in on else "off"
        sentence = item_text(ruleset, item.id)
        rows.append((f"`{item.id}`", names[0], chinese, value, sentence, item.source))
    return [_table(("id", "name", "中文", "value", "for", "source"), rows)]


def _exclusions(rules: Ruleset, ruleset: str) -> list[str]:
    drops: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for exclusion in rules.exclusions:
        house = ", ".join(f"`{option} = {_any_of(value)}`" for option, value in exclusion.house)
        names = [item_name(ruleset, id) + SCOPES[exclusion.scope] for id in exclusion.drops]
        drops[exclusion.by, house, exclusion.reason] += names
    rows = [
        (
            item_name(ruleset, by),
            ", ".join(dict.fromkeys(dropped)),
            house,
            word("reasons", reason),
        )
        for (by, house, reason), dropped in drops.items()
    ]
    return [_table(("when it counts", "these do not", "only with", "source"), rows)]


def _any_of(value: Any) -> str:
    """A value, or the several values that do, as a club writes them."""
    if isinstance(value, frozenset):
        return " or ".join(sorted(written(one) for one in value))
    return written(value)


def _options(rules: Ruleset) -> list[str]:
    rows = [
        (
            f"`{option.name}`",
            f"`{written(option.default)}`",
            option.allowed(),
            option_text(rules.id, option.name),
        )
        for option in rules.options
    ]
    return [_table(("house rule", "default", "may be", "what it does"), rows)]


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [_row(head), _row(("---",) * len(head)), *map(_row, rows)]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
