"""Count how well tiles are read, over any YOLO folder of labelled pictures.

Found: a label and a box matched one to one at IoU 0.5 or more. Right: found and the same face.
Extra: a box matched to nothing. Exact picture: every label right and no extra. Milliseconds are
told where one process reads alone.

examples:
  hupai evaluate scenes/train
  hupai evaluate ../shared/data/photos/val --json
  hupai evaluate scenes/val --page failures.html
  hupai evaluate /shared/scenes/val --engine ray
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from kiosk.engines import LOCAL, add_engine_arguments, engine_of, kept_parts
from kiosk.eyes import networks
from kiosk.progress import Progress
from kiosk.receipt import columns
from kiosk.trouble import GOOD, Trouble

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
    add_engine_arguments(parser, "how many cores (1)", 1)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(arguments: argparse.Namespace) -> int:
    figures = evaluate(arguments)
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


def evaluate(arguments: argparse.Namespace) -> dict[str, Any]:
    """The figures of one folder. Raises Trouble when there is nothing to count or the page cannot
    be written.
    """
    from training.evaluate import WARM_UPS, folder_labels, median_ms
    from training.failures import FailurePage
    from training.spread import count_spread

    networks()  # says at once where they cannot be used
    page: Path | None = arguments.page
    failures = FailurePage()
    try:
        labels = folder_labels(arguments.folder)
        with engine_of(arguments) as engine:
            tally, times = count_spread(
                labels,
                engine,
                folder=kept_parts("evaluate", arguments.folder),
                progress=Progress("reading"),
                wrong=failures.add if page is not None else None,
            )
        alone = arguments.engine == LOCAL and arguments.processes == 1
        ms = median_ms(times[WARM_UPS:]) if alone else None
        figures = tally.summary() | {"ms_median": ms}
        if page is not None:
            failures.write(page, figures)
    except (OSError, ValueError) as error:
        raise Trouble(f"{error}.") from None
    return figures
