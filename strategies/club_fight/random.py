"""Club Fight: the baseline without advice."""

from __future__ import annotations

from sim.games.club_fight.view import Move, View
from sim.strategy import Strategy


class Random(Strategy):
    """Take any move: all score the same, and the tie-break draws one.

    Source: none; the yardstick of a player who does not think.
    Assumption: every distinct effect is as likely, however many actions allow it.
    """

    def score(self, view: View, move: Move) -> float:
        return 0.0
