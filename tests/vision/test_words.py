"""Every question and every advice has its words in three languages."""

from __future__ import annotations

import pytest

from scorer.names import LANGUAGES
from vision.words import ADVICE, QUESTIONS, advice_text, question_text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_there(language: str) -> None:
    facts = ("seat", "round", "self_drawn", "winning", "face_down", "event:last-tile")
    for id in (*QUESTIONS, *facts):
        text = question_text(id, language)
        assert text.endswith("?" if language == "en" else "？")
        assert text != id
    for id in ADVICE:
        assert advice_text(id, language).endswith("." if language == "en" else "。")


def test_another_language_is_refused() -> None:
    with pytest.raises(ValueError, match="languages are en, zh-Hant, zh-Hans"):
        question_text("claimed", "fr")
