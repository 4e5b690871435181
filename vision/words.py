"""What is said of a picture, in three languages: questions about it, and advice on it."""

from __future__ import annotations

from scorer.names import question_text as fact_question

QUESTIONS = {
    "claimed": {
        "en": "Which sets were claimed from a discard?",
        "zh-Hant": "哪幾組是吃、碰來的？",
        "zh-Hans": "哪几组是吃、碰来的？",
    },
    "kong": {
        "en": "Which kongs are concealed?",
        "zh-Hant": "哪些槓是暗槓？",
        "zh-Hans": "哪些杠是暗杠？",
    },
    "belongs": {
        "en": "Does the bonus tile beside the hand belong to it?",
        "zh-Hant": "旁邊的花牌是這手牌的嗎？",
        "zh-Hans": "旁边的花牌是这手牌的吗？",
    },
    "missed": {
        "en": "Is a tile of this hand not marked yet (+ adds it)?",
        "zh-Hant": "這手牌還有沒圈到的牌嗎（可按 + 加入）？",
        "zh-Hans": "这手牌还有没圈到的牌吗（可按 + 加入）？",
    },
    "tile": {
        "en": "Which reading is right?",
        "zh-Hant": "哪一種讀法才對？",
        "zh-Hans": "哪一种读法才对？",
    },
}
"""Questions that only a picture raises; those about facts are the scorer's."""

ADVICE = {
    "dark": {
        "en": "The picture is too dark: more light on the tiles.",
        "zh-Hant": "照片太暗：請讓牌面亮一點。",
        "zh-Hans": "照片太暗：请让牌面亮一点。",
    },
    "blurred": {
        "en": "The picture is blurred: hold still, and let the camera focus.",
        "zh-Hant": "照片模糊：請拿穩，等鏡頭對好焦。",
        "zh-Hans": "照片模糊：请拿稳，等镜头对好焦。",
    },
    "glare": {
        "en": "A reflection lies on a tile: tilt the camera or shade the light.",
        "zh-Hant": "牌上有反光：請換個角度，或遮一下燈光。",
        "zh-Hans": "牌上有反光：请换个角度，或遮一下灯光。",
    },
    "cropped": {
        "en": "A tile is cut off by the edge: leave some room around the hand.",
        "zh-Hant": "有牌被切到畫面外：請在四周多留一點空間。",
        "zh-Hans": "有牌被切到画面外：请在四周多留一点空间。",
    },
    "far": {
        "en": "The tiles are too small: come closer.",
        "zh-Hant": "牌太小：請靠近一點。",
        "zh-Hans": "牌太小：请靠近一点。",
    },
    "oblique": {
        "en": "Seen too flat: hold the camera higher above the tiles.",
        "zh-Hant": "角度太斜：請把鏡頭舉高，從上方拍。",
        "zh-Hans": "角度太斜：请把镜头举高，从上方拍。",
    },
}


def question_text(id: str, language: str = "en") -> str:
    """A question of a reading in words. Raises ValueError for a language there is not."""
    if id in QUESTIONS:
        return _said(QUESTIONS[id], language)
    return fact_question(id, language)


def advice_text(id: str, language: str = "en") -> str:
    """Advice on a picture in words. Raises ValueError for a language there is not."""
    return _said(ADVICE[id], language)


def _said(texts: dict[str, str], language: str) -> str:
    if language not in texts:
        raise ValueError(f"{language!r}: languages are {', '.join(texts)}")
    return texts[language]
