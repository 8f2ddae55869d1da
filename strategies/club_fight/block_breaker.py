"""Club Fight: tip 2 of the rules."""

from __future__ import annotations

from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy
from strategies.club_fight._tips import break_blocks


class BlockBreaker(Strategy):
    """Break up three of a suit, for they block an action.

    Source: D. Teuber, Club Fight, rules of July 2024, tip 2.
    Assumption: a suit that still blocks after the clear costs `weight` cards.
    """

    weight: float = 2.0

    def score(self, view: View, move: Move) -> float:
        return move.cleared + break_blocks(view, move, self.weight)
