"""Toy Three: the player who wastes no card."""

from __future__ import annotations

from sim.games.toy_three.view import Play, PlayView

from sim.strategy import Strategy


class JustAbove(Strategy):
    """Win a trick with the lowest card that does, else throw your lowest.

    Source: made up for the tests.
    Assumption: to lead, every card wins.
    """

    def play(self, view: PlayView, move: Play) -> float:
        return (100.0 if move.card > view.best else 0.0) - move.card
