"""Stiche ansagen: discards that make voids."""

from __future__ import annotations

from sim.games.stiche_ansagen.view import TRUMP, Play, PlayView
from sim.strategy import Strategy
from strategies.stiche_ansagen._tricks import (
    FIRST,
    follows,
    length,
    missing,
    take_or_leave,
    wants_more,
)

LONGER = 32  # what a card more in its suit counts against a discard, in ranks


class VoidMaker(Strategy):
    """When you cannot follow, discard from your shortest plain suit.

    Source: common advice for games of tricks with trumps.
    Assumption: with the bid made, the highest card of that suit goes; with tricks missing and a
    trump in hand, the lowest, unless the trick is won instead. Of suits as short, that with the
    card that is higher, or lower. All else is played as by `cheapest-winner-highest-loser`.
    """

    def play(self, view: PlayView, move: Play) -> float:
        discards = view.place > 0 and move.suit != TRUMP and not follows(view, move)
        if not discards:
            return take_or_leave(view, move)
        shortest = -LONGER * length(view, move.suit)
        if missing(view) == 0:
            return 2 * FIRST + shortest + move.rank
        if wants_more(view) and view.hand[TRUMP]:
            return FIRST / 2 + shortest - move.rank  # after a card that wins
        return take_or_leave(view, move)
