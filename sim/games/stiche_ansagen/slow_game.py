"""Whole games of the naive twin of Stiche ansagen: the deals of a seed, and choosing by scores.

The dice are those of `sim.deals` and `sim.choose`, written once more in plain Python integers.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sim.games.stiche_ansagen.slow import (
    PACK,
    Candidate,
    Card,
    Options,
    Round,
    hand_sizes,
    number,
)

MASK = 2**64 - 1  # all integers below are 64 bits wide
ODD_STEP, ODD_DEAL = 0x9E3779B97F4A7C15, 0xA0761D6478BD642F
ODD_TURN, ODD_CANDIDATE = 0xD1342543DE82EF95, 0xFF51AFD7ED558CCD
CARDS, TIES = 0xE7037ED1A0B428DB, 0xC2B2AE3D27D4EB4F  # purposes of streams


@dataclass
class Game:
    """A whole game of one deal, as far as it was played."""

    options: Options
    seats: int
    key: int  # of the deal
    rounds: list[Round] = field(default_factory=list)
    decisions: int = 0  # made so far
    totals: list[int] = field(default_factory=list)  # of each seat, from the rounds that are over

    def __post_init__(self) -> None:
        """Deal the first round."""
        self.totals = [0] * self.seats
        self.deal()

    @property
    def sizes(self) -> list[int]:
        """The hand sizes of all rounds."""
        return hand_sizes(self.options, self.seats)

    @property
    def round(self) -> Round:
        """The round in play, or the last."""
        return self.rounds[-1]

    @property
    def over(self) -> bool:
        """Whether the last round is over."""
        return self.round.over and len(self.rounds) == len(self.sizes)

    def deal(self) -> None:
        """Deal "one at a time, forehand first", then turn one up."""
        number, n = len(self.rounds) + 1, self.seats
        dealer, size = (self.options.first_dealer + number - 1) % n, n * self.sizes[number - 1]
        pack = shuffled(PACK * self.options.packs, key_below(self.key, number))
        hands = [pack[(seat - dealer - 1) % n : size : n] for seat in range(n)]
        self.rounds.append(Round(self.options, number, dealer, hands, pack[size]))

    def do(self, candidate: Candidate) -> None:
        """Carry out one decision; after the last of a round the next is dealt."""
        self.round.do(candidate)
        self.decisions += 1
        if not self.round.over:
            return
        for seat in range(self.seats):
            self.totals[seat] += self.round.points(seat)
        if not self.over:
            self.deal()

    def record(self) -> dict[str, Any]:
        """The game when it is over, as `tipoff watch --json` writes it."""
        return {"rounds": [one.record() for one in self.rounds], "totals": self.totals}


Score: TypeAlias = Callable[[Game, Candidate], float]  # of the seat whose turn it is


def choose(game: Game, score: Score, key: int, ties: str = "hashed") -> Candidate:
    """The candidate of highest score; among equals the highest hash, or the smallest number."""
    turn, first = game.decisions, ties == "first"

    def rank(candidate: Candidate) -> tuple[float, int]:
        n = number(candidate)
        return score(game, candidate), -n if first else tie_hash(key, turn, n)

    return max(game.round.candidates(), key=rank)


def play_game(
    options: Options,
    seed: int,
    tie_seed: int,
    ties: str,
    deal: int,
    members: Sequence[Score],
) -> Game:
    """The game of a deal at its end, each seat deciding by the score of its member."""
    game, key = new_game(options, seed, deal, len(members)), key_of(tie_seed, TIES, deal)
    while not game.over:
        game.do(choose(game, members[game.round.seat], key, ties))
    return game


def new_game(options: Options, seed: int, deal: int, seats: int) -> Game:
    """The game of a deal before its first bid."""
    return Game(options, seats, key_of(seed, CARDS, deal))


def mix(z: int) -> int:
    """The finaliser of splitmix64: each bit of the input stirs every bit of the output."""
    z &= MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def key_below(key: int, place: int) -> int:
    """The key of deal `place` under a root, or of round `place` under the key of a deal."""
    return mix(key + place * ODD_DEAL)


def key_of(seed: int, purpose: int, deal: int) -> int:
    """The key of one deal for one purpose (stream version 1)."""
    return key_below(mix(mix(seed) ^ purpose), deal)


def tie_hash(key: int, turn: int, candidate: int) -> int:
    """The rank of a candidate among its equals: as good as random, and the same for everybody."""
    return mix(mix(key + turn * ODD_TURN) + (candidate + 1) * ODD_CANDIDATE)


def stream(state: int) -> Iterator[int]:
    """The outputs of splitmix64 from this state."""
    while True:
        state = (state + ODD_STEP) & MASK
        yield mix(state)


def below(n: int, outputs: Iterator[int]) -> int:
    """A fair integer in 0..n-1 (Lemire 2019, "Fast random integer generation in an interval")."""
    threshold = (2**32 - n) % n  # so many of the 2^32 inputs are one too many
    products = (divmod((output >> 32) * n, 2**32) for output in outputs)
    return next(result for result, remainder in products if remainder >= threshold)


def shuffled(cards: Sequence[Card], key: int) -> list[Card]:
    """The cards in the order of this key: Fisher and Yates, from the end."""
    deck, outputs = list(cards), stream(key)
    for i in range(len(deck) - 1, 0, -1):
        j = below(i + 1, outputs)
        deck[i], deck[j] = deck[j], deck[i]
    return deck
