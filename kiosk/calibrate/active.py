"""The profile that a verb works with: the active one, the one that was named, or none."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile, ProfileError
from calibration.prototypes import PrototypeError
from calibration.store import Store
from kiosk.trouble import Trouble

if TYPE_CHECKING:
    from kiosk.calibrate.tiles import ReadsCrops

NONE = "none"


def add_profile_argument(parser: argparse.ArgumentParser) -> None:
    """`--profile NAME`, for verbs that read pictures."""
    parser.add_argument(
        "--profile",
        metavar="NAME",
        help="the calibration profile to use (default: the active one; 'none' for no profile)",
    )


def chosen_profile(name: str | None, reader: ReadsCrops | None = None) -> Profile | None:
    """The profile to read with; what is wrong with the active one is said on standard error.

    With `reader`, a tile set of another reader is made anew or left out. Raises Trouble when a
    profile that was named cannot be used.
    """
    store = Store.of_user()
    if name == NONE:
        return None
    if name is None:
        profile, trouble = store.load_active()
        if trouble is not None:
            print(f"hupai: {trouble}", file=sys.stderr)
    else:
        try:
            profile = store.load(name)
        except ProfileError as error:
            raise Trouble(f"{error}.") from None
    return profile if profile is None or reader is None else fitted(profile, reader)


def fitted(profile: Profile, reader: ReadsCrops) -> Profile:
    """The profile with its tile set as `reader` sees it, or without, and then a word about it."""
    tiles = profile.tiles
    if tiles is None or tiles.reader == reader.sha256:
        return profile

    def read(crops: NDArray[np.uint8]) -> tuple[NDArray[Any], NDArray[Any]]:
        p, _, embedding = reader.read(crops)
        return embedding, p

    try:
        return profile.with_tiles(tiles.made_anew(read, reader.sha256))
    except PrototypeError as error:
        print(f"hupai: profile {profile.name!r}: {error}; reading without", file=sys.stderr)
        return profile.with_tiles(None)
