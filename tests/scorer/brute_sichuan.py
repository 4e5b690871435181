"""A second, plain scorer and settlement of `sichuan`, read again from rules/sichuan.md.

It shares no code with the product but the tiles, the hand and the events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from scorer import Hand, Tile, Wind
from scorer.deal import Deal, Kong, WallEnd, Win
from tests.scorer.brute import Set, partitions


def fan(hand: Hand, events: Iterable[str] = ()) -> int:
    """The most fan of a complete hand, not capped; -1 when it is not complete."""
    assert hand.winning is not None
    loose = tuple(sorted([*map(int, hand.concealed), int(hand.winning)]))
    shown = [tuple(map(int, meld.tiles[:3])) for meld in hand.melds]
    best = -1
    for way in partitions(loose):
        best = max(best, _of_sets([*way, *shown], len(shown)))
    if len(loose) == 14 and all(count % 2 == 0 for count in Counter(loose).values()):
        best = max(best, 2)
    if best < 0:
        return -1
    roots = sum(count == 4 for count in Counter(hand.tiles).values())
    flush = 2 if len({tile.suit for tile in hand.tiles}) == 1 else 0
    paid = {"kong-draw", "robbing-kong", "last-tile"}
    return best + roots + flush + len(paid & set(events))


def _of_sets(groups: list[Set], shown: int) -> int:
    ranks = [[tile % 9 + 1 for tile in group] for group in groups]
    pungs = all(len(set(group)) == 1 for group in ranks)
    worth = 0
    if pungs:
        worth = 3 if all(group[0] in (2, 5, 8) for group in ranks) else 1
    if all(1 in group or 9 in group for group in ranks):
        worth += 2
    return worth + (1 if shown == 4 else 0)


def best_fan(hand: Hand) -> int:
    """The most fan over all faces that would win; -1 when not ready."""
    held = Counter(hand.tiles)
    tried = [
        fan(Hand(hand.concealed, hand.melds, winning=Tile(face)))
        for face in range(27)
        if held[Tile(face)] < 4
    ]
    return max(tried)


def points(count: int) -> int:
    return int(2 ** min(5, count))


def totals(deal: Deal) -> dict[Wind, int]:
    """Who has won and lost how much at the end, by the default house rules."""
    money = dict.fromkeys(Wind, 0)
    won: list[Wind] = []
    kongs: list[tuple[Wind, dict[Wind, int]]] = []

    def pay(payer: Wind, payee: Wind, amount: int) -> None:
        money[payer] -= amount
        money[payee] += amount

    for number, event in enumerate(deal.events):
        active = [seat for seat in Wind if seat not in won]
        if isinstance(event, Kong):
            if event.kind == "added-kong" and _is_robbed(event, deal.events[number + 1 :]):
                continue
            made = {seat: 2 for seat in active if seat != event.seat}
            if event.kind == "claimed-kong":
                made = {seat: 2 for seat in active if seat == event.giver}
            elif event.kind == "added-kong":
                made = dict.fromkeys(made, 1)
            kongs.append((event.seat, made))
            for seat, amount in made.items():
                pay(seat, event.seat, amount)
        elif isinstance(event, Win):
            for winner in event.winners:
                events = set(winner.events) | ({"robbing-kong"} if event.robbed else set())
                base = points(fan(winner.hand, events))
                if event.giver is None:
                    for seat in active:
                        if seat != winner.seat:
                            pay(seat, winner.seat, base + 1)
                else:
                    pay(event.giver, winner.seat, base)
            won += [winner.seat for winner in event.winners]
        else:
            _end(deal, event, won, kongs, pay)
    return money


def _is_robbed(kong: Kong, later: Sequence[object]) -> bool:
    """Whether the very next event is a win that robs this kong."""
    return (
        bool(later)
        and isinstance(win := later[0], Win)
        and win.robbed
        and win.giver == kong.seat
        and win.winners[0].hand.winning == kong.tile
    )


def _end(deal: Deal, end: WallEnd, won: list[Wind], kongs: list, pay) -> None:  # type: ignore[no-untyped-def, type-arg]
    pigs = [
        seat for seat, hand in end.hands.items()
        if any(tile.suit == deal.missing[seat] for tile in hand.tiles)
    ]  # fmt: skip
    ready = {
        seat: best_fan(hand) for seat, hand in end.hands.items()
        if seat not in pigs and best_fan(hand) >= 0
    }  # fmt: skip
    late = [seat for seat in end.hands if seat not in ready]
    for maker, made in kongs:
        if maker in late:
            for seat, amount in made.items():
                pay(maker, seat, amount)
    for seat in late:
        if seat in pigs:
            for other in Wind:
                if other not in pigs:
                    pay(seat, other, 32)
        else:
            for other, most in ready.items():
                pay(seat, other, points(most))
