"""The examples in the docstrings of `scorer` are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import scorer

MODULES = ["scorer", *(m.name for m in pkgutil.walk_packages(scorer.__path__, "scorer."))]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    tried = sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES)
    assert tried >= 4
