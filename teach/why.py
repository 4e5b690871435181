"""Why a hand is worth what it is: items with their tiles, the sets, what is left out, who pays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer import Hand, Result, Situation, Transfer, Wind
from scorer.arrange import key_of
from scorer.names import item_name, item_text, wind_name, word
from scorer.tiles import Tile, tiles_text

from .places import SetShown, lit_places, sets_shown, shown_tiles, winning_place
from .words import say


@dataclass(frozen=True, slots=True)
class Reason:
    """An item with its sentence. `places` are the tiles to light (places.py); `against` says why
    it does not count, empty where it does.
    """

    id: str
    name: str
    sentence: str
    value: int
    count: int
    places: tuple[int, ...] = ()
    against: str = ""

    @property
    def worth(self) -> str:
        return f"{self.count} × {self.value}" if self.count > 1 else str(self.value)

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.name,
            "text": self.sentence,
            "worth": self.worth,
            "total": self.value * self.count,
            "places": list(self.places),
            "against": self.against,
        }


@dataclass(frozen=True, slots=True)
class Why:
    """A certain result in the words of one language."""

    hand: Hand
    result: Result
    reasons: tuple[Reason, ...]
    left_out: tuple[Reason, ...]
    sets: tuple[SetShown, ...]
    set_names: tuple[str, ...]
    sum: str
    steps: tuple[str, ...]
    others: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "tiles": [tile.code for tile in shown_tiles(self.hand)],
            "winning": winning_place(self.hand),
            "bonus": len(self.hand.bonus),
            "items": [reason.to_json() for reason in self.reasons],
            "left_out": [reason.to_json() for reason in self.left_out],
            "sets": [
                {"kind": group.kind, "places": list(group.places), "laid": group.laid, "name": name}
                for group, name in zip(self.sets, self.set_names, strict=True)
            ],
            "sum": self.sum,
            "steps": list(self.steps),
            "others": list(self.others),
            "total": self.result.total,
            "unit": self.result.unit,
        }


def why(hand: Hand, situation: Situation, result: Result, language: str = "en") -> Why | None:
    """The explanation of a result; None while it is not certain or no complete win."""
    if not result.certain or result.total is None:
        return None
    sets = sets_shown(hand, result.arrangement)
    return Why(
        hand,
        result,
        tuple(_reasons(hand, result, sets, language)),
        tuple(_left_out(result, language)),
        sets,
        tuple(_set_name(group, result, language) for group in sets),
        _sum(result, language),
        tuple(_steps(situation, result, language)),
        tuple(_others(result, language)),
    )


def _reasons(hand: Hand, result: Result, sets: tuple[SetShown, ...], language: str) -> Any:
    size = key_of(hand.tiles)
    for item in result.items:
        whole = bool(item.tiles) and key_of(item.tiles) == size
        yield Reason(
            item.id,
            item_name(result.ruleset, item.id, language),
            item_text(result.ruleset, item.id, language),
            item.value,
            item.count,
            lit_places(hand, item.tiles, sets, whole),
        )


def _left_out(result: Result, language: str) -> Any:
    for item in result.left_out:
        reason = word("reasons", item.reason, language)
        if item.by:
            by = item_name(result.ruleset, item.by, language)
            against = say("why", "left-out", language, item=by, reason=reason)
        else:
            against = say("why", "left-out-bare", language, reason=reason)
        name = item_name(result.ruleset, item.id, language)
        sentence = item_text(result.ruleset, item.id, language)
        yield Reason(item.id, name, sentence, item.value, item.count, (), against)


def _set_name(group: SetShown, result: Result, language: str) -> str:
    shape = result.arrangement.shape if result.arrangement else "sets"
    if group.kind == "all":
        return say("why", f"shape-{shape}", language)
    pairs = group.kind == "pair" and shape not in ("sets", "knitted-straight")
    name = say("why", "set-pairs" if pairs else f"set-{group.kind}", language)
    return f"{name}, {say('why', 'claimed', language)}" if group.laid else name


def _sum(result: Result, language: str) -> str:
    unit = word("units", result.unit, language)
    total = result.total if result.uncut is None else result.uncut
    if not result.items:
        return say("why", "nothing", language, total=total, unit=unit)
    parts = [f"{i.count} × {i.value}" if i.count > 1 else str(i.value) for i in result.items]
    text = say("why", "sum", language, sum=" + ".join(parts), total=total, unit=unit)
    if result.uncut is not None and result.uncut != result.total:
        cut = say("why", "cut", language, uncut=result.uncut, total=result.total, unit=unit)
        text = f"{text}. {cut}" if language == "en" else f"{text}。{cut}"
    return text


def _steps(situation: Situation, result: Result, language: str) -> Any:
    """The payment spelt out: who pays and why, then each sum."""
    if result.payments is None or not result.transfers:
        yield say("why", "unknown", language)
        return
    yield who_pays(situation, result, language)
    if result.dealer_line:
        unit = word("units", result.unit, language)
        winner = wind_name(result.transfers[0].payee, language)
        yield say("why", "dealer", language, line=result.dealer_line, unit=unit, winner=winner)
    for transfer in result.transfers:
        yield paid(transfer, language)


def who_pays(situation: Situation, result: Result, language: str) -> str:
    """Who pays, in one sentence, with the reason."""
    first = result.transfers[0]
    names = {seat: wind_name(seat, language) for seat in Wind}
    facts = {"winner": names[first.payee], "payer": names[first.payer]}
    ordinary = ("self-drawn", "discard", "robbing-kong", "riichi-stick")
    if first.reason not in ordinary:
        reason = word("parts", first.reason, language)
        return say("why", "liable", language, reason=reason, **facts)
    if situation.self_drawn:
        return say("why", "all-pay", language, **facts)
    payers = {t.payer for t in result.transfers if t.reason != "riichi-stick"}
    if len(payers) > 1 and situation.from_seat is not None:
        giver = names[situation.from_seat]
        return say("why", "every-pays", language, giver=giver, **facts)
    return say("why", "one-pays", language, **facts)


def paid(transfer: Transfer, language: str) -> str:
    """One transfer and how its amount is made up."""
    facts = {
        "payer": wind_name(transfer.payer, language),
        "payee": wind_name(transfer.payee, language),
        "amount": transfer.amount,
    }
    text = formula(transfer, language)
    if not text:
        return say("why", "pays-plain", language, **facts)
    return say("why", "pays", language, formula=text, **facts)


def formula(transfer: Transfer, language: str) -> str:
    """What an amount is made of, with the name of every number; empty for a bare amount.

    `faan` and `han` with `fu` are looked up in a table, so they are named and not added.
    """
    parts = dict(transfer.parts)
    named = {id: f"{word('parts', id, language)} {n}" for id, n in transfer.parts}
    times = [id for id in parts if id.startswith("times-")]
    if "faan" in parts:
        points = say("why", "way-point", language, n=parts["faan"], points=parts["points"])
        doubled = "".join(f" × {parts[id]} ({_bare(id, language)})" for id in times)
        return f"{points}{doubled}"
    if "fu" in parts:
        looked_up = ", ".join(f"{n} {word('parts', id, language)}" for id, n in transfer.parts[:2])
        return " + ".join([looked_up, *([named["honba"]] if "honba" in parts else [])])
    value = parts.get("tai-value", 1)
    added = [id for id in parts if id not in ("tai-value", "base")]
    text = " + ".join(named[id] for id in added)
    if value != 1:
        text = f"({text}) × {value}"
    return " + ".join(filter(None, [named.get("base", ""), text]))


def _bare(id: str, language: str) -> str:
    return word("parts", id, language).rstrip(" ×")


def _others(result: Result, language: str) -> Any:
    """Other ways to see the tiles; those that differ only in the winning tile's place once."""
    unit = word("units", result.unit, language)
    own = (str(result.arrangement), result.total)
    for way, total in dict.fromkeys((str(way), way.total) for way in result.others):
        if (way, total) != own:
            yield say("why", "other", language, way=way, total=total, unit=unit)


def sets_text(why: Why) -> str:
    """The arrangement as text, each set by itself."""
    tiles = shown_tiles(why.hand)
    return " ".join(tiles_text([Tile(tiles[p]) for p in group.places]) for group in why.sets)
