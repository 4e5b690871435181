"""A rule set compiled for one club: a flat table that is walked once for each arrangement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .houserules import HouseRules
from .result import Problem
from .ruleset import Item, Ruleset
from .view import View

Row = tuple[Callable[[View], int], int, int, int, int]
"""(predicate, value, own bit, bits it leaves out, index in the table)."""


@dataclass(slots=True)
class Evaluation:
    """What one arrangement is worth.

    `counted` holds (row index, count) in table order, `left` (row index, count, index of the row
    that leaves it out or -1, reason). `total` is not cut by the limit. `choice` is what the rule
    set's own `evaluate` has chosen, for `View.choice`.
    """

    total: int
    counted: list[tuple[int, int]]
    left: list[tuple[int, int, int, str]] = field(default_factory=list)
    choice: Any = None


class Table:
    """The rows of a rule set under given house rules, in an order in which every row comes after
    the rows that may leave it out.
    """

    def __init__(self, rules: Ruleset, house_rules: HouseRules, name: str) -> None:
        self.rules = rules
        self.name = name
        self.house_rules = house_rules
        self.house: Any = house_rules.namespace()
        options = house_rules.all()
        prices = dict(house_rules.values)
        self.items: list[Item] = []
        self.values: list[int] = []
        for item in rules.items:
            value = options[item.value] if isinstance(item.value, str) else item.value
            value = prices.get(item.id, value)
            assert isinstance(value, int)
            off = not _switched_on(item.option, options)
            unpaid = value == 0 and item.id != rules.fallback
            if not off and not unpaid:
                self.items.append(item)
                self.values.append(value)
        self.index = {item.id: i for i, item in enumerate(self.items)}
        self.drops = [0] * len(self.items)
        self.reasons: dict[tuple[int, int], str] = {}
        self.scoped: list[tuple[int, int, str]] = []
        for exclusion in rules.exclusions:
            by = self.index.get(exclusion.by)
            if by is None or not all(_holds(options[name], v) for name, v in exclusion.house):
                continue
            for dropped in exclusion.drops:
                to = self.index.get(dropped)
                if to is not None and to != by:
                    self.reasons[by, to] = exclusion.reason
                    if exclusion.scope:
                        self.scoped.append((by, to, exclusion.scope))
                    else:
                        self.drops[by] |= 1 << to
        order = self._order()
        self.rows: tuple[Row, ...] = tuple(map(self._row, order))
        self.quiet_rows = tuple(row for row in self.rows if not self.items[row[4]].event)
        self.bare_rows = tuple(row for row in self.rows if self.items[row[4]].bare)
        self.fallback = self.index.get(rules.fallback, -1)
        self.beside = sum(1 << self.index[id] for id in rules.fallback_beside if id in self.index)
        limit = options[rules.limit] if rules.limit else None
        self.limit: int | None = limit if isinstance(limit, int) else None
        minimum = options[rules.minimum] if rules.minimum else 0
        self.minimum: int = minimum if isinstance(minimum, int) else 0
        self.shapes = tuple(s for s in rules.shapes if not s.option or options[s.option])
        plays = options.get(rules.bonus_option, rules.honours)
        self.bonus_tiles = bool(rules.bonus_option and plays)
        self.real_waits = options.get("wait_rule", "real") == "real"

    def _row(self, i: int) -> Row:
        return self.items[i].when, self.values[i], 1 << i, self.drops[i], i

    def _order(self) -> list[int]:
        """Table order, but each row after the rows that may leave it out."""
        order: list[int] = []
        placed = 0
        waiting = [i for i in range(len(self.items)) if self.items[i].id != self.rules.fallback]
        while waiting:
            for i in waiting:
                if not any(self.drops[j] >> i & 1 for j in waiting if j != i):
                    break
            else:
                names = ", ".join(self.items[i].id for i in waiting)
                raise ValueError(f"{self.rules.id}: exclusions go round in a ring: {names}")
            waiting.remove(i)
            order.append(i)
            placed |= 1 << i
        return order

    def evaluate(self, view: View) -> Evaluation:
        """Walk down the table: a row counts unless a row that counts leaves it out."""
        if view.shape == "none":
            rows = self.bare_rows
        else:
            rows = self.rows if view.events else self.quiet_rows
        dropped = total = seen = 0
        counted: list[tuple[int, int]] = []
        late: list[tuple[int, int]] = []
        for when, value, bit, drops, i in rows:
            count = when(view)
            if count:
                if dropped & bit:
                    late.append((i, int(count)))
                else:
                    dropped |= drops
                    seen |= bit
                    total += value * count
                    counted.append((i, int(count)))
        if self.fallback >= 0 and not seen & ~self.beside:
            total += self.values[self.fallback]
            counted.append((self.fallback, 1))
        counted.sort()
        if not late:
            return Evaluation(total, counted)
        return Evaluation(total, counted, [self._left(i, n, counted) for i, n in late])

    def _left(
        self, i: int, count: int, counted: list[tuple[int, int]]
    ) -> tuple[int, int, int, str]:
        for j, _ in counted:
            if self.drops[j] >> i & 1:
                return i, count, j, self.reasons[j, i]
        raise AssertionError(self.items[i].id)

    def better(self, a: Evaluation, b: Evaluation) -> bool:
        """Whether `a` wins over `b`: the higher total (cut at the limit), then fewer items, then
        the one whose items stand earlier in the table. The item of a hand that has no other is
        never reached by choosing the poorer way.
        """
        if self.fallback >= 0:
            bare_a, bare_b = (self.fallback, 1) in a.counted, (self.fallback, 1) in b.counted
            if bare_a is not bare_b:
                return bare_b
        cut_a, cut_b = self.cut(a.total), self.cut(b.total)
        if cut_a != cut_b:
            return cut_a > cut_b
        size_a = sum(1 if self.items[i].once else count for i, count in a.counted)
        size_b = sum(1 if self.items[i].once else count for i, count in b.counted)
        if size_a != size_b:
            return size_a < size_b
        return _rows(a) < _rows(b)

    def cut(self, total: int) -> int:
        return total if self.limit is None or total <= self.limit else self.limit


def _switched_on(option: str, options: Mapping[str, object]) -> bool:
    """Whether an item's `option` (a flag, `!flag` or `choice=value`) lets it count."""
    if not option:
        return True
    name, _, choice = option.removeprefix("!").partition("=")
    if choice:
        return options[name] == choice
    return bool(options[name]) is (name == option)


def _rows(evaluation: Evaluation) -> list[int]:
    """The rows that count, each as often as it does."""
    return [i for i, count in evaluation.counted for _ in range(count)]


def _holds(found: object, wanted: object) -> bool:
    if isinstance(wanted, frozenset):
        return found in wanted
    return found == wanted and type(found) is type(wanted)


@lru_cache(maxsize=256)
def table_of(ruleset: str, house: HouseRules | None = None) -> Table:
    """The compiled table of a rule set or preset, under its own or the given house rules.

    Raises ValueError for an unknown rule set, and when the house rules belong to another one.
    """
    from .registry import find_ruleset, preset_house

    rules = find_ruleset(ruleset)
    if house is None:
        return Table(rules, preset_house(ruleset), ruleset)
    if house.ruleset != rules.id:
        raise ValueError(f"these are house rules of {house.ruleset}, not of {rules.id}")
    return Table(rules, house, ruleset)


def below_minimum(view: View, evaluation: Evaluation, table: Table) -> list[Problem]:
    """The plain minimum, for `Ruleset.after`."""
    have = table.cut(evaluation.total)
    if view.shape == "none" or have >= table.minimum:
        return []
    facts = {"have": have, "need": table.minimum, "short": table.minimum - have}
    return [Problem("below-minimum", facts)]
