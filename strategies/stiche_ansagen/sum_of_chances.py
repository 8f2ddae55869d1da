"""Stiche ansagen: bidding what the cards are worth together."""

from __future__ import annotations

from sim.games.stiche_ansagen.view import Bid, BidView
from strategies.stiche_ansagen._chances import CardChances, rounded


class SumOfChances(CardChances):
    """Give each card its chance to win a trick, add them up, and say the nearest whole number.

    Source: how experienced players count a hand, put in numbers for this project.
    Assumption: halves are rounded up. A void or single plain suit raises each trump below the
    queen, beyond the most such a trump has by its rank. A king is guarded by any other card of its
    suit. Without bowers the jack is one of the low trumps. Of two equal cards each counts.
    """

    def bid(self, view: BidView, move: Bid) -> float:
        return -abs(move.tricks - rounded(self.expected(view), view))
