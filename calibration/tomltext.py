"""Writing TOML: plain tables of text, numbers, truth values, lists and tables.

The standard library reads TOML (tomllib) and does not write it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def dumps(table: Mapping[str, Any]) -> str:
    """`table` as TOML 1.0. Raises TypeError or ValueError for what a profile cannot hold."""
    lines: list[str] = []
    _write(table, (), lines)
    return "\n".join(lines).strip("\n") + "\n"


def _write(table: Mapping[str, Any], path: tuple[str, ...], lines: list[str]) -> None:
    for key, value in table.items():
        if not _is_table(value) and not _is_tables(value):
            lines.append(f"{_key(key)} = {_value(value)}")
    for key, value in table.items():
        name = ".".join(map(_key, (*path, key)))
        if _is_table(value):
            lines += ["", f"[{name}]"]
            _write(value, (*path, key), lines)
        elif _is_tables(value):
            for item in value:
                lines += ["", f"[[{name}]]"]
                _write(item, (*path, key), lines)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_table, value))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(str(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"a profile holds finite numbers only, but got {value}")
        return repr(value)
    if isinstance(value, Sequence):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    raise TypeError(f"TOML cannot hold {type(value).__name__}: {value!r}")


def _text(text: str) -> str:
    out = []
    for letter in text:
        if letter in _ESCAPES:
            out.append(_ESCAPES[letter])
        elif ord(letter) < 32 or ord(letter) == 127:
            out.append(f"\\u{ord(letter):04x}")
        else:
            out.append(letter)
    return '"' + "".join(out) + '"'
