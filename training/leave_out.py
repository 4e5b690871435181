"""How well a design is read that was never learnt from: for each design of the shared photos a
reader is trained afresh without it, for a short and equal time, and read on its labelled boxes.
Each run leaves out a family of drawn designs as well.

    python -m training.leave_out --minutes 4 --out runs/left-out --report docs/reports/left-out.json

A run that was stopped goes on with the designs that are not in the report. The trained readers
stay in ``--out`` as ONNX, for `tests.bench.enrol`.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from datasets.photos import Photo, load_photos
from models import open_session
from training.evaluate import FACE_NAMES
from training.export import export_reader
from training.train_reader import Recipe, crops_of, train
from vision.detector import Found
from vision.reader import Reader

DRAWN = (
    ("kde-classic", "kde-default", "kde-jade", "kde-traditional"),
    ("gnome-postmodern", "gnome-smooth"),
    ("uni-wikimedia", "riichi-flowers"),
    ("font-hanamin", "font-noto-symbols2", "font-symbola"),
)
"""Families of drawn designs, left out in turn."""

FIRST_BONUS = 34
MOST_CONFUSIONS = 8


def designs() -> dict[str, list[Photo]]:
    """The photos of every design, those of val among them (labels mended)."""
    found: dict[str, list[Photo]] = {}
    for photo in [*load_photos("train+dev"), *load_photos("val", corrected=True)]:
        found.setdefault(photo.design, []).append(photo)
    return dict(sorted(found.items()))


def read_boxes(reader: Reader, photos: list[Photo]) -> dict[str, Any]:
    """Tiles named right on true boxes, bonus tiles apart, and what was taken for what."""
    tiles = right = bonus = bonus_right = 0
    wrong: dict[str, int] = {}
    for photo in photos:
        n = len(photo.faces)
        if not n:
            continue
        found = Found(photo.quads, photo.boxes, np.ones(n, np.float32), np.zeros(n, bool))
        seen = reader(photo.image(), found, keep=True).faces
        same = seen == photo.faces
        tiles, right = tiles + n, right + int(same.sum())
        bonus += int((photo.faces >= FIRST_BONUS).sum())
        bonus_right += int(same[photo.faces >= FIRST_BONUS].sum())
        for face, named in zip(photo.faces[~same], seen[~same], strict=True):
            key = f"{FACE_NAMES[face]} as {FACE_NAMES[named]}"
            wrong[key] = wrong.get(key, 0) + 1
    most = dict(sorted(wrong.items(), key=lambda item: -item[1])[:MOST_CONFUSIONS])
    return {
        "tiles": tiles,
        "right": right,
        "bonus": bonus,
        "bonus_right": bonus_right,
        "confusions": most,
    }


def leave_out(design: str, recipe: Recipe, photo_share: float, folder: Path) -> dict[str, Any]:
    """Train without one design (nor val, unless it is the design) and read it."""
    every = designs()
    drawn = DRAWN[list(every).index(design) % len(DRAWN)]
    taken = [p for name, photos in every.items() if name != design for p in photos]
    learnt = [p for p in taken if p.split == "train"]
    run = folder / design.replace(" ", "-")
    draw = crops_of(learnt, photo_share, without=drawn)
    checkpoint = train(draw, recipe, run)
    export_reader(checkpoint, run / "reader.onnx", recipe.width)
    row = read_boxes(Reader(open_session(run / "reader.onnx")), every[design])
    return {"design": design, "minutes": recipe.minutes, "drawn": drawn, **row}


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m training.leave_out", description=main.__doc__)
    parser.add_argument("--minutes", type=float, default=4.0, help="of one core, for a design")
    parser.add_argument("--photos", type=float, default=0.5)
    parser.add_argument("--out", type=Path, default=Path("runs/left-out"))
    parser.add_argument("--report", type=Path, required=True)
    given = parser.parse_args(arguments)
    done = json.loads(given.report.read_text("utf-8")) if given.report.is_file() else []
    recipe = Recipe(minutes=given.minutes, now=time.process_time)
    for design in designs():
        if any(row["design"] == design for row in done):
            continue
        row = leave_out(design, replace(recipe), given.photos, given.out)
        done.append(row)
        given.report.write_text(json.dumps(done, indent=1, ensure_ascii=False) + "\n", "utf-8")
        print(f"{design}: {row['right']} of {row['tiles']}, bonus {row['bonus_right']}", flush=True)


if __name__ == "__main__":
    main()
