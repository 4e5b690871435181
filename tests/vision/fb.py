"""The labelled groups of real photos (tests/data/fb-groups.csv) against what layout says."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from datasets.photos import Photo
from tests.support import REPOSITORY
from vision.detections import Detections
from vision.layout import CLAIMED, KONG, Layout, layout

LABELS = REPOSITORY / "tests" / "data" / "fb-groups.csv"
SETS = 4
"""The tables of that session play the 13-tile game."""


@dataclass(frozen=True, slots=True)
class Groups:
    """Boxes of one photo by group, counted by their line in the label file."""

    hand: frozenset[int]
    sets: frozenset[frozenset[int]]
    bonus: frozenset[int]
    other: frozenset[int]


def load_groups() -> dict[str, Groups]:
    """File name -> groups, as labelled by eye."""
    rows: dict[str, dict[str, list[frozenset[int]]]] = {}
    with LABELS.open(encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            boxes = frozenset(int(k) for k in row["boxes"].split())
            rows.setdefault(row["file"], {}).setdefault(row["group"], []).append(boxes)
    return {
        name: Groups(
            hand=frozenset().union(*groups.get("hand", [])),
            sets=frozenset(groups.get("set", [])),
            bonus=frozenset().union(*groups.get("bonus", [])),
            other=frozenset().union(*groups.get("other", [])),
        )
        for name, groups in rows.items()
    }


def layout_of(photo: Photo) -> Layout:
    """Layout of a photo's labelled boxes."""
    return layout(Detections.of_faces(photo.quads, photo.faces), SETS)


def fault(groups: Groups, found: Layout) -> str:
    """What is wrong with a layout, empty when it is right.

    Where the photo shows claimed sets, they must be found as they are. Where it does not say
    what was claimed, sets may be guessed only with the doubt named.
    """
    if frozenset(found.bonus) != groups.bonus:
        return f"bonus tiles {sorted(found.bonus)}, not {sorted(groups.bonus)}"
    if frozenset(found.others) != groups.other:
        return f"not of this hand {sorted(found.others)}, not {sorted(groups.other)}"
    exposed = frozenset(frozenset(tiles) for tiles in found.exposed)
    if groups.sets and exposed != groups.sets:
        return f"exposed sets {sorted(map(sorted, exposed))}"
    claimed = [tiles for tiles in exposed if len(tiles) == 3]
    if not groups.sets and claimed and CLAIMED not in found.doubts:
        return "claimed sets without a doubt"
    if any(len(tiles) == 4 for tiles in exposed) and KONG not in found.doubts:
        return "a kong without a doubt"
    return ""
