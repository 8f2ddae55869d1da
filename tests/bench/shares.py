"""Where the time of a game goes: what it costs to do one part of every turn twice.

All parts but the move itself can be repeated without a trace, so a part costs what a game takes
longer when it is done once more. The second time finds caches and branch predictors warm: shares
are a little too small, and do not add up to the whole. The quietest of many short rounds counts.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numba import types

from sim.games.club_fight.actions import allowed_by
from sim.games.club_fight.moves import candidates, unpack
from sim.games.club_fight.play import play_block
from sim.games.club_fight.rules import look
from sim.games.club_fight.steps import (
    COUNTERS,
    KEYS,
    ROOMS,
    finish,
    is_over,
    keys,
    make_move,
    new_counters,
    new_room,
    pick,
    set_up,
)
from sim.games.club_fight.view import View
from sim.jit import door_as
from sim.lanes import Player, score_all_signature
from sim.store import Packed
from tests.bench.engine import DICE, EASY

DEALS, ROUNDS = 3_000, 25
PARTS = ("dealing", "candidates", "their fields", "scoring", "choosing", "naming the action")
DEALING, CANDIDATES, FIELDS, SCORING, CHOOSING, NAMING = range(len(PARTS))
SCORE_ALL = types.FunctionType(score_all_signature(View))
PLAY = types.int64(
    KEYS, SCORE_ALL, types.float64[::1], types.uint8[:, ::1], COUNTERS, ROOMS, types.int64[::1]
)


@door_as(PLAY)
def play_again(
    keys: Any, score_all: Any, weights: Any, outcomes: Any, counters: Any, room: Any, times: Any
) -> Any:
    """Play as `play_compiled` does, each part `times[part]` times; return a sum nobody needs."""
    used = 0  # else the compiler would leave out what has no effect
    for i in range(outcomes.shape[1]):
        for _ in range(times[DEALING]):
            set_up(room, keys, i, 1)
        while not is_over(room.table):
            count = chosen = 0
            for _ in range(times[CANDIDATES]):
                count = candidates(room.table, 0, room.numbers, room.sets)
            for _ in range(times[FIELDS]):
                unpack(room.numbers, count, room.moves)
            view = look(room.table, 1, 0)
            for _ in range(times[SCORING]):
                used += score_all(weights, view, room.moves, count, room.scores)
            for _ in range(times[CHOOSING]):
                chosen = pick(room, keys, i, count)
            for _ in range(times[NAMING]):
                used += allowed_by(room.table, room.moves[0, chosen], room.moves[1, chosen])
            make_move(room, counters, chosen)
        finish(room, counters, outcomes, i)
    return used


def seconds(player: Player, twice: int) -> float:
    """Return the seconds of processor that a game takes with one part done twice; none if -1."""
    times = np.array([1 + (part == twice) for part in range(len(PARTS))])
    times[NAMING] -= 1  # `make_move` does it
    arrays = np.zeros((2, DEALS), np.uint8), new_counters(), new_room()
    started = time.process_time()
    play_again(keys(DICE), player.score_all, player.weights, *arrays, times)
    return (time.process_time() - started) / DEALS


def shares(player: Player) -> dict[str, float]:
    """Return nanoseconds a game: "whole", each of `PARTS`, and "packing" for the store."""
    whole, *parts = (
        min(rounds)
        for rounds in zip(
            *([seconds(player, part) for part in range(-1, len(PARTS))] for _ in range(ROUNDS)),
            strict=True,
        )
    )
    found = {name: 1e9 * (part - whole) for name, part in zip(PARTS, parts, strict=True)}
    return {"whole": 1e9 * whole, **found, "packing": packing(player)}


def packing(player: Player) -> float:
    """Return nanoseconds a game that it takes to pack a block for the store."""
    block = play_block(EASY, DICE, 0, 50_000, player)

    def once() -> float:
        started = time.process_time()
        Packed.of(block)
        return time.process_time() - started

    return 1e9 * min(once() for _ in range(5)) / block.outcomes.shape[1]
