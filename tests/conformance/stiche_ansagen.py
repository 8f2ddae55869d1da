"""Players, rules and line-ups for comparing Stiche ansagen with its twin, and lane with lane."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from sim.games.stiche_ansagen import Rules
from sim.games.stiche_ansagen.view import Bid, BidView, Play, PlayView
from sim.lanes import Player, compiled_player
from sim.registry import discover
from sim.strategy import Strategy

Member = tuple[Player, ...]
CLOSURE = sha256(Path(__file__).read_bytes()).hexdigest()


class NoOpinion(Strategy):
    """Leaves everything to the ties."""

    def bid(self, view: BidView, move: Bid) -> float:
        return 0.0

    def play(self, view: PlayView, move: Play) -> float:
        return 0.0


class Stirred(Strategy):
    """Like a random player, but by all that is seen: any field that differs changes its games."""

    def bid(self, view: BidView, move: Bid) -> float:
        total = view.turned_up + 3 * view.cards + 5 * view.seats + 7 * view.place + 11 * view.round
        total += 13 * view.rounds + 17 * view.bowers + 19 * view.packs + 23 * view.hook
        for suit in range(4):
            total = stirred(total, view.hand[suit] + 3 * view.twins[suit])
        for other in range(6):
            total = stirred(total, 7 * view.bids[other] + view.points[other])
        return float(stirred(total, (move.tricks + 1) * 977 + view.per_trick) >> 8 & 15)

    def play(self, view: PlayView, move: Play) -> float:
        total = view.place + 3 * view.led + 5 * view.winner + 7 * view.best_suit + view.best_rank
        total += 11 * view.turned_up + 13 * view.cards + 17 * view.left + 19 * view.seats
        total += 23 * view.dealer + 29 * view.round + 31 * view.rounds + 37 * view.packs
        total += 41 * view.bowers + 43 * view.printed + 47 * view.per_trick
        for suit in range(4):
            total = stirred(total, view.hand[suit] + 3 * view.twins[suit] + 5 * view.unseen[suit])
        for place in range(24):
            total = stirred(total, view.shown[place])
        for other in range(6):
            total = stirred(total, 7 * view.bids[other] + view.points[other] + view.won[other])
            trick = view.trick_suits[other] * 17 + view.trick_ranks[other]
            total = stirred(total, 11 * view.voids[other] + 13 * trick)
        return float(stirred(total, move.suit * 977 + move.rank * 31 + move.wins) >> 8 & 15)


def stirred(total: int, value: int) -> int:
    """Mix a value in: 20 bits, and no remainders, over which LLVM would ponder for minutes."""
    return (total * 40503 + value * 2654435) >> 3 & 0xFFFFF


VARIANTS = (
    Rules(max_hand=5),
    Rules(max_hand=5, hook=True, wrong_zero="per_trick"),
    Rules(max_hand=5, left_bower_follows="printed", first_dealer=1),
    Rules(max_hand=5, bowers=False),
    Rules(max_hand=5, packs=2),
    Rules(max_hand=4, packs=2, left_bower_follows="printed", hook=True),
    Rules(max_hand=4, packs=2, bowers=False, wrong_zero="per_trick"),
)


def member_of(bids: type[Strategy], plays: type[Strategy], closure: str = CLOSURE) -> Member:
    """A member whose two parts are compiled."""
    bidder = compiled_player(bids(), BidView, Bid, closure, "bid")
    return bidder, compiled_player(plays(), PlayView, Play, closure, "play")


def made_members() -> list[Member]:
    """Two that are here for tests."""
    return [member_of(NoOpinion, NoOpinion), member_of(Stirred, Stirred)]


def shipped_members() -> list[Member]:
    """Members in whom each shipped bidder and each shipped player comes at least once."""
    known = [found.origin for found in discover().strategies("stiche_ansagen").values()]
    classes = [(origin.load(), origin.closure()) for origin in known]
    bidders, players = (
        [
            compiled_player(cls(), *kinds, closure, name)
            for cls, closure in classes
            if hasattr(cls, name)
        ]
        for name, kinds in (("bid", (BidView, Bid)), ("play", (PlayView, Play)))
    )
    most = max(len(bidders), len(players))
    return [(bidders[i % len(bidders)], players[i % len(players)]) for i in range(most)]


def in_plain_python(members: list[Member]) -> list[Member]:
    """The same members in the plain lane."""
    return [tuple(player.in_plain_python() for player in member) for member in members]


def at_table(members: list[Member], seats: int, first: int = 0) -> list[Member]:
    """So many of them in a row, from one on and round and round."""
    return [members[(first + seat) % len(members)] for seat in range(seats)]
