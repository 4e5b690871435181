"""A short run of every fuzzer, and every find of the long ones again (`make fuzz`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.targets import TARGETS
from tests.support import slow_count

CORPUS = Path(__file__).parent / "corpus"
FINDS = sorted(CORPUS.glob("*/*"))


@pytest.mark.parametrize("name", TARGETS)
def test_whatever_comes_is_read_or_refused_with_a_sentence(name: str) -> None:
    target = TARGETS[name]

    @settings(
        max_examples=slow_count(60, 3000),
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(target.made())
    def tried(made: object) -> None:
        target.check(made)

    tried()


@pytest.mark.parametrize("find", FINDS, ids=[f"{f.parent.name}-{f.name}" for f in FINDS])
def test_what_was_found_once_stays_mended(find: Path) -> None:
    target = TARGETS[find.parent.name]
    content = find.read_bytes()
    target.check(content.decode("utf-8", "surrogatepass") if target.text else content)
