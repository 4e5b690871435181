"""Which tiles earn an item; predicates and tables of several rule sets share these."""

from __future__ import annotations

from ..arrange import SHANPON
from ..ruleset import Lit
from ..view import View

WIND_FACES = tuple(range(27, 31))
DRAGON_FACES = tuple(range(31, 34))
HONOUR_FACES = (*WIND_FACES, *DRAGON_FACES)


def pungs_of(faces: tuple[int, ...]) -> Lit:
    """The pungs and kongs of these faces."""
    return lambda view: view.sets_of(faces)


def pungs_and_eyes(faces: tuple[int, ...]) -> Lit:
    """The pungs and kongs of these faces, and the eyes."""
    return lambda view: (*view.sets_of(faces), view.pair, view.pair)


def kongs(view: View, exposed: bool) -> tuple[int, ...]:
    """The tiles of the exposed, or of the concealed, kongs."""
    melds = [meld for meld in view.melds if meld.is_kong and meld.is_exposed is exposed]
    return tuple(int(tile) for meld in melds for tile in meld.tiles)


def concealed_pungs(view: View) -> tuple[int, ...]:
    """The tiles of the concealed pungs and kongs, without one that a discard completed."""
    given = view.winning if view.wait == SHANPON and not view.self_drawn else -1
    own = [face for face in view.own_pungs if face != given]
    return (*(face for face in own for _ in range(3)), *kongs(view, False))


def winning_tile(view: View) -> tuple[int, ...]:
    return (view.winning,) if view.winning >= 0 else ()


def bonus_tiles(view: View) -> tuple[int, ...]:
    return bonus_of(view.bonus)


def bonus_of(mask: int) -> tuple[int, ...]:
    """The bonus tiles of a mask (bit k-1 for kf)."""
    return tuple(34 + i for i in range(8) if mask >> i & 1)
