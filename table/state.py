"""The state of a night, folded from its events one by one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer import HouseRules, Wind

from . import events as ev
from .errors import EventError
from .events import Body
from .games import PASS, STAY_PLUS, Game, draw_rule, game_of
from .money import Stakes

Points = dict[str, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """One event that counts, as it stands in the history: `no` is its number in the log,
    `facts` what was derived for it (see `State.facts`), `payments` what it moved.
    """

    no: int
    kind: str
    at: str
    body: Body
    facts: Mapping[str, Any]
    payments: Mapping[str, int]
    outcome: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "no": self.no,
            "kind": self.kind,
            "at": self.at,
            "body": dict(self.body),
            "facts": dict(self.facts),
            "payments": dict(self.payments),
            "outcome": dict(self.outcome) if self.outcome else None,
        }


class State:
    """Who sits where, who deals, how often, which round, and what everybody has.

    `players` are the four at the table in playing order; `dealer` and `first_dealer` are places
    in it. `deals` counts deals played, `rounds` full turns of the deal. `totals` holds everybody
    who has sat down. `finished` is empty, or says why no more hands are booked.
    """

    def __init__(self, body: Body) -> None:
        self.players: list[str] = list(body["players"])
        self.title: str = body.get("title", "")
        self.stakes = Stakes.of(body.get("stakes", {}))
        self.draw: str | None = body.get("draw_dealer")
        self.dealer = self._place(body.get("dealer", self.players[0]))
        self.first_dealer = self.dealer
        self.streak = self.deals = self.rounds = 0
        self.totals: Points = dict.fromkeys(self.players, 0)
        self.history: list[Entry] = []
        self.finished = ""
        self._take_rules(body["rules"])

    # -- what is asked

    @property
    def round(self) -> Wind:
        """The round wind; after North it is East again."""
        return Wind(self.rounds % 4)

    def seat_of(self, player: str) -> Wind:
        """The seat wind of a player at the table. Raises EventError for anybody else."""
        place = self._place(player)
        return Wind((place - self.dealer) % 4 if self.game.seats_turn else place)

    def player_at(self, seat: Wind) -> str:
        return self.players[(seat + self.dealer) % 4 if self.game.seats_turn else seat]

    def seats(self) -> dict[str, str]:
        """Seat letter to player, East first."""
        return {seat.letter: self.player_at(seat) for seat in Wind}

    def named(self, word: str) -> str:
        """The player of this name or of this seat letter. Raises EventError."""
        if word in self.players:
            return word
        try:
            return self.player_at(Wind.parse(word))
        except ValueError:
            return self.players[self._place(word)]

    def facts(self) -> dict[str, Any]:
        """What is derived for the next hand; an outcome is as good as these are unchanged."""
        return {
            "seats": self.seats(),
            "round": self.round.letter,
            "dealer": self.players[self.dealer],
            "streak": self.streak,
            "rules": self.rules_mark,
        }

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "players": self.seats(),
            "round": self.round.letter,
            "rounds": self.rounds,
            "dealer": self.players[self.dealer],
            "streak": self.streak,
            "deals": self.deals,
            "rules": self.rules,
            "stakes": self.stakes.to_json(),
            "totals": dict(self.totals),
            "finished": self.finished,
        }

    # -- what happens

    def possible(self, kind: str, body: Body) -> None:
        """Raises EventError where this event cannot be now."""
        if kind == ev.START:
            raise EventError("a night starts once")
        if self.finished and kind in ev.HANDS | {ev.FALSE_WIN}:
            raise EventError(f"{self.finished}; settle the night, or start another")
        at_table = [body.get("offender"), body.get("from"), body.get("out")]
        at_table += [winner["player"] for winner in body.get("winners", ())]
        for player in at_table:
            if player is not None:
                self._place(player)
        if kind == ev.WIN and self.game.first_winner_deals:
            raise EventError("here a deal has several winners: book the whole deal at its end")
        if kind == ev.DEAL and not self.game.first_winner_deals:
            raise EventError("only the rule set sichuan books whole deals; book the win")
        if kind == ev.WIN and any(w["player"] == body.get("from") for w in body["winners"]):
            raise EventError(f"{body['from']} cannot win on the own discard")
        if kind == ev.WIN and body.get("from") is None:
            if len(body["winners"]) > 1:
                raise EventError("several players win on a discard only: say from whom")
            if body.get("robbed"):
                raise EventError("a robbed kong is somebody's: say from whom")
        if kind == ev.PENALTY and body.get("to") is not None:
            self._place(body["to"])
            if body["to"] == body["offender"]:
                raise EventError("nobody pays a penalty to himself")
        if kind == ev.CORRECTION and (strangers := set(body["payments"]) - set(self.totals)):
            raise EventError(f"{', '.join(sorted(strangers))} has not played this night")
        if kind == ev.PLAYERS and body["in"] in self.players:
            raise EventError(f"{body['in']} sits at the table already")
        if kind == ev.SEATS and set(body["players"]) != set(self.players):
            raise EventError(f"these four sit here: {', '.join(self.players)}")

    def apply(
        self, no: int, kind: str, at: str, body: Body, outcome: Mapping[str, Any] | None
    ) -> None:
        """Take an event that is possible. `outcome` is that of a win, a deal or a false win."""
        facts = outcome["facts"] if outcome else self.facts()
        payments = outcome["payments"] if outcome else self.fixed_payments(kind, body)
        for player, points in payments.items():
            self.totals[player] += points
        self.history.append(Entry(no, kind, at, body, facts, payments, outcome))
        if kind == ev.WIN:
            self._after_win([winner["player"] for winner in body["winners"]])
        elif kind == ev.DEAL:
            self._after_deal(body)
        elif kind == ev.DRAW:
            self._after_draw()
        elif kind == ev.PLAYERS:
            self.players[self._place(body["out"])] = body["in"]
            self.totals.setdefault(body["in"], 0)
        elif kind == ev.SEATS:
            self.players = list(body["players"])
            self.dealer = self.first_dealer = self._place(body.get("dealer", self.players[0]))
            self.streak = 0
        elif kind == ev.RULES:
            self.draw = body.get("draw_dealer", self.draw)
            self._take_rules(body["rules"])
        if kind in ev.HANDS:
            self.deals += 1
        self._finish()

    def fixed_payments(self, kind: str, body: Body) -> Points:
        """The payments of an event that needs no score: a penalty or a correction."""
        if kind == ev.CORRECTION:
            return dict(body["payments"])
        if kind != ev.PENALTY:
            return {}
        offender, points = body["offender"], body["points"]
        payees = [body["to"]] if body.get("to") else [p for p in self.players if p != offender]
        return {offender: -points * len(payees)} | dict.fromkeys(payees, points)

    def _after_win(self, winners: list[str]) -> None:
        if self.game.winner_stays and self.players[self.dealer] in winners:
            self.streak += 1
        else:
            self._pass_on()

    def _after_deal(self, body: Body) -> None:
        """The first winner deals next; of several at once, the one who gave the tile."""
        for event in body["events"]:
            if "win" in event:
                winners = event["win"]
                many = isinstance(winners, list) and len(winners) > 1
                one = winners if isinstance(winners, str) else winners[0]["by"]
                self.streak = 0
                self.dealer = self._place(event["from"] if many else one)
                return

    def _after_draw(self) -> None:
        rule = draw_rule(self.house, self.draw)
        if rule == PASS:
            self._pass_on()
        elif rule == STAY_PLUS:
            self.streak += 1

    def _pass_on(self) -> None:
        self.streak = 0
        self.dealer = (self.dealer + 1) % 4
        if self.dealer != self.first_dealer:
            return
        changes = self.game.seat_changes
        if self.rounds < len(changes):
            before = [self.players[(self.first_dealer + seat) % 4] for seat in range(4)]
            for seat, old in enumerate(changes[self.rounds]):
                self.players[(self.first_dealer + seat) % 4] = before[old]
        self.rounds += 1

    def _finish(self) -> None:
        self.finished = ""
        if self.game.deals is not None and self.deals >= self.game.deals:
            self.finished = f"the {self.game.deals} deals have been played"
        elif self.stakes.bust_ends:
            broke = [p for p in self.players if self.stakes.start + self.totals[p] <= 0]
            if broke:
                self.finished = f"{', '.join(broke)} has no points left"

    def _take_rules(self, rules: Mapping[str, Any]) -> None:
        self.rules = dict(rules)
        self.rules_id: str
        self.house: HouseRules
        self.rules_id, self.house = ev.house_of(rules)
        self.game: Game = game_of(self.house.ruleset)
        text = json.dumps(self.rules, sort_keys=True)
        self.rules_mark = hashlib.sha256(text.encode()).hexdigest()[:12]

    def _place(self, player: str) -> int:
        try:
            return self.players.index(player)
        except ValueError:
            there = ", ".join(self.players)
            raise EventError(f"{player} does not sit at the table; there are {there}") from None
