"""Progress on disk: whole or not at all, and nothing lost when it is damaged."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from teach import progress
from teach.cards import FORM, Deck


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "practice.json"


def test_what_was_saved_is_loaded_and_no_file_is_an_empty_deck(file: Path) -> None:
    assert progress.load(file) == (Deck(), None)
    deck = Deck().answered("name/1m", True, 5.0)
    progress.save(file, deck)
    assert progress.load(file) == (deck, None)
    assert os.listdir(file.parent) == [file.name]


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"\xff\xfe", b"[]", b'{"form": 1, "cards": {"a": 3}}', b"[" * 100_000],
    ids=["empty", "cut off", "no text", "a list", "no card", "deep"],
)
def test_a_damaged_file_is_kept_aside(file: Path, text: bytes) -> None:
    for number in (1, 2):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text)
        deck, damage = progress.load(file)
        assert deck == Deck()
        assert damage is not None
        assert damage.copy.name == f"practice-damaged-{number}.json"
        assert damage.copy.read_bytes() == text
        assert damage.why
        progress.save(file, deck)


def test_a_file_of_a_newer_version_is_not_overwritten(file: Path) -> None:
    file.parent.mkdir()
    text = json.dumps({"form": FORM + 1, "cards": {}})
    file.write_text(text, encoding="utf-8")
    _, damage = progress.load(file)
    assert damage is not None
    assert damage.newer
    assert damage.copy.read_text(encoding="utf-8") == text


def test_a_write_that_fails_leaves_the_old_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = Deck().answered("name/1m", True, 5.0)
    progress.save(file, deck)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        progress.save(file, deck.answered("name/2m", True, 5.0))
    assert progress.load(file) == (deck, None)
    assert os.listdir(file.parent) == [file.name]
