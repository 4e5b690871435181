"""Count how well tiles are read, over any YOLO folder of labelled pictures.

Found: a label and a box matched one to one at IoU 0.5 or more. Right: found and the same face.
Extra: a box matched to nothing. Exact picture: every label right and no extra.

examples:
  hupai evaluate scenes/train
  hupai evaluate ../shared/data/photos/val --json
  hupai evaluate scenes/val --page failures.html
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kiosk.eyes import networks
from kiosk.progress import Progress
from kiosk.receipt import columns
from kiosk.trouble import GOOD, Trouble

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.detections import Detections

MOST_CONFUSIONS = 8
RATES = {
    "found_rate": "tiles found",
    "tiles_right_rate": "tiles found and right",
    "exact_picture_rate": "exact pictures",
    "bonus_right_rate": "bonus tiles right",
    "sure_right_rate": "right where sure (0.9)",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="images and labels (YOLO)")
    parser.add_argument(
        "--page", metavar="FILE", type=Path, help="write a page (HTML) that shows what went wrong"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(arguments: argparse.Namespace) -> int:
    figures = evaluate(arguments.folder, arguments.page)
    if arguments.json:
        print(json.dumps(figures, ensure_ascii=False, indent=2))
        return GOOD
    print(f"{figures['pictures']} pictures, {figures['tiles']} tiles")
    rows: list[tuple[str, ...]] = []
    for key, name in RATES.items():
        if figures[key] is not None:
            low, high = figures["intervals"][key]
            rows.append((name, f"{figures[key]:.1%}", f"{low:.1%} to {high:.1%}"))
    rows.append(("extra boxes in 100 tiles", f"{figures['extra_per_100'] or 0:.2f}"))
    if figures["ms_median"] is not None:
        rows.append(("milliseconds, median", f"{figures['ms_median']:.1f}"))
    print("\n".join(columns(rows)))
    for face, named, times in figures["confusions"][:MOST_CONFUSIONS]:
        print(f"{face} read as {named}: {times} times")
    if arguments.page is not None:
        print(f"What went wrong is shown in {arguments.page}.")
    return GOOD


def evaluate(folder: Path, page: Path | None = None) -> dict[str, Any]:
    """The figures of one folder; ``page`` is where the failures are shown.

    Raises Trouble when there is nothing to count or the page cannot be written.
    """
    from training.evaluate import count, folder_labels, median_ms
    from training.failures import FailurePage

    detector, reader = networks()
    try:
        labels = folder_labels(folder)

        def read(picture: NDArray[np.uint8]) -> Detections:
            return reader(picture, detector(picture))

        bar = Progress("reading")
        failures = FailurePage()
        wrong = failures.add if page is not None else None
        tally, times = count(read, labels, lambda done: bar(done, len(labels)), wrong)
        figures = tally.summary() | {"ms_median": median_ms(times)}
        if page is not None:
            failures.write(page, figures)
    except (OSError, ValueError) as error:
        raise Trouble(f"{error}.") from None
    return figures
