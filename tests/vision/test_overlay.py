"""The overlay names tiles, tells groups apart without colour, and shows no total unless certain."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from scorer.situation import Situation
from tests.vision.test_decode import KNOWN, read
from vision import fonts, overlay
from vision.fonts import draws_chinese
from vision.overlay import STYLES, language_drawn
from vision.reading import Reading

HAND = "123m456p789s1112227z@7z"


def table() -> np.ndarray:
    return np.full((480, 720, 3), (60, 110, 60), np.uint8)


def test_the_picture_stays_and_a_panel_stands_beside_it() -> None:
    image = table()
    drawn = overlay.overlay(image, read(HAND))
    assert drawn.shape[0] == 480
    assert drawn.shape[1] > 720
    assert (drawn[:200, :720] == image[:200]).all()
    assert (drawn[280:360, :720] != image[280:360]).any()
    assert overlay.overlay(image, read(HAND), panel=False).shape == image.shape


def test_groups_differ_in_pattern_and_not_only_in_colour() -> None:
    patterns = [(style.dashes, style.double) for style in STYLES.values()]
    assert len(set(patterns)) == len(patterns)


@pytest.mark.parametrize("kind", ["chow", "pung", "kong", "bonus", "winning-tile"])
def test_colours_stay_apart_in_grey_or_by_pattern(kind: str) -> None:
    style = STYLES[kind]
    others = [other for name, other in STYLES.items() if name != kind]
    assert all((style.dashes, style.double) != (o.dashes, o.double) for o in others)


def test_an_uncertain_reading_shows_no_total(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    original = overlay._wrapped
    monkeypatch.setattr(
        overlay,
        "_wrapped",
        lambda draw, text, *rest: texts.append(text) or original(draw, text, *rest),
    )
    reading = read(HAND, Situation())
    overlay.overlay(table(), reading)
    low, high = reading.range or (0, 0)
    assert not any(text.startswith("Total") for text in texts)
    assert any(f"{low}-{high}" in text for text in texts)
    texts.clear()
    sure = read(HAND, KNOWN)
    overlay.overlay(table(), sure)
    assert f"Total: {sure.total} tai" in texts


def test_without_a_chinese_font_the_text_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlay, "chinese_font_path", lambda: None)
    assert language_drawn("zh-Hant") == "en"
    monkeypatch.setattr(overlay, "chinese_font_path", lambda: "some.ttc")
    assert language_drawn("zh-Hans") == "zh-Hans"
    with pytest.raises(ValueError, match="languages are"):
        language_drawn("fr")


def test_a_file_that_is_no_font_is_refused(tmp_path: Path) -> None:
    (tmp_path / "fake.ttf").write_bytes(b"no font")
    assert not draws_chinese(tmp_path / "fake.ttf")
    assert not draws_chinese(tmp_path / "none.ttf")


def test_a_font_without_chinese_characters_is_refused() -> None:
    latin = [
        p
        for root in ("/usr/share/fonts", "/Library/Fonts")
        for p in Path(root).rglob("DejaVuSans.ttf")
    ]
    if not latin:
        pytest.skip("no font without Chinese characters is installed to try")
    assert not draws_chinese(latin[0])


def test_chinese_names_are_drawn_where_a_font_has_them() -> None:
    if fonts.chinese_font_path() is None:
        pytest.skip("no font with Chinese characters is installed")
    reading = read(HAND)
    english, chinese = (overlay.overlay(table(), reading, lang) for lang in ("en", "zh-Hant"))
    assert english.shape == chinese.shape
    assert (english != chinese).any()


def test_unsure_tiles_are_ringed() -> None:
    weak = read("123m456p789s1112227z@7z", t4=("4p", 0.3, 0.28))
    drawn = cv2.cvtColor(overlay.overlay(table(), weak, panel=False), cv2.COLOR_BGR2RGB)
    red = (drawn == np.array([220, 20, 20])).all(axis=2)
    x = weak.layout.detections.quads[4][:, 0]
    assert red[:, int(x.min()) - 4 : int(x.max()) + 4].any()


def test_nothing_found_is_drawn_too() -> None:
    from vision.decode import decode
    from vision.detections import Detections
    from vision.layout import layout

    empty: Reading = decode(layout(Detections.empty()), "taiwan", KNOWN)
    assert overlay.overlay(table(), empty).shape[0] == 480
