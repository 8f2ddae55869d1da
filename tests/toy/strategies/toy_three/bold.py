"""Toy Three: the player who always claims, and plays high."""

from __future__ import annotations

from sim.games.toy_three.view import Claim, ClaimView, Play, PlayView

from sim.strategy import Strategy


class Bold(Strategy):
    """Claim, and play your highest card.

    Source: made up for the tests.
    Assumption: none.
    """

    def claim(self, view: ClaimView, move: Claim) -> float:
        return move.yes

    def play(self, view: PlayView, move: Play) -> float:
        return move.card
