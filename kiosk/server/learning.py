"""'These tiles were misread': corrected crops go into the club's tile profile."""

from __future__ import annotations

from calibration.profile import DEFAULT_NAME, Profile, ProfileError
from calibration.prototypes import PrototypeError
from calibration.store import Store
from kiosk.calibrate.tiles import learn
from kiosk.server.eyes import Looking
from kiosk.server.problems import Problem
from kiosk.server.readings import Kept
from scorer import Tile
from vision.crops import cut_crops
from vision.detections import boxes_xyxy, quads_of_boxes


def learn_misread(kept: Kept, looking: Looking) -> tuple[int, str]:
    """Add the tiles whose face was corrected; how many, and the profile's name. Raises Problem.

    The profile is the one that is read with; where there is none, one is begun and made active.
    """
    seen = kept.first.layout.detections
    wrong = {
        i: face
        for i, face in kept.told.faces.items()
        if face is not Tile.BACK and int(seen.faces[i]) != int(face)
    }
    if not wrong:
        raise Problem("nothing-misread")
    eyes = looking.eyes()
    quads = seen.quads[list(wrong)]
    if not eyes.reader.straighten:
        quads = quads_of_boxes(boxes_xyxy(quads))
    crops = cut_crops(kept.picture(), quads)
    store = Store.of_user()
    profile = eyes.profile or Profile(DEFAULT_NAME)
    try:
        if eyes.profile is None and profile.name in store.names():
            profile = store.load(profile.name)
        tiles = learn(profile.tiles, crops, list(wrong.values()), eyes.reader, keep_crops=True)
        store.save(profile.with_tiles(tiles))
        if eyes.profile is None:
            store.activate(profile.name)
    except (ProfileError, PrototypeError) as error:
        raise Problem("profile", why=f"{error}.") from None
    except OSError as error:
        raise Problem("profile", why=f"It cannot be written: {error.strerror}.") from None
    looking.again()
    return len(wrong), profile.name
