"""The sentences of a reading (why a tile is unsure, why it is not of the hand, notes) in Chinese.

They are made in English where they are found out; here each has its translations, with `{0}` for
what varies. `tests/vision` checks that no sentence is without.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

PHRASES: Final[tuple[tuple[str, str, str], ...]] = (
    # English, zh-Hant, zh-Hans
    ("face down: a wall or another player's tiles", "蓋著：牌牆或別家的牌", "盖着：牌墙或别家的牌"),
    ("face down", "蓋著", "盖着"),
    ("faces another player", "朝向別家", "朝向别家"),
    (
        "a single tile beside a full hand: a seat marker or a discard",
        "整手牌旁的單張：門風牌或打出的牌",
        "整手牌旁的单张：门风牌或打出的牌",
    ),
    (
        "lies at an angle among others: a discard",
        "斜放在別的牌之間：打出的牌",
        "斜放在别的牌之间：打出的牌",
    ),
    ("too far from the hand", "離這手牌太遠", "离这手牌太远"),
    (
        "of another size: further from the camera or nearer to it",
        "大小不同：離鏡頭較遠或較近",
        "大小不同：离镜头较远或较近",
    ),
    ("outside the zones of this seat", "不在這一家的區域內", "不在这一家的区域内"),
    ("does not complete the hand: a discard", "湊不成這手牌：打出的牌", "凑不成这手牌：打出的牌"),
    ("removed", "已移除", "已移除"),
    ("put aside", "已放到一旁", "已放到一旁"),
    ("another reading is nearly as likely", "另一種讀法幾乎一樣可能", "另一种读法几乎一样可能"),
    ("may not be a tile", "可能不是牌", "可能不是牌"),
    ("read as {0}, which leaves no complete hand", "讀成 {0} 就湊不成牌", "读成 {0} 就凑不成牌"),
    ("read with {0} confidence only", "只有 {0} 的把握", "只有 {0} 的把握"),
    (
        "lies apart, and is taken for the winning tile because it completes the hand",
        "單獨放著；湊成這手牌，所以當作胡的牌",
        "单独放着；凑成这手牌，所以当作和的牌",
    ),
    (
        "{0} tiles are in the picture; the hand waits for {1}. "
        "Show the winning tile, or say which it was.",
        "照片裡有 {0} 張牌；這手牌聽 {1}。請拍進胡的牌，或說是哪一張。",
        "照片里有 {0} 张牌；这手牌听 {1}。请拍进和的牌，或说是哪一张。",
    ),
    (
        "{0} tiles of the hand were seen, a complete hand has {1}: {2} missing.",
        "看到這手牌 {0} 張，完整的有 {1} 張：少 {2} 張。",
        "看到这手牌 {0} 张，完整的有 {1} 张：少 {2} 张。",
    ),
    (
        "{0} tiles of the hand were seen, a complete hand has {1}: {2} too many.",
        "看到這手牌 {0} 張，完整的有 {1} 張：多 {2} 張。",
        "看到这手牌 {0} 张，完整的有 {1} 张：多 {2} 张。",
    ),
    (
        "{0} tiles were seen, but they make no complete hand.",
        "看到 {0} 張牌，但湊不成一手牌。",
        "看到 {0} 张牌，但凑不成一手牌。",
    ),
    (
        "Too many tiles are doubtful to compare every possible hand.",
        "不確定的牌太多，無法一一比較。",
        "不确定的牌太多，无法一一比较。",
    ),
    (
        "A bonus tile lies near the hand, and may or may not belong to it.",
        "旁邊有一張花牌，不知道是不是這手牌的。",
        "旁边有一张花牌，不知道是不是这手牌的。",
    ),
    (
        "Something beside the hand may be a tile, and is not counted.",
        "手牌旁好像還有一張牌，沒有算進去。",
        "手牌旁好像还有一张牌，没有算进去。",
    ),
    ("No tiles were found.", "沒有看到牌。", "没有看到牌。"),
    (
        "No hand was found: every tile lies face down.",
        "沒有看到手牌：每一張都蓋著。",
        "没有看到手牌：每一张都盖着。",
    ),
)  # fmt: skip


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    def pattern(english: str) -> re.Pattern[str]:
        return re.compile(re.sub(r"\\\{\d\\\}", "(.+?)", re.escape(english)))

    return tuple((pattern(english), hant, hans) for english, hant, hans in PHRASES)


def phrase(english: str, language: str) -> str:
    """The sentence in a language; English where it has no translation."""
    if language == "en":
        return english
    for pattern, hant, hans in _patterns():
        found = pattern.fullmatch(english)
        if found:
            return (hant if language == "zh-Hant" else hans).format(*found.groups())
    return english
