"""Stiche ansagen: when to play the bowers."""

from __future__ import annotations

from sim.games.stiche_ansagen.view import ACE, LEFT, RIGHT, TRUMP, Play, PlayView
from sim.strategy import Strategy
from strategies.stiche_ansagen._tricks import FIRST, leave, missing, take_or_leave, wants_more

COMPANY = 1 << LEFT | 1 << ACE


class BowerTiming(Strategy):
    """Lead your highest trumps at once; keep the right bower for the last trick you need.

    Source: advice for Euchre, whose bowers these are.
    Assumption: the highest trump is led, from the right bower with the left or the ace, while two
    tricks or more are missing. With one missing the right bower is that trick, so all other cards
    are played as if the bid were made. Without it, as `cheapest-winner-highest-loser`.
    """

    def play(self, view: PlayView, move: Play) -> float:
        trumps = view.hand[TRUMP]
        if not (trumps >> RIGHT & 1 and wants_more(view)):
            return take_or_leave(view, move)
        if missing(view) == 1:
            wasted = move.rank == RIGHT and not move.wins  # on an equal one
            return -FIRST if wasted else leave(view, move)
        if view.place == 0 and move.suit == TRUMP and trumps & COMPANY:
            return 2 * FIRST + move.rank
        return take_or_leave(view, move)
