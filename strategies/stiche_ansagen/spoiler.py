"""Stiche ansagen: what to do with a round that is lost."""

from __future__ import annotations

from sim.games.stiche_ansagen.view import Play, PlayView
from sim.strategy import Strategy
from strategies.stiche_ansagen._tricks import leave, missing, take, take_or_leave, wants_more


class Spoiler(Strategy):
    """Once your bid is lost, spoil others': leave tricks to who has his, take what others need.

    Source: common advice for Oh Hell.
    Assumption: a trick is left if more of those who could then win it have made their bid than
    still need tricks, and taken if fewer; the leader of the game counts `leader` times. Who has
    lost as well does not count. Before that, and while a wrong zero costs more with each trick, it
    plays as `cheapest-winner-highest-loser`.
    """

    leader: float = 2.0

    def play(self, view: PlayView, move: Play) -> float:
        lost = not wants_more(view) and missing(view) != 0
        if not lost or (view.per_trick and view.bids[0] == 0):
            return take_or_leave(view, move)
        return take(view, move) if self.harm(view) < 0.0 else leave(view, move)

    def harm(self, view: PlayView) -> float:
        """What leaving the trick does to the others: those it hurts, less those it helps."""
        harm, best = 0.0, self.best(view)
        for other in range(1, view.seats):
            if other == view.winner or other < view.seats - view.place:
                weight = self.leader if view.points[other] == best else 1.0
                harm += weight * hurt(view, other)
        return harm

    def best(self, view: PlayView) -> int:
        """The most points any of the others has."""
        best = int(view.points[1])
        for other in range(2, view.seats):
            best = max(best, view.points[other])
        return best


def hurt(view: PlayView, other: int) -> int:
    """Return 1 if one trick more breaks a player's bid, -1 if he needs it, else 0."""
    needs = view.bids[other] - view.won[other]
    if needs == 0:
        return 1
    return -1 if 0 < needs <= view.left else 0
