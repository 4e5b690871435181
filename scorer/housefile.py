"""House rules as a TOML file that a club can edit.

title = "Bamboo Club"
ruleset = "taiwan"       # or a preset such as "taiwan-b", as the starting point
limit = 40               # any house rule of the rule set

[values]                 # items that are worth something else; 0 switches one off
flower-kong = 1
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from .houserules import HouseRuleError, HouseRules, written
from .names import option_text
from .registry import UnknownRulesetError, find_ruleset


class HouseFileError(ValueError):
    """A club file that cannot be used; the text names the file, the line and the choices."""

    def __init__(self, name: str, line: int, why: str) -> None:
        super().__init__(f"{name}, line {line}: {why}")
        self.name = name
        self.line = line
        self.why = why


def read_house(text: str, name: str = "house rules", ruleset: str | None = None) -> HouseRules:
    """Read a club file. `ruleset` is taken where the file names none.

    Raises HouseFileError naming the line and the choices.
    """
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also endless numbers, endless brackets
        found = re.search(r"line (\d+)", str(error))
        line = int(found.group(1)) if found else text.count("\n") + 1
        raise HouseFileError(name, line, f"not TOML: {error}") from None
    base = data.pop("ruleset", ruleset)
    title = data.pop("title", "")
    values = data.pop("values", {})
    if not isinstance(base, str):
        why = 'ruleset is missing; write for example ruleset = "taiwan"'
        raise HouseFileError(name, _line(text, "ruleset"), why)
    if not isinstance(title, str):
        raise HouseFileError(name, _line(text, "title"), "title must be text in quotes")
    if not isinstance(values, dict):
        why = "values must be a table: a line [values], then item = number"
        raise HouseFileError(name, _line(text, "values"), why)
    try:
        find_ruleset(base)
    except UnknownRulesetError as error:
        raise HouseFileError(name, _line(text, "ruleset"), str(error)) from None
    try:
        return HouseRules.of(base, data, values, title)
    except HouseRuleError as error:
        raise HouseFileError(name, _line(text, error.option), str(error)) from None


def write_house(house: HouseRules, comments: bool = True) -> str:
    """House rules as a club file with every option, each with its sentence and choices."""
    rules = find_ruleset(house.ruleset)
    lines = [f"title = {_quoted(house.title)}"] if house.title else []
    lines.append(f"ruleset = {_quoted(house.ruleset)}")
    now = house.all()
    for option in rules.options:
        if comments:
            lines += ["", f"# {option_text(rules.id, option.name)}", f"# {option.allowed()}"]
        lines.append(f"{option.name} = {written(now[option.name])}")
    if house.values:
        lines += ["", "[values]", *(f"{item} = {value}" for item, value in house.values)]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _line(text: str, key: str) -> int:
    """The line on which a key stands, 1 when it does not."""
    pattern = re.compile(rf"^\s*(\[\s*)?[\"']?{re.escape(key)}[\"']?\s*[\].=]")
    for number, line in enumerate(text.splitlines(), 1):
        if pattern.match(line):
            return number
    return 1
