"""A score of everything on the table, and of what the clubs that are kept could do next.

`patient` and the strategy with tuned weights share it: they differ in nothing but the defaults.
"""

from __future__ import annotations

from sim.games.club_fight.view import Move, View, popcount
from strategies.club_fight._follow import follow
from strategies.club_fight._linear import LinearScore

SUIT = 0x1FFF  # thirteen cards in a row
QUIET = 2.0  # cards of a suit that block nothing


class PatientScore(LinearScore):
    """Add to what lies on the table what the rest of the hand could do with it."""

    # What the clubs left could clear next: the best of them, all together, those with three or
    # more.
    most: float = 0.5
    total: float = 0.2
    able: float = 0.0
    # The same once nothing more is dealt into the grid.
    end_most: float = 0.5
    end_total: float = 0.2
    end_able: float = 0.0
    last: float = 3.0  # for leaving what a single club can clear, and so win
    coming: float = 0.0  # against each card of a suit that is to be expected beyond two

    def score(self, view: View, move: Move) -> float:
        """What a move is worth."""
        most, total, able = follow(view, move)
        score = self.counted(view, move) - self.coming * self.crowding(view, move)
        if view.grid_deck > move.cleared:
            return score + self.most * most + self.total * total + self.able * able
        left = popcount(view.lying) - move.cleared + view.grid_deck
        score += self.end_most * most + self.end_total * total + self.end_able * able
        return score + self.last * (left <= most)

    def crowding(self, view: View, move: Move) -> float:
        """How many cards beyond two are to be expected of each suit after the refill, added up."""
        share = min(move.cleared, view.grid_deck) / max(1, view.grid_deck)
        crowd = self.beyond(view.hearts, view.discards, move.cells, share)
        crowd += self.beyond(view.spades, view.discards >> 13, move.cells, share)
        return crowd + self.beyond(view.diamonds, view.discards >> 26, move.cells, share)

    def beyond(self, lying: int, discards: int, cells: int, share: float) -> float:
        """How many cards beyond two are to be expected of one suit."""
        hidden = 13 - popcount(discards & SUIT) - popcount(lying)
        return max(0.0, popcount(lying & ~cells) + hidden * share - QUIET)
