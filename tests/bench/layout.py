"""From tiles to the hand, measured: `python -m tests.bench.layout [--tables N] [--rendered N]`.

Photos: groups of labelled boxes (tests/data/fb-groups.csv). Tables: synthetic geometry of random
finished hands. Rendered: pictures of every preset with the true hand text, once with perfect tiles
and, where the networks are there, once as the detector and the reader see them; how often they see
every tile of the hand rightly says what the layout could reach. Decode: misread
tiles drawn from tests/data/confusions.csv, and hands that are no win. Times are CPU times.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import cv2
import numpy as np

from datasets.bank import FaceBank
from datasets.photos import load_photos, photos_folder
from datasets.scenes import PRESETS, Scene, render_hand
from datasets.val_hands import ValHands, val_hands
from scorer.engine import score
from scorer.hand import Hand
from scorer.sampling import other_hand, winning_hand
from scorer.situation import Situation
from scorer.winds import EAST, SOUTH
from tests.bench.accuracy import beside_the_hand
from tests.vision.corrupt import misread
from tests.vision.fb import fault, layout_of, load_groups
from tests.vision.tables import is_right, lay
from training.evaluate import judge, labels_of, wilson
from vision.decode import decode
from vision.detections import BACK, Detections, turn_of_quads
from vision.layout import layout
from vision.reading import Reading

KNOWN = Situation(seat=SOUTH, round=EAST, self_drawn=True)
HANDS = tuple(name for name, preset in PRESETS.items() if not preset.tray)


def rate(good: int, of: int) -> dict[str, Any]:
    """Share with its Wilson interval."""
    share = round(good / of, 4) if of else None
    return {"right": good, "of": of, "rate": share, "interval": wilson(good, of)}


def photos() -> dict[str, Any]:
    """Labelled groups of real photos."""
    by_name = {photo.path.name: photo for photo in load_photos("train", photos_folder())}
    groups = load_groups()
    faults = {name: fault(groups[name], layout_of(by_name[name])) for name in groups}
    wrong = {name: why for name, why in faults.items() if why}
    return rate(len(groups) - len(wrong), len(groups)) | {"wrong": wrong}


def tables(count: int) -> dict[str, Any]:
    """Synthetic tables: exact or with the right doubt; how many certain and right."""
    tally = Counter[str]()
    spent = {"layout": 0.0, "decode": 0.0}
    for seed in range(count):
        rng = Random(seed)
        sample = winning_hand(rng)
        laid = lay(
            rng,
            sample.hand,
            exposed=rng.choice(("behind", "behind", "behind", "in-front")),
            winning=rng.choice(("turned", "sideways", "apart", "in-front", "among")),
            bonus=rng.choice(("left", "behind", "own-left", "between")),
            strangers=rng.random() < 0.4,
            kongs_down=rng.random() < 0.7,
            upside_down=rng.choice((0.0, 0.0, 0.1)),
        )
        situation = sample.situation.but(events=frozenset(), robbed=False)
        start = time.process_time()
        seen = layout(laid.detections, 5)
        middle = time.process_time()
        reading = decode(seen, "taiwan", situation)
        spent["layout"] += middle - start
        spent["decode"] += time.process_time() - middle
        count_one(tally, reading, laid.hand, situation)
    return summary(tally) | {f"{k}_ms": round(1e3 * v / count, 2) for k, v in spent.items()}


def count_one(
    tally: Counter[str],
    reading: Reading,
    truth: Hand,
    situation: Situation,
    asks: tuple[str, ...] | None = None,
    rules: str = "taiwan",
) -> None:
    """One reading against the truth; `asks` says what the picture cannot tell."""
    tally["hands"] += 1
    tally["exact"] += reading.text == str(truth)
    tally["right"] += is_right(reading, truth, asks)
    tally["asked"] += is_right(reading, truth)
    readable = reading.text == str(truth) and not asks
    tally["readable"] += readable
    tally["readable_certain"] += readable and reading.certain
    if reading.certain:
        tally["certain"] += 1
        told = truth.winning is not None and BACK not in truth.tiles
        tally["certain_told"] += told
        tally["certain_right"] += told and reading.total == score(truth, situation, rules).total


def summary(tally: Counter[str]) -> dict[str, Any]:
    tiles = {"tiles_exact": rate(tally["tiles_exact"], tally["hands"])}
    return (tiles if "tiles_exact" in tally else {}) | {
        "exact_text": rate(tally["exact"], tally["hands"]),
        "exact_or_right_question": rate(tally["right"], tally["hands"]),
        "exact_or_any_fitting_question": rate(tally["asked"], tally["hands"]),
        "certain_of_all": rate(tally["certain"], tally["hands"]),
        "certain_of_exact_that_tell_all": rate(tally["readable_certain"], tally["readable"]),
        "certain_right": rate(tally["certain_right"], tally["certain_told"]),
    }


def rendered(
    count: int, val: int, look: Callable[[np.ndarray], Detections] | None
) -> dict[str, Any]:
    """Rendered hands of every preset, `count` in all, and `val` with the faces of photos/val."""
    bank = FaceBank.shared() if photos_folder().exists() else FaceBank.own()
    sources: dict[str, Iterator[Scene]] = {preset: _hands(preset, count, bank) for preset in HANDS}
    if val:
        sources["val-hands"] = val_hands(ValHands(val))
    found: dict[str, Any] = {}
    every = {"perfect_tiles": Counter[str](), "detector": Counter[str]()}
    for name, scenes in sources.items():
        perfect, seen = Counter[str](), Counter[str]()
        for number, scene in enumerate(scenes):
            truth, sets, rules = _truth(scene)
            tiles = Detections.of_faces(scene.quads, scene.faces, turn_of_quads(scene.quads))
            reading = decode(layout(tiles, sets), rules, KNOWN)
            count_one(perfect, reading, truth, KNOWN, scene.asks, rules)
            if look is not None:
                detections = look(scene.image)
                reading = decode(layout(detections, sets), rules, KNOWN)
                alone = labels_of(scene, "", silent=beside_the_hand(scene))
                tiles_exact = judge(alone, detections).exact
                seen["tiles_exact"] += tiles_exact
                before = seen.copy()
                count_one(seen, reading, truth, KNOWN, scene.asks, rules)
                told = f"{name} {number}: {truth} shown as {reading.text}"
                if seen["certain_right"] - before["certain_right"] < (
                    seen["certain_told"] - before["certain_told"]
                ):
                    print(f"certain and wrong: {told}", file=sys.stderr, flush=True)
                if tiles_exact and seen["right"] == before["right"]:
                    why = sorted(reading.layout.doubts)
                    print(f"tiles exact, hand not: {told} {why}", file=sys.stderr, flush=True)
        found[name] = {"perfect_tiles": summary(perfect)}
        every["perfect_tiles"] += perfect
        if look is not None:
            found[name]["detector"] = summary(seen)
            every["detector"] += seen
        print(name, json.dumps(found[name]), file=sys.stderr, flush=True)
    return found | {"all": {way: summary(tally) for way, tally in every.items() if tally}}


def _hands(preset: str, count: int, bank: FaceBank) -> Iterator[Scene]:
    for seed in range(count // len(HANDS)):
        yield render_hand(np.random.default_rng(10_000 + seed), bank, preset=preset)


def _truth(scene: Scene) -> tuple[Hand, int, str]:
    """The hand, its number of sets, and a rule set of that game."""
    hand = Hand.parse(scene.hand or "")
    sets = 5 if len(hand.tiles) - hand.kongs >= 16 else 4
    return hand, sets, "taiwan" if sets == 5 else "hongkong"


def misreads(count: int) -> dict[str, Any]:
    """Hands with misread tiles: recovered, and changed without being marked."""
    found: dict[str, Any] = {}
    for wrong in (1, 2):
        tally = Counter[str]()
        for seed in range(count):
            rng = Random(seed)
            sample = winning_hand(rng)
            laid = lay(rng, sample.hand, winning="turned", sideways=0.0)
            tiles = [i for i, own in enumerate(laid.own) if own]
            seen, changed = misread(rng, laid.detections, tiles, wrong)
            if len(changed) < wrong:
                continue
            reading = decode(layout(seen, 5), "taiwan", KNOWN)
            tally["tried"] += 1
            tally["recovered"] += is_right(reading, laid.hand)
            marked = {unsure.tile for unsure in reading.unsure}
            silent = {i for i, f in reading.faces.items() if f != seen.faces[i] != BACK} - marked
            tally["silent"] += bool(silent)
            tally["certain_wrong"] += reading.certain and not is_right(reading, laid.hand)
        found[f"{wrong}_misread"] = rate(tally["recovered"], tally["tried"]) | {
            "changed_silently": tally["silent"],
            "certain_and_wrong": tally["certain_wrong"],
        }
    return found


def no_wins(count: int) -> dict[str, Any]:
    """Correctly read hands that are not complete: none may become a win."""
    changed = certain = 0
    for seed in range(count):
        rng = Random(1000 + seed)
        sample = other_hand(rng, exchanged=rng.choice((1, 2, 3)))
        laid = lay(rng, sample.hand, winning="turned", sideways=0.0)
        tiles = [i for i, own in enumerate(laid.own) if own]
        seen, _ = misread(rng, laid.detections, tiles, 0)
        reading = decode(layout(seen, 5), "taiwan", KNOWN)
        certain += reading.certain
        changed += any(f != seen.faces[i] != BACK for i, f in reading.faces.items())
    return {"hands": count, "became_a_win": changed, "certain": certain}


def eyes() -> Callable[[np.ndarray], Detections] | None:
    """The shipped networks, or None where there are none yet."""
    from models import ModelError
    from vision.detector import Detector
    from vision.reader import Reader

    try:
        detector, reader = Detector(), Reader()
    except (ModelError, FileNotFoundError):
        return None
    return lambda image: reader(image, detector(image))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rendered", type=int, default=300)
    parser.add_argument("--val-hands", type=int, default=0, help="hands with faces of photos/val")
    parser.add_argument("--hands", type=int, default=500, help="hands for the decode figures")
    parser.add_argument("--no-detector", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    report: dict[str, Any] = {}
    if photos_folder().exists():
        report["photos"] = photos()
    report["tables"] = tables(args.tables)
    report["misread"] = misreads(args.hands)
    report["no_wins"] = no_wins(args.hands)
    if args.rendered:
        look = None if args.no_detector else eyes()
        report["rendered"] = rendered(args.rendered, args.val_hands, look)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
