"""How good input is spoilt: bytes and text edited anywhere, trees of plain data changed inside."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

DEPTH = 12
LARGEST_FLOAT = 10**300
"""Beyond it a whole number takes no half."""

words = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["", "E", "An", "taiwan", "66678m11333p555z[222z]@6m", "\0", "é", "＠", "\ud800"]
    ),
)
values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-5, 20),
        st.sampled_from([2**31, -(2**63), 10**30, 10**400]),
        st.floats(),
        words,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=3)),
    max_leaves=6,
)


@st.composite
def spoilt_bytes(draw: st.DrawFn, seeds: Sequence[bytes], edits: int = 4) -> bytes:
    """A seed with some of its bytes changed, taken out, doubled, or joined with another seed's."""
    data = bytearray(draw(st.sampled_from(seeds)))
    for _ in range(draw(st.integers(0, edits))):
        at = draw(st.integers(0, len(data)))
        long = draw(st.sampled_from([1, 2, 4, 16, 256, 4096]))
        how = draw(st.sampled_from(["change", "flip", "cut", "end", "double", "join", "put"]))
        if how == "change":
            data[at : at + long] = draw(st.binary(min_size=1, max_size=min(long, 16)))
        elif how == "flip" and at < len(data):
            data[at] ^= 1 << draw(st.integers(0, 7))
        elif how == "cut":
            del data[at : at + long]
        elif how == "end":
            del data[at:]
        elif how == "double":
            data[at:at] = data[at : at + long]
        elif how == "join":
            data[at:] = draw(st.sampled_from(seeds))[draw(st.integers(0, len(data))) :]
        elif how == "put":
            data[at:at] = draw(st.binary(max_size=8))
    return bytes(data)


@st.composite
def spoilt_text(draw: st.DrawFn, seeds: Sequence[str], tokens: Sequence[str]) -> str:
    """A seed with letters taken out, doubled, exchanged, or tokens and foreign letters put in."""
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 5))):
        at, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        put = draw(
            st.one_of(
                st.sampled_from(tokens),
                st.text(max_size=4),
                st.just(text[at:end]),
                st.just(""),
            )
        )
        end = draw(st.sampled_from([at, end]))
        text = text[:at] + put + text[end:]
    return text[:8000]


@st.composite
def spoilt_trees(draw: st.DrawFn, seeds: Sequence[Any], edits: int = 3) -> Any:
    """Plain data in which some values became others, or are gone, or stand elsewhere."""
    root = {"": copy.deepcopy(draw(st.sampled_from(seeds)))}
    for _ in range(draw(st.integers(1, edits))):
        holder: Any = root
        key: Any = ""
        for _ in range(draw(st.integers(0, DEPTH))):
            inner = holder[key]
            if not isinstance(inner, dict | list) or not inner:
                break
            holder = inner
            if isinstance(inner, dict):
                key = draw(st.sampled_from(sorted(inner, key=str)))
            else:
                key = draw(st.integers(0, len(inner) - 1))
        old = holder[key]
        how = draw(st.sampled_from(["other", "other", "near", "gone", "name", "twice"]))
        if how == "near" and type(old) in (int, float):
            steps = [-1, 1, 10**9] if abs(old) > LARGEST_FLOAT else [-1, 1, 0.5, 10**9]
            holder[key] = old + draw(st.sampled_from(steps))
        elif how == "gone" and holder is not root:
            del holder[key]
        elif how == "name" and isinstance(holder, dict) and holder is not root:
            holder[draw(words)] = holder.pop(key)
        elif how == "twice" and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(old))
        else:
            holder[key] = draw(values)
    return root[""]
