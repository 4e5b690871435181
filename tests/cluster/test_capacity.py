"""What many tables need: the arithmetic again, step by step, and the document that shows it."""

from __future__ import annotations

import json
import math
import re

import pytest

from cluster.capacity import LEAST, PARTS, Evening, Measured, figures, measured, needs
from kiosk.cli import main
from tests.support import REPOSITORY

DOCUMENT = (REPOSITORY / "docs" / "cluster.md").read_text(encoding="utf-8")
ASKED = (30, 1000, 100_000)


def test_a_case_reckoned_by_hand() -> None:
    """120 tables, a hand in four minutes: 0.5 hands a second; 0.75 photos, 1.5 at the peak."""
    found = needs(
        120,
        Measured(
            cpu_s={"readings": 0.1, "detector": 0.8, "reader": 0.4},
            memory_mb={"readings": 300, "detector": 250, "reader": 200},
            event_bytes=2000,
        ),
    )
    assert found.photos_per_s == 1.5
    assert found.events_per_s == 1.2
    # half of a core may be used: 1.5 × 0.1 / 0.5, 1.5 × 0.8 / 0.5, 1.5 × 0.4 / 0.5
    assert found.replicas == {"readings": 2, "detector": 3, "reader": 2}
    assert found.cores == 4  # 0.3 + 2.4 + 1.2
    assert found.memory_gb == round((2 * 300 + 3 * 250 + 2 * 200) / 1000, 1)
    # 120 tables × 15 hands × 1.2 events × 4 hours × 100 nights × 2,000 bytes
    assert found.database_gb == 1.73


@pytest.mark.parametrize("tables", ASKED)
def test_the_document_shows_what_the_arithmetic_gives(tables: int) -> None:
    """Every step from the measured figures, reckoned again here and looked for in the table."""
    told = figures()
    hands_per_s = tables * 15 / 3600
    photos = hands_per_s * 1.5 * 2
    row = [f"{tables:,}", f"{photos:,.2f}"]
    working = {part: photos * told["cpu_s"][part] / 0.5 for part in PARTS}
    replicas = {part: max(2, math.ceil(working[part])) for part in PARTS}
    row += [f"{replicas[part]:,}" for part in PARTS]
    row.append(f"{math.ceil(sum(working.values())):,}")
    memory = sum(replicas[part] * told["memory_mb"][part] for part in PARTS) / 1000
    row.append(f"{memory:,.1f}")
    row.append(f"{hands_per_s * 1.2 * 2:,.2f}")
    row.append(f"{tables * 15 * 1.2 * 4 * 100 * told['event_bytes'] / 1e9:,.2f}")
    assert f"| {' | '.join(row)} |" in DOCUMENT


def test_the_document_states_what_was_measured_and_what_is_assumed() -> None:
    told = figures()
    for part in PARTS:
        cpu, memory = told["cpu_s"][part], told["memory_mb"][part]
        rate = told["photos_per_s_of_a_replica"][part]
        assert f"| `{part}` | {cpu:.4f} | {rate:.2f} | {memory} |" in DOCUMENT
        assert rate == pytest.approx(1 / cpu, rel=0.01)
    for load in told["loads"]:
        row = (load["arrivals_per_s"], load["answers_per_s"], load["p50_s"], load["p95_s"])
        shown = " | ".join((f"{row[0]:.2f}", f"{row[1]:.2f}", f"{row[2]:.2f}", f"{row[3]:.2f}"))
        assert f"| {100 * load['share']:.0f} % | {shown} |" in DOCUMENT
    assert f"{told['event_bytes']:,} bytes" in DOCUMENT
    evening = Evening()
    for value in (evening.hands_per_hour, evening.photos_per_hand, evening.events_per_hand):
        assert re.search(rf"\b{value:g}\b", DOCUMENT)


def test_more_tables_never_need_less() -> None:
    before = needs(1, measured())
    assert set(before.replicas.values()) == {LEAST}
    for tables in (2, 10, 30, 300, 1000, 30_000, 100_000):
        found = needs(tables, measured())
        assert found.cores >= before.cores
        assert found.database_gb >= before.database_gb
        assert all(found.replicas[part] >= before.replicas[part] for part in PARTS)
        before = found


def test_the_plan_verb_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cluster", "plan", "1000", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == needs(1000, measured()).to_json()
    assert main(["cluster", "plan", "30"]) == 0
    assert "cores" in capsys.readouterr().out
