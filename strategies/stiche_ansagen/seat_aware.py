"""Stiche ansagen: listening to those who bid before."""

from __future__ import annotations

from sim.games.stiche_ansagen.view import Bid, BidView
from strategies.stiche_ansagen._chances import CardChances, rounded


class SeatAware(CardChances):
    """Say one trick less if those before you said many, one more if they said few.

    Source: common advice for Oh Hell, that the sum of the bids tells how tricks are fought for.
    Assumption: the chances are those of `sum-of-chances`. Many is over `slack` tricks beyond the
    share of those who bid, few as far below it; nobody says less than 0 or more than there are.
    """

    slack: float = 1.0  # tricks

    def bid(self, view: BidView, move: Bid) -> float:
        tricks = rounded(self.expected(view), view) + self.change(view)
        return -abs(move.tricks - max(0, min(view.cards, tricks)))

    def change(self, view: BidView) -> int:
        """What the bids before change: 1, 0 or -1."""
        said = 0
        for other in range(1, view.seats):
            said += max(0, view.bids[other])
        beyond = said * view.seats - view.cards * view.place  # in parts of a trick, one a seat
        return int(beyond < -self.slack * view.seats) - int(beyond > self.slack * view.seats)
