"""The sentences of the lessons in three languages; names of items and tiles are the scorer's.

`words/LANG.toml` holds sections of sentences with {braces} that are filled in, `words/tiles.LANG`
how to tell each face, `words/readings.toml` how it is said.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from scorer.names import LANGUAGES


@cache
def words(name: str) -> Mapping[str, Any]:
    """A file of words, read once."""
    text = (files("teach") / "words" / f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def texts(section: str, language: str) -> Mapping[str, str]:
    """All sentences of a section. Raises ValueError for a language there is not."""
    if language not in LANGUAGES:
        raise ValueError(f"{language!r}: languages are {', '.join(LANGUAGES)}")
    found: Mapping[str, str] = words(language)[section]
    return found


def say(section: str, key: str, language: str, **facts: object) -> str:
    """One sentence with its facts. Raises KeyError for a key that does not exist."""
    return texts(section, language)[key].format(**facts)
