"""Stiche ansagen: the whole of what beginners are told."""

from __future__ import annotations

from sim.games.stiche_ansagen.view import ACE, SUITS, TRUMP, Bid, BidView, Play, PlayView, popcount
from sim.strategy import Strategy
from strategies.stiche_ansagen._tricks import FIRST, beaten_by, missing, strength


class AcesAndTrumps(Strategy):
    """Say one trick for each ace and each trump; win as surely as you can until you have them.

    Source: the simple bots of Oh Hell programs.
    Assumption: of the cards that win the trick so far, that is most likely to win which the fewest
    unseen cards beat, higher ones of its suit counting four times as much as trumps. A card that
    does not win is spent from the lowest; once the bid is made, or passed, one such comes first.
    """

    def bid(self, view: BidView, move: Bid) -> float:
        tricks = popcount(view.hand[TRUMP]) + popcount(view.twins[TRUMP])
        for suit in range(TRUMP + 1, SUITS):
            tricks += (view.hand[suit] >> ACE & 1) + (view.twins[suit] >> ACE & 1)
        return -abs(move.tricks - min(view.cards, tricks))

    def play(self, view: PlayView, move: Play) -> float:
        likely = FIRST - beaten_by(view, move) if move.wins else -strength(move)
        if missing(view) > 0:
            return likely
        return -likely if move.wins else FIRST - strength(move)
