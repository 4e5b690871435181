"""The settlement of a whole deal as people read it: who pays whom for each event, and the sums."""

from __future__ import annotations

from collections.abc import Iterable

from kiosk.receipt import columns
from kiosk.words import say
from scorer.deal import Deal, Entry, Kong, Settlement, Win, Winner, Won
from scorer.deal.settlement import READY
from scorer.names import item_name, ruleset_name, texts, tile_name, wind_name, word
from scorer.result import Result
from scorer.tiles import tiles_text
from scorer.winds import Wind


def settlement_receipt(deal: Deal, settlement: Settlement, language: str) -> str:
    """The whole text, without a newline at the end."""
    parts = [_head(deal, settlement, language)]
    if settlement.problems:
        lines = [problem.text(language) for problem in settlement.problems]
        parts.append(_section(say("deal_refused", language), lines))
        return "\n\n".join(parts)
    for number in range(1, len(deal.events) + 1):
        parts.append(_event(deal, settlement, number, language))
    totals = [
        (wind_name(seat, language), _signed(amount)) for seat, amount in settlement.totals.items()
    ]
    parts.append(_section(say("deal_totals", language), columns(totals)))
    if not settlement.finished:
        parts.append(say("deal_unfinished", language))
    return "\n\n".join(parts)


def _head(deal: Deal, settlement: Settlement, language: str) -> str:
    name = ruleset_name(settlement.ruleset, language)
    version = f"{settlement.ruleset} {settlement.version}"
    dealer = say("deals", language, dealer=wind_name(deal.dealer, language))
    rows = [
        (say("deal_events", language), dealer),
        (say("rules", language), say("rules_version", language, name=name, version=version)),
    ]
    if deal.missing:
        named = {seat: _deal_word("suits", deal.missing[seat], language) for seat in Wind}
        suits = (f"{wind_name(seat, language)} {suit}" for seat, suit in named.items())
        rows.append((say("deal_missing", language), ", ".join(suits)))
    return "\n".join(columns(rows))


def _event(deal: Deal, settlement: Settlement, number: int, language: str) -> str:
    event = deal.events[number - 1]
    if isinstance(event, Kong):
        lines: list[str] = []
        title = _kong(event, language)
    elif isinstance(event, Win):
        won = {w.seat: w for w in settlement.wins if w.event == number}
        title = " · ".join(_win(event, winner.seat, language) for winner in event.winners)
        lines = [_hand(winner, won[winner.seat], language) for winner in event.winners]
    else:
        title = say("deal_wall_end", language)
        lines = [_standing(settlement, seat, language) for seat in event.hands]
    lines += [_paid(e, language) for e in settlement.entries if e.event == number]
    return _section(f"{number}. {title}", lines)


def _kong(kong: Kong, language: str) -> str:
    facts = {
        "seat": wind_name(kong.seat, language),
        "kind": _deal_word("reasons", kong.kind, language),
        "tile": tile_name(kong.tile, language),
    }
    if kong.giver is None:
        return say("deal_kong", language, **facts)
    return say("deal_kong_from", language, **facts, giver=wind_name(kong.giver, language))


def _win(win: Win, seat: Wind, language: str) -> str:
    facts = {"seat": wind_name(seat, language)}
    if win.giver is None:
        return say("won_self_drawn", language, **facts)
    key = "won_robbed" if win.robbed else "won_discard"
    return say(key, language, **facts, giver=wind_name(win.giver, language))


def _hand(winner: Winner, won: Won, language: str) -> str:
    result = won.result
    key = "deal_hand" if result.uncut == result.total else "deal_hand_capped"
    return say(
        key,
        language,
        hand=winner.hand,
        total=result.total,
        uncut=result.uncut,
        unit=word("units", result.unit, language),
        items=", ".join(_items(result, language)),
    )


def _items(result: Result, language: str) -> Iterable[str]:
    for item in result.items:
        times = f"{item.count} × " if item.count > 1 else ""
        yield f"{item_name(result.ruleset, item.id, language)} {times}{item.value}"


def _standing(settlement: Settlement, seat: Wind, language: str) -> str:
    [standing] = [s for s in settlement.standings if s.seat == seat]
    name = wind_name(seat, language)
    if standing.state != READY:
        state = _deal_word("states", standing.state, language)
        return say("deal_state", language, seat=name, state=state)
    return say(
        "deal_ready",
        language,
        seat=name,
        tiles=tiles_text(standing.waits),
        fan=standing.fan,
        unit=word("units", "fan", language),
    )


def _paid(entry: Entry, language: str) -> str:
    transfer = entry.transfer
    sentence = say(
        "pays",
        language,
        payer=wind_name(transfer.payer, language),
        payee=wind_name(transfer.payee, language),
        amount=transfer.amount,
    )
    reason = _deal_word("reasons", transfer.reason, language)
    if entry.of is not None:
        reason = say("deal_of", language, reason=reason, n=entry.of)
    return f"{sentence} ({reason})"


def _deal_word(section: str, id: str, language: str) -> str:
    return str(texts("deal", language)[section][id])


def _signed(amount: int) -> str:
    return f"+{amount}" if amount > 0 else str(amount).replace("-", "−")


def _section(title: str, lines: Iterable[str]) -> str:
    return "\n".join([title, *(f"  {line}" for line in lines)])
