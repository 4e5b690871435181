"""A sheet of enrolled tiles: every tile with its number under the face that it is taken for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.enrol import Proposal
from kiosk.calibrate.talk import Picture
from scorer.tiles import PRINT_ORDER

CELL_W, CELL_H, TEXT_H = 92, 112, 22
COLUMNS = 12
UNSURE = (40, 40, 230)
INK = (30, 30, 30)
PAPER = (245, 245, 245)


def draw_sheet(crops: Sequence[Picture], proposals: Mapping[int, Proposal]) -> Picture:
    """Tiles in the order of their faces; those that are unsure have a thick red frame and a ?."""
    order = sorted(proposals, key=lambda t: (PRINT_ORDER[proposals[t].face], t))
    rows = max(1, -(-len(order) // COLUMNS))
    canvas = np.full((rows * (CELL_H + TEXT_H) + 8, COLUMNS * CELL_W + 8, 3), PAPER, np.uint8)
    for place, tile in enumerate(order):
        x = 4 + (place % COLUMNS) * CELL_W
        y = 4 + (place // COLUMNS) * (CELL_H + TEXT_H)
        proposal = proposals[tile]
        width, height = CELL_W - 8, CELL_H - 4
        canvas[y : y + height, x : x + width] = cv2.resize(
            crops[tile], (width, height), interpolation=cv2.INTER_CUBIC
        )
        colour = INK if proposal.sure else UNSURE
        if not proposal.sure:
            cv2.rectangle(canvas, (x, y), (x + width, y + height), UNSURE, 4)
        text = f"{tile + 1}: {proposal.face.code}{'' if proposal.sure else '?'}"
        at = (x, y + CELL_H + 12)
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1, cv2.LINE_AA)
    return canvas


def draw_numbers(picture: Picture, quads: Sequence[Picture], first: int) -> Picture:
    """The photo with each tile's outline and number, from `first` + 1."""
    canvas = picture.copy()
    thick = max(1, round(max(picture.shape) / 900))
    for n, quad in enumerate(quads):
        corners = np.round(np.asarray(quad)).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(canvas, [corners], True, (60, 200, 60), thick, cv2.LINE_AA)
        x, y = np.asarray(quad).mean(axis=0).astype(int)
        text = str(first + n + 1)
        for colour, weight in (((255, 255, 255), 4 * thick), ((0, 0, 180), thick)):
            cv2.putText(
                canvas,
                text,
                (int(x) - 8 * thick, int(y)),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.5 * thick,
                colour,
                weight,
                cv2.LINE_AA,
            )
    return canvas
