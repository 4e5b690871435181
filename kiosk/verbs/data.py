"""Check and convert folders of labelled pictures: YOLO, COCO (.json), Label Studio (.tasks.json).

examples:
  hupai data check scenes
  hupai data check scenes --sheets sheets --json
  hupai data check /shared/scenes --engine ray
  hupai data convert labelled.tasks.json scenes
  hupai data convert scenes scenes.json
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.engines import add_engine_arguments, engine_of, kept_parts
from kiosk.progress import Progress
from kiosk.trouble import GOOD, NOT_GOOD, Trouble

if TYPE_CHECKING:
    from datasets.check import CheckReport
    from datasets.labelled import LabelledPicture

TASKS = ".tasks.json"
SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    check = actions.add_parser("check", help="boxes, duplicates, leaks between splits, balance")
    check.add_argument("source", metavar="FOLDER|FILE", type=Path)
    check.add_argument("--sheets", metavar="DIR", type=Path, help="write a contact sheet a class")
    check.add_argument("--json", action="store_true", help="print the report as JSON")
    add_engine_arguments(check, "how many cores (1)", 1)
    convert = actions.add_parser("convert", help="from one form to another, told by the names")
    convert.add_argument("source", metavar="FROM", type=Path)
    convert.add_argument("target", metavar="TO", type=Path)


def run(arguments: argparse.Namespace) -> int:
    try:
        if arguments.action == "check":
            return _check(arguments)
        pictures = _read(arguments.source)
        _write(arguments.target, pictures)
    except (OSError, ValueError) as error:
        raise Trouble(f"{error}.") from None
    tiles = sum(len(picture.faces) for picture in pictures)
    print(f"{len(pictures)} pictures with {tiles} labels in {arguments.target}")
    return GOOD


def _check(arguments: argparse.Namespace) -> int:
    from datasets.check import check, class_sheets

    pictures = _read(arguments.source)
    folder = kept_parts("check", arguments.source)
    with engine_of(arguments) as engine:
        report = check(pictures, engine=engine, folder=folder, progress=Progress("checking"))
    if arguments.sheets is not None:
        class_sheets(pictures, arguments.sheets)
    if arguments.json:
        print(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
    else:
        _tell(report)
    return NOT_GOOD if report.problems else GOOD


def _tell(report: CheckReport) -> None:
    print(f"{report.pictures} pictures, {report.labels} labels")
    print(" ".join(f"{code} {count}" for code, count in report.counts.items()))
    if report.missing:
        print(f"no picture shows: {' '.join(report.missing)}")
    print(f"the commonest face occurs {report.imbalance:.1f} times as often as the rarest")
    for problem in report.problems[:SHOWN]:
        print(f"{problem.kind}: {problem.where}: {problem.what}")
    if len(report.problems) > SHOWN:
        print(f"… and {len(report.problems) - SHOWN} more (--json lists them all)")
    if not report.problems:
        print("no problems found")


def _read(source: Path) -> list[LabelledPicture]:
    from datasets.coco import read_coco
    from datasets.labelstudio import read_tasks
    from datasets.yolo import read_yolo

    if source.name.endswith(TASKS):
        return read_tasks(source)
    return read_coco(source) if source.suffix == ".json" else read_yolo(source)


def _write(target: Path, pictures: list[LabelledPicture]) -> None:
    from datasets.coco import write_coco
    from datasets.labelstudio import write_tasks
    from datasets.yolo import write_yolo

    if target.name.endswith(TASKS):
        write_tasks(target, pictures)
    elif target.suffix == ".json":
        write_coco(target, pictures)
    else:
        write_yolo(target, pictures)
