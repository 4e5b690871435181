"""A score sheet on one printed page: what counts by a club's rules, what it pays, house rules."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from scorer import HouseRules, Situation, Wind, pay_total
from scorer.houserules import written
from scorer.names import item_name, item_text, option_text, ruleset_name, word
from scorer.registry import preset_house
from scorer.table import Table, table_of

from .words import say

TOTALS: Final = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 24, 32, 40, 48, 64, 88)
"""Totals whose payments are shown, as far as they can be had."""
ROWS: Final = 13
_SIZES: Final = (
    (5_000, 2, 10), (7_000, 3, 8.5), (9_100, 3, 8), (12_000, 3, 7.5), (15_000, 3, 6.8),
    (18_500, 3, 6),
)  # fmt: skip
"""(how much there is to print at most, columns, points of a letter)."""
_STYLE: Final = """
@page { size: A4; margin: 9mm }
* { box-sizing: border-box; margin: 0 }
body { font: %(pt)spt/1.22 system-ui, "Noto Sans", "Noto Sans CJK TC", "Noto Sans CJK SC",
  "PingFang TC", "Microsoft JhengHei", sans-serif; color: #000; background: #fff;
  max-width: 192mm; margin: 0 auto; padding: 4mm 0 }
@media print { body { padding: 0; max-width: none } }
header { display: flex; justify-content: space-between; align-items: baseline; gap: 1em;
  border-bottom: 1.5pt solid #000; margin-bottom: 2mm; padding-bottom: 1mm }
h1 { font-size: 1.9em }
h2 { font-size: 1.15em; margin: 0 0 .3em; border-bottom: .5pt solid #000 }
main { columns: %(columns)s; column-gap: 5mm }
section { break-inside: avoid; margin-bottom: .7em }
.worth { font-weight: 700; float: right }
dt { font-weight: 600; break-after: avoid }
dt small { font-weight: 400 }
dd { break-before: avoid; margin: 0 0 .3em; color: #222 }
table { border-collapse: collapse; width: 100%% }
th, td { text-align: right; padding: 0 .3em; border-bottom: .25pt solid #999 }
th:first-child, td:first-child { text-align: left }
li { margin: 0 0 .2em; padding: 0; list-style: none }
"""


def sheet_html(ruleset: str, house: HouseRules | None = None, language: str = "en") -> str:
    """The sheet of a rule set or preset, under its own or the given house rules, as a page.

    It fits one A4 page (tests/teach prints every rule set). Raises as `table_of` does.
    """
    table = table_of(ruleset, house)
    parts = [*_items(table, language), _payments(table, language), _house(table, language)]
    title = ruleset_name(ruleset, language)
    club = table.house_rules.title
    by = say("sheet", "played-by", language, title=club) if club else ""
    head = say("sheet", "title", language)
    columns, pt = _size("".join(parts), len(table.items))
    style = _STYLE % {"columns": columns, "pt": pt}
    return (
        f'<!doctype html>\n<html lang="{language}"><meta charset="utf-8">\n'
        f"<title>{escape(head)}: {escape(title)}</title>\n<style>{style}</style>\n"
        f"<header><h1>{escape(title)}</h1><p>{escape(by)}</p>"
        f"<p>{escape(head)} · {escape(table.rules.id)} {escape(table.rules.version)}</p></header>\n"
        f"<main>\n{chr(10).join(filter(None, parts))}\n</main></html>\n"
    )


def _size(text: str, items: int) -> tuple[int, float]:
    """(columns, size of the letters): the more there is, the smaller."""
    wide = sum(2 if ord(letter) > 0x2E7F else 1 for letter in text)
    load = wide + 90 * items
    for most, columns, pt in _SIZES:
        if load <= most:
            return columns, pt
    return 3, 5.2


def _items(table: Table, language: str) -> Iterable[str]:
    """Items by value, the dearest first."""
    unit = word("units", table.rules.unit, language)
    rows: dict[int, list[str]] = {}
    usual = table_of(table.rules.id)
    before = dict(zip((i.id for i in usual.items), usual.values, strict=True))
    for item, value in zip(table.items, table.values, strict=True):
        name = item_name(table.rules.id, item.id, language)
        chinese = item_name(table.rules.id, item.id, "zh-Hant")
        also = f" <small>{escape(chinese)}</small>" if chinese != name else ""
        mark = "" if before.get(item.id) == value else " *"
        text = escape(item_text(table.rules.id, item.id, language))
        rows.setdefault(value, []).append(f"<dt>{escape(name)}{mark}{also}</dt><dd>{text}</dd>")
    for value in sorted(rows, reverse=True):
        yield f"<section><h2>{value} {escape(unit)}</h2><dl>{''.join(rows[value])}</dl></section>"


def _payments(table: Table, language: str) -> str:
    """What East gets from a discarder, and from each player on a self-draw."""
    unit = word("units", table.rules.unit, language)
    top = TOTALS[-1] if table.limit is None else table.limit
    totals = [t for t in (*TOTALS, table.limit or 0) if table.minimum <= t <= top]
    rows = []
    for total in sorted(set(totals))[:ROWS]:
        cells = [_paid(total, table, drawn) for drawn in (False, True)]
        if None not in cells:
            rows.append(f"<tr><td>{total} {escape(unit)}</td><td>{cells[0]}</td>"
                        f"<td>{cells[1]}</td></tr>")  # fmt: skip
    lines = []
    if table.minimum > 0:
        lines.append(say("sheet", "minimum", language, n=table.minimum, unit=unit))
    if table.limit is not None:
        lines.append(say("sheet", "limit", language, n=table.limit, unit=unit))
    if rows:
        lines.append(say("sheet", "example", language))
    if not lines:
        return ""
    head = "".join(
        f"<th>{escape(say('sheet', key, language))}</th>"
        for key in ("total", "discard", "self-drawn")
    )
    grid = f"<table><tr>{head}</tr>{''.join(rows)}</table>" if rows else ""
    said = "".join(f"<p>{escape(line)}</p>" for line in lines)
    title = escape(say("sheet", "payment", language))
    return f"<section><h2>{title}</h2>{said}{grid}</section>"


def _paid(total: int, table: Table, drawn: bool) -> str | None:
    """What the discarder South pays, or South and then (where it differs) the others."""
    giver = None if drawn else Wind.SOUTH
    facts = Situation(seat=Wind.EAST, round=Wind.EAST, self_drawn=drawn, from_seat=giver)
    paid = pay_total(total, facts, table.name, table.house_rules)
    if paid.payments is None:
        return None
    amounts = [-paid.payments[wind] for wind in (Wind.SOUTH, Wind.WEST, Wind.NORTH)]
    if drawn:
        return f"3 × {amounts[0]}" if len(set(amounts)) == 1 else " + ".join(map(str, amounts))
    return " + ".join(str(amount) for amount in amounts if amount)


def _house(table: Table, language: str) -> str:
    """The house rules that differ from the rule set's defaults."""
    usual = preset_house(table.rules.id).all()
    lines = [
        f"<li><b>{escape(name)} = {escape(written(value))}</b> "
        f"{escape(option_text(table.rules.id, name, language))}</li>"
        for name, value in table.house_rules.all().items()
        if usual[name] != value
    ]
    title = escape(say("sheet", "house", language))
    none = f"<p>{escape(say('sheet', 'house-none', language))}</p>"
    inside = f"<ul>{''.join(lines)}</ul>" if lines else none
    return f"<section><h2>{title}</h2>{inside}</section>"
