"""Club Fight: tip 4 of the rules."""

from __future__ import annotations

from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy
from strategies.club_fight._tips import spend_weak


class WeakClubsEarly(Strategy):
    """Use the weak clubs, ace and king, while the grid is full.

    Source: D. Teuber, Club Fight, rules of July 2024, tip 4.
    Assumption: with nine cards in the grid, spending A or K is worth `weight` cards.
    """

    weight: float = 0.8

    def score(self, view: View, move: Move) -> float:
        return move.cleared + spend_weak(view, move, self.weight)
