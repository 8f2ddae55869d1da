"""Stiche ansagen: the refuge of the wrong zero."""

from __future__ import annotations

from sim.games.stiche_ansagen.view import Bid, BidView, Play, PlayView
from sim.strategy import Strategy
from strategies.stiche_ansagen._tricks import take_or_leave


class AlwaysZero(Strategy):
    """Say no tricks, whatever you hold: a wrong zero never costs more than five points.

    Source: the rules, which leave this refuge open; the baseline that good bidding must beat.
    Assumption: it plays as `cheapest-winner-highest-loser`. Where the dealer may not say 0, 1.
    """

    def bid(self, view: BidView, move: Bid) -> float:
        return -move.tricks

    def play(self, view: PlayView, move: Play) -> float:
        return take_or_leave(view, move)
