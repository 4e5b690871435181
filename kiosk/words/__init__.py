"""The sentences of the command line and the receipt, in three languages.

Names of items, tiles and problems are the scorer's; here is only what stands around them.
"""

from __future__ import annotations

import os
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from scorer import names

LANGUAGES: Final = names.LANGUAGES


@cache
def words(language: str) -> dict[str, str]:
    """Key to sentence; `{}` fields are filled by the caller."""
    text = files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return {key: str(value) for key, value in tomllib.loads(text).items()}


def say(key: str, language: str, **facts: object) -> str:
    """One sentence with its facts. Raises KeyError for a key that does not exist."""
    return words(language)[key].format(**facts)


def preferred_language() -> str:
    """`HUPAI_LANG`, else what the locale of the environment asks for, else English."""
    chosen = os.environ.get("HUPAI_LANG", "")
    if chosen in LANGUAGES:
        return chosen
    locale = next(
        (os.environ[k] for k in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(k)), ""
    )
    if not locale.startswith("zh"):
        return "en"
    return "zh-Hant" if any(place in locale for place in ("TW", "HK", "MO", "Hant")) else "zh-Hans"
