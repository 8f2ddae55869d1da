"""Toy High: the player who never saves a card."""

from __future__ import annotations

from sim.games.toy_high.view import Move, View

from sim.strategy import Strategy


class PlayHighest(Strategy):
    """Play the highest card you hold.

    Source: made up for the tests.
    Assumption: none.
    """

    def score(self, view: View, move: Move) -> float:
        return move.card
