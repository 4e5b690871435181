"""A night as people read it on a terminal: standing, history, what an edit changes, statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kiosk.receipt import columns
from kiosk.words import say
from scorer.names import item_name, wind_name
from scorer.winds import Wind
from table import Difference, Ledger, PlayerStats, Preview, State, settle
from table.export import describe


def standing(state: State, language: str) -> str:
    """Round, dealer, seats and totals."""
    dealer = state.players[state.dealer]
    wind = wind_name(state.round, language)
    lines = [say("ledger_round", language, wind=wind, dealer=dealer, n=state.streak)]
    rows = []
    for player, points in state.totals.items():
        at_table = player in state.players
        seat = wind_name(state.seat_of(player), language) if at_table else ""
        money = state.stakes.money(points) if state.stakes.currency else ""
        rows.append((seat, player, signed(points), money))
    lines += [f"  {line}" for line in columns(rows)]
    if state.finished:
        lines.append(say("ledger_finished", language, why=state.finished))
    return "\n".join(lines)


def history(state: State, last: int | None, language: str) -> str:
    """The events that count, the newest at the end; `last` of them, or all."""
    entries = state.history[-last:] if last else state.history
    rows = []
    for entry in entries:
        moved = ", ".join(f"{p} {signed(n)}" for p, n in entry.payments.items() if n)
        round_ = wind_name(Wind.parse(entry.facts["round"]), language)
        rows.append((f"{entry.no}.", round_, entry.kind, describe(entry), moved))
    return "\n".join(columns(rows))


def settlement(state: State, language: str) -> str:
    """Who pays whom at the end."""
    payments = settle(state.totals)
    if not payments:
        return say("ledger_even", language)
    return "\n".join(
        say(
            "ledger_settle",
            language,
            payer=p.payer,
            payee=p.payee,
            money=state.stakes.money(p.points),
        )
        for p in payments
    )


def preview(found: Preview, language: str) -> str:
    """Every payment and every total that an undo or an edit would change."""
    lines = [say("ledger_changes", language)]
    for change in found.changes:
        event = say("ledger_event", language, no=change.no)
        lines.append(f"  {event}: {_arrow(_moved(change.before), _moved(change.after), language)}")
    if not found.changes:
        lines.append(f"  {say('ledger_nothing', language)}")
    before, after = found.totals_before, found.totals_after
    rows = [
        (player, _arrow(signed(before.get(player, 0)), signed(after.get(player, 0)), language))
        for player in before | after
        if before.get(player, 0) != after.get(player, 0)
    ]
    if rows:
        lines.append(say("ledger_total", language))
        lines += [f"  {line}" for line in columns(rows)]
    return "\n".join(lines)


def verified(ledger: Ledger, found: Sequence[Difference], language: str) -> str:
    if not found:
        return say("ledger_verified", language, n=ledger.length)
    return "\n".join(
        say(
            "ledger_differs",
            language,
            no=d.no,
            booked=_moved(d.booked["payments"]),
            version=d.booked["version"],
            today=d.trouble or (_moved(d.today["payments"]) if d.today else ""),
        )
        for d in found
    )


def statistics(rows: Iterable[PlayerStats], ruleset: str, language: str) -> str:
    """One line a player."""
    head = tuple(say("ledger_columns", language).split(","))
    lines = [head]
    for row in rows:
        average = "–" if row.average is None else f"{row.average:.1f}"
        biggest = "–" if row.biggest is None else " ".join(map(str, row.biggest)).strip()
        numbers = (row.hands, row.won, row.self_drawn, row.dealt_in)
        names = ", ".join(f"{_item(ruleset, id, language)} {n}" for id, n in row.favourites())
        cells = (row.player, signed(row.points), *map(str, numbers), average, biggest, names)
        lines.append(cells)
    return "\n".join(columns(lines))


def _item(ruleset: str, id: str, language: str) -> str:
    try:
        return item_name(ruleset, id, language)
    except KeyError:  # an item of a rule set that was played earlier that night
        return id


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


def _moved(payments: Mapping[str, int]) -> str:
    return ", ".join(f"{p} {signed(n)}" for p, n in payments.items() if n) or "0"


def _arrow(before: str, after: str, language: str) -> str:
    return say("ledger_before_after", language, before=before, after=after)
