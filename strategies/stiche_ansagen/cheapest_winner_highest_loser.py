"""Stiche ansagen: the sound way to play for a bid."""

from __future__ import annotations

from sim.games.stiche_ansagen.view import Play, PlayView
from sim.strategy import Strategy
from strategies.stiche_ansagen._tricks import take_or_leave


class CheapestWinnerHighestLoser(Strategy):
    """Win with the cheapest card that will do; once you have your tricks, lose with the highest.

    Source: common advice for Oh Hell and other games of exact bids.
    Assumption: only who plays last knows what will do. Before that, of the cards that win so far
    the one is likeliest to hold that the fewest unseen cards beat, higher ones of its suit counting
    four times as much as trumps; it is played unless somebody to come is known to ruff it. If none
    wins, the lowest card is spent. With the bid made, the lead is the card that most unseen ones
    beat, and so is any card that wins before others play: only who plays last is forced to win. A
    bid passed or out of reach is played like one that is made.
    """

    def play(self, view: PlayView, move: Play) -> float:
        return take_or_leave(view, move)
