"""Stiche ansagen: bidding for the points that are to be expected."""

from __future__ import annotations

from sim.games.stiche_ansagen.view import SUITS, Bid, BidView, lowest, popcount
from strategies.stiche_ansagen._chances import CardChances, copies, counting


class RiskAware(CardChances):
    """Say the number that should earn the most: a bid pays only if it is made more often than not.

    Source: expected value; the number of tricks as a sum of independent chances, which is Poisson's
    binomial distribution (1837).
    Assumption: the chances are those of `sum-of-chances`, as if no card's luck told of another's
    and nobody steered towards the bid. Where a wrong zero costs 10 a trick, so it does here.
    """

    def bid(self, view: BidView, move: Bid) -> float:
        exactly = self.exactly(view, move.tricks)
        if move.tricks:
            return 10.0 * move.tricks * (2.0 * exactly - 1.0)
        if view.per_trick:
            return 5.0 * exactly - 10.0 * self.expected(view)
        return 5.0 * (2.0 * exactly - 1.0)

    def exactly(self, view: BidView, tricks: int) -> float:
        """How likely the hand is to win just so many tricks: card after card, as `expected`."""
        if tricks > self.possible(view):
            return 0.0
        odds = [0.0] * (tricks + 1)  # of each number won so far
        odds[0] = 1.0
        for suit in range(SUITS):
            ranks = counting(view, suit)
            while ranks:
                rank = lowest(ranks)
                ranks &= ranks - 1
                chance = self.chance(view, suit, rank)
                for _ in range(copies(view, suit, rank)):
                    for won in range(tricks, 0, -1):
                        odds[won] += chance * (odds[won - 1] - odds[won])
                    odds[0] -= chance * odds[0]
        return odds[tricks]

    def possible(self, view: BidView) -> int:
        """How many cards have any chance."""
        cards = 0
        for suit in range(SUITS):
            ranks = counting(view, suit)
            cards += popcount(ranks) + popcount(ranks & view.twins[suit])
        return cards
