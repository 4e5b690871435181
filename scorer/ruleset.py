"""A rule set: items as small records with one predicate each, exclusions as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from .hand import Hand
from .houserules import HouseRules, Option
from .result import Payments, Problem, Result, Transfer
from .situation import Situation
from .suits import Split
from .winds import Wind

if TYPE_CHECKING:
    from .table import Evaluation, Table
    from .view import View

Lit = Callable[["View"], tuple[int, ...]]
OWN: Final = "own"
ONE: Final = "one"
READING: Final = "reading"


def whole(view: View) -> tuple[int, ...]:
    """An item earned by the whole hand."""
    return view.all_tiles


def nothing(view: View) -> tuple[int, ...]:
    """An item earned by how the hand was won."""
    return ()


@dataclass(frozen=True, slots=True)
class Item:
    """One row of the table.

    `when` says how many times the arranged hand earns it. `value` is a number or the name of
    the option that holds it; where it depends on the hand, `when` counts in units of `value`.
    `once` marks such a row: it is shown as one item worth the product. `event` marks rows that
    only an event can earn, `bare` rows that count for a win without a complete hand. `option` is
    the flag that switches the row on, with `!` before it the flag that switches it off, and
    `name=choice` the choice under which the row counts.
    """

    id: str
    value: int | str
    when: Callable[[View], int]
    source: str
    lit: Lit = whole
    event: bool = False
    option: str = ""
    bare: bool = False
    once: bool = False


@dataclass(frozen=True, slots=True)
class Exclusion:
    """`by`, when it counts, leaves out each of `drops`. `reason` is the source code or the
    principle; `house` holds (option, value) pairs and limits it to clubs that play all of them
    so (a frozenset stands for any of its values).

    `scope` limits what is left out: OWN to the sets that earn `by`, ONE to one of these, READING
    to other readings of the same tiles. The walk down the table leaves scoped exclusions to the
    rule set's own `evaluate`, which finds them in `Table.scoped`.
    """

    by: str
    drops: tuple[str, ...]
    reason: str
    house: tuple[tuple[str, Any], ...] = ()
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """A whole hand that is not sets and eyes alone.

    `find` gets the key (see suits.py) of the concealed part, winning tile included, and the
    number of sets laid down, and answers the arrangements: ((), (), -1) for a shape without sets.
    `waits` gets the key before the win and answers a mask of faces. `places` says which kinds of
    wait the winning tile may have ended in an arrangement: () means none at all.
    """

    id: str
    find: Callable[[int, int], list[Split]]
    waits: Callable[[int, int], int]
    option: str = ""
    places: Callable[[Split, int], list[int]] | None = None


@dataclass(slots=True)
class Paid:
    """Who pays whom. `payments` is None while a fact is missing that says so."""

    payments: Payments | None
    transfers: tuple[Transfer, ...] = ()
    dealer_line: int = 0


def _no_check(hand: Hand, situation: Situation, house: Any) -> list[Problem]:
    return []


def _as_given(hand: Hand, situation: Situation, house: Any) -> Situation:
    return situation


def _needs_hand(hand: Hand, situation: Situation, house: Any) -> str:
    return ""


def _asks_nothing(hand: Hand, situation: Situation, house: Any) -> dict[str, tuple[Any, ...]]:
    return {}


def _all_agree(options: Mapping[str, Any]) -> None:
    return None


def _no_more(view: View, evaluation: Evaluation, table: Table) -> list[Problem]:
    return []


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of one game; rules/__init__.py says how to add one.

    `sets` is 5 for the 16-tile game and 4 for the others. `check` adds problems of its own,
    `prepare` completes the situation with what its events imply, `bare` says whether a win needs
    no complete hand ("" it does, "may" not, "only": the tiles do not matter), `after` adds
    problems once the items are known (the minimum), `evaluate` replaces the plain walk down the
    table (several answers are several choices), `pay` says who pays for a total, `false_win` for
    none. `asks` names unknown facts of its own, each with the answers to try. `fallback` is the
    item of a hand that has no other, `fallback_beside` the items that may stand beside it.
    `check_always` says that `check` has something to say without any event. `bonus_option` names
    the flag that says whether bonus tiles are in play, empty for a game without them. `disagree`
    raises HouseRuleError for house rules that cannot go together. `answer` scores a complete
    hand in place of the table, for a game whose rules are another program's. `reference` holds
    further tables of the reference page: (heading, rows with the head first).
    """

    id: str
    version: str
    unit: str
    sets: int
    items: tuple[Item, ...]
    exclusions: tuple[Exclusion, ...]
    options: tuple[Option, ...]
    pay: Callable[[int, View, Evaluation, Table], Paid]
    events: frozenset[str] = frozenset()
    shapes: tuple[Shape, ...] = ()
    presets: tuple[str, ...] = ()
    honours: bool = True
    check_always: bool = False
    minimum: str = ""
    limit: str = ""
    bonus_option: str = "bonus_tiles"
    fallback: str = ""
    fallback_beside: frozenset[str] = frozenset()
    check: Callable[[Hand, Situation, Any], list[Problem]] = _no_check
    prepare: Callable[[Hand, Situation, Any], Situation] = _as_given
    bare: Callable[[Hand, Situation, Any], str] = _needs_hand
    after: Callable[[View, Evaluation, Table], list[Problem]] = _no_more
    evaluate: Callable[[View, Table], list[Evaluation]] | None = None
    asks: Callable[[Hand, Situation, Any], dict[str, tuple[Any, ...]]] = _asks_nothing
    answer: Callable[[View, Table], Result] | None = None
    false_win: Callable[[Wind, Table], Paid] | None = None
    disagree: Callable[[Mapping[str, Any]], None] = _all_agree
    reference: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = ()

    def item(self, id: str) -> Item:
        """The row with this id. Raises KeyError when there is none."""
        for item in self.items:
            if item.id == id:
                return item
        raise KeyError(id)

    def house(self) -> HouseRules:
        return HouseRules(self.id)
