"""Club Fight: everything on the table, and what the rest of the hand could do next."""

from __future__ import annotations

from sim.games.club_fight.view import Move, View, popcount
from strategies.club_fight._follow import follow
from strategies.club_fight._linear import LinearScore

SUIT = 0x1FFF  # thirteen cards


class Patient(LinearScore):
    """Before you move, look what the clubs you keep could do with the cards you leave.

    Source: none; the tips of the rules in numbers, and the sixth idea of their quarry, `RunSetup`.
    Assumption: as `linear`; beside that count what the clubs left could clear next.
    """

    most: float = 0.5
    total: float = 0.2
    able: float = 0.0
    end_most: float = 0.5
    end_total: float = 0.2
    end_able: float = 0.0
    last: float = 3.0
    coming: float = 0.0

    def score(self, view: View, move: Move) -> float:
        most, total, able = follow(view, move)
        left = popcount(view.lying & ~move.cells)
        score = self.base(view, move) + self.coming * self.blocks_coming(view, move)
        if view.grid_deck > move.cleared:
            return score + self.most * most + self.total * total + self.able * able
        score += self.end_most * most + self.end_total * total + self.end_able * able
        return score + self.last * (left + view.grid_deck <= most)

    def base(self, view: View, move: Move) -> float:
        score = move.cleared + self.cleared(view, move) + self.left_lying(view, move)
        return (
            score
            + self.club(move) * (1.0 - self.fade * view.turn / 12.0)
            + self.keeping_up(view, move)
        )

    def blocks_coming(self, view: View, move: Move) -> float:
        drawn = min(move.cleared, view.grid_deck)
        if drawn == 0:
            return 0.0
        score = 0.0
        share = drawn / view.grid_deck
        gone = view.discards
        for suit in range(3):
            lying = view.hearts if suit == 0 else view.spades if suit == 1 else view.diamonds
            left = popcount(lying & ~move.cells)
            hidden = 13 - popcount(gone >> 13 * suit & SUIT) - popcount(lying)
            score -= max(0.0, left + hidden * share - 2.0)
        return score
