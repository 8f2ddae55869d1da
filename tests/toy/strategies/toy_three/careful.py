"""Toy Three: the player who claims with high cards only."""

from __future__ import annotations

from sim.games.toy_three.view import Claim, ClaimView

from sim.strategy import Strategy


class Careful(Strategy):
    """Claim if you hold two of the highest cards.

    Source: made up for the tests.
    Assumption: high are the cards from `least` on.
    """

    least: int = 6

    def claim(self, view: ClaimView, move: Claim) -> float:
        high = 0
        for card in range(self.least, 10):
            high += view.held >> card & 1
        return move.yes if high >= 2 else -move.yes
