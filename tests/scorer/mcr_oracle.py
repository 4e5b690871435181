"""Chinese Official by pymahjonggb, an independent program, with our ids for its fans."""

from __future__ import annotations

from collections import Counter

from scorer import Hand, Situation, Tile
from scorer.hand import CHOW, CONCEALED_KONG, PUNG
from scorer.names import item_name
from scorer.rules.mcr import MCR

NAMES = {item_name("mcr", item.id, "zh-Hans"): item.id for item in MCR.items} | {
    "一色双龙会": "pure-terminal-chows",
    "独听・边张": "edge-wait",
    "独听・嵌张": "closed-wait",
    "独听・单钓": "pair-wait",
    "花牌": "every-flower",
}
DRAGONS = {Tile.RED: "J1", Tile.GREEN: "J2", Tile.WHITE: "J3"}


def code(tile: Tile) -> str:
    """The tile as pymahjonggb writes it: W characters, B dots, T bamboo, F winds, J dragons."""
    if tile.is_dragon:
        return DRAGONS[tile]
    return "WBTF"[tile // 9] + str(tile % 9 + 1)


def fans(hand: Hand, facts: Situation) -> Counter[str]:
    """How often each fan counts. Raises TypeError where the program refuses the hand."""
    from MahjongGB import MahjongFanCalculator  # type: ignore[import-not-found]

    packs = []
    for meld in hand.melds:
        if meld.kind == CHOW:
            packs.append(("CHI", code(meld.tiles[1]), 1))
        else:
            kind = "PENG" if meld.kind == PUNG else "GANG"
            packs.append((kind, code(meld.tiles[0]), 0 if meld.kind == CONCEALED_KONG else 1))
    assert hand.winning is not None
    assert facts.seat is not None
    assert facts.round is not None
    rows = MahjongFanCalculator(
        pack=tuple(packs),
        hand=tuple(map(code, hand.concealed)),
        winTile=code(hand.winning),
        flowerCount=len(hand.bonus),
        isSelfDrawn=bool(facts.self_drawn),
        is4thTile="last-copy" in facts.events,
        isAboutKong=bool(facts.events & {"kong-draw", "robbing-kong"}),
        isWallLast=bool(facts.events & {"last-draw", "last-discard"}),
        seatWind=facts.seat.value,
        prevalentWind=facts.round.value,
        verbose=True,
    )
    found: Counter[str] = Counter()
    for _, count, name, _ in rows:
        found[NAMES[name.replace("幺", "么")]] += count
    return found
