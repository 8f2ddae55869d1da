"""Playing Club Fight: a block of deals at full speed, in the lane of the player.

The compiled loop calls the strategy's scoring loop through a pointer once a turn. A strategy that
could not be compiled is played turn by turn; both share every step.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numba import types

from sim.game import Block, Dice
from sim.games.club_fight import GAME, Rules
from sim.games.club_fight.rules import TURN, look
from sim.games.club_fight.steps import (
    COUNTERS,
    KEYS,
    ROOMS,
    Counters,
    finish,
    is_over,
    keys,
    list_moves,
    make_move,
    new_counters,
    new_room,
    pick,
    set_up,
)
from sim.games.club_fight.turns import not_finite, play_deal
from sim.games.club_fight.view import Move, View
from sim.jit import door_as
from sim.lanes import Player, score_all_signature, strategy_fault

VIEW, MOVE = View, Move  # the two classes a strategy for this game is written against


@door_as(
    types.void(
        KEYS,
        types.int64,
        types.int64,
        types.int64,
        types.FunctionType(score_all_signature(View)),
        types.float64[::1],
        types.uint8[:, ::1],
        COUNTERS,
        types.int64[::1],
        ROOMS,
    )
)
def play_compiled(
    keys: Any,
    first: Any,
    jokers: Any,
    all_clear: Any,
    score_all: Any,
    weights: Any,
    outcomes: Any,
    counters: Any,
    where: Any,
    room: Any,
) -> None:
    """Play one deal from `first` on for each column of `outcomes`, (2, deals): cards left, turns.

    `where` (3,) always holds the deal and turn in play, and 1 if a score was not finite.
    """
    for i in range(outcomes.shape[1]):
        number = first + i
        where[0] = number
        set_up(room, keys, number, jokers)
        while not is_over(room.table):
            where[1] = room.table.now[TURN]
            count = list_moves(room, all_clear)
            view = look(room.table, jokers, all_clear)
            score_all(weights, view, room.moves, count, room.scores)
            chosen = pick(room, keys, number, count)
            if chosen < 0:
                where[2] = 1
                return
            make_move(room, counters, chosen)
        finish(room, counters, outcomes, i)


def play_block(rules: Rules, dice: Dice, first: int, count: int, player: Player) -> Block:
    """Play deals `first` .. `first + count - 1` with one strategy.

    Raises:
        StrategyFailed: if the strategy raises, or a score is not a finite number; the message names
            strategy, deal, turn and source line.
    """
    outcomes, counters = np.zeros((2, count), np.uint8), new_counters()
    started = time.perf_counter()
    if not player.is_compiled:
        _play_plain(rules, dice, first, player, outcomes, counters)
    elif player.chooses:
        picks = GAME.part("picks")  # compiled when it is needed
        picks.play_compiled(rules, dice, first, player, outcomes, counters)
    else:
        _play_compiled(rules, dice, first, player, outcomes, counters)
    return Block(outcomes, counters._asdict(), time.perf_counter() - started)


def _play_compiled(
    rules: Rules, dice: Dice, first: int, player: Player, outcomes: Any, counters: Counters
) -> None:
    where, room = np.zeros(3, np.int64), new_room()
    how = (int(rules.jokers), int(rules.all_clear), player.score_all, player.weights)
    try:
        play_compiled(keys(dice), first, *how, outcomes, counters, where, room)
    except Exception as error:  # raised by the strategy, through the function pointer
        raise strategy_fault(player, int(where[0]), int(where[1]), error) from error
    if where[2]:
        scores = room.scores[~np.isfinite(room.scores)]
        raise not_finite(player, int(where[0]), int(where[1]), float(scores[0]))


def _play_plain(
    rules: Rules, dice: Dice, first: int, player: Player, outcomes: Any, counters: Counters
) -> None:
    room = new_room()
    for i in range(outcomes.shape[1]):
        play_deal(rules, dice, first + i, player, room, counters, outcomes, i)
