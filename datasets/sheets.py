"""Contact sheets of our own faces and of every preset, and the page that states the mix.

    python -m datasets.sheets docs/pictures

Only faces and backgrounds of our own are used, so that the sheets may be committed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.bank import FaceBank
from datasets.check import tiled
from datasets.classes import BACK, FACES
from datasets.drawing import DrawnDesign
from datasets.face_style import FaceStyle, clean_style
from datasets.pictures import Picture, as_pixels
from datasets.scenes import OF_THE_HAND, PRESETS, Scene, render_hand, render_scene

SEED = 30
SCENES = 30
DESIGNS = 8


def faces_sheet(designs: int = DESIGNS, height_px: int = 60) -> Picture:
    """All faces of the product's own design (first) and of designs drawn by lot."""
    cells = []
    for k in range(designs):
        style = clean_style() if k == 0 else FaceStyle.random(np.random.default_rng([SEED, k]))
        design = DrawnDesign(style)
        for face in range(FACES):
            art = design.art(face, height_px).astype(np.float32)
            alpha = art[..., 3:] / 255
            cells.append(as_pixels(art[..., :3] * alpha + np.array([236, 243, 246]) * (1 - alpha)))
    return tiled(cells, FACES // 2)


def scenes_sheet(preset: str, count: int = SCENES, cell_px: int = 224) -> Picture:
    """``count`` scenes of a preset as they come, six in a row."""
    bank = FaceBank.own()
    cells = []
    for k in range(count):
        rng = np.random.default_rng([SEED, k])
        image = render_scene(rng, bank, size=(448, 448), preset=preset).image
        cells.append(cv2.resize(image, (cell_px, cell_px), interpolation=cv2.INTER_AREA))
    return tiled(cells, 6)


def pushed_together(scene: Scene) -> bool:
    """Whether the concealed tiles touch: median gap under a tenth of a tile width."""
    quads = [q for q, r in zip(scene.quads, scene.roles, strict=True) if r.startswith("concealed")]
    if len(quads) < 3:
        return False
    middles = np.array([q.mean(axis=0) for q in quads])
    widths = np.array([np.linalg.norm(q[1] - q[0]) for q in quads])
    distance = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    np.fill_diagonal(distance, np.inf)
    return bool(np.median(distance.min(axis=1) / widths) < 1.1)


def turned(scene: Scene) -> bool:
    """Whether the hand is turned by more than 15° in the picture."""
    tops = [
        q[1] - q[0]
        for q, r in zip(scene.quads, scene.roles, strict=True)
        if r.startswith("concealed")
    ]
    return bool(tops) and abs(float(np.median([np.arctan2(t[1], t[0]) for t in tops]))) > 0.262


def others_in_view(scene: Scene) -> bool:
    return any(not r.startswith(OF_THE_HAND) for r in scene.roles)


def hidden_kong(scene: Scene) -> bool:
    return any(
        r.startswith("kong-") and f == BACK for r, f in zip(scene.roles, scene.faces, strict=True)
    )


def with_bonus(scene: Scene) -> bool:
    return "bonus" in scene.roles


MIX: tuple[tuple[str, str, Callable[[Scene], bool]], ...] = (
    ("pushed together", "30 %", pushed_together),
    ("turned by more than 15°", "20 %", turned),
    ("other tiles in view", "30 %", others_in_view),
    ("a kong with tiles face down", "15 %", hidden_kong),
    ("bonus tiles", "40 %", with_bonus),
    ("something must be asked", "–", lambda s: bool(s.asks)),
)
"""What the page counts in finished hands, with the least share asked for."""


def mix_shares(preset: str, count: int) -> list[float]:
    """Share of ``count`` finished hands of a preset that show each thing of ``MIX``."""
    bank = FaceBank.own()
    hands = [
        render_hand(np.random.default_rng([SEED, 1, k]), bank, size=(224, 224), preset=preset)
        for k in range(count)
    ]
    return [float(np.mean([test(s) for s in hands])) for _, _, test in MIX]


PAGE = """# Pictures the product draws

Written by `python -m datasets.sheets docs/pictures`. All faces, tables and things here are drawn
by code; the characters are outlines of fonts under the SIL Open Font License, named in
`datasets/glyphs`. Same seed, same pictures.

## Faces

The first two rows are the product's own look (`make faces`); each further pair is a design
drawn by lot, as the detector and the reader meet them in training.

![faces](faces.jpg)

## Scenes

A *preset* is where the camera stands. Shares of {count} finished hands of each, counted by the
command above:

{table}

The presets' own share of finished hands: {hands}. The rest are loose rows, heaps, groups and
trays.

{sheets}

## What still gives them away

What tells a rendered tile from a photographed one was looked for, and stands, with what was mended
and what is open, in [the report on the renderer](../reports/renderer.md).
"""


def page(shares: dict[str, list[float]], count: int) -> str:
    presets = list(shares)
    lines = [
        "| finished hands with | at least | " + " | ".join(presets) + " |",
        "|---|---|" + "---|" * len(presets),
    ]
    for k, (name, least, _) in enumerate(MIX):
        cells = " | ".join(f"{100 * shares[p][k]:.0f} %" for p in presets)
        lines.append(f"| {name} | {least} | {cells} |")
    hands = ", ".join(f"{name} {100 * p.hands:.0f} %" for name, p in PRESETS.items())
    sheets = "\n\n".join(f"### {name}\n\n![{name}]({name}.jpg)" for name in PRESETS)
    return PAGE.format(count=count, table="\n".join(lines), hands=hands, sheets=sheets)


def write(folder: Path, *, count: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _save(folder / "faces.jpg", faces_sheet(), 60)
    for preset in PRESETS:
        _save(folder / f"{preset}.jpg", scenes_sheet(preset), 78)
    shares = {name: mix_shares(name, count) for name, p in PRESETS.items() if p.hands > 0}
    (folder / "README.md").write_text(page(shares, count), encoding="utf-8")


def _save(path: Path, sheet: Picture, quality: int) -> None:
    ok, data = cv2.imencode(".jpg", sheet, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not ok:
        raise OSError(f"{path} could not be encoded")
    path.write_bytes(data.tobytes())


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m datasets.sheets", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hands", type=int, default=300, help="hands counted for each preset")
    options = parser.parse_args(argv)
    write(options.folder, count=options.hands)
    return 0


if __name__ == "__main__":
    sys.exit(main())
