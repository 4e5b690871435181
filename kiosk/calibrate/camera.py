"""Calibrating the camera: print a board, show it to the camera, keep the lens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from calibration import sheets
from calibration.board import Board
from calibration.camera import BadCalibrationError, Intrinsics, estimate
from calibration.views import GOOD_VIEWS, Collection, Verdict
from kiosk.calibrate.talk import Talk
from kiosk.output import write_out
from kiosk.trouble import Trouble, WrongUse
from vision.sources import Frame, SourceError, files_of, is_live, open_source

LIVE_EVERY_S = 0.4  # a new view at most so often: the board must be moved in between
LIVE_LIMIT_S = 600.0


def print_sheet(sheet: sheets.Sheet, file: Path) -> None:
    """Write a printable sheet as PDF or PNG, by the file's suffix."""
    kind = file.suffix.lower()
    if kind not in (".pdf", ".png"):
        raise WrongUse(f"{file}: a printable sheet is written as .pdf or .png.")
    data = sheets.to_pdf(sheet) if kind == ".pdf" else sheets.to_png(sheet)
    write_out(file, data)


def frames_of(sources: Iterable[str]) -> Iterator[Frame]:
    """Frames of pictures, folders, patterns or one camera. Raises Trouble with the reason."""
    try:
        for source in sources:
            names = [source] if is_live(source) else [str(path) for path in files_of(source)]
            for name in names:
                with open_source(name, live=None if is_live(name) else False) as frames:
                    yield from frames
    except SourceError as error:
        raise Trouble(f"{error}.") from None


def calibrate(sources: list[str], board: Board, talk: Talk) -> Intrinsics:
    """The camera that took the pictures, or that is looking now.

    Raises Trouble, with every reason, when the views do not give a camera worth keeping.
    """
    collection = Collection(board)
    live = len(sources) == 1 and is_live(sources[0])
    if live:
        _collect_live(sources[0], collection, talk)
    else:
        for frame in frames_of(sources):
            verdict = collection.offer(frame.image)
            talk.say(f"{frame.name}: {verdict.value}")
    try:
        camera = estimate(collection.views)
    except BadCalibrationError as error:
        hints = [f"  - {reason}" for reason in error.reasons]
        wishes = [f"  - {wish}" for wish in collection.wanted()]
        more = ["What would help:", *wishes] if wishes else []
        raise Trouble(
            "\n".join(["this does not give a camera worth keeping:", *hints, *more])
        ) from None
    w, _ = camera.size_wh
    talk.say(
        f"{camera.views} views of {w} x {camera.size_wh[1]}: focal length "
        f"{camera.focal_px[0]:.0f} px, reprojection error {camera.error_px:.2f} px"
    )
    return camera


def _collect_live(source: str, collection: Collection, talk: Talk) -> None:
    talk.say(
        f"Hold the board before the camera and move it about; {GOOD_VIEWS} views are taken by "
        "themselves. Ctrl-C ends early."
    )
    said = ""
    last = -LIVE_EVERY_S
    try:
        for frame in frames_of([source]):
            if frame.time_s > LIVE_LIMIT_S:
                talk.say("ten minutes are over")
                return
            if frame.time_s - last < LIVE_EVERY_S:
                continue
            last = frame.time_s
            verdict = collection.offer(frame.image)
            if collection.complete:
                talk.say(f"{len(collection.views)} views: enough")
                return
            kept = f"view {len(collection.views)} kept; " if verdict is Verdict.KEPT else ""
            blocked = verdict not in (Verdict.KEPT, Verdict.ALIKE)
            hint = kept + (verdict.value if blocked else collection.wanted()[0])
            if hint != said:
                talk.say(hint)
                said = hint
    except KeyboardInterrupt:
        talk.say("")
