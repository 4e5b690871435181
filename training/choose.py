"""Settings that are chosen, not learnt: thresholds, temperature and kind of crop, on the photos of
the dev split and on whole hands with their faces; and the manifest."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets.photos import Photo, load_photos
from datasets.val_hands import DEV_HANDS, val_hands
from models import open_session
from training.evaluate import Labels, Tally, labels_of
from vision.crops import cut_crops
from vision.detections import quads_of_boxes, take
from vision.detector import Detector
from vision.reader import Reader

THRESHOLDS = (0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
TRUSTED = (0.35, 0.5, 0.65, 0.8, 0.9)
TEMPERATURES = np.exp(np.linspace(np.log(0.3), np.log(2.0), 40))


Pictures = Sequence[tuple[NDArray[np.uint8], Labels]]


@dataclass(frozen=True, slots=True)
class Choice:
    """The settings and what they gave on dev: on its ``photos`` and on ``hands``."""

    threshold: float
    trusted: float
    temperature: float
    straighten: bool
    photos: Tally
    hands: Tally

    @property
    def rank(self) -> tuple[int, int, int]:
        """Most exact pictures, then most tiles right less extra boxes, then fewest extra boxes."""
        both = (self.photos, self.hands)
        extra = sum(t.extra for t in both)
        return sum(t.exact for t in both), sum(t.right for t in both) - extra, -extra

    def __str__(self) -> str:
        return "; ".join(
            f"{name}: {t.right} of {t.tiles} tiles right, {t.extra} extra boxes, "
            f"{t.exact} of {t.pictures} pictures exact"
            for name, t in (("dev", self.photos), ("dev-hands", self.hands))
        )


def choose(detector: Path, reader: Path, photos: list[Photo], hands: Pictures) -> Choice:
    """The best choice by `Choice.rank` on ``photos`` and ``hands`` together."""
    names = open_session(reader)
    temperature = fit_temperature(Reader(names), photos)
    look = Detector(open_session(detector), threshold=min(THRESHOLDS))
    sets: list[Pictures] = [
        [(photo.image(), Labels(photo.path, photo.boxes, photo.faces)) for photo in photos],
        hands,
    ]
    found = [[look(picture) for picture, _ in pictures] for pictures in sets]
    choices: list[Choice] = []
    for straighten in (False, True):
        reads = Reader(names, temperature=temperature, straighten=straighten)
        sights = [
            [
                (labels, reads.look(picture, tiles))
                for (picture, labels), tiles in zip(*pair, strict=True)
            ]
            for pair in zip(sets, found, strict=True)
        ]
        for trusted in TRUSTED:
            reads.trusted = trusted
            seen = [[(labels, reads.name(sight)) for labels, sight in one] for one in sights]
            for threshold in THRESHOLDS:
                # A better box is never suppressed by a worse one, so filtering late is the same.
                tallies = [Tally(), Tally()]
                for tally, read_of in zip(tallies, seen, strict=True):
                    for labels, tiles in read_of:
                        tally.add(labels, take(tiles, tiles.scores >= threshold))
                choices.append(Choice(threshold, trusted, temperature, straighten, *tallies))
                print(
                    f"straighten {straighten:d} trusted {trusted:.2f} threshold {threshold:.2f} "
                    f"{choices[-1]}",
                    flush=True,
                )
    return max(choices, key=lambda choice: choice.rank)


def fit_temperature(reader: Reader, photos: list[Photo]) -> float:
    """The temperature at which the reader's probabilities of true boxes' faces are likeliest."""
    logits, faces = [], []
    for photo in photos:
        if len(photo.faces):
            crops = cut_crops(photo.image(), quads_of_boxes(photo.boxes))
            logits.append(reader.logits(crops)[0])
            faces.append(photo.faces)
    scores, truth = np.concatenate(logits), np.concatenate(faces)
    return float(min(TEMPERATURES, key=lambda t: _surprise(scores / t, truth)))


def write_manifest(folder: Path, choice: Choice) -> None:
    """``manifest.toml`` of the two files in ``folder``, with their hashes and the chosen
    settings."""
    parts = [
        "# The networks that ship, written by `python -m training.choose`.",
        "# Settings are chosen on the dev split.",
        f"# {choice}",
    ]
    for name, settings in (
        ("detector", {"threshold": choice.threshold}),
        (
            "reader",
            {
                "temperature": round(choice.temperature, 4),
                "straighten": float(choice.straighten),
                "trusted": choice.trusted,
            },
        ),
    ):
        file = folder / f"{name}.onnx"
        said = open_session(file).get_modelmeta().custom_metadata_map
        classes = ", ".join(f'"{word}"' for word in said["classes"].split(","))
        parts.append(
            f"\n[models.{name}]\n"
            f'file = "{file.name}"\n'
            f'sha256 = "{hashlib.sha256(file.read_bytes()).hexdigest()}"\n'
            f'task = "{said["task"]}"\n'
            f"classes = [{classes}]\n"
            f"input_px = {said['input_px']}\n"
            f'licence = "{said["licence"]}"\n'
            f'credits = "card.md"\n'
            f"\n[models.{name}.settings]\n"
            + "\n".join(f"{key} = {value}" for key, value in settings.items())
        )
    (folder / "manifest.toml").write_text("\n".join(parts) + "\n", encoding="utf-8")


def _surprise(scores: NDArray[np.float32], truth: NDArray[np.int64]) -> float:
    """Mean negative log likelihood."""
    top = scores.max(axis=1)
    whole = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
    return float((whole - scores[np.arange(len(truth)), truth]).mean())


def main(arguments: list[str] | None = None) -> None:
    """Choose on dev for the two files in a folder and write its manifest."""
    parser = argparse.ArgumentParser(prog="python -m training.choose", description=main.__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("models"))
    given = parser.parse_args(arguments)
    hands = [
        (scene.image, labels_of(scene, f"{index:04d}"))
        for index, scene in enumerate(val_hands(DEV_HANDS))
    ]
    choice = choose(
        given.folder / "detector.onnx", given.folder / "reader.onnx", load_photos("dev"), hands
    )
    write_manifest(given.folder, choice)
    print(choice)


if __name__ == "__main__":
    main()
