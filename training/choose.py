"""Settings that are chosen, not learnt: threshold, temperature and kind of crop, on the dev
split; and the manifest."""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets.photos import Photo, load_photos
from models import open_session
from training.evaluate import Labels, Tally
from vision.crops import cut_crops
from vision.detections import quads_of_boxes, take
from vision.detector import Detector
from vision.reader import Reader

THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55)
TEMPERATURES = np.exp(np.linspace(np.log(0.3), np.log(2.0), 40))


@dataclass(frozen=True, slots=True)
class Choice:
    """The settings and what they gave on dev."""

    threshold: float
    temperature: float
    straighten: bool
    tally: Tally


def choose(detector: Path, reader: Path, photos: list[Photo]) -> Choice:
    """Most exact pictures of ``photos``, then most tiles right, then fewest extra boxes."""
    names = open_session(reader)
    temperature = fit_temperature(Reader(names), photos)
    look = Detector(open_session(detector), threshold=min(THRESHOLDS))
    pictures = [photo.image() for photo in photos]
    found = [look(picture) for picture in pictures]
    best: Choice | None = None
    for straighten in (False, True):
        read = Reader(names, temperature=temperature, straighten=straighten)
        seen = [read(picture, tiles) for picture, tiles in zip(pictures, found, strict=True)]
        for threshold in THRESHOLDS:
            tally = Tally()
            for photo, tiles in zip(photos, seen, strict=True):
                # A better box is never suppressed by a worse one, so filtering late is the same.
                labels = Labels(photo.path, photo.boxes, photo.faces)
                tally.add(labels, take(tiles, tiles.scores >= threshold))
            print(
                f"straighten {straighten:d} threshold {threshold:.2f}: {tally.found} found, "
                f"{tally.right} of {tally.tiles} right, {tally.extra} extra, "
                f"{tally.exact} of {tally.pictures} exact",
                flush=True,
            )
            if best is None or _rank(tally) > _rank(best.tally):
                best = Choice(threshold, temperature, straighten, tally)
    assert best is not None
    return best


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


def write_manifest(folder: Path, choice: Choice, measured: str) -> None:
    """``manifest.toml`` of the two files in ``folder``, with their hashes and the chosen
    settings."""
    parts = [
        "# The networks that ship, written by `python -m training.choose`.",
        "# Settings are chosen on the dev split.",
        f"# {measured}",
    ]
    for name, settings in (
        ("detector", {"threshold": choice.threshold}),
        (
            "reader",
            {"temperature": round(choice.temperature, 4), "straighten": float(choice.straighten)},
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


def _rank(tally: Tally) -> tuple[int, int, int]:
    return tally.exact, tally.right, -tally.extra


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
    choice = choose(
        given.folder / "detector.onnx", given.folder / "reader.onnx", load_photos("dev")
    )
    t = choice.tally
    measured = (
        f"dev: {t.right} of {t.tiles} tiles right, {t.extra} extra boxes, "
        f"{t.exact} of {t.pictures} pictures exact"
    )
    write_manifest(given.folder, choice, measured)
    print(measured)


if __name__ == "__main__":
    main()
