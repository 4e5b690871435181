"""Counting in `mcr`: every choice of combined fans, and exclusions of single sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..ruleset import ONE
from ..table import Evaluation, Table
from ..view import View
from .mcr_combine import NOTHING, Choice, choices
from .mcr_exclusions import REPEAT

PUNG: Final = "terminal-honour-pung"


def evaluate(view: View, table: Table) -> list[Evaluation]:
    """The worth of an arrangement for every choice of fans made of some of its sets."""
    if view.shape != "sets":
        return [_counted(view, table, NOTHING)]
    found = choices(view.chows, view.pungs, view.pair)
    return [_counted(view, table, choice) for choice in found]


def _counted(view: View, table: Table, choice: Choice) -> Evaluation:
    view.choice = choice
    evaluation = table.evaluate(view)
    evaluation.choice = choice
    _spend_pungs(view, table, evaluation)
    for id, by, principle in choice.left:
        row, holder = table.index.get(id, -1), table.index.get(by, -1)
        if row >= 0:
            reason = principle or table.reasons.get((holder, row), REPEAT)
            evaluation.left.append((row, 1, holder, reason))
    for id, reason in _unearned(view) if view.events else ():
        if id in table.index:
            evaluation.left.append((table.index[id], 1, -1, reason))
    return evaluation


def _unearned(view: View) -> Iterator[tuple[str, str]]:
    """Events that were said but earn nothing, and why."""
    if "last-copy" in view.events and view.hand.winning in view.hand.concealed:
        yield "last-copy", "concealed-copy"
    if "kong-draw" in view.events and view.situation.replacement == "bonus":
        yield "kong-draw", "bonus-replacement"


def _spend_pungs(view: View, table: Table, evaluation: Evaluation) -> None:
    """Take pungs that a fan already counted is made of out of terminal-honour-pung."""
    row = table.index.get(PUNG, -1)
    counted = dict(evaluation.counted)
    if row not in counted:
        return
    free = set(table.items[row].lit(view))
    for by, to, scope in table.scoped:
        if to != row or by not in counted:
            continue
        spent = sorted(free.intersection(table.items[by].lit(view)))
        if scope == ONE:
            spent = spent[:1]
        if spent:
            free.difference_update(spent)
            evaluation.left.append((row, len(spent), by, table.reasons[by, row]))
    if len(free) < counted[row]:
        evaluation.total -= table.values[row] * (counted[row] - len(free))
        counted[row] = len(free)
        evaluation.counted = [(i, count) for i, count in counted.items() if count]
        evaluation.choice = replace(evaluation.choice, pungs=tuple(sorted(free)))
