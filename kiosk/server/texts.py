"""The sentences of the server and the titles of the settings, in three languages."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from kiosk.words import LANGUAGES


@cache
def texts(language: str) -> Mapping[str, Any]:
    """The tables `problems`, `settings`, `sections`, `choices`, `words` of a language."""
    name = f"texts.{language if language in LANGUAGES else 'en'}.toml"
    return tomllib.loads(files("kiosk.server").joinpath(name).read_text(encoding="utf-8"))


def text(table: str, key: str, language: str, **facts: object) -> str:
    """One sentence with its facts. Raises KeyError for a key (its parts joined by dots) there
    is not."""
    found: Any = texts(language)[table]
    for part in key.split("."):
        found = found[part]
    return str(found).format(**facts)
