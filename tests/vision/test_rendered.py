"""Rendered tables with the true hand known, given perfect tiles: exact, or the right question."""

from __future__ import annotations

import numpy as np

from datasets.bank import FaceBank
from datasets.scenes import render_hand
from scorer.engine import score
from scorer.hand import Hand
from scorer.situation import Situation
from scorer.winds import EAST, SOUTH
from tests.support import slow_count
from tests.vision.tables import is_right
from vision.decode import decode
from vision.detections import BACK, Detections, turn_of_quads
from vision.layout import layout

KNOWN = Situation(seat=SOUTH, round=EAST, self_drawn=True)
PRESETS = ("phone", "kiosk", "stream")


def test_rendered_hands_of_every_preset() -> None:
    """95 % exact or with the right question; of hands shown as certain 99.5 % right."""
    count = slow_count(9, 1002)
    right, certain, wrong = 0, 0, []
    for seed in range(count):
        preset = PRESETS[seed % len(PRESETS)]
        scene = render_hand(np.random.default_rng(7000 + seed), FaceBank.own(), preset=preset)
        truth = Hand.parse(scene.hand or "")
        sets = 5 if len(truth.tiles) - truth.kongs >= 16 else 4
        rules = "taiwan" if sets == 5 else "hongkong"
        tiles = Detections.of_faces(scene.quads, scene.faces, turn_of_quads(scene.quads))
        reading = decode(layout(tiles, sets), rules, KNOWN)
        right += is_right(reading, truth, scene.asks)
        if reading.certain and truth.winning is not None and BACK not in truth.tiles:
            certain += 1
            if reading.total != score(truth, KNOWN, rules).total:
                wrong.append((seed, reading.text, scene.hand))
    assert right >= 0.95 * count - 1
    assert len(wrong) <= 0.005 * certain, wrong
