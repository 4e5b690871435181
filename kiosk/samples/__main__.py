"""Draw the sample pictures again, and their labels for the tests: `make samples`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from kiosk.pictures import write_picture
from kiosk.samples import samples
from scorer import Hand


def draw_all(labels: Path) -> None:
    from datasets.samples import draw_hand_picture

    drawn: dict[str, Any] = {}
    for sample in samples().values():
        scene = draw_hand_picture(
            Hand.parse(sample.hand),
            seed=sample.seed,
            winning=sample.winning,
            elevation_deg=sample.elevation_deg,
        )
        print(write_picture(sample.path, scene.image))
        quads = scene.quads.round(1).tolist()
        drawn[sample.name] = {"faces": scene.faces.tolist(), "quads": quads}
    labels.write_text(json.dumps(drawn) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path, help="the file of labels to write")
    draw_all(parser.parse_args().labels)
