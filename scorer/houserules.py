"""House rules: the options of a rule set as validated data."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

Value = bool | int | str | tuple[tuple[int, int], ...] | None
NONE: Final = "none"
"""How a club file writes that a number is not set."""


class HouseRuleError(ValueError):
    """A house rule that does not exist or a value it cannot take; `option` names it."""

    def __init__(self, option: str, why: str) -> None:
        super().__init__(f"{option}: {why}")
        self.option = option
        self.why = why


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule: its name, default and what it may be (its sentence: `names.option_text`).

    The default says the kind: bool is a flag, int a number between `low` and `high`, str one of
    `choices`. `optional` allows "none" (no number), `table` a list of [number, points] pairs.
    """

    name: str
    default: Value
    choices: tuple[Value, ...] = ()
    low: int = 0
    high: int = 1000
    optional: bool = False
    table: bool = False

    def check(self, value: object) -> Value:
        """The value in its own type. Raises HouseRuleError saying what is allowed."""
        if self.optional and value in (None, NONE):
            return None
        if self.table and isinstance(value, list | tuple):
            return self._pairs(value)
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
        elif self.choices:
            if not isinstance(value, bool) and value in self.choices:
                return value
        elif type(value) is int and self.low <= value <= self.high:
            return value
        raise HouseRuleError(self.name, f"{value!r} is not allowed; write {self.allowed}")

    def _pairs(self, value: Iterable[object]) -> tuple[tuple[int, int], ...]:
        pairs: list[tuple[int, int]] = []
        for row in value:
            good = isinstance(row, list | tuple) and len(row) == 2
            if not good or not all(type(n) is int and n >= 0 for n in row):  # type: ignore[attr-defined]
                raise HouseRuleError(self.name, f"{row!r} is not a pair like [3, 8]")
            pairs.append((row[0], row[1]))  # type: ignore[index]
        if not pairs or [n for n, _ in pairs] != sorted({n for n, _ in pairs}):
            raise HouseRuleError(self.name, "the first numbers of the pairs must rise")
        return tuple(pairs)

    @property
    def allowed(self) -> str:
        """What may be written, as text for people."""
        if isinstance(self.default, bool):
            return "true or false"
        if self.choices:
            words = " or ".join(written(choice) for choice in self.choices)
        else:
            words = f"a whole number from {self.low} to {self.high}"
        words += ", or a list of pairs like [[3, 8], [4, 16]]" if self.table else ""
        return words + (f', or "{NONE}"' if self.optional and None not in self.choices else "")


def written(value: Value) -> str:
    """A value as a club file writes it."""
    if value is None:
        return f'"{NONE}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ", ".join(f"[{a}, {b}]" for a, b in value) + "]"
    return str(value) if isinstance(value, int) else f'"{value}"'


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The house rules of one club for one rule set.

    `options` holds what differs from the rule set's defaults, `values` the items whose value the
    club changed (0 switches an item off). Build it with `HouseRules.of`, which validates.
    """

    ruleset: str
    options: tuple[tuple[str, Value], ...] = ()
    values: tuple[tuple[str, int], ...] = ()
    title: str = ""

    @classmethod
    def of(
        cls,
        ruleset: str,
        options: Mapping[str, object] | None = None,
        values: Mapping[str, int] | None = None,
        title: str = "",
    ) -> HouseRules:
        """Validated house rules over those of a rule set or preset.

        Raises HouseRuleError naming the option and what it may be.
        """
        from .registry import find_ruleset, preset_house

        rules = find_ruleset(ruleset)
        base = preset_house(ruleset)
        known = {option.name: option for option in rules.options}
        changed = dict(base.options)
        for name, value in (options or {}).items():
            if name not in known:
                raise HouseRuleError(name, no_such(name, known, f"house rule in {rules.id}"))
            checked = known[name].check(value)
            changed.pop(name, None)
            if checked != known[name].default or type(checked) is not type(known[name].default):
                changed[name] = checked
        priced = dict(base.values)
        ids = {item.id: item for item in rules.items}
        for item, number in (values or {}).items():
            if item not in ids:
                raise HouseRuleError(item, no_such(item, ids, f"item in {rules.id}"))
            if type(number) is not int or not 0 <= number <= 200:
                raise HouseRuleError(item, f"{number!r} is not a whole number from 0 to 200")
            priced[item] = number
        ordered = tuple((name, changed[name]) for name in known if name in changed)
        wrong = rules.disagree({name: o.default for name, o in known.items()} | changed)
        if wrong:
            raise HouseRuleError(*wrong)
        return cls(rules.id, ordered, tuple(sorted(priced.items())), title or base.title)

    def but(self, **options: object) -> HouseRules:
        """The same rules with some options changed, validated."""
        fresh = HouseRules.of(self.ruleset, {**dict(self.options), **options}, title=self.title)
        return HouseRules(fresh.ruleset, fresh.options, self.values, self.title)

    def all(self) -> Mapping[str, Value]:
        """Every option of the rule set with the value in force, in order."""
        from .registry import find_ruleset

        values = {option.name: option.default for option in find_ruleset(self.ruleset).options}
        return MappingProxyType(values | dict(self.options))

    def __getitem__(self, name: str) -> Value:
        return self.all()[name]

    def namespace(self) -> Any:
        """The options as attributes, for the predicates."""
        from types import SimpleNamespace

        return SimpleNamespace(**self.all())


def no_such(name: str, known: Iterable[str], what: str) -> str:
    """A sentence that there is no such thing, with what comes nearest or all there is."""
    names = list(known)
    near = difflib.get_close_matches(name, names, 3, 0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(names)}"
    return f"no such {what}; {hint}"
