"""Toy High: the thrifty player."""

from __future__ import annotations

from sim.games.toy_high.view import Move, View

from sim.strategy import Strategy


class JustEnough(Strategy):
    """Beat the target with the lowest card that can, else throw your lowest one.

    Source: made up for the tests.
    Assumption: a card is worth `thrift` times its value; at 0 all cards that beat are equal.
    """

    thrift: float = 1.0

    def score(self, view: View, move: Move) -> float:
        beats = 100.0 if move.card > view.target else 0.0
        return beats - self.thrift * move.card
