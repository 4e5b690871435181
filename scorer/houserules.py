"""House rules: the options of a rule set as validated data."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

Value = bool | int | str | tuple[tuple[int, int], ...] | None
NONE: Final = "none"
"""How a club file writes that a number is not set."""


class HouseRuleError(ValueError):
    """A house rule that does not exist or a value it cannot take; `option` names it.

    `id` is a sentence of `[trouble]` in names/options.LANG.toml, which `facts` fill in.
    """

    def __init__(self, option: str, id: str, **facts: object) -> None:
        self.option = option
        self.id = id
        self.facts = facts
        super().__init__(f"{option}: {self.why()}")

    def why(self, language: str = "en") -> str:
        """What is wrong, without a full stop."""
        from .names import trouble_text

        return trouble_text(self.id, self.facts, language)


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
        raise HouseRuleError(self.name, "not-allowed", value=value, allowed=self)

    def _pairs(self, value: Iterable[object]) -> tuple[tuple[int, int], ...]:
        pairs: list[tuple[int, int]] = []
        for row in value:
            good = isinstance(row, list | tuple) and len(row) == 2
            if not good or not all(type(n) is int and n >= 0 for n in row):  # type: ignore[attr-defined]
                raise HouseRuleError(self.name, "no-pair", value=row)
            pairs.append((row[0], row[1]))  # type: ignore[index]
        if not pairs or [n for n, _ in pairs] != sorted({n for n, _ in pairs}):
            raise HouseRuleError(self.name, "pairs-rise")
        return tuple(pairs)

    def allowed(self, language: str = "en") -> str:
        """What may be written, as text for people."""
        from .names import allowed_text

        return allowed_text(self, language)


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
                raise HouseRuleError(name, "no-option", value=name, ruleset=rules.id, known=known)
            checked = known[name].check(value)
            changed.pop(name, None)
            if checked != known[name].default or type(checked) is not type(known[name].default):
                changed[name] = checked
        priced = dict(base.values)
        ids = {item.id: item for item in rules.items}
        for item, number in (values or {}).items():
            if item not in ids:
                raise HouseRuleError(item, "no-item", value=item, ruleset=rules.id, known=ids)
            if type(number) is not int or not 0 <= number <= 200:
                raise HouseRuleError(item, "no-value", value=number)
            priced[item] = number
        ordered = tuple((name, changed[name]) for name in known if name in changed)
        rules.disagree({name: o.default for name, o in known.items()} | changed)
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


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """What may have been meant, at most three."""
    return difflib.get_close_matches(name, list(known), 3, 0.5)


def no_such(name: str, known: Collection[str], what: str) -> str:
    """A sentence that there is no such thing, with what comes nearest or all there is."""
    near = nearest(name, known)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(known)}"
    return f"no such {what}; {hint}"
