"""A score that adds up everything a player can count on the table, each thing at its own weight.

`linear` and the strategies with tuned weights share it: they differ in nothing but the defaults.
"""

from __future__ import annotations

from sim.games.club_fight.view import Move, View, cards_left, clubs_left, popcount, spends
from sim.strategy import Strategy

BLOCK_AT = 3  # cards of one suit that block an action
KING = 13
CELLS = 9
FAIR_PACE = 3.0  # cards a club, about 40 / 13
LAST_TURN = 12.0

# The class of each value, 1 to 13: ace, low, middle, high, king; four bits of one number each.
CLASSES = 0x4_333_22222_111_0_0


class LinearScore(Strategy):
    """Add up what a move clears, what it leaves and what it costs, in cards."""

    # What is cleared, beside one a card.
    joker: float = 1.0
    ace: float = 0.0
    low: float = 0.0  # 2, 3, 4
    middle: float = 0.0  # 5 to 9
    high: float = 0.0  # 10, J, Q
    king: float = 0.0
    # What is left lying.
    hearts: float = -0.5  # if three or more block the runs
    spades: float = -0.5  # ... up and down
    diamonds: float = -0.5  # ... the lines
    brink: float = 0.0  # a suit of which just two lie
    # The club that is spent.
    club_a: float = 0.8
    club_2: float = 0.0
    club_3: float = 0.0
    club_4: float = 0.0
    club_5: float = -0.8
    club_6: float = -0.8
    club_7: float = -1.0
    club_8: float = -0.8
    club_9: float = -0.8
    club_10: float = 0.0
    club_j: float = 0.0
    club_q: float = 0.0
    club_k: float = 0.8
    fade: float = 0.0  # part of all those weights that is gone by the last turn
    # The pace.
    pace: float = 0.0  # for keeping it
    hurry: float = 0.0  # a card cleared, for each card a club that we are behind the fair pace

    def score(self, view: View, move: Move) -> float:
        """What a move is worth."""
        return self.counted(view, move)

    def counted(self, view: View, move: Move) -> float:
        """What can be counted on the table."""
        score = move.cleared + self.cleared(view, move) + self.left_lying(view, move)
        score += self.club(move) * (1.0 - self.fade * view.turn / LAST_TURN)
        return score + self.keeping_up(view, move)

    def cleared(self, view: View, move: Move) -> float:
        """What the cards cleared are worth beyond one each."""
        numbered = move.cells & ~view.jokers
        counts = 0
        for cell in range(CELLS):
            value = (view.grid[cell] + KING) % KING + 1
            counts += (numbered >> cell & 1) << (CLASSES >> 4 * value & 15) * 4
        score = self.joker * popcount(view.jokers & move.cells)
        score += self.ace * (counts & 15) + self.low * (counts >> 4 & 15)
        score += self.middle * (counts >> 8 & 15) + self.high * (counts >> 12 & 15)
        return score + self.king * (counts >> 16 & 15)

    def left_lying(self, view: View, move: Move) -> float:
        """What the suits that are left do."""
        hearts = popcount(view.hearts & ~move.cells)
        spades = popcount(view.spades & ~move.cells)
        diamonds = popcount(view.diamonds & ~move.cells)
        score = self.hearts * (hearts >= BLOCK_AT) + self.spades * (spades >= BLOCK_AT)
        score += self.diamonds * (diamonds >= BLOCK_AT)
        return score + self.brink * ((hearts == 2) + (spades == 2) + (diamonds == 2))

    def club(self, move: Move) -> float:
        """What the clubs spent are worth."""
        score = self.club_a * spends(move, 1) + self.club_2 * spends(move, 2)
        score += self.club_3 * spends(move, 3) + self.club_4 * spends(move, 4)
        score += self.club_5 * spends(move, 5) + self.club_6 * spends(move, 6)
        score += self.club_7 * spends(move, 7) + self.club_8 * spends(move, 8)
        score += self.club_9 * spends(move, 9) + self.club_10 * spends(move, 10)
        score += self.club_j * spends(move, 11) + self.club_q * spends(move, 12)
        return score + self.club_k * spends(move, KING)

    def keeping_up(self, view: View, move: Move) -> float:
        """What keeping the pace is worth, and making it up."""
        cards, clubs = cards_left(view), clubs_left(view)
        keeps = move.cleared * clubs >= cards * move.spent
        return self.pace * keeps + self.hurry * move.cleared * (cards / clubs - FAIR_PACE)
