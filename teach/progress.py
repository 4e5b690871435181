"""The deck on disk: one JSON file, replaced as a whole; a damaged one is kept aside."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .cards import Deck, DeckError


@dataclass(frozen=True, slots=True)
class Damage:
    """A file that could not be read: why, and the copy that was kept of it."""

    file: Path
    copy: Path
    why: str
    newer: bool = False


def load(file: Path) -> tuple[Deck, Damage | None]:
    """The deck in a file, an empty one where there is none.

    A file that is no deck is renamed beside itself, so that nothing is lost. Raises OSError when
    the disk says no.
    """
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return Deck(), None
    try:
        return Deck.from_json(json.loads(data.decode("utf-8"))), None
    except DeckError as error:
        return Deck(), _kept(file, str(error), error.newer)
    except (ValueError, RecursionError) as error:
        return Deck(), _kept(file, str(error))


def _kept(file: Path, why: str, newer: bool = False) -> Damage:
    number = 1
    while (copy := file.with_name(f"{file.stem}-damaged-{number}{file.suffix}")).exists():
        number += 1
    file.rename(copy)
    return Damage(file, copy, why, newer)


def save(file: Path, deck: Deck) -> None:
    """Write the deck: the file holds the old one or the new one, never half. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(deck.to_json(), stream, ensure_ascii=False)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
