"""Club Fight: trying the moves out before making one."""

from __future__ import annotations

from sim.games.club_fight.sampled import deal_unseen, new_game, play_out, rate, sure_win
from sim.games.club_fight.view import Moves, Noise, View
from sim.strategy import Count, Policy, Strategy

BATCH = 16  # samples between two looks at the candidates
SHARE = 64  # games for each candidate, at least: of many that are hardly tried luck is the best
DOUBT = 1.7  # a candidate is dropped that lies so many standard errors behind
PER_CARD = 0.02  # what a card left costs a lost game: much less than a win is worth


class LookAhead(Strategy):
    """Imagine how each good move would go on, many times, and make the one that wins most often.

    Source: Monte Carlo search with common random numbers and successive elimination of the worse
    (Maron and Moore, Hoeffding races, 1994), as engines of card games use it.
    Assumption: the unseen cards lie in any order; the game goes on as `policy` plays it. Of the
    best `candidates` by its scores, those clearly behind are dropped, until one is left or
    `rollouts` games were imagined. With both decks empty, a win is worked out.
    """

    policy: Policy = Policy("all-tips", pace=0.0)
    candidates: Count = 32
    rollouts: Count = 4800

    check = {"params": {"candidates": 4, "rollouts": 24}, "deals": 20}  # noqa: RUF012  # read only

    def choose(self, view: View, moves: Moves, noise: Noise) -> int:
        game = new_game(view)
        nothing_hidden = view.grid_deck + view.clubs_deck == 0
        sure = sure_win(game, moves) if nothing_hidden else -1
        if sure >= 0:
            return sure
        tried = self.best_rated(rate(game, view, moves, self.policy))
        size, budget = len(tried), 1 if nothing_hidden else self.rollouts
        batch = max(1, min(BATCH, budget // size))
        room = budget // 2 + batch
        worth = [0.0] * (size * room)
        racing, leader, number = [True] * size, 0, 0
        while racing.count(True) > 1 and budget > 0:
            for _ in range(batch):
                deal_unseen(game, noise, number)
                for i in range(size):
                    if racing[i]:
                        cards = play_out(game, moves, tried[i], self.policy)
                        worth[i * room + number] = -PER_CARD * cards if cards else 1.0
                number += 1
            budget -= batch * racing.count(True)
            leader = self.leader(worth, room, number, racing)
            for i in range(size):
                racing[i] = racing[i] and self.close(worth, room, number, leader, i)
        return tried[leader]

    def best_rated(self, scores: list[float]) -> list[int]:
        kept: list[int] = []
        left = [True] * len(scores)
        affordable = max(4, self.rollouts // SHARE)
        for _ in range(min(self.candidates, affordable, len(scores))):
            best = -1
            for m in range(len(scores)):
                if left[m] and (best < 0 or scores[m] > scores[best]):
                    best = m
            left[best] = False
            kept.append(best)
        return kept

    def leader(self, worth: list[float], room: int, number: int, racing: list[bool]) -> int:
        leader, top = -1, 0.0
        for i in range(len(racing)):
            if racing[i]:
                total = 0.0
                for sample in range(i * room, i * room + number):
                    total += worth[sample]
                if leader < 0 or total > top:
                    leader, top = i, total
        return leader

    def close(self, worth: list[float], room: int, number: int, leader: int, i: int) -> bool:
        total, squares = 0.0, 1.0  # as if one sample more had differed
        for sample in range(number):
            ahead = worth[leader * room + sample] - worth[i * room + sample]
            total += ahead
            squares += ahead * ahead
        return total * total <= DOUBT * DOUBT * squares
