"""Club Fight: tip 1 of the rules."""

from __future__ import annotations

from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy
from strategies.club_fight._tips import clear_jokers


class JokerFirst(Strategy):
    """Clear jokers early.

    Source: D. Teuber, Club Fight, rules of July 2024, tip 1.
    Assumption: a joker is worth `weight` more cards; 100 clears one whenever a move can.
    """

    weight: float = 100.0

    def score(self, view: View, move: Move) -> float:
        return move.cleared + clear_jokers(view, move, self.weight)
