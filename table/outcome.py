"""What a hand was worth: the event's inputs, scored with what the state derives for it.

An outcome is plain data that is kept beside the event: `payments` by player, `wins` (player,
total, items…), the rule set with its version, and the `facts` it was scored with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scorer import (
    Fed,
    Hand,
    HandTextError,
    Problem,
    Result,
    Situation,
    find_ruleset,
    parse_tiles,
    pay_false_win,
    pay_total,
    score_winners,
)
from scorer.deal import DealFileError, deal_of, settle
from scorer.names import question_text

from . import events as ev
from .errors import EventError
from .events import Body
from .state import State

Outcome = dict[str, Any]
PLAIN = ("replacement", "missing_suit", "wall_left", "seen", "red_fives")
"""Facts of a winner that go into the situation as they are."""


def outcome_of(state: State, kind: str, body: Body) -> Outcome | None:
    """The outcome of an event that is possible now; None for a kind that has none.

    Raises EventError with every reason where the hand is no certain win.
    """
    if kind == ev.WIN:
        return _win(state, body)
    if kind == ev.DEAL:
        return _deal(state, body)
    if kind == ev.FALSE_WIN:
        return _false_win(state, body)
    return None


def situation_of(state: State, body: Body, winner: Mapping[str, Any]) -> Situation:
    """The facts of one winner's win. Raises EventError for facts that cannot be."""
    giver = body.get("from")
    try:
        dora = winner.get("dora")
        return Situation(
            seat=state.seat_of(winner["player"]),
            round=state.round,
            self_drawn=giver is None,
            from_seat=None if giver is None else state.seat_of(giver),
            robbed=bool(body.get("robbed", False)),
            dealer=state.seat_of(state.players[state.dealer]),
            streak=state.streak,
            events=frozenset(winner.get("events", ())),
            fed=tuple(
                Fed(state.seat_of(fed["player"]), tuple(sorted(parse_tiles(fed["tiles"]))))
                for fed in winner.get("fed", ())
            ),
            dora=None if dora is None else tuple(parse_tiles(dora)),
            ura_dora=tuple(parse_tiles(winner.get("ura_dora", ""))),
            sticks=tuple(state.seat_of(player) for player in winner.get("sticks", ())),
            **{name: winner[name] for name in PLAIN if name in winner},
        )
    except (ValueError, TypeError, KeyError) as error:
        raise EventError(f"{winner['player']}: {error}") from None


def _win(state: State, body: Body) -> Outcome:
    winners = body["winners"]
    situations = [situation_of(state, body, winner) for winner in winners]
    if any("total" in winner for winner in winners):
        return _told(state, winners, situations)
    hands = []
    for winner in winners:
        try:
            hands.append(Hand.parse(winner["hand"]))
        except HandTextError as error:
            raise EventError(f"{winner['player']}: the hand cannot be read: {error}") from None
    wins = list(zip(hands, situations, strict=True))
    results = score_winners(wins, state.rules_id, state.house)
    payments = dict.fromkeys(state.players, 0)
    for winner, result in zip(winners, results, strict=True):
        _certain(winner["player"], result)
        assert result.payments is not None
        for seat, points in result.payments.items():
            payments[state.player_at(seat)] += points
    rows = [_row(w["player"], r) for w, r in zip(winners, results, strict=True)]
    return _outcome(state, payments, rows)


def _told(
    state: State, winners: Iterable[Mapping[str, Any]], situations: Iterable[Situation]
) -> Outcome:
    """Wins of which only the total was written down."""
    payments = dict.fromkeys(state.players, 0)
    rows = []
    for winner, situation in zip(winners, situations, strict=True):
        if "total" not in winner:
            raise EventError("write the hands of all winners, or the totals of all")
        paid = pay_total(winner["total"], situation, state.rules_id, state.house)
        if paid.payments is None:
            raise EventError(f"{winner['player']}: a total alone does not say here who pays")
        for seat, points in paid.payments.items():
            payments[state.player_at(seat)] += points
        rows.append({"player": winner["player"], "total": winner["total"], "items": []})
    return _outcome(state, payments, rows)


def _deal(state: State, body: Body) -> Outcome:
    """A whole Sichuan deal; its events name players, the scorer wants seats."""

    def seat(player: Any) -> str:
        return state.seat_of(str(player)).letter

    try:
        events = [_seated(event, seat) for event in body["events"]]
        missing = {seat(player): suit for player, suit in body.get("missing", {}).items()}
        dealer = seat(state.players[state.dealer])
        deal = deal_of({"dealer": dealer, "missing": missing, "events": events})
    except DealFileError as error:
        raise EventError(str(error)) from None
    except (AttributeError, TypeError, KeyError, ValueError) as error:
        raise EventError(f"the deal is not written as docs/deal.md says: {error!r}") from None
    settlement = settle(deal, state.house)
    if settlement.problems:
        raise EventError("; ".join(problem.text() for problem in settlement.problems))
    if not settlement.finished:
        raise EventError("the deal is not over: three have won, or the wall is empty (wall_end)")
    payments = {state.player_at(seat): points for seat, points in settlement.totals.items()}
    rows = [_row(state.player_at(won.seat), won.result) for won in settlement.wins]
    return _outcome(state, payments, rows)


def _seated(event: Mapping[str, Any], seat: Any) -> dict[str, Any]:
    out = dict(event)
    for field in ("by", "from"):
        if field in out:
            out[field] = seat(out[field])
    if isinstance(out.get("win"), str):
        out["win"] = seat(out["win"])
    elif "win" in out:
        out["win"] = [{**winner, "by": seat(winner["by"])} for winner in out["win"]]
    if "wall_end" in out:
        out["wall_end"] = {seat(player): hand for player, hand in out["wall_end"].items()}
    return out


def _false_win(state: State, body: Body) -> Outcome:
    offender = body["offender"]
    if "points" in body:
        others = [player for player in state.players if player != offender]
        points = body["points"]
        return _outcome(state, {offender: -3 * points} | dict.fromkeys(others, points), [])
    paid = pay_false_win(state.seat_of(offender), state.rules_id, state.house)
    if paid is None or paid.payments is None:
        raise EventError(
            f"{state.rules_id} names no amount for a false win: say how many points to each"
        )
    payments = {state.player_at(seat): points for seat, points in paid.payments.items()}
    return _outcome(state, payments, [])


def _certain(player: str, result: Result) -> None:
    if result.problems:
        raise EventError(f"{player}: " + " ".join(_sentences(result.problems)))
    if not result.certain or result.payments is None:
        asks = " ".join(question_text(question, "en") for question in result.questions)
        raise EventError(f"{player}: not certain, so nothing is booked. {asks}".strip())


def _sentences(problems: Iterable[Problem]) -> list[str]:
    return [problem.text() for problem in problems]


def _row(player: str, result: Result) -> dict[str, Any]:
    return {
        "player": player,
        "total": result.total,
        "dealer_line": result.dealer_line,
        "items": [[item.id, item.value, item.count] for item in result.items],
    }


def _outcome(state: State, payments: dict[str, int], wins: list[dict[str, Any]]) -> Outcome:
    rules = find_ruleset(state.rules_id)
    return {
        "payments": {player: payments.get(player, 0) for player in state.players},
        "wins": wins,
        "ruleset": rules.id,
        "version": rules.version,
        "facts": state.facts(),
    }
