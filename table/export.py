"""A night as a file: JSON or CSV (sheet.py), which can be read back, and a page to print."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

from . import events as ev
from . import sheet
from .errors import EventError
from .ledger import Ledger, check_ids
from .log import Effective, Record, effective, fold, refold
from .money import settle
from .state import Entry
from .stats import wins_of
from .store import Store, TakenError

FORMAT, FORMAT_VERSION = "hupai-ledger", 1
LARGEST_LOG: Final = 1_000_000


def to_json(ledger: Ledger) -> dict[str, Any]:
    """The whole log, undone events included, and beside it the state for readers."""
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "night": ledger.night,
        "table": _table(ledger),
        "records": [record.to_json() for record in ledger.records],
        "state": ledger.state.to_json(),
    }


def read_back(store: Store, text: str, night: str | None = None) -> Ledger:
    """Write an exported night, JSON or CSV, into a store, under its own id or another.

    The log must be whole: numbers in order, keys once, every event possible, the totals those
    that the file states. Raises EventError naming what is wrong; then nothing is written.
    """
    data = _from_json(text) if text.lstrip()[:1] in ("{", "[") else sheet.read(text)
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise EventError("not an exported night (`hupai ledger export` makes one)")
    if data.get("version") != FORMAT_VERSION:
        raise EventError(f"version {data.get('version')} of the export is not known here")
    try:
        records = [_record(row) for row in data["records"]]
        id, table = night or data["night"], data.get("table", "main")
        totals = data["state"]["totals"]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise EventError(f"the export is not whole: {error!r}") from None
    if not 0 < len(records) < LARGEST_LOG:
        raise EventError("the export has no events")
    if [r.no for r in records] != list(range(1, len(records) + 1)):
        raise EventError("the events are not numbered 1, 2, 3 …")
    if len({r.key for r in records}) != len(records):
        raise EventError("two events have the same key")
    check_ids(id, table)
    _check(records, totals)
    try:
        store.fill(id, table, records)
    except TakenError:
        raise EventError(f"there is a night {id!r} already; give another id") from None
    return Ledger(store, id)


def _from_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise EventError(f"not a JSON file: {error}") from None


def _record(row: Mapping[str, Any]) -> Record:
    """One record in the form in which a ledger writes it. Raises EventError for any other."""
    no = ev.whole(row["no"], "the number of an event", 1)
    for name, longest in (("kind", 20), ("key", 120), ("at", 32)):
        if not _is_word(row[name], longest):
            raise EventError(f"{name} is text of 1 to {longest} letters", no)
    outcomes = {int(key): outcome for key, outcome in row["outcomes"].items()}
    if not all(map(_is_outcome, outcomes.values())):
        raise EventError("an outcome is not written as a ledger writes it", no)
    return Record(no, row["kind"], row["body"], row["key"], row["at"], outcomes)


def _is_word(value: Any, longest: int) -> bool:
    return isinstance(value, str) and 0 < len(value) <= longest and value.isprintable()


def _is_outcome(outcome: Any) -> bool:
    """Whether it has the fields of `outcome.outcome_of`, each of its kind."""
    wins = outcome["wins"]
    return (
        all(type(points) is int for points in outcome["payments"].values())
        and isinstance(wins, list)
        and all(isinstance(win["player"], str) and type(win["total"]) is int for win in wins)
        and all(_is_item(*item) for win in wins for item in win["items"])
        and _is_word(outcome["ruleset"], 40)
        and _is_word(outcome["version"], 40)
        and isinstance(outcome["facts"], Mapping)
    )


def _is_item(id: Any, value: Any, count: Any) -> bool:
    return isinstance(id, str) and type(value) is int and type(count) is int


def _check(records: list[Record], totals: Mapping[str, int]) -> None:
    for record in records:
        try:
            ev.check(record.kind, record.body)
        except EventError as error:
            raise EventError(error.why, record.no) from None
        of = record.body.get("of", 0) if record.kind in (ev.UNDO, ev.EDIT) else 0
        if of >= record.no:
            raise EventError("takes back an event that comes later", record.no)
    events = effective(records)
    if any(e.outcome is None for e in events if e.kind in ev.SCORED):
        raise EventError("a hand has no outcome")
    try:
        again = refold(events)[0].totals
        stated = fold(events).totals
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise EventError(f"the export is not whole: {error!r}") from None
    if again != stated or stated != dict(totals) or any(_sums(events)):
        raise EventError("the totals of the file are not the sum of its payments")


def _sums(events: Iterable[Effective]) -> Iterable[int]:
    """What the payments of each hand add up to; zero where nobody tampered with them."""
    return (sum(e.outcome["payments"].values()) for e in events if e.outcome is not None)


def to_csv(ledger: Ledger) -> str:
    """One line for each event that counts, a column of points for each player, then the sum."""
    night = {"format": FORMAT, "version": FORMAT_VERSION}
    night |= {"night": ledger.night, "table": _table(ledger)}
    return sheet.write(ledger, night, describe)


def describe(entry: Entry | Effective) -> str:
    """What an event says, in a few words of the log itself."""
    body = entry.body
    if isinstance(entry, Entry) and entry.kind in (ev.WIN, ev.DEAL):
        rows = {row["player"]: row for row in (entry.outcome or {"wins": []})["wins"]}
        return "; ".join(
            f"{winner} {'self-drawn' if giver is None else 'from ' + giver} "
            f"{rows[winner]['total']} {hand}".rstrip()
            for winner, giver, hand in wins_of(entry)
        )
    if entry.kind == ev.PLAYERS:
        return f"{body['out']} leaves, {body['in']} sits down"
    if entry.kind == ev.SEATS:
        return ", ".join(body["players"])
    if entry.kind == ev.RULES:
        return str(body["rules"]["id"])
    return str(body.get("offender", ""))


def to_html(ledger: Ledger) -> str:
    """A page to print: totals, settlement, every hand. It loads nothing from elsewhere."""
    state = ledger.state
    players = list(state.totals)
    title = escape(state.title or ledger.night)
    head = "".join(f"<th>{escape(player)}</th>" for player in players)
    rows = "".join(_html_row(entry, players) for entry in state.history)
    total = "".join(f"<td>{points:+d}</td>" for points in state.totals.values())
    money = "".join(f"<td>{escape(state.stakes.money(p))}</td>" for p in state.totals.values())
    payments = _html_list(
        f"{p.payer} → {p.payee}: {state.stakes.money(p.points)}" for p in settle(state.totals)
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 12pt/1.4 serif; margin: 2em auto; max-width: 60em; padding: 0 1em }}
table {{ border-collapse: collapse; width: 100% }} thead {{ display: table-header-group }}
th, td {{ border: 1px solid #888; padding: .2em .5em; text-align: right }}
td.text {{ text-align: left; overflow-wrap: anywhere }} tr {{ break-inside: avoid }}
tfoot td {{ font-weight: bold }}
</style></head><body>
<h1>{title}</h1>
<p>{escape(state.rules_id)} · {escape(ledger.records[0].at)}</p>
<ul>{payments}</ul>
<table><thead><tr><th>No.</th><th>Event</th><th>Round</th><th>Dealer</th>{head}</tr></thead>
<tbody>{rows}</tbody>
<tfoot><tr><td></td><td class="text">Total</td><td></td><td></td>{total}</tr>
<tr><td></td><td class="text">Money</td><td></td><td></td>{money}</tr></tfoot></table>
</body></html>
"""


def _html_row(entry: Entry, players: Iterable[str]) -> str:
    points = (entry.payments.get(player, 0) for player in players)
    cells = "".join(f"<td>{p:+d}</td>" if p else "<td></td>" for p in points)
    facts = entry.facts
    dealer = f"{facts['dealer']} ×{facts['streak']}" if facts["streak"] else facts["dealer"]
    what = " ".join(filter(None, (entry.kind, describe(entry), entry.body.get("note", ""))))
    return (
        f'<tr><td>{entry.no}</td><td class="text">{escape(what)}</td><td>{facts["round"]}</td>'
        f'<td class="text">{escape(dealer)}</td>{cells}</tr>\n'
    )


def _html_list(lines: Iterable[str]) -> str:
    return "".join(f"<li>{escape(line)}</li>" for line in lines)


def _table(ledger: Ledger) -> str:
    return next(n.table for n in ledger.store.nights() if n.night == ledger.night)
