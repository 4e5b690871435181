"""What enrolling a tile set brings: errors on a design before and after one photo of each face.

    python -m tests.bench.enrol --photos "phone cream and yellow set" --photos "felt family"
    python -m tests.bench.enrol --reader runs/without-kde.onnx --drawn kde-jade --json
    python -m tests.bench.enrol --left-out runs/left-out

Without a design those of photos/val are counted; with the folder of `training.leave_out` every
design that it left out, each by its own reader, into docs/reports/enrol.json. The reader must not
have been trained on the design. Photos are those of the shared folder, cut by their labelled boxes;
drawn designs are rendered as one set of tiles on many tables. Enrolled and
counted tiles come from different pictures. Errors are means over random choices of the enrolled
tiles. The rule of the project: counted over designs with at least 20 errors before.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.prototypes import FACES, Prototypes, read_views
from datasets.photos import load_photos, photos_folder
from models.loader import open_session
from tests.support import REPOSITORY
from vision.crops import cut_crops
from vision.detections import boxes_xyxy, quads_of_boxes
from vision.detector import Found
from vision.reader import Reader

REPORTS = REPOSITORY / "docs" / "reports"
LEFT_OUT, REPORT = REPORTS / "left-out.json", REPORTS / "enrol.json"
FIRST_BONUS = 34
LEAST_ERRORS = 20


@dataclass(frozen=True)
class Seen:
    """Tiles of a design: faces, pictures (n,), and by view as they are enrolled embeddings
    (n,12,d) and probabilities (n,12,k); as they are read at the table ``embedding`` (n,d) and
    ``p`` (n,k)."""

    faces: NDArray[np.int64]
    pictures: NDArray[np.int64]
    embeddings: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    embedding: NDArray[np.float32]
    p: NDArray[np.float32]


@dataclass(frozen=True)
class Row:
    """Means over draws. `bonus` counts bonus tiles among `tiles`."""

    design: str
    tiles: float
    before: float
    after: float
    bonus: float
    bonus_before: float
    bonus_after: float


def see(
    pictures: list[tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.int64]]], reader: Reader
) -> Seen:
    """Read all tiles of (picture, quads, faces)."""

    def read(crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        p, _, embedding = reader.read(crops)
        return embedding, p

    parts: list[tuple[NDArray[Any], ...]] = []
    for number, (picture, quads, labels) in enumerate(pictures):
        if not len(labels):
            continue
        e, p = read_views(cut_crops(picture, quads), read)
        score = np.ones(len(labels), np.float32)
        sight = reader.look(picture, Found(quads, boxes_xyxy(quads), score, score < 0))
        parts.append((labels, np.full(len(labels), number), e, p, sight.embedding, sight.p))
    return Seen(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def photos_of(
    design: str,
) -> list[tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.int64]]]:
    """The shared photos of one design."""
    everything = [*load_photos("train+dev"), *load_photos("val")]
    found = [p for p in everything if p.design == design]
    if not found:
        known = sorted({p.design for p in everything})
        raise SystemExit(f"no design {design!r}; there are: {', '.join(known)}")
    return [(p.image(), p.quads, p.faces) for p in found]


def tables_of(
    design: str, count: int, seed: int = 1
) -> list[tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.int64]]]:
    """Rendered tables with one set of tiles of a drawn design, every face on each."""
    from datasets.bank import FaceBank, FolderDesign
    from datasets.scenes import photograph
    from datasets.solids import lying
    from datasets.tables import Table
    from datasets.tileset import TileSet

    folder = photos_folder().parent / "faces" / design
    rng = np.random.default_rng(seed)
    bank = FaceBank((FolderDesign(folder, design),), drawn=0.0)
    ts = TileSet.random(rng, bank)
    found = []
    for _ in range(count):
        table = Table(ts)
        for n, face in enumerate(rng.permutation(FACES)):
            row, column = divmod(n, 7)
            x, y = column * rng.uniform(1.1, 1.3), row * ts.height * rng.uniform(1.05, 1.2)
            turn = float(rng.normal(0, 0.05) + np.pi * (rng.random() < 0.2))
            table.add(lying(int(face), x, y, turn, ts, role="concealed"))
        elevation = float(np.deg2rad(rng.uniform(45, 88)))
        side = int(rng.integers(420, 900))
        scene = photograph(rng, table, elevation=elevation, size=(side, side), photos=False)
        low, high = scene.quads.min(axis=1), scene.quads.max(axis=1)
        boxes = np.hstack([low, high]).astype(np.float32)
        named = scene.faces < FACES
        found.append((scene.image, quads_of_boxes(boxes)[named], scene.faces[named]))
    return found


def enrolled(seen: Seen, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One tile of each face from as few pictures as may be, and the tiles of all other pictures."""
    missing = set(seen.faces.tolist())
    numbers = rng.permutation(np.unique(seen.pictures))
    chosen: list[int] = []
    while missing:
        gains = [len(missing & set(seen.faces[seen.pictures == n].tolist())) for n in numbers]
        best = int(numbers[int(np.argmax(gains))])
        chosen.append(best)
        missing -= set(seen.faces[seen.pictures == best].tolist())
    inside = np.isin(seen.pictures, chosen)
    tiles = [
        int(rng.choice(np.flatnonzero(inside & (seen.faces == face))))
        for face in np.unique(seen.faces)
    ]
    return np.asarray(tiles), np.flatnonzero(~inside)


def measure(design: str, seen: Seen, draws: int) -> Row | None:
    """Errors before and after; None when no picture is left to count on."""
    counts = []
    for draw in range(draws):
        tiles, rest = enrolled(seen, np.random.default_rng(draw))
        if len(rest) == 0:
            continue
        table = Prototypes.of(
            seen.embeddings[tiles], seen.probabilities[tiles], seen.faces[tiles], "bench"
        )
        before = seen.p[rest]
        after = table.consult(seen.embedding[rest], before)
        wrong = [p[:, :FACES].argmax(axis=1) != seen.faces[rest] for p in (before, after)]
        bonus = seen.faces[rest] >= FIRST_BONUS
        counts.append(
            [len(rest), *(w.sum() for w in wrong), bonus.sum(), *(w[bonus].sum() for w in wrong)]
        )
    if not counts:
        return None
    return Row(design, *(round(float(v), 1) for v in np.mean(counts, axis=0)))


def told(rows: list[Row]) -> str:
    """The rows as a table, and what the project's rule says."""
    lines = [f"{'design':<28} {'tiles':>7} {'before':>7} {'after':>7}   bonus before after"]
    for r in rows:
        lines.append(
            f"{r.design:<28} {r.tiles:7.0f} {r.before:7.1f} {r.after:7.1f}   "
            f"{r.bonus:5.0f} {r.bonus_before:6.1f} {r.bonus_after:5.1f}"
        )
    counted = [r for r in rows if r.before >= LEAST_ERRORS]
    if counted:
        before, after = sum(r.before for r in counted), sum(r.after for r in counted)
        lines.append(
            f"designs with at least {LEAST_ERRORS} errors before: {len(counted)}; errors "
            f"{before:.0f} -> {after:.0f} ({1 - after / before:.0%} fewer)"
        )
    bonus, wrong = sum(r.bonus for r in rows), sum(r.bonus_after for r in rows)
    if bonus:
        lines.append(f"bonus tiles right after enrolling: {1 - wrong / bonus:.2%}")
    return "\n".join(lines)


def left_out(folder: Path, draws: int, tables: int) -> list[Row]:
    """A row for each design that was left out of training, by the reader that never saw it; drawn
    designs by the first such reader."""
    rows: list[Row] = []
    done: set[str] = set()
    for run in json.loads(LEFT_OUT.read_text("utf-8")):
        reader = reader_of(folder / run["design"].replace(" ", "-") / "reader.onnx")
        drawn = [name for name in run["drawn"] if name not in done]
        done |= set(drawn)
        seen = [(run["design"], photos_of(run["design"]))]
        seen += [(f"drawn: {name}", tables_of(name, tables)) for name in drawn]
        for name, pictures in seen:
            row = measure(name, see(pictures, reader), draws)
            rows += [row] if row is not None else []
            print(row, flush=True)
    REPORT.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", "utf-8")
    return rows


def reader_of(path: Path) -> Reader:
    """An ONNX reader that is not the shipped one."""
    reader = Reader(open_session(path))
    reader.sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return reader


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--reader", type=Path, help="an ONNX reader; default the shipped one")
    parser.add_argument("--left-out", type=Path, metavar="RUNS", help="of `training.leave_out`")
    parser.add_argument("--photos", action="append", default=[], metavar="DESIGN")
    parser.add_argument("--drawn", action="append", default=[], metavar="DESIGN")
    parser.add_argument("--tables", type=int, default=10, help="rendered tables a drawn design")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    if given.left_out is not None:
        print(told(left_out(given.left_out, given.draws, given.tables)))
        return
    reader = Reader() if given.reader is None else reader_of(given.reader)
    designs = given.photos
    if not given.photos and not given.drawn:
        if not (photos_folder() / "manifest.csv").is_file():
            print(f"no photo set at {photos_folder()}: nothing to count")
            return
        designs = sorted({photo.design for photo in load_photos("val")})
    rows = []
    for design in designs:
        rows.append(measure(design, see(photos_of(design), reader), given.draws))
    for design in given.drawn:
        rows.append(measure(design, see(tables_of(design, given.tables), reader), given.draws))
    kept = [row for row in rows if row is not None]
    if given.json:
        print(json.dumps([asdict(row) for row in kept], ensure_ascii=False, indent=2))
    else:
        print(told(kept))


if __name__ == "__main__":
    main()
