"""Enrolling a tile set: proposals, questions, contradictions; and consulting it afterwards."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.enrol import ContradictionError, Enrolment
from calibration.prototypes import DOUBTED, MAX_PER_FACE, PrototypeError, Prototypes
from scorer.tiles import Tile
from tests.calibration.sets import FACES, FakeReader
from tests.support import slow_count

# A set whose four plants look like winds and whose white dragon looks like 8 dots to the reader.
STRANGE = {38: 27, 39: 28, 40: 29, 41: 30, 33: 16}
ALL = list(range(FACES))


def enrolled(reader: FakeReader, faces: list[int] | None = None) -> Prototypes:
    tiles = faces or ALL
    return Prototypes.of(*reader.see(tiles, 1), np.asarray(tiles), "r")


def errors(p: np.ndarray, faces: list[int]) -> int:
    return int((p[:, :FACES].argmax(1) != np.asarray(faces)).sum())


@pytest.mark.parametrize("seed", range(5))
def test_an_enrolled_set_is_read_right_afterwards(seed: int) -> None:
    reader = FakeReader.make(seed, STRANGE)
    faces = ALL * 5
    seen, p = reader.read(faces, 2)
    assert errors(p, faces) >= 20
    assert errors(enrolled(reader).consult(seen, p), faces) == 0


def test_bonus_tiles_alone_may_be_enrolled() -> None:
    reader = FakeReader.make(0, {face: face - 11 for face in range(38, 42)})
    plants = list(range(38, 42))
    faces = ALL * 5
    seen, p = reader.read(faces, 2)
    blended = enrolled(reader, plants).consult(seen, p)
    bonus = np.isin(faces, plants)
    assert errors(blended[bonus], list(np.asarray(faces)[bonus])) == 0
    assert errors(blended, faces) <= errors(p, faces)


def test_consulting_keeps_what_is_said_about_not_a_tile() -> None:
    reader = FakeReader.make(1, STRANGE)
    seen, p = reader.read(ALL, 3)
    p[5, :FACES] *= 0.1 / p[5, :FACES].sum()
    p[5, FACES] = 0.9
    blended = enrolled(reader).consult(seen, p)
    assert blended[:, FACES] == pytest.approx(p[:, FACES])
    assert blended.sum(1) == pytest.approx(p.sum(1))


def leaning(table: Prototypes, cosine: float) -> np.ndarray:
    """An embedding (1,64) of which the nearest view of the table's first tile has this cosine."""
    view = table.embeddings[0, 0].astype(float)
    aside = np.linalg.svd(table.embeddings.reshape(-1, 64))[2][-1]  # along none of the views
    return (cosine * view + np.sqrt(1 - cosine**2) * aside)[None]


def one_tile(face: int) -> Prototypes:
    """A table of one tile, the same in all views, which the network takes for 4 bamboo."""
    e = np.repeat(np.eye(1, 64)[:, None], 12, axis=1)
    p = np.full((1, 12, FACES), 1e-4)
    p[:, :, Tile.S4] = 1.0
    return Prototypes.of(e, p, np.array([face]), "r")


@pytest.mark.parametrize(("cosine", "sure"), [(0.9, True), (0.82, False), (0.7, False)])
def test_overruling_is_sure_only_for_what_looks_like_a_prototype(cosine: float, sure: bool) -> None:
    table = one_tile(Tile.S9)
    p = np.full((1, 44), 0.001)
    p[0, [Tile.S4, Tile.S9]] = 0.49, 0.48
    seen = leaning(table, cosine)
    believed = table.consult(seen, p, doubt=False)
    assert believed[0].argmax() == Tile.S9
    assert believed[0, Tile.S9] > 0.9
    careful = table.consult(seen, p)
    assert careful[0].argmax() == Tile.S9
    assert careful[0, Tile.S9] == pytest.approx(believed[0, Tile.S9] if sure else DOUBTED)
    assert careful.sum() == pytest.approx(p.sum())
    assert careful[0, FACES:] == pytest.approx(p[0, FACES:])


def test_what_the_network_says_too_is_never_made_doubtful() -> None:
    table = one_tile(Tile.S9)
    p = np.full((1, 44), 0.0001)
    p[0, Tile.S9] = 0.99
    assert table.consult(leaning(table, 0.5), p)[0, Tile.S9] > 0.95


def test_an_empty_table_changes_nothing() -> None:
    none = np.empty((0, 12, 64), np.float32), np.empty((0, 12, 42), np.float32)
    nothing = Prototypes(*none, np.empty(0, np.int64), "r")
    seen, p = FakeReader.make(0).read(ALL, 1)
    assert (nothing.consult(seen, p) == p).all()


def test_a_face_keeps_its_most_unlike_prototypes() -> None:
    reader = FakeReader.make(0)
    faces = [4] * 30 + [7] * 3
    table = Prototypes.of(*reader.see(faces, 1), np.asarray(faces), "r")
    assert (table.faces == 4).sum() == MAX_PER_FACE
    assert (table.faces == 7).sum() == 3
    assert table.enrolled == {Tile(4), Tile(7)}


def small_reader(crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Embeddings (n,10) and even probabilities of crops."""
    return crops.reshape(len(crops), -1)[:, :10] + 1.0, np.full((len(crops), 44), 1 / 44)


def test_another_reader_needs_its_own_embeddings() -> None:
    reader = FakeReader.make(0)
    table = enrolled(reader)
    with pytest.raises(PrototypeError, match="enrol the tile set again"):
        table.made_anew(small_reader, "new")
    crops = np.random.default_rng(0).integers(0, 255, (FACES, 64, 64, 3), np.uint8)
    kept = Prototypes.of(*reader.see(ALL, 1), np.asarray(ALL), "old", crops)
    anew = kept.made_anew(small_reader, "new")
    assert anew.embeddings.shape == (FACES, 12, 10)
    assert anew.reader == "new"
    with pytest.raises(PrototypeError, match="another reader"):
        kept.joined(anew)
    assert kept.without_crops().crops is None


def test_corrected_crops_join_the_table() -> None:
    reader = FakeReader.make(0)
    more = Prototypes.of(*reader.see([3], 9), np.array([3]), "r")
    both = enrolled(reader).joined(more)
    assert (both.faces == 3).sum() == 2
    assert len(both.faces) == FACES + 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda e, p, f: (e * 2, p, f), "unit length"),
        (lambda e, p, f: (e * np.nan, p, f), "finite"),
        (lambda e, p, f: (e, p / 0, f), "finite"),
        (lambda e, p, f: (e, p, f + 1), "from 0 to 41"),
        (lambda e, p, f: (e, p, f[:3]), r"faces \(m,\)"),
        (lambda e, p, f: (e[:, 0], p, f), r"must be \(m, 12, d\)"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_arrays_that_are_no_prototypes_are_refused(change: object, message: str) -> None:
    e = np.repeat(np.eye(42, 64, dtype=np.float32)[:, None], 12, axis=1)
    p = np.full((42, 12, 42), 1 / 42, np.float32)
    with pytest.raises(PrototypeError, match=message):
        Prototypes(*change(e, p, np.arange(42)), "r")  # type: ignore[operator]


def test_consulting_with_the_wrong_size_is_refused() -> None:
    table = enrolled(FakeReader.make(0))
    with pytest.raises(PrototypeError, match="64 numbers"):
        table.consult(np.zeros((2, 32)), np.zeros((2, 43)))
    with pytest.raises(PrototypeError, match="k >= 42"):
        table.consult(np.zeros((2, 64)), np.zeros((2, 34)))


def laid_out(reader: FakeReader, seed: int = 0) -> tuple[Enrolment, list[int]]:
    """A whole set over three photos in a wild order."""
    order = np.random.default_rng(seed).permutation(
        [f for f in range(34) for _ in range(4)] + ALL[34:]
    )
    session = Enrolment("r")
    for n, part in enumerate(np.array_split(order, 3)):
        session.add_photo(*reader.see([int(f) for f in part], seed * 10 + n))
    return session, [int(f) for f in order]


@pytest.mark.parametrize("seed", range(slow_count(1, 6)))
def test_a_set_like_those_known_needs_no_question(seed: int) -> None:
    session, true = laid_out(FakeReader.make(seed), seed)
    assert session.questions() == []
    assert session.missing() == []
    assert [int(p.face) for p in session.proposals().values()] == true


@pytest.mark.parametrize("seed", range(slow_count(1, 6)))
def test_a_strange_set_is_learnt_with_few_answers(seed: int) -> None:
    reader = FakeReader.make(seed, STRANGE)
    session, true = laid_out(reader, seed)
    asked = 0
    while questions := session.questions():
        session.answer(questions[0][0], Tile(true[questions[0][0]]))
        asked += 1
        assert asked <= 12, "every answer must teach something"
    # What was sure and wrong is seen on the sheet that the user looks over at the end.
    for tile, proposal in session.proposals().items():
        if int(proposal.face) != true[tile] and int(session.proposals()[tile].face) != true[tile]:
            session.answer(tile, Tile(true[tile]))
            asked += 1
    assert asked <= 12
    table = session.prototypes(keep_crops=False)
    assert len(table.enrolled) == FACES
    seen, p = reader.read(ALL * 3, 77)
    assert errors(p, ALL * 3) >= 12
    assert errors(table.consult(seen, p), ALL * 3) == 0


def eight_bonus(said: dict[Tile, list[Tile]]) -> Enrolment:
    """The bonus tiles in order, unlike each other; `said` by the network at 0.6, 0.3 and 0.05."""
    p = np.full((8, 12, 42), 1e-5)
    for n in range(8):
        faces = said.get(Tile(34 + n), [Tile(34 + n)])
        for face, share in zip(faces, (0.6, 0.3, 0.05), strict=False):
            p[n, :, face] = share
    session = Enrolment("r")
    session.add_photo(np.repeat(np.eye(8, 64)[:, None], 12, axis=1), p)
    return session


TWO_SWAPPED = {
    Tile.ORCHID: [Tile.WINTER, Tile.AUTUMN, Tile.ORCHID],
    Tile.WINTER: [Tile.ORCHID, Tile.PLUM, Tile.WINTER],
}


def test_bonus_tiles_are_not_settled_because_the_other_faces_are_taken() -> None:
    session = eight_bonus(TWO_SWAPPED)
    for face in (34, 35, 36, 38, 40, 41):
        session.answer(face - 34, Tile(face))
    left = {t: p for t, p in session.proposals().items() if t not in session.answers}
    assert {p.face for p in left.values()} == {Tile.ORCHID, Tile.WINTER}
    assert not any(p.sure for p in left.values())
    assert {q[0] for q in session.questions()} == set(left)
    session.answer(Tile.ORCHID - 34, Tile.ORCHID)  # now one tile and one face are left
    assert session.questions() == []
    assert session.proposals()[Tile.WINTER - 34].face is Tile.WINTER


def test_a_bonus_tile_is_sure_by_itself_only_in_the_face_that_it_gets() -> None:
    session = eight_bonus({Tile.PLUM: [Tile.ORCHID]})  # both say orchid, without a doubt
    proposals = session.proposals()
    assert [t for t, p in proposals.items() if not p.sure] == [4, 5]
    session = eight_bonus({})
    assert session.questions() == []


def test_faces_that_are_taken_are_no_longer_likely() -> None:
    session = eight_bonus(TWO_SWAPPED)
    session.answer(2, Tile.AUTUMN)
    orchid = session.proposals()[5]
    assert Tile.AUTUMN not in orchid.likely
    assert orchid.likely[:2] == (Tile.WINTER, Tile.ORCHID)
    assert Tile.AUTUMN in session.open_to(2)  # it may be answered once more
    assert Tile.AUTUMN not in session.open_to(5)
    assert len(session.open_to(5)) == FACES - 1


def test_photos_that_show_tiles_again_are_counted_by_themselves() -> None:
    session = Enrolment("r")
    reader = FakeReader.make(0)
    session.add_photo(*reader.see(ALL, 1))
    session.add_photo(*reader.see(ALL, 2), again=True)
    assert [int(p.face) for p in session.proposals().values()] == ALL * 2
    assert session.photo_of(50) == 1


def test_a_fifth_copy_is_refused() -> None:
    session = Enrolment("r")
    session.add_photo(*FakeReader.make(0).see([3] * 5, 1))
    for tile in range(4):
        session.answer(tile, Tile(3))
    with pytest.raises(ContradictionError, match="only 4 copies of 4m") as caught:
        session.answer(4, Tile(3), insist=True)
    assert caught.value.tiles == (0, 1, 2, 3)
    assert not caught.value.insist
    assert 4 not in session.answers


def test_a_second_copy_of_a_bonus_tile_is_refused_unless_shown_again() -> None:
    session = Enrolment("r")
    reader = FakeReader.make(0)
    session.add_photo(*reader.see([38, 39], 1))
    session.add_photo(*reader.see([38], 2), again=True)
    session.answer(0, Tile.PLUM)
    with pytest.raises(ContradictionError, match="only one of 5f"):
        session.answer(1, Tile.PLUM)
    session.answer(2, Tile.PLUM)  # the same tile photographed again


def test_tiles_that_look_the_same_cannot_have_two_names() -> None:
    session = Enrolment("r")
    session.add_photo(*FakeReader.make(0).see([10, 10, 11], 1, noise=0.05))
    session.answer(0, Tile.P2)
    with pytest.raises(
        ContradictionError, match="looks the same as one that was named 2p"
    ) as caught:
        session.answer(1, Tile.P3)
    assert caught.value.tiles == (0,)
    assert session.answers == {0: Tile.P2}
    session.withdraw(0)
    session.answer(1, Tile.P3)
    session.answer(0, Tile.P2, insist=True)  # looks can deceive
    assert session.answers == {0: Tile.P2, 1: Tile.P3}


def test_tiles_that_look_nothing_alike_are_not_one_face() -> None:
    session = Enrolment("r")
    session.add_photo(*FakeReader.make(0).see([10, 25], 1))
    session.answer(0, Tile.P2)
    with pytest.raises(ContradictionError, match="looks nothing like"):
        session.answer(1, Tile.P2)


def test_what_is_left_out_teaches_nothing() -> None:
    session = Enrolment("r")
    session.add_photo(*FakeReader.make(0).see([1, 2, 3], 1))
    session.leave_out(1)
    assert set(session.proposals()) == {0, 2}
    session.answer(0, Tile.M2)
    assert Tile.M3 not in session.prototypes(False).enrolled


def test_crops_are_kept_only_with_consent() -> None:
    crops = np.random.default_rng(0).integers(0, 255, (3, 64, 64, 3), np.uint8)
    session = Enrolment("r")
    session.add_photo(*FakeReader.make(0).see([1, 2, 3], 1), crops)
    for tile, face in enumerate([1, 2, 3]):
        session.answer(tile, Tile(face))
    assert session.prototypes(keep_crops=False).crops is None
    kept = session.prototypes(keep_crops=True)
    assert kept.crops is not None
    assert (kept.crops == crops).all()


def test_impossible_photos_and_answers_are_refused() -> None:
    session = Enrolment("r")
    with pytest.raises(ValueError, match="145 tiles, but a set has no more than 144"):
        session.add_photo(np.ones((145, 12, 8)), np.ones((145, 12, 42)))
    with pytest.raises(ValueError, match=r"embeddings must be \(n, 12, d\)"):
        session.add_photo(np.ones((3, 8)), np.ones((3, 42)))
    for wrong in (np.ones((2, 12, 42)), np.ones((3, 12, 34))):
        with pytest.raises(ValueError, match=r"probabilities must be \(n, 12, k\)"):
            session.add_photo(np.ones((3, 12, 8)), wrong)
    session.add_photo(np.ones((1, 12, 8)), np.ones((1, 12, 42)))
    with pytest.raises(ValueError, match="no tile 1"):
        session.answer(1, Tile.M1)
    with pytest.raises(ValueError, match="no face"):
        session.answer(0, Tile.BACK)
    with pytest.raises(ValueError, match="answer the questions first"):
        session.prototypes(False)
