"""Club Fight: advice that fits on a card, counted in points."""

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


class ShortAdvice(Strategy):
    """Count points for each card cleared and for each tip followed, and take the most.

    Source: D. Teuber, Club Fight, rules of July 2024, tips 1 to 5.
    Assumption: points are small whole numbers, so that a player can add them up in the head; 0
    leaves a tip out.
    """

    card: int = 1  # for each card cleared
    joker: int = 0  # for each joker among them
    block: int = 0  # against each action that stays blocked
    middle: int = 1  # against spending 5, 6, 8 or 9, and a quarter more against the 7
    weak: int = 1  # for spending ace or king while the grid is full
    pace: int = 0  # for keeping the pace, times 1 (with the 7) to 13 (with the king)

    def score(self, view: View, move: Move) -> float:
        score = self.card * move.cleared + clear_jokers(view, move, self.joker)
        score += break_blocks(view, move, self.block)
        score += save_middle(view, move, self.middle)
        score += spend_weak(view, move, self.weak)
        return score + keep_pace(view, move, self.pace)
