"""Which question comes next: what was missed first, new things in turn, no question twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from .cards import Deck
from .dealing import Club, TooRareError
from .questions import COUNT, ILLEGAL, NAME, PAYS, WAIT, WHICH, Question, Spec, focuses, question

ROUND: Final = (NAME, ILLEGAL, WAIT, WHICH, PAYS, COUNT)
"""One round of practice ends with a hand that the player has scored."""
_TRIES: Final = 20


@dataclass(slots=True)
class Lesson:
    """A round of practice. `kinds` are asked in turn; `item` is what hands to count must earn."""

    club: Club
    rng: Random
    deck: Deck = field(default_factory=Deck)
    kinds: Sequence[str] = ROUND
    difficulty: int = 1
    item: str = ""
    asked: int = 0
    right: int = 0
    last: str = ""

    def next(self, day: float) -> Question | None:
        """The next question; None when everything is known for now.

        Of each kind a card that is due comes before a new one; where a kind has neither, the next
        kind is asked. Raises TooRareError when the item that was asked for does not turn up.
        """
        if self.item:
            return question(self._spec(COUNT, self.item))
        first = self.asked % len(self.kinds)
        for kind in (*self.kinds[first:], *self.kinds[:first]):
            found = self._of_kind(kind, day)
            if found is not None:
                return found
        return None

    def _of_kind(self, kind: str, day: float) -> Question | None:
        left = {self._spec(kind, f).card: f for f in focuses(kind, self.difficulty, self.club)}
        for _ in range(_TRIES):
            card = self.deck.next(left, day, self.rng, self.last)
            if card is None:
                return None
            try:
                return question(self._spec(kind, left.pop(card)))
            except TooRareError:
                continue  # another thing to know turns up more often
        return None

    def _spec(self, kind: str, focus: str) -> Spec:
        return Spec(kind, focus, self.rng.randrange(10**6), self.difficulty, self.club)

    def answered(self, asked: Question, right: bool, day: float) -> None:
        """Take note of an answer."""
        self.asked += 1
        self.right += right
        self.last = asked.spec.card
        self.deck = self.deck.answered(asked.spec.card, right, day)
