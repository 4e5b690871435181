"""Ornaments of tiles: dots, bamboo sticks, birds, flowers and frames, drawn around (0, 0)."""

from __future__ import annotations

import numpy as np

from datasets.vector import Drawing, Points, affine, curve, ellipse, leaf, rectangle

Rng = np.random.Generator


def dot(kind: str, r: float, paint: str, heart: str) -> Drawing:
    """A circle of the dots suit with radius ``r``."""
    d = Drawing()
    if kind == "ring":
        d.fill(paint, ellipse(0, 0, r))
        d.fill("body", ellipse(0, 0, r * 0.72))
        d.fill(heart, ellipse(0, 0, r * 0.42))
    elif kind == "double":
        d.fill(paint, ellipse(0, 0, r))
        d.fill("body", ellipse(0, 0, r * 0.8))
        d.fill(paint, ellipse(0, 0, r * 0.62))
        d.fill("body", ellipse(0, 0, r * 0.42))
        d.fill(heart, ellipse(0, 0, r * 0.22))
    elif kind == "solid":
        d.fill(paint, ellipse(0, 0, r))
        d.fill("body", ellipse(0, 0, r * 0.3))
        d.fill(paint, ellipse(0, 0, r * 0.16))
    elif kind == "plain":
        d.fill(paint, ellipse(0, 0, r))
    elif kind == "hollow":
        d.stroke(paint, ellipse(0, 0, r * 0.86), r * 0.22, closed=True)
        d.stroke(heart, ellipse(0, 0, r * 0.4), r * 0.16, closed=True)
    elif kind == "wheel":
        d.fill(paint, ellipse(0, 0, r))
        d.fill("body", ellipse(0, 0, r * 0.82))
        for k in range(6):
            a = k * np.pi / 6
            step = np.array([np.cos(a), np.sin(a)]) * r * 0.75
            d.stroke(paint, np.array([-step, step]), r * 0.11)
        d.fill("body", ellipse(0, 0, r * 0.34))
        d.fill(heart, ellipse(0, 0, r * 0.24))
    elif kind == "petals":
        d.fill(paint, ellipse(0, 0, r))
        d.fill("body", ellipse(0, 0, r * 0.84))
        for k in range(6):
            a = k * np.pi / 3
            x, y = np.cos(a) * r * 0.48, np.sin(a) * r * 0.48
            d.fill(paint, ellipse(x, y, r * 0.24, r * 0.17, a))
        d.fill(heart, ellipse(0, 0, r * 0.2))
    else:
        d.fill(paint, ellipse(0, 0, r))
        for k in range(9):
            a = k * 2 * np.pi / 9
            d.fill("body", ellipse(np.cos(a) * r * 0.62, np.sin(a) * r * 0.62, r * 0.15))
        d.fill("body", ellipse(0, 0, r * 0.34))
        d.fill(heart, ellipse(0, 0, r * 0.24))
    return d


DOT_KINDS = ("ring", "double", "solid", "plain", "hollow", "wheel", "petals", "beads")


def big_dot(rng: Rng, r: float, outer: str, middle: str, heart: str) -> Drawing:
    """The rosette of the 1 of dots."""
    d = Drawing()
    kind = int(rng.integers(5))
    if kind == 0:
        for k, share in enumerate((1.0, 0.86, 0.7, 0.56, 0.4, 0.26)):
            d.fill((outer, "body", middle, "body", outer, heart)[k], ellipse(0, 0, r * share))
    elif kind == 1:
        n = int(rng.integers(10, 17))
        d.stroke(outer, ellipse(0, 0, r * 0.97), r * 0.06, closed=True)
        for k in range(n):
            a = k * 2 * np.pi / n
            x, y = np.cos(a) * r * 0.72, np.sin(a) * r * 0.72
            d.fill(outer, ellipse(x, y, r * 0.19, r * 2.0 / n, a))
            d.fill("body", ellipse(x, y, r * 0.1, r * 0.9 / n, a))
        d.fill(middle, ellipse(0, 0, r * 0.46))
        d.fill("body", ellipse(0, 0, r * 0.36))
        d.fill(heart, ellipse(0, 0, r * 0.26))
    elif kind == 2:
        d.fill(outer, ellipse(0, 0, r))
        d.fill("body", ellipse(0, 0, r * 0.9))
        n = int(rng.integers(14, 24))
        for k in range(n):
            a = k * 2 * np.pi / n
            d.fill(middle, ellipse(np.cos(a) * r * 0.76, np.sin(a) * r * 0.76, r * 0.08))
        d.fill(outer, ellipse(0, 0, r * 0.6))
        d.fill("body", ellipse(0, 0, r * 0.5))
        d.place(flower(rng, r * 0.46, heart, outer, petals=int(rng.integers(4, 9))), affine(0, 0))
    elif kind == 3:
        d.fill(outer, ellipse(0, 0, r))
        d.fill("body", ellipse(0, 0, r * 0.78))
        d.fill(heart, ellipse(0, 0, r * 0.5))
        d.fill("body", ellipse(0, 0, r * 0.22))
        d.fill(outer, ellipse(0, 0, r * 0.12))
    else:
        n = int(rng.integers(8, 13))
        for k in range(n):
            a = k * 2 * np.pi / n
            d.fill(outer, leaf(np.cos(a) * r * 0.4, np.sin(a) * r * 0.4, r * 0.6, r * 0.3, a))
        d.fill("body", ellipse(0, 0, r * 0.46))
        d.fill(middle, ellipse(0, 0, r * 0.4))
        d.fill("body", ellipse(0, 0, r * 0.28))
        d.fill(heart, ellipse(0, 0, r * 0.18))
    return d


def stick(kind: str, length: float, width: float, paint: str) -> Drawing:
    """One bamboo stick along y."""
    d = Drawing()
    h, w = length / 2, width / 2
    if kind == "capsule":
        d.fill(paint, rectangle(-w, -h, w, -h * 0.06, w * 0.8))
        d.fill(paint, rectangle(-w, h * 0.06, w, h, w * 0.8))
        d.stroke("body", np.array([[0, -h * 0.72], [0, -h * 0.3]]), w * 0.36)
        d.stroke("body", np.array([[0, h * 0.3], [0, h * 0.72]]), w * 0.36)
    elif kind == "filled":
        d.fill(paint, rectangle(-w, -h, w, -h * 0.04, w * 0.9))
        d.fill(paint, rectangle(-w, h * 0.04, w, h, w * 0.9))
        d.fill(paint, rectangle(-w * 0.5, -h * 0.2, w * 0.5, h * 0.2))
    elif kind == "bone":
        for y in (-h * 0.88, 0.0, h * 0.88):
            d.fill(paint, rectangle(-w, y - h * 0.13, w, y + h * 0.13, w * 0.5))
        d.fill(paint, rectangle(-w * 0.62, -h * 0.9, w * 0.62, h * 0.9))
        d.stroke("body", np.array([[0, -h * 0.66], [0, -h * 0.24]]), w * 0.4)
        d.stroke("body", np.array([[0, h * 0.24], [0, h * 0.66]]), w * 0.4)
    elif kind == "bow":
        for sign in (-1, 1):
            side = curve(
                (w, sign * h * 0.04), (w * 0.55, sign * h * 0.5), (w, sign * h * 0.96), n=16
            )
            d.fill(paint, np.concatenate([side, (side * np.array([-1, 1]))[::-1]]))
        d.fill(paint, rectangle(-w * 0.9, -h * 0.08, w * 0.9, h * 0.08, w * 0.2))
    elif kind == "nodes":
        d.fill(paint, rectangle(-w * 0.75, -h, w * 0.75, h, w * 0.5))
        for y in (-h * 0.4, h * 0.1, h * 0.6):
            d.stroke("body", np.array([[-w, y], [w, y]]), h * 0.07)
    elif kind == "outline":
        d.stroke(paint, rectangle(-w * 0.75, -h * 0.94, w * 0.75, h * 0.94), w * 0.4, closed=True)
        d.stroke(paint, np.array([[-w, 0.0], [w, 0.0]]), w * 0.5)
    elif kind == "plain":
        d.fill(paint, rectangle(-w * 0.8, -h, w * 0.8, h, w * 0.6))
    else:
        for y0, y1 in ((-h, -h * 0.38), (-h * 0.3, h * 0.3), (h * 0.38, h)):
            d.fill(paint, rectangle(-w * 0.85, y0, w * 0.85, y1, w * 0.55))
            d.fill("body", ellipse(0, (y0 + y1) / 2, w * 0.25, (y1 - y0) * 0.25))
    return d


STICK_KINDS = ("capsule", "filled", "filled", "bone", "bow", "nodes", "outline", "plain", "beads")


def flower(
    rng: Rng, r: float, paint: str, heart: str, *, petals: int = 0, outline: bool | None = None
) -> Drawing:
    """A blossom of radius ``r``."""
    d = Drawing()
    n = petals or int(rng.integers(4, 9))
    hollow = bool(rng.random() < 0.5) if outline is None else outline
    spin = float(rng.uniform(0, np.pi))
    wide = float(rng.uniform(0.8, 1.15)) * r * np.pi / n * 0.62
    for k in range(n):
        a = spin + k * 2 * np.pi / n
        ring = ellipse(np.cos(a) * r * 0.58, np.sin(a) * r * 0.58, r * 0.4, wide, a)
        d.fill(paint, ring)
        if hollow:
            inner = ellipse(np.cos(a) * r * 0.6, np.sin(a) * r * 0.6, r * 0.26, wide * 0.6, a)
            d.fill("body", inner)
    d.fill(heart, ellipse(0, 0, r * 0.24))
    return d


def _spray(rng: Rng, d: Drawing, line: Points, paint: str, size: float, n: int) -> None:
    """Leaves on both sides of a stem."""
    for k in range(n):
        i = int((k + 0.7) / (n + 0.5) * (len(line) - 1))
        x, y = line[i]
        side = 1 if k % 2 else -1
        turn = -np.pi / 2 + side * float(rng.uniform(0.5, 1.3))
        length = size * float(rng.uniform(0.7, 1.2))
        d.fill(paint, leaf(x, y, length, length * float(rng.uniform(0.3, 0.5)), turn, side * 0.1))


def plum(rng: Rng, petal: str, stem: str) -> Drawing:
    """A branch with round blossoms, in a box of about ±100."""
    d = Drawing()
    lean = float(rng.choice([-1, 1]))
    line = curve((-50 * lean, 105), (-20 * lean, 50), (5 * lean, 0), (60 * lean, -85))
    d.stroke(stem, line, 8)
    for _ in range(int(rng.integers(1, 4))):
        x, y = line[int(rng.integers(4, len(line) - 3))]
        twig = curve((x, y), (x + rng.normal(0, 30), y - 25), (x + rng.normal(0, 55), y - 60))
        d.stroke(stem, twig, 5)
    for k in range(int(rng.integers(2, 5))):
        x, y = line[int((k + 0.5) / 5 * len(line))] + rng.normal(0, 18, 2)
        size = float(rng.uniform(22, 44))
        d.place(flower(rng, size, petal, petal, petals=5), affine(x, y))
    return d


def orchid(rng: Rng, petal: str, stem: str) -> Drawing:
    d = Drawing()
    foot = np.array([float(rng.normal(0, 15)), 100.0])
    for _ in range(int(rng.integers(4, 8))):
        tip = (float(rng.normal(0, 75)), float(rng.uniform(-95, 20)))
        mid = (float(foot[0] + (tip[0] - foot[0]) * 0.25), float(rng.uniform(-20, 40)))
        line = curve((foot[0], foot[1]), mid, tip, n=20)
        half = np.linspace(7, 1, len(line))[:, None] * np.array([[1, 0.2]])
        d.fill(stem, np.concatenate([line - half, (line + half)[::-1]]))
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.normal(0, 30), rng.uniform(-50, 50)
        for k in range(int(rng.integers(3, 6))):
            d.fill(petal, leaf(x, y, 30, 12, float(k * 1.2 + rng.uniform(0, 1))))
    return d


def chrysanthemum(rng: Rng, petal: str, stem: str) -> Drawing:
    d = Drawing()
    line = curve((float(rng.normal(0, 10)), 105), (float(rng.normal(0, 15)), 50), (0, -10))
    d.stroke(stem, line, 6)
    _spray(rng, d, line, stem, 48, int(rng.integers(3, 7)))
    n = int(rng.integers(9, 17))
    y = float(rng.uniform(-40, -20))
    for ring, share in ((n, 1.0), (n // 2, 0.62)):
        for k in range(ring):
            a = k * 2 * np.pi / ring
            d.fill(petal, leaf(0, y, 55 * share, 13 * share, a))
    d.fill("body", ellipse(0, y, 11))
    d.fill(petal, ellipse(0, y, 6))
    return d


def bamboo_plant(rng: Rng, petal: str, stem: str) -> Drawing:
    """Jointed stalks (in ``petal``) with narrow leaves (in ``stem``)."""
    d = Drawing()
    for k in range(int(rng.integers(1, 4))):
        x = float(rng.normal(0, 12) + (k - 0.5) * 38)
        lean = float(rng.normal(0, 16))
        steps = 4
        for j in range(steps):
            y0, y1 = 105 - j * 50, 105 - (j + 1) * 50 + 6
            xa, xb = x + lean * j / steps, x + lean * (j + 1) / steps
            d.stroke(petal, np.array([[xa, y0], [xb, y1]]), 9)
        for _ in range(int(rng.integers(4, 9))):
            y = float(rng.uniform(-90, 70))
            turn = float(rng.choice([0.5, np.pi - 0.5]) + rng.normal(0, 0.35))
            d.fill(stem, leaf(x + lean * (105 - y) / 200, y, float(rng.uniform(30, 55)), 11, turn))
    return d


def bouquet(rng: Rng, petal: str, stem: str) -> Drawing:
    """A stem with leaves and one or two large blossoms: what most seasons show."""
    d = Drawing()
    bend = float(rng.normal(0, 35))
    line = curve((float(rng.normal(0, 12)), 108), (bend, 40), (float(rng.normal(0, 20)), -30))
    d.stroke(stem, line, float(rng.uniform(5, 9)))
    _spray(rng, d, line, stem, float(rng.uniform(38, 62)), int(rng.integers(4, 9)))
    x, y = line[-1]
    size = float(rng.uniform(36, 56))
    centre = y + 20 if rng.random() < 0.5 else y - 5
    d.place(flower(rng, size, petal, petal), affine(float(x), float(centre)))
    if rng.random() < 0.4:
        d.place(
            flower(rng, size * 0.6, petal, petal),
            affine(float(x + rng.normal(0, 40)), float(centre + 55)),
        )
    if rng.random() < 0.3:
        d.stroke(stem, curve((-45, 88), (-30, 112), (30, 112), (45, 88)), 6)
    return d


def fruit(rng: Rng, petal: str, stem: str) -> Drawing:
    d = Drawing()
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.normal(0, 25), rng.normal(5, 30)
        r = float(rng.uniform(26, 48))
        d.fill(petal, ellipse(x, y, r, r * 0.85))
        if rng.random() < 0.7:
            d.fill("body", ellipse(x, y, r * 0.75, r * 0.62))
            for k in range(-1, 2):
                d.stroke(petal, np.array([[x + k * r * 0.4, y - r * 0.6],
                                          [x + k * r * 0.4, y + r * 0.6]]), 4)  # fmt: skip
    line = curve((-50, -70), (0, -40), (50, -75))
    d.stroke(stem, line, 6)
    _spray(rng, d, line, stem, 45, 4)
    return d


def figure(rng: Rng, petal: str, stem: str) -> Drawing:
    """Scenes without flowers: a person, a boat, a house, clouds."""
    d = Drawing()
    kind = int(rng.integers(4))
    if kind == 0:
        d.stroke(stem, ellipse(0, -60, 20), 6, closed=True)
        d.fill(petal, curve((0, -40), (45, 40), (55, 100), (-55, 100), (-40, 40), (0, -40)))
        d.stroke(stem, curve((-20, -5), (-60, 10), (-75, -30)), 7)
        d.stroke(stem, curve((20, -5), (60, 20), (80, 0)), 7)
    elif kind == 1:
        d.fill(stem, curve((-85, 40), (-60, 80), (60, 80), (85, 40), (-85, 40)))
        d.stroke(stem, np.array([[0, 40], [0, -85]]), 6)
        d.fill(petal, np.array([[6, -80], [70, 25], [6, 25]]))
    elif kind == 2:
        d.fill(petal, np.array([[-90, -20], [0, -80], [90, -20]]))
        d.stroke(stem, rectangle(-65, -15, 65, 90), 7, closed=True)
        d.stroke(stem, rectangle(-18, 30, 18, 90), 6, closed=True)
    else:
        for _ in range(4):
            x, y = rng.normal(0, 40), rng.normal(0, 45)
            spiral = np.linspace(0, 9, 40)
            d.stroke(petal if rng.random() < 0.5 else stem,
                     np.stack([x + spiral * 4 * np.cos(spiral), y + spiral * 3 * np.sin(spiral)],
                              1), 6)  # fmt: skip
    return d


def bird(rng: Rng, body: str, wing: str, accent: str) -> Drawing:
    """The bird of the 1 of bamboo, in a box of about ±110 × ±150."""
    kind = int(rng.integers(4))
    d = Drawing()
    if kind == 0:
        _peacock_front(rng, d, body, wing, accent)
        return d
    side = -1.0 if rng.random() < 0.5 else 1.0
    raw = Drawing()
    fat = float(rng.uniform(0.8, 1.25))
    # Seen from the side, head to the left.
    tail = int(rng.integers(3, 7))
    for k in range(tail):
        a = float(rng.uniform(0.15, 0.3)) + k * float(rng.uniform(0.1, 0.26))
        length = float(rng.uniform(95, 150))
        paint = (body, wing, accent)[k % 3]
        raw.fill(paint, leaf(20, 25, length, float(rng.uniform(14, 26)), a, 0.12))
        if kind == 1:
            tip = np.array([20 + np.cos(a) * length * 0.9, 25 + np.sin(a) * length * 0.9])
            raw.fill(accent, ellipse(tip[0], tip[1], 12))
            raw.fill("body", ellipse(tip[0], tip[1], 5))
    raw.fill(body, curve((-70, -75), (-30, -55), (30, 0), (35, 40), (-10, 50), (-50, 10),
                         (-75, -55), n=40))  # fmt: skip
    raw.fill(body, ellipse(-72, -82, 25 * fat, 22 * fat))
    for k in range(int(rng.integers(2, 5))):
        raw.fill(
            wing if k % 2 == 0 else "body",
            leaf(-38 + k * 6, -28 + k * 7, 82 - 9 * k, 38 - 5 * k, 0.55 + 0.1 * k),
        )
    raw.fill(accent, np.array([[-92, -92], [-130, -80], [-92, -72]]))
    raw.fill("body", ellipse(-78, -86, 7))
    raw.fill("black", ellipse(-78, -86, 4))
    if rng.random() < 0.7:
        for k in range(3):
            raw.stroke(accent, curve((-70, -100), (-70 + 12 * k, -125), (-60 + 18 * k, -135)), 6)
    for x in (-18, 5):
        raw.stroke(accent, np.array([[x, 45], [x - 6, 105]]), 6)
        raw.stroke(accent, np.array([[x - 22, 108], [x + 8, 105]]), 6)
    turn = float(rng.normal(0, 0.25))
    matrix = affine(0, 5, 0.92, turn)
    matrix[:, 0] *= side
    d.place(raw, matrix)
    return d


def _peacock_front(rng: Rng, d: Drawing, body: str, wing: str, accent: str) -> None:
    n = int(rng.integers(7, 12))
    for k in range(n):
        a = -np.pi / 2 + (k - (n - 1) / 2) * 2.6 / n
        length = float(rng.uniform(115, 135))
        x, y = np.cos(a) * length, 20 + np.sin(a) * length
        d.fill(wing, leaf(0, 20, length * 1.05, 34, a))
        d.fill("body", ellipse(x * 0.85, 20 + (y - 20) * 0.85, 11))
        d.fill(accent, ellipse(x * 0.85, 20 + (y - 20) * 0.85, 7))
    d.fill(body, ellipse(0, 50, 38, 52))
    d.fill("body", ellipse(0, 60, 22, 30))
    for y in (45, 62, 79):
        d.stroke(body, curve((-18, y), (0, y + 8), (18, y)), 5)
    d.fill(body, ellipse(0, -15, 22, 26))
    d.fill(accent, np.array([[-8, -12], [8, -12], [0, 6]]))
    for x in (-9, 9):
        d.fill("body", ellipse(x, -22, 5))
        d.stroke(accent, np.array([[x, 100], [x * 1.6, 135]]), 7)


def frame(kind: str, x: float, y: float, paint: str, second: str) -> Drawing:
    """The white dragon's frame, half sizes ``x`` and ``y``."""
    d = Drawing()
    if kind == "single":
        d.stroke(paint, rectangle(-x, -y, x, y, 6), 13, closed=True)
    elif kind == "double":
        d.stroke(paint, rectangle(-x, -y, x, y, 6), 11, closed=True)
        d.stroke(paint, rectangle(-x + 24, -y + 24, x - 24, y - 24, 4), 5, closed=True)
    elif kind == "thin":
        d.stroke(paint, rectangle(-x, -y, x, y, 18), 6, closed=True)
    elif kind == "rounded":
        d.stroke(paint, rectangle(-x, -y, x, y, 40), 12, closed=True)
    elif kind == "ornate":
        d.stroke(paint, rectangle(-x, -y, x, y), 6, closed=True)
        d.stroke(paint, rectangle(-x + 34, -y + 34, x - 34, y - 34), 6, closed=True)
        for px in np.linspace(-x + 17, x - 17, 5):
            for py in (-y + 17, y - 17):
                d.stroke(second, rectangle(px - 9, py - 9, px + 9, py + 9), 4, closed=True)
        for py in np.linspace(-y + 17, y - 17, 7)[1:-1]:
            for px in (-x + 17, x - 17):
                d.stroke(second, rectangle(px - 9, py - 9, px + 9, py + 9), 4, closed=True)
    elif kind == "blocks":
        n = 7
        for k in range(n):
            t = -y + (k + 0.5) * 2 * y / n
            paint_k = paint if k % 2 else second
            for sx in (-x, x):
                d.fill(paint_k, rectangle(sx - 14, t - y / n, sx + 14, t + y / n))
        for k in range(5):
            t = -x + (k + 0.5) * 2 * x / 5
            paint_k = second if k % 2 else paint
            for sy in (-y, y):
                d.fill(paint_k, rectangle(t - x / 5, sy - 14, t + x / 5, sy + 14))
    else:
        for sx in (-1, 1):
            for sy in (-1, 1):
                corner = np.array(
                    [[sx * x, sy * y * 0.45], [sx * x, sy * y], [sx * x * 0.3, sy * y]]
                )
                d.stroke(paint, corner, 10)
                d.stroke(second, corner * 0.8, 6)
    return d


FRAME_KINDS = ("single", "double", "thin", "rounded", "ornate", "blocks", "corners")
