"""Spaced repetition: what was missed comes again soon, what is known comes later and later.

A card is one thing to know (a tile, an item, a wait). It lies in a box; a right answer moves it
one box up, a wrong one back to the first. Times are days since some day zero, so that nothing here
needs a clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

INTERVALS_DAYS: Final = (0.0, 1.0, 3.0, 7.0, 16.0, 35.0)
"""Days until a card of each box is asked again; one in the first box is due at once."""
FORM: Final = 1
"""Version of the JSON form."""


class DeckError(ValueError):
    """What was kept is no deck. `newer` when a later version of the program wrote it."""

    def __init__(self, why: str, newer: bool = False) -> None:
        super().__init__(why)
        self.newer = newer


@dataclass(frozen=True, slots=True)
class Card:
    """`box` counts from 0; `due_day` is when it is asked again."""

    box: int = 0
    due_day: float = 0.0
    asked: int = 0
    missed: int = 0


@dataclass(frozen=True, slots=True)
class Deck:
    """Every card that was ever asked, by its id."""

    cards: Mapping[str, Card] = field(default_factory=dict)

    def answered(self, id: str, right: bool, day: float) -> Deck:
        """The deck after one answer."""
        old = self.cards.get(id, Card())
        box = min(old.box + 1, len(INTERVALS_DAYS) - 1) if right else 0
        fresh = Card(box, day + INTERVALS_DAYS[box], old.asked + 1, old.missed + (not right))
        return replace(self, cards={**self.cards, id: fresh})

    def next(self, ids: Iterable[str], day: float, rng: Random, last: str = "") -> str | None:
        """The card to ask: of those that are due the one overdue longest, else a new one.

        A card is not asked twice in a row while there is another. None when all are known for now.
        """
        wanted = list(dict.fromkeys(ids))
        due = [id for id in wanted if id in self.cards and self._is_due(self.cards[id], day)]
        new = [id for id in wanted if id not in self.cards]
        rng.shuffle(new)
        due.sort(key=lambda id: (self.cards[id].due_day, self.cards[id].box))
        order = [*due, *new]
        return next((id for id in order if id != last), order[0] if order else None)

    @staticmethod
    def _is_due(card: Card, day: float) -> bool:
        """Also a card that lies further ahead than its box lets it: the clock was wrong then."""
        return not day < card.due_day <= day + INTERVALS_DAYS[card.box]

    def missed(self) -> list[str]:
        """The cards that lie in the first box after an answer."""
        return [id for id, card in self.cards.items() if card.box == 0 and card.missed]

    def to_json(self) -> dict[str, Any]:
        rows = {
            id: [card.box, card.due_day, card.asked, card.missed] for id, card in self.cards.items()
        }
        return {"form": FORM, "cards": rows}

    @classmethod
    def from_json(cls, data: Any) -> Deck:
        """The deck that was kept. Raises DeckError."""
        if not isinstance(data, dict) or not isinstance(data.get("form"), int):
            raise DeckError("it is no list of cards")
        if data["form"] > FORM:
            raise DeckError(f"form {data['form']}", newer=True)
        rows = data.get("cards")
        if not isinstance(rows, dict):
            raise DeckError("it holds no cards")
        return cls({str(id): _card(id, row) for id, row in rows.items()})


def _card(id: str, row: Any) -> Card:
    numbers = isinstance(row, list) and len(row) == 4
    if not numbers or any(isinstance(n, bool) or not isinstance(n, int | float) for n in row):
        raise DeckError(f"the card {id} is not four numbers")
    box, due, asked, missed = row
    last = len(INTERVALS_DAYS) - 1
    if box not in range(last + 1) or not abs(due) < 10**7 or min(asked, missed) < 0:
        raise DeckError(f"the card {id} has impossible numbers")
    return Card(int(box), float(due), int(asked), int(missed))
