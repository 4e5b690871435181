"""Practice questions as facts: what is shown, what may be answered, what is right.

A question follows from its `Spec` alone, so that it can be made again to check an answer; the
words are in `asking`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final
from zlib import crc32

from scorer import Hand, Result, Situation, Tile, TileCodeError, Wind, parse_tiles
from scorer.arrange import WAIT_NAMES
from scorer.engine import score_with
from scorer.sampling import other_hand, winning_hand
from scorer.tiles import FACES, HandTextError, in_print_order, tiles_text

from .dealing import Club, Dealt, TooRareError, deal, find, items_by_difficulty
from .dictionary import look_alikes
from .waits import waits, winning_only

NAME, COUNT, WAIT, WHICH, PAYS, ILLEGAL = KINDS = (
    "name", "count", "wait", "which", "pays", "illegal",
)  # fmt: skip
_FAULTS: Final = ("not-complete", "fifth-copy", "too-many-tiles", "too-few-tiles")
WON: Final = "won-"
"""With this begins the focus of a question about a hand of the ledger."""
_LETTERS: Final = ("A", "B", "C")


class AnswerError(ValueError):
    """An answer that is none: `want` is number, tiles or choice."""

    def __init__(self, want: str) -> None:
        super().__init__(want)
        self.want = want


@dataclass(frozen=True, slots=True)
class Spec:
    """What a question is made from. `focus` is what it is about: a tile, an item, a wait kind, a
    way of winning, a fault. `club` says by which rules.
    """

    kind: str
    focus: str
    seed: int = 0
    difficulty: int = 1
    club: Club = field(default_factory=Club)

    @property
    def card(self) -> str:
        """The id of the card that the answer moves; tiles are the same in every game."""
        if self.kind == NAME:
            return f"{NAME}/{self.focus}"
        return f"{self.club.ruleset}/{self.kind}/{self.focus}"

    def rng(self) -> Random:
        return Random(f"{self.card} {self.difficulty} {self.seed}")


@dataclass(frozen=True, slots=True)
class Question:
    """`answer` is written as the player would: a number, a code, an id of `choices`, or tiles."""

    spec: Spec
    answer: str
    choices: tuple[str, ...] = ()
    tile: Tile | None = None
    hand: Hand | None = None
    situation: Situation | None = None
    result: Result | None = None
    payer: Wind | None = None
    shown: tuple[Dealt, ...] = ()

    def check(self, said: str) -> bool:
        """Whether an answer is right. Raises AnswerError for what is no answer."""
        told = said.strip()
        if self.choices:
            by_number = dict(zip(map(str, range(1, len(self.choices) + 1)), self.choices))  # noqa: B905
            ids = {choice.lower(): choice for choice in self.choices}
            chosen = ids.get(told.lower()) or by_number.get(told)
            if chosen is None:
                raise AnswerError("choice")
            return chosen == self.answer
        if self.spec.kind == WHICH:
            return _tiles_of(told) == _tiles_of(self.answer)
        try:
            return int(told) == int(self.answer)
        except ValueError:
            raise AnswerError("number") from None


def _tiles_of(text: str) -> frozenset[Tile]:
    try:
        tiles = frozenset(parse_tiles(text.replace(",", " ")))
    except (HandTextError, TileCodeError):
        tiles = frozenset()
    if not tiles:
        raise AnswerError("tiles")
    return tiles


def focuses(kind: str, difficulty: int, club: Club) -> tuple[str, ...]:
    """What questions of a kind can be about at a difficulty. Raises KeyError for another kind."""
    table = club.table
    if kind == NAME:
        faces = [t for t in Tile if (t < FACES or t.is_bonus) and _is_played(t, club)]
        plain = [t.code for t in faces if t < FACES]
        return {1: tuple(plain), 2: tuple(t.code for t in faces)}.get(
            difficulty, tuple(t.code for t in faces if look_alikes(t))
        )
    if kind == COUNT:
        rows = items_by_difficulty(club)
        return tuple(id for level in rows if level <= difficulty for id in rows[level])
    if kind == WAIT:
        return ("open", "closed", "pair") if difficulty == 1 else WAIT_NAMES[1:]
    if kind == WHICH:
        return ("1", "2") if difficulty == 1 else ("1", "2", "3")
    if kind == PAYS:
        own = ("dealer",) if table.house_rules.all().get("dealer_line") else ()
        return ("discard", "self-drawn", *own)
    if kind == ILLEGAL:
        return (*_FAULTS, "below-minimum") if table.minimum > 1 else _FAULTS
    raise KeyError(kind)


def _is_played(tile: Tile, club: Club) -> bool:
    table = club.table
    return table.bonus_tiles if tile.is_bonus else table.rules.honours or tile.is_suited


def question(spec: Spec) -> Question:
    """The question of a spec. Raises TooRareError when no hand for it turns up, KeyError for an
    item that the rules do not have.
    """
    makers = {NAME: _name, COUNT: _count, WAIT: _wait, WHICH: _which, PAYS: _pays,
              ILLEGAL: _illegal}  # fmt: skip
    return makers[spec.kind](spec, spec.rng())


def about(dealt: Dealt, club: Club) -> Question:
    """To count a hand that was really won (from the ledger); its card is known by the hand."""
    mark = crc32(f"{dealt.hand} {dealt.result.total}".encode())
    return _counted(Spec(COUNT, f"{WON}{mark:08x}", 0, 3, club), dealt)


def _name(spec: Spec, rng: Random) -> Question:
    tile = Tile.parse(spec.focus)
    others = [t for t in look_alikes(tile) if t is not Tile.BACK and _is_played(t, spec.club)]
    rng.shuffle(others)
    rest = [t for t in Tile if t not in (tile, Tile.BACK, *others) and _is_played(t, spec.club)]
    rest.sort(key=lambda t: (t.suit != tile.suit, rng.random()))
    choices = [tile, *(others + rest)[:3]]
    codes = tuple(t.code for t in in_print_order(choices))
    return Question(spec, tile.code, codes, tile=tile)


def _count(spec: Spec, rng: Random) -> Question:
    return _counted(spec, deal(rng, spec.club, spec.difficulty, spec.focus))


def _counted(spec: Spec, dealt: Dealt) -> Question:
    return Question(
        spec,
        str(dealt.result.total),
        hand=dealt.hand,
        situation=dealt.situation,
        result=dealt.result,
    )


def _wait(spec: Spec, rng: Random) -> Question:
    def only_this(dealt: Dealt) -> bool:
        ways = [a for a in (dealt.result.arrangement, *dealt.result.others) if a is not None]
        return {way.wait for way in ways} == {spec.focus} and _pure(dealt, spec.club)

    dealt = find(rng, spec.club, spec.difficulty, only_this, spec.focus)
    return Question(
        spec,
        spec.focus,
        WAIT_NAMES[1:],
        hand=dealt.hand,
        situation=dealt.situation,
        result=dealt.result,
    )


def _pure(dealt: Dealt, club: Club) -> bool:
    """Whether the waits are as many as the kind says, so that its name tells them."""
    arrangement = dealt.result.arrangement
    before = replace(dealt.hand, winning=None)
    found = waits(before, dealt.situation, club.ruleset, club.house)
    kind = arrangement.wait if arrangement else ""
    return len(found) == (2 if kind in ("open", "shanpon") else 1)


def _which(spec: Spec, rng: Random) -> Question:
    def as_many(dealt: Dealt) -> bool:
        found = len(_winners(dealt, spec.club))
        return found >= 3 if spec.focus == "3" else found == int(spec.focus)

    dealt = find(rng, spec.club, spec.difficulty, as_many, spec.focus)
    answer = tiles_text(list(_winners(dealt, spec.club)))
    before = replace(dealt.hand, winning=None)
    return Question(spec, answer, hand=before, situation=dealt.situation)


def _winners(dealt: Dealt, club: Club) -> tuple[Tile, ...]:
    before = replace(dealt.hand, winning=None)
    found = waits(before, dealt.situation, club.ruleset, club.house)
    return tuple(wait.tile for wait in winning_only(found))


def _pays(spec: Spec, rng: Random) -> Question:
    def fits(dealt: Dealt) -> bool:
        result, drawn = dealt.result, bool(dealt.situation.self_drawn)
        if result.payments is None or any(t.amount == 0 for t in result.transfers):
            return False
        if spec.focus == "dealer":
            return bool(result.dealer_line)
        return drawn == (spec.focus == "self-drawn")

    dealt = find(rng, spec.club, spec.difficulty, fits, spec.focus)
    winner = dealt.result.transfers[0].payee
    payers = sorted({t.payer for t in dealt.result.transfers if t.payer != winner})
    others = [w for w in Wind if w is not winner]
    payer = rng.choice(payers if rng.random() < 0.75 else others)
    amount = sum(t.amount for t in dealt.result.transfers if t.payer == payer)
    return replace(_counted(spec, dealt), answer=str(amount), payer=payer)


def _illegal(spec: Spec, rng: Random) -> Question:
    club = spec.club
    good = [deal(rng, club, spec.difficulty) for _ in range(2)]
    for _ in range(60):
        wrong = _spoilt(deal(rng, club, spec.difficulty), spec.focus, rng, club)
        if wrong is not None and [p.id for p in wrong.result.problems] == [spec.focus]:
            rows = [wrong, *good]
            rng.shuffle(rows)
            return Question(spec, _LETTERS[rows.index(wrong)], _LETTERS, shown=tuple(rows))
    raise TooRareError(spec.focus)


def _spoilt(dealt: Dealt, fault: str, rng: Random, club: Club) -> Dealt | None:
    """A hand with one thing wrong; None where this one cannot have it."""
    hand, situation = dealt.hand, dealt.situation
    loose = list(hand.concealed)
    if fault == "below-minimum":
        sample = winning_hand(rng, club.ruleset)
        hand, situation = sample.hand, sample.situation
    elif fault == "not-complete":
        sample = other_hand(rng, club.ruleset, 1)
        hand, situation = sample.hand, sample.situation
    elif fault == "too-few-tiles" and loose:
        loose.pop(rng.randrange(len(loose)))
        hand = replace(hand, concealed=tuple(loose))
    elif fault == "too-many-tiles" and loose:
        hand = replace(hand, concealed=(*loose, rng.choice(loose)))
    elif fault == "fifth-copy":
        hand = _five_alike(hand, rng)
    return Dealt(hand, situation, score_with(hand, situation, club.table))


def _five_alike(hand: Hand, rng: Random) -> Hand:
    """Another pung in place of a concealed one: of a face that the hand holds twice already."""
    loose = list(hand.concealed)
    threes = [t for t in sorted(set(loose)) if loose.count(t) == 3 and t != hand.winning]
    twos = [t for t in sorted(set(hand.tiles)) if hand.tiles.count(t) == 2]
    if not threes or not twos:
        return hand
    three, two = rng.choice(threes), rng.choice(twos)
    return replace(hand, concealed=(*(t for t in loose if t != three), *[two] * 3))


def to_json(spec: Spec) -> dict[str, Any]:
    """A spec as plain data, without house rules."""
    return {
        "kind": spec.kind,
        "focus": spec.focus,
        "seed": spec.seed,
        "difficulty": spec.difficulty,
        "rules": spec.club.ruleset,
    }
