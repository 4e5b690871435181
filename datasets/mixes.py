"""Tables without a finished hand: loose rows, heaps, trays; they teach where tiles are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from datasets.tables import (
    RowStyle,
    Table,
    put_grid,
    put_heap,
    put_row,
    put_sets,
    put_wall,
    random_faces,
)

Rng = np.random.Generator


def loose_table(rng: Rng, table: Table) -> None:
    """Rows, heaps, groups, a tray or a few tiles; a third with walls, a third with discards."""
    makers: tuple[tuple[Callable[[Rng, Table], None], float], ...] = (
        (_rows, 0.55),
        (_heap, 0.15),
        (_groups, 0.1),
        (_tray, 0.08),
        (_few, 0.12),
    )
    p = np.array([w for _, w in makers])
    makers[int(rng.choice(len(makers), p=p / p.sum()))][0](rng, table)
    x0, y0, x1, y1 = table.extent()
    if rng.random() < 0.35:
        for _ in range(int(rng.integers(1, 4))):
            n = int(rng.integers(3, 15))
            if rng.random() < 0.5:
                start = (float(rng.uniform(x0 - 3, x1)), float(y1 + rng.uniform(1.2, 6)))
                angle = 0.0
            else:
                start = (float(rng.choice([x0 - 2, x1 + 2])), float(rng.uniform(y0, y1 + 3)))
                angle = np.pi / 2
            put_wall(rng, table, start, angle + float(rng.normal(0, 0.15)), n)
    if rng.random() < 0.35:
        at = (float(rng.uniform(x0, x1)), float(y1 + rng.uniform(2, 6)))
        _scatter(rng, table, at, int(rng.integers(3, 26)), float(rng.uniform(1.5, 3.5)))


def tray_table(rng: Rng, table: Table) -> None:
    """A tray of the whole set or a part of it."""
    put_grid(rng, table, int(rng.integers(2, 6)), int(rng.integers(4, 12)))


def _scatter(rng: Rng, table: Table, at: tuple[float, float], n: int, spread: float) -> None:
    put_heap(
        rng,
        table,
        at,
        n,
        spread=spread,
        any_turn=bool(rng.random() < 0.7),
        down=float(rng.choice([0.05, 0.35])),
    )


def _rows(rng: Rng, table: Table) -> None:
    n_rows = int(rng.choice([1, 2, 3, 4], p=[0.45, 0.35, 0.12, 0.08]))
    y = 0.0
    angle = float(rng.normal(0, 0.05))
    style = RowStyle.random(rng)
    for _ in range(n_rows):
        n = int(rng.integers(3, 18))
        bend = float(rng.normal(0, 0.02)) if rng.random() < 0.25 else 0.0
        row = random_faces(rng, n)
        gap = float(rng.uniform(0.0, 0.15) if rng.random() < 0.5 else rng.uniform(0.1, 1.5))
        left = float(rng.normal(-n / 2, 1.5))
        for _ in range(12):
            trial = Table(table.ts)
            put_row(rng, trial, row, (left, y), angle, style, bend=bend)
            if all(table.free(s) for s in trial.solids):
                for solid in trial.solids:
                    table.add(solid)
                break
            y += 0.3
        deep = table.ts.thickness if style.pose == "standing" else table.ts.height
        y += deep + gap
        if rng.random() < 0.4:
            style = RowStyle.random(rng)
    if not table.solids:
        _few(rng, table)


def _heap(rng: Rng, table: Table) -> None:
    _scatter(rng, table, (0.0, 0.0), int(rng.integers(6, 40)), float(rng.uniform(2, 4)))


def _groups(rng: Rng, table: Table) -> None:
    put_sets(rng, table, int(rng.integers(3, 8)))


def _tray(rng: Rng, table: Table) -> None:
    put_grid(rng, table, int(rng.integers(2, 5)), int(rng.integers(4, 10)))


def _few(rng: Rng, table: Table) -> None:
    style = RowStyle.random(rng)
    angle = float(rng.choice([rng.normal(0, 0.1), rng.uniform(0, 2 * np.pi)]))
    put_row(rng, table, random_faces(rng, int(rng.integers(1, 9))), (-2.0, 0.0), angle, style)
