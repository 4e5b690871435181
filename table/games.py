"""How the deal goes round in each rule set: who deals next, the streak, rounds, seat changes.

Where a rule file is silent the common practice stands here, and a night can say otherwise
(`draw_dealer`). Sources: rules/taiwan.md (payments, last paragraph); the others are silent about
the rotation, so Hong Kong keeps the dealer on a win and on a draw, Chinese Official passes the
deal every time and changes seats after each of four rounds, and in Sichuan the first winner of a
deal (of several at once their discarder) deals the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scorer import HouseRules

STAY_PLUS, STAY, PASS = "stay_plus", "stay", "pass"
DRAW_DEALER: Final = (STAY_PLUS, STAY, PASS)
"""What a drawn game does: dealer and streak + 1, dealer stays, deal passes."""


@dataclass(frozen=True, slots=True)
class Game:
    """`winner_stays`: the dealer who wins deals again. `first_winner_deals`: the winner deals
    next, and seats do not turn with the deal. `draw` is one of DRAW_DEALER. `deals` ends the
    night. `seat_changes` holds after each round who sits down East, South, West, North, as
    places of the round before.
    """

    winner_stays: bool = True
    first_winner_deals: bool = False
    draw: str = STAY_PLUS
    deals: int | None = None
    seat_changes: tuple[tuple[int, int, int, int], ...] = ()

    @property
    def seats_turn(self) -> bool:
        """Whether the dealer always sits East."""
        return not self.first_winner_deals


MCR_SEATS: Final = ((1, 0, 3, 2), (3, 2, 0, 1), (1, 0, 3, 2))
"""East and South, West and North exchange; then East goes to West, West to South, South to North,
North to East; then as the first time. Everybody begins one round in every seat."""

GAMES: Final = {
    "hongkong": Game(draw=STAY),
    "hongkong-digital": Game(draw=STAY),
    "mcr": Game(winner_stays=False, draw=PASS, deals=16, seat_changes=MCR_SEATS),
    "sichuan": Game(winner_stays=False, first_winner_deals=True, draw=STAY),
}
TAIWAN: Final = Game()


def game_of(ruleset: str) -> Game:
    """The rotation of a rule set; that of Taiwan where nothing else is said."""
    return GAMES.get(ruleset, TAIWAN)


def draw_rule(house: HouseRules, chosen: str | None = None) -> str:
    """What a drawn game does: the night's own choice, the house rule, or the game's custom."""
    return chosen or str(house.all().get("draw_dealer") or game_of(house.ruleset).draw)
