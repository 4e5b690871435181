"""How well tiles are read, on designs never trained on and on rendered pictures; and how long it
takes.

`python -m tests.bench.accuracy` prints; `--write` also writes docs/accuracy.md. Needs the shared
photos.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.bank import FaceBank
from datasets.photos import load_photos, photos_folder
from datasets.scenes import Scene, render_scene
from datasets.val_hands import ValHands, val_hands
from models import load_session, manifest
from training.evaluate import Labels, Read, Tally, labels_of, wilson
from vision.detections import Detections
from vision.detector import Detector, Found, prepare
from vision.reader import Reader

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "accuracy.md"
REPORT = ROOT / "docs" / "reports" / "accuracy.json"
BY_SOURCE = ROOT / "docs" / "reports" / "by-source.json"
LEFT_OUT = ROOT / "docs" / "reports" / "left-out.json"
ENROLLED = ROOT / "docs" / "reports" / "enrol.json"
SOURCES = {
    "rendered": "rendered pictures alone",
    "photos": "photos alone",
    "both": "both, half and half",
}
NOT_OF_HAND = {"wall", "discard", "tray", "other", "marker", ""}
"""Roles of tiles of a scene that belong to no finished hand."""

Pictures = Iterable[tuple[NDArray[np.uint8], Labels]]


def photos(corrected: bool) -> Iterator[tuple[NDArray[np.uint8], Labels]]:
    """photos/val with the labels as they came, or with those mended that are known to be wrong."""
    for photo in load_photos("val", corrected=corrected):
        yield photo.image(), Labels(photo.path, photo.boxes, photo.faces, design=photo.design)


def scenes(
    made: Iterable[Scene], hand_alone: bool = False
) -> Iterator[tuple[NDArray[np.uint8], Labels]]:
    """Rendered pictures. Tiles too hidden to be labelled are handed over as backs: not counted;
    with ``hand_alone`` so are discards and other tiles beside the hand."""
    for i, scene in enumerate(made):
        silent = beside_the_hand(scene) if hand_alone else None
        yield scene.image, labels_of(scene, f"{i:04d}", silent=silent)


def beside_the_hand(scene: Scene) -> NDArray[np.bool_]:
    """Which tiles (n,) of a scene are discards and others that are not of the hand."""
    return np.array([role in NOT_OF_HAND for role in scene.roles], bool)


def preset(name: str, count: int) -> Iterator[Scene]:
    """Scenes of a preset with drawn faces of our own, each a design of its own."""
    for i in range(count):
        yield render_scene(np.random.default_rng([7, i]), FaceBank.own(), preset=name)


def measure(read: Read, pictures: Pictures, row: str) -> dict[str, Any]:
    """The figures of one row, printed as they come."""
    tally = Tally()
    for picture, labels in pictures:
        tally.add(labels, read(picture))
    figures = {"row": row, **tally.summary()}
    print(line(figures), flush=True)
    return figures


def named_by_box(reader: Reader) -> dict[str, Any]:
    """The reader alone, on the true boxes of photos/val (mended labels)."""
    right = bonus = bonus_right = tiles = 0
    for photo in load_photos("val", corrected=True):
        n = len(photo.faces)
        found = Found(photo.quads, photo.boxes, np.ones(n, np.float32), np.zeros(n, bool))
        seen: Detections = reader(photo.image(), found, keep=True)
        same = seen.faces == photo.faces
        tiles, right = tiles + n, right + int(same.sum())
        bonus += int((photo.faces >= 34).sum())
        bonus_right += int(same[photo.faces >= 34].sum())
    return {"tiles": tiles, "right": right, "bonus": bonus, "bonus_right": bonus_right}


def milliseconds(work: Callable[[], object], times: int = 50, warm_ups: int = 20) -> float:
    """Median of ``times`` after ``warm_ups``."""
    taken = []
    for i in range(times + warm_ups):
        begin = time.perf_counter()
        work()
        if i >= warm_ups:
            taken.append(time.perf_counter() - begin)
    return float(np.median(taken)) * 1000


def speed(detector: Detector, reader: Reader) -> dict[str, float]:
    """Bare session, detector and reader on one photo of val, 640 pixels long; and ratios."""
    photo = max(load_photos("val"), key=lambda p: (len(p.faces) == 20, -abs(len(p.faces) - 20)))
    picture = photo.image()
    session, _ = load_session("detector")
    blob, _ = prepare(picture, detector.input_px)
    bare = milliseconds(lambda: session.run(None, {"images": blob}))
    whole = milliseconds(lambda: detector(picture))
    found = detector(picture)
    arrays = (found.quads, found.boxes, found.score, found.back)
    twenty = Found(*(np.resize(array, (20, *array.shape[1:])) for array in arrays))
    read = milliseconds(lambda: reader(picture, twenty))
    both = milliseconds(lambda: reader(picture, detector(picture)))
    return {
        "bare_ms": bare,
        "detector_ms": whole,
        "reader_20_ms": read,
        "both_ms": both,
        "detector_ratio": whole / bare,
        "reader_ratio": read / bare,
        "both_ratio": both / bare,
    }


def line(figures: dict[str, Any]) -> str:
    """One row of the table."""

    def rate(good: str, of: str) -> str:
        if not figures[of]:
            return "–"
        low, high = wilson(figures[good], figures[of]) or (0.0, 0.0)
        share = figures[good] / figures[of]
        return f"{share:.1%} ({figures[good]}/{figures[of]}; {low:.1%}–{high:.1%})"

    sure = figures["sure_right_rate"]
    cells = (
        figures["row"],
        rate("found", "tiles"),
        rate("right", "tiles"),
        f"{figures['extra']} ({figures['extra_per_100']:.2f} in 100)",
        rate("exact", "pictures"),
        rate("bonus_right", "bonus"),
        "–" if sure is None else f"{sure:.2%} of {figures['sure_share']:.1%}",
        "–" if figures["calibration_error"] is None else f"{figures['calibration_error']:.3f}",
    )
    return "| " + " | ".join(cells) + " |"


def page(rows: list[dict[str, Any]], boxes: dict[str, Any]) -> str:
    """docs/accuracy.md."""
    hashes = ", ".join(f"{model.name} {model.sha256[:12]}" for model in manifest().values())
    table = [
        "| pictures | found | found and right | extra boxes | exact pictures | bonus right "
        + "| right where sure (≥ 0.9) | calibration error |",
        "|---|---|---|---|---|---|---|---|",
        *(line(row) for row in rows),
    ]
    confusions = ", ".join(f"{a} as {b} {n}×" for a, b, n in rows[1]["confusions"][:12]) or "none"
    return "\n".join(
        [
            "# Accuracy",
            "",
            "Made by `python -m tests.bench.accuracy --write`; found, right, extra and exact as in",
            "[json.md](json.md)'s field names of `hupai evaluate`. Intervals are Wilson's at 95 %.",
            f"Models: {hashes}.",
            "",
            *table,
            "",
            "photos/val: two physical designs never trained on, rows and grids of tiles. Mended:",
            "without the wrong labels of [val-labels.md](val-labels.md). val-hands: whole finished",
            "hands, rendered, whose faces are cut from photos/val, counted once for the hand alone",
            "and once with the discards and other tiles in view. The rendered presets show drawn",
            "faces, another design in each picture, at every angle and down to 14 pixels: the",
            "generator that made them also makes training pictures; still they are the hard ones.",
            "",
            "Reader alone on the true boxes of photos/val: "
            f"{boxes['right']} of {boxes['tiles']} right, "
            f"bonus tiles {boxes['bonus_right']} of {boxes['bonus']}.",
            "",
            f"Confusions on photos/val (mended): {confusions}.",
            "",
            *by_source(),
            *left_out(),
        ]
    )


def by_source() -> list[str]:
    """What `python -m training.by_source` has counted, where it has."""
    if not BY_SOURCE.is_file():
        return []
    rows = json.loads(BY_SOURCE.read_text("utf-8"))

    def share(row: dict[str, Any], good: str, of: str = "tiles") -> str:
        return f"{row[good] / row[of]:.1%} ({row[good]}/{row[of]})"

    return [
        "## What rendered pictures teach",
        "",
        "A detector and a reader trained from nothing for thirty minutes each on one core, read on",
        "photos/val (mended); in *rendered pictures alone* there is no photo or crop of a tile",
        "(`python -m training.by_source`).",
        "",
        "| trained on | found | found and right | of those found, right | bonus right "
        + "| extra boxes | exact pictures |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {SOURCES[row['source']]} | {share(row, 'found')} | {share(row, 'right')} "
            f"| {share(row, 'right', 'found')} | {share(row, 'bonus_right', 'bonus')} "
            f"| {row['extra']} | {row['exact']} of {row['pictures']} |"
            for row in rows
        ),
        "",
    ]


def left_out() -> list[str]:
    """What `training.leave_out` and `tests.bench.enrol --left-out` have counted, where they did."""
    if not (LEFT_OUT.is_file() and ENROLLED.is_file()):
        return []
    runs = {run["design"]: run for run in json.loads(LEFT_OUT.read_text("utf-8"))}
    rows = json.loads(ENROLLED.read_text("utf-8"))
    minutes = next(iter(runs.values()))["minutes"]

    def before(design: str) -> str:
        run = runs.get(design)
        if run is None:
            return "–"
        return f"{run['right'] / run['tiles']:.1%} ({run['right']}/{run['tiles']})"

    wrong, of = (sum(run[k] for run in runs.values()) for k in ("right", "tiles"))
    return [
        "## Designs left out",
        "",
        f"For each design a reader trained from nothing without it, {minutes:g} minutes of one core"
        " and so far weaker than",
        "the shipped one, read on true boxes (`python -m training.leave_out`): "
        f"{of - wrong} of {of} tiles wrong. Beside it the",
        "errors on other pictures of the design before and after one tile of each face was",
        "enrolled (`python -m tests.bench.enrol --left-out`, means of five draws); drawn designs",
        "are shown on rendered tables. Such short training makes embeddings in which unlike faces",
        "lie close, so enrolling brings little here, and sometimes harm; with the shipped reader",
        "see [training](reports/training.md#designs-left-out).",
        "",
        "| design | right, left out | tiles | errors before | after | bonus | before | after |",
        "|---|---|---|---|---|---|---|---|",
        *(
            f"| {row['design']} | {before(row['design'])} | {row['tiles']:.0f} "
            f"| {row['before']:.1f} | {row['after']:.1f} | {row['bonus']:.0f} "
            f"| {row['bonus_before']:.1f} | {row['bonus_after']:.1f} |"
            for row in rows
        ),
        "",
    ]


def main() -> None:
    """Print the figures, and write the page when asked."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/accuracy.md")
    parser.add_argument("--hands", type=int, default=100, help="hands of val-hands (500 in all)")
    parser.add_argument("--scenes", type=int, default=50, help="pictures a rendered preset")
    given = parser.parse_args()
    if not photos_folder().is_dir():
        print("skipped: the shared photos are absent (HUPAI_SHARED)")
        return
    detector, reader = Detector(), Reader()

    def read(picture: NDArray[np.uint8]) -> Detections:
        return reader(picture, detector(picture))

    hands = ValHands(given.hands)
    rows = [
        measure(read, photos(False), "photos/val"),
        measure(read, photos(True), "photos/val, mended"),
        measure(read, scenes(val_hands(hands), hand_alone=True), f"val-hands ({given.hands})"),
        measure(read, scenes(val_hands(hands)), "val-hands with all else in view"),
    ]
    for name in ("phone", "kiosk", "stream"):
        rows.append(measure(read, scenes(preset(name, given.scenes)), f"rendered {name}"))
    boxes = named_by_box(reader)
    times = speed(detector, reader)
    print(boxes)
    print({key: round(value, 3) for key, value in times.items()})
    if given.write:
        PAGE.write_text(page(rows, boxes), encoding="utf-8")
        REPORT.parent.mkdir(parents=True, exist_ok=True)
        REPORT.write_text(
            json.dumps({"rows": rows, "boxes": boxes, "speed": times}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
