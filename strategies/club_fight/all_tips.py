"""Club Fight: the five tips of the rules at once."""

from __future__ import annotations

from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy
from strategies.club_fight._tips import (
    break_blocks,
    clear_jokers,
    keep_pace,
    save_middle,
    spend_weak,
)


class AllTips(Strategy):
    """Follow all five tips of the rules at once, none of them blindly.

    Source: D. Teuber, Club Fight, rules of July 2024, tips 1 to 5.
    Assumption: the tips add up, each at its own weight in cards; 0 switches one off.
    """

    joker: float = 1.0
    block: float = 0.5
    middle: float = 0.8
    weak: float = 0.8
    pace: float = 0.1

    def score(self, view: View, move: Move) -> float:
        score = move.cleared + clear_jokers(view, move, self.joker)
        score += break_blocks(view, move, self.block)
        score += save_middle(view, move, self.middle)
        score += spend_weak(view, move, self.weak)
        score += keep_pace(view, move, self.pace)
        return score
