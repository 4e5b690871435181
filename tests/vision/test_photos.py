"""Groups of tiles on real photos: labelled boxes in, layout out. Layout was not fitted to them."""

from __future__ import annotations

import pytest

from datasets.photos import Photo, load_photos
from tests.support import shared
from tests.vision.fb import LABELS, fault, layout_of, load_groups


@pytest.fixture(scope="module")
def photos() -> dict[str, Photo]:
    folder = shared("data", "photos")
    return {photo.path.name: photo for photo in load_photos("train", folder)}


def test_enough_photos_are_labelled_and_each_has_more_than_one_group_or_row() -> None:
    groups = load_groups()
    assert len(groups) >= 40
    several = [g for g in groups.values() if g.bonus or g.other or g.sets]
    assert len(several) >= 40


def test_labels_name_every_box_once(photos: dict[str, Photo]) -> None:
    for name, groups in load_groups().items():
        boxes = [*groups.hand, *groups.bonus, *groups.other, *(i for s in groups.sets for i in s)]
        assert sorted(boxes) == list(range(len(photos[name].faces))), f"{name} in {LABELS.name}"


def test_groups_are_right_on_nine_photos_of_ten(photos: dict[str, Photo]) -> None:
    groups = load_groups()
    faults = {name: fault(groups[name], layout_of(photos[name])) for name in groups}
    wrong = {name: why for name, why in faults.items() if why}
    assert len(wrong) <= 0.1 * len(groups), wrong
