"""Club Fight: the baseline that every tip must beat."""

from __future__ import annotations

from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy


class GreedyMostCards(Strategy):
    """Clear as many cards as you can.

    Source: what most people do before they are given any advice.
    Assumption: among moves that clear as many cards, one is drawn.
    """

    def score(self, view: View, move: Move) -> float:
        return move.cleared
