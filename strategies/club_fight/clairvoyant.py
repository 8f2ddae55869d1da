"""Club Fight with both decks open: how much can be won at all."""

from __future__ import annotations

from sim.games.club_fight.hidden import Hidden
from sim.games.club_fight.open_cards import search
from sim.games.club_fight.sampled import new_game
from sim.games.club_fight.view import Moves, Noise, View
from sim.strategy import Count, Strategy


class Clairvoyant(Strategy):
    """Know every card to come: no advice, but a bound for all advice.

    Source: beam search, as in B. Lowerre, The HARPY speech recognition system (1976).
    Assumption: of each turn the `width` positions with the fewest cards left are followed. A win is
    a proof that the deal can be won; a loss proves nothing.
    """

    clairvoyant = True

    width: Count = 100

    def choose(self, view: View, moves: Moves, noise: Noise, hidden: Hidden) -> int:
        return search(new_game(view), moves, hidden, self.width)
