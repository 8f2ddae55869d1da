"""Club Fight: tip 3 of the rules."""

from __future__ import annotations

from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy
from strategies.club_fight._tips import save_middle


class SaveMiddleClubs(Strategy):
    """Save the middle clubs, 5 to 9, and the 7 above all.

    Source: D. Teuber, Club Fight, rules of July 2024, tip 3.
    Assumption: spending 5, 6, 8 or 9 costs `weight` cards, spending the 7 a quarter more.
    """

    weight: float = 0.8

    def score(self, view: View, move: Move) -> float:
        return move.cleared + save_middle(view, move, self.weight)
