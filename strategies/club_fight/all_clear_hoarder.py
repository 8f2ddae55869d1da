"""Club Fight: hoarding for the optional action All Clear."""

from __future__ import annotations

from sim.games.club_fight.view import Move, View, clubs_left, spends
from sim.strategy import Strategy

FIRED = 1000.0  # above anything else a move can score
HELD = 100.0  # below anything else


class AllClearHoarder(Strategy):
    """Hold back A, 2 and 3 to sweep the last grid with All Clear.

    Source: the option All Clear of the earlier rules of Club Fight, followed to the letter.
    Assumption: All Clear is fired once the grid deck is empty; until the last three clubs, spending
    A, 2 or 3 on anything else counts as 100 cards lost. Without the option: clear the most cards.
    """

    def score(self, view: View, move: Move) -> float:
        if not view.all_clear:
            return move.cleared
        if move.spent == 3 and view.grid_deck == 0:
            return FIRED + move.cleared
        if clubs_left(view) > 3:
            hoard = spends(move, 1) + spends(move, 2) + spends(move, 3)
            return move.cleared - HELD * hoard
        return move.cleared
