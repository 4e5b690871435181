"""Random deals, played tile by tile, as lists of events that can have happened."""

from __future__ import annotations

from random import Random

from scorer import Hand, Meld, Tile, Wind, waits_of
from scorer.deal import Deal, Kong, WallEnd, Win, Winner
from scorer.deal.events import Event
from scorer.hand import CONCEALED_KONG, KONG, PUNG

FACES = range(27)


class Player:
    """One player's tiles; `suit` is the suit given up."""

    def __init__(self, tiles: list[int], suit: str) -> None:
        self.tiles = tiles
        self.suit = suit
        self.melds: list[Meld] = []
        self.waits: frozenset[int] = frozenset()

    def free(self, tile: int) -> bool:
        return Tile(tile).suit != self.suit

    def settle_down(self) -> None:
        """Work out the waits after a discard or claim."""
        clean = all(self.free(tile) for tile in self.tiles)
        found = waits_of(self.hand(), "sichuan") if clean else ()
        self.waits = frozenset(int(tile) for tile in found if self.free(tile))

    def hand(self, winning: int | None = None) -> Hand:
        tile = None if winning is None else Tile(winning)
        return Hand(tuple(map(Tile, self.tiles)), tuple(self.melds), (), tile)

    def worst(self) -> int:
        """The tile to throw: of the missing suit, else the one with the fewest neighbours."""
        given_up = [tile for tile in self.tiles if not self.free(tile)]

        def worth(tile: int) -> int:
            near = {0: 3, 1: 2, 2: 1}
            same = (t for t in self.tiles if t // 9 == tile // 9)
            return sum(near.get(abs(t - tile), 0) for t in same)

        return min(given_up or self.tiles, key=worth)

    def lay(self, tile: int, kind: str, from_hand: int) -> None:
        for _ in range(from_hand):
            self.tiles.remove(tile)
        self.melds.append(Meld(kind, (Tile(tile),) * (3 if kind == PUNG else 4)))


class Table:
    """A deal that is being played; `events` is what a scribe would write down."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.wall = [tile for tile in FACES for _ in range(4)]
        rng.shuffle(self.wall)
        self.careless = rng.choice((0.0, 0.0, 0.3))
        self.players = {}
        lucky = rng.choice((0, 2, 3, 4))
        for seat in Wind:
            suits = rng.sample(range(3), 2)
            tiles = [tile for _ in range(lucky) for tile in self.a_set(suits)]
            tiles = sorted(tiles + [self.wall.pop() for _ in range(13 - len(tiles))])
            fewest = min("mps", key=lambda suit: sum(Tile(t).suit == suit for t in tiles))
            self.players[seat] = Player(tiles, fewest if rng.random() < 0.9 else rng.choice("mps"))
        self.won: set[Wind] = set()
        self.events: list[Event] = []

    def a_set(self, suits: list[int]) -> list[int]:
        """A set of these suits out of the wall, so that hands are ready early and many win."""
        while True:
            low = 9 * self.rng.choice(suits) + self.rng.randrange(9)
            pung = low % 9 > 6 or self.rng.random() < 0.4
            tiles = [low] * 3 if pung else [low, low + 1, low + 2]
            if all(self.wall.count(tile) >= tiles.count(tile) for tile in tiles):
                for tile in tiles:
                    self.wall.remove(tile)
                return tiles

    def deal(self) -> Deal:
        """Play to the end."""
        for player in self.players.values():
            player.settle_down()
        turn = Wind.EAST
        while self.wall and len(self.won) < 3:
            turn = self.turn(turn)
        if len(self.won) < 3:
            held = {seat: self.players[seat].hand() for seat in Wind if seat not in self.won}
            self.events.append(WallEnd(held))
        missing = {seat: player.suit for seat, player in self.players.items()}
        return Deal(missing, tuple(self.events))

    def next_after(self, seat: Wind) -> Wind:
        for step in range(1, 4):
            other = Wind((seat + step) % 4)
            if other not in self.won:
                return other
        return seat

    def others(self, seat: Wind) -> list[Wind]:
        """The players still in play after this one, in turn."""
        return [w for w in (Wind((seat + step) % 4) for step in (1, 2, 3)) if w not in self.won]

    def turn(self, seat: Wind) -> Wind:
        """Draw, perhaps win or make kongs, discard; answers whose turn it is next."""
        player = self.players[seat]
        kongs = 0
        while True:
            drawn = self.wall.pop()
            if drawn in player.waits and self.rng.random() < 0.6:
                happened = {"last-tile"} if not self.wall else set()
                happened |= {"kong-draw"} if kongs else set()
                happened |= {"double-kong"} if kongs > 1 else set()
                self.win([seat], drawn, None, happened)
                return self.next_after(seat)
            player.tiles.append(drawn)
            made = self.own_kong(seat)
            if made is None:
                break
            if made:
                return self.next_after(made[-1])
            kongs += 1
        thrown = self.thrown_by(player)
        return self.after_discard(seat, thrown, kongs > 0)

    def thrown_by(self, player: Player) -> int:
        thrown = player.worst()
        if self.rng.random() < self.careless:
            thrown = self.rng.choice(player.tiles)
        player.tiles.remove(thrown)
        player.settle_down()
        return thrown

    def own_kong(self, seat: Wind) -> list[Wind] | None:
        """Make a kong on one's turn: None for none, else who robbed it."""
        player = self.players[seat]
        if not self.wall:
            return None
        for tile in sorted(set(player.tiles)):
            if not player.free(tile) or self.rng.random() < 0.3:
                continue
            if player.tiles.count(tile) == 4:
                player.lay(tile, CONCEALED_KONG, 4)
                self.events.append(Kong(seat, Tile(tile), "concealed-kong"))
                player.settle_down()
                return []
            pungs = [m for m in player.melds if m.kind == PUNG and m.tile == tile]
            if pungs:
                robbers = [w for w in self.others(seat) if tile in self.players[w].waits]
                player.tiles.remove(tile)
                if not robbers or self.rng.random() < 0.5:
                    self.events.append(Kong(seat, Tile(tile), "added-kong"))
                if not robbers:
                    at = player.melds.index(pungs[0])
                    player.melds[at] = Meld(KONG, (Tile(tile),) * 4)
                else:
                    self.win(robbers, tile, seat, set(), robbed=True)
                player.settle_down()
                return robbers
        return None

    def after_discard(self, seat: Wind, tile: int, after_kong: bool) -> Wind:
        happened = {"last-tile"} if not self.wall else set()
        happened |= {"kong-discard"} if after_kong else set()
        wanting = [w for w in self.others(seat) if tile in self.players[w].waits]
        winners = [w for w in wanting if self.rng.random() < 0.9]
        if winners:
            self.win(winners, tile, seat, happened)
            return self.next_after(winners[-1])
        for other in self.others(seat):
            player = self.players[other]
            held = player.tiles.count(tile)
            if held < 2 or not player.free(tile) or self.rng.random() < 0.3:
                continue
            if held == 3 and self.wall:
                player.lay(tile, KONG, 3)
                self.events.append(Kong(other, Tile(tile), "claimed-kong", seat))
                player.settle_down()
                return self.turn(other) if self.wall else self.next_after(other)
            player.lay(tile, PUNG, 2)
            return self.after_discard(other, self.thrown_by(player), False)
        return self.next_after(seat)

    def win(
        self, seats: list[Wind], tile: int, giver: Wind | None, happened: set[str],
        robbed: bool = False,
    ) -> None:  # fmt: skip
        winners = [Winner(w, self.players[w].hand(tile), frozenset(happened)) for w in seats]
        self.rng.shuffle(winners)
        self.events.append(Win(tuple(winners), giver, robbed))
        self.won |= set(seats)


def random_deal(seed: int) -> Deal:
    return Table(Random(seed)).deal()
