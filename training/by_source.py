"""What rendered pictures alone, photos alone and both together teach in the same time.

    python -m training.train_detector --photos 0 --minutes 30 --out runs/rendered-detector
    python -m training.train_reader --photos 0 --minutes 30 --out runs/rendered-reader
    ... --photos 1 and the default, then
    python -m training.by_source --runs runs --report docs/reports/by-source.json

Each pair of networks reads photos/val, at one threshold for all. Whether tiles are cut by their
corners or by their boxes is chosen on dev.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from datasets.photos import load_photos
from models import open_session
from training.evaluate import Labels, Tally
from training.export import export_detector, export_reader
from vision.detector import Detector
from vision.reader import Reader

SOURCES = ("rendered", "photos", "both")
THRESHOLD = 0.3


def counts(split: str, detector: Detector, reader: Reader) -> dict[str, Any]:
    """Counts on the photos of a split (mended labels) with these networks."""
    tally = Tally()
    for photo in load_photos(split, corrected=True):
        picture = photo.image()
        labels = Labels(photo.path, photo.boxes, photo.faces, design=photo.design)
        tally.add(labels, reader(picture, detector(picture)))
    return tally.summary()


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m training.by_source", description=main.__doc__)
    parser.add_argument("--runs", type=Path, required=True, help="<source>-detector, -reader")
    parser.add_argument("--report", type=Path, required=True)
    given = parser.parse_args(arguments)
    rows = []
    for source in SOURCES:
        found = given.runs / f"{source}-detector"
        named = given.runs / f"{source}-reader"
        if not (found / "last.pt").is_file() or not (named / "last.pt").is_file():
            print(f"{source}: no finished run in {found} and {named}")
            continue
        export_detector(found / "last.pt", found / "detector.onnx")
        export_reader(named / "last.pt", named / "reader.onnx")
        detector = Detector(open_session(found / "detector.onnx"), threshold=THRESHOLD)
        names = open_session(named / "reader.onnx")
        readers = [Reader(names, straighten=straighten) for straighten in (False, True)]
        reader = max(readers, key=lambda one: counts("dev", detector, one)["right"])
        rows.append({"source": source, **counts("val", detector, reader)})
        print({key: rows[-1][key] for key in ("source", "tiles", "found", "right", "bonus_right")})
    given.report.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
