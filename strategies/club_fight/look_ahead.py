"""Club Fight: trying the moves out before making one."""

from __future__ import annotations

from sim.games.club_fight.sampled import deal_unseen, new_game, play_out, rate
from sim.games.club_fight.view import Moves, Noise, View
from sim.strategy import Count, Policy, Strategy


class LookAhead(Strategy):
    """Imagine how each good move would go on, many times, and make the one that wins most often."""

    policy: Policy = Policy("all-tips", pace=0.0)
    candidates: Count = 16
    rollouts: Count = 1200

    def choose(self, view: View, moves: Moves, noise: Noise) -> int:
        game = new_game(view)
        scores = rate(game, view, moves, self.policy)
        best, chosen = -1.0, 0
        for m in range(moves.count):
            total = 0.0
            for i in range(20):
                deal_unseen(game, noise, i)
                if play_out(game, moves, m, self.policy) == 0:
                    total += 1.0
            total += 0.001*scores[m]
            if total > best:
                best, chosen = total, m
        return chosen
