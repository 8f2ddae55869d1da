"""What each card held is likely to win, and the tricks that are to be expected.

`sum-of-chances`, `risk-aware` and `seat-aware` share it: they differ in what they do with it.
"""

from __future__ import annotations

from sim.games.stiche_ansagen.view import (
    ACE,
    KING,
    LEFT,
    QUEEN,
    RIGHT,
    SISTER,
    SUITS,
    TRUMP,
    BidView,
    lowest,
    popcount,
)
from sim.strategy import Strategy

LOWEST = 2  # rank
WORTH = 1 << KING | 1 << ACE  # the only ranks of a plain suit that count


class CardChances(Strategy):
    """Give each card a chance to win its trick."""

    right: float = 1.0  # of trumps, whatever the hand
    left: float = 0.95
    ace: float = 0.85
    king: float = 0.7
    queen: float = 0.55
    low: float = 0.15  # the lowest of the other trumps
    step: float = 0.05  # ... and each rank above it
    low_most: float = 0.5
    ruff: float = 0.1  # more for each of these, if a plain suit is void or has but one card
    plain_ace: float = 0.8  # with two players
    crowd: float = 0.1  # ... less for each player more
    plain_king: float = 0.5  # part of the chance of a plain ace, if another card guards it
    scale: float = 0.55  # part of the chances of all but bowers that is left in short hands
    scale_step: float = 0.045  # ... and more for each card in hand, up to all

    def expected(self, view: BidView) -> float:
        """How many tricks the hand should win: suit by suit from trumps on, low ranks first."""
        total = 0.0
        for suit in range(SUITS):
            ranks = counting(view, suit)
            while ranks:
                rank = lowest(ranks)
                ranks &= ranks - 1
                total += copies(view, suit, rank) * self.chance(view, suit, rank)
        return total

    def chance(self, view: BidView, suit: int, rank: int) -> float:
        """How likely one card is to win its trick, 0 to 1."""
        if rank == RIGHT:
            return self.right
        if rank == LEFT:
            return self.left
        full = self.of_trump(view, rank) if suit == TRUMP else self.of_plain(view, suit, rank)
        return min(1.0, full * min(1.0, self.scale + self.scale_step * view.cards))

    def of_trump(self, view: BidView, rank: int) -> float:
        """How likely a trump is to win in a long hand."""
        if rank == ACE:
            return self.ace
        if rank == KING:
            return self.king
        if rank == QUEEN:
            return self.queen
        rising = min(self.low_most, self.low + self.step * (rank - LOWEST))
        return rising + self.ruff * short_suits(view)

    def of_plain(self, view: BidView, suit: int, rank: int) -> float:
        """How likely a card of a plain suit is to win in a long hand."""
        ace = max(0.0, self.plain_ace - self.crowd * (view.seats - 2))
        if rank == ACE:
            return ace
        guarded = rank == KING and length(view, suit) > 1
        return self.plain_king * ace if guarded else 0.0


def counting(view: BidView, suit: int) -> int:
    """Return the ranks held of a suit that have any chance."""
    ranks = int(view.hand[suit])
    return ranks if suit == TRUMP else ranks & WORTH


def copies(view: BidView, suit: int, rank: int) -> int:
    """Return how many of a card are held: 1, or 2."""
    return 1 + int(view.twins[suit] >> rank & 1)


def length(view: BidView, suit: int) -> int:
    """Return how many cards of a suit are held."""
    return popcount(view.hand[suit]) + popcount(view.twins[suit])


def short_suits(view: BidView) -> int:
    """Return in how many plain suits no card or but one is held."""
    short = 0
    for suit in range(SISTER, SUITS):
        short += int(length(view, suit) <= 1)
    return short


def rounded(tricks: float, view: BidView) -> int:
    """Return the whole number of tricks nearest, halves up, not more than there are."""
    return min(view.cards, int(tricks + 0.5))
