"""Club Fight: tip 5 of the rules."""

from __future__ import annotations

from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy
from strategies.club_fight._tips import keep_pace


class PaceKeeper(Strategy):
    """Keep the pace, about three cards a turn, with the weakest club that can.

    Source: D. Teuber, Club Fight, rules of July 2024, tip 5.
    Assumption: the pace is the cards left over the clubs left, rounded up; a move that keeps it is
    worth `weight` x (1 + weakness of the club), where 7 is the strongest and K the weakest.
    """

    weight: float = 100.0

    def score(self, view: View, move: Move) -> float:
        return move.cleared + keep_pace(view, move, self.weight)
