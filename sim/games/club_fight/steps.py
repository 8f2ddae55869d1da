"""One step after the other of a game of Club Fight, shared by the compiled loop and `turns`.

Everything happens in a `Room`: arrays made once a block, for the engine can allocate none itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from sim.bits import lowest, popcount
from sim.choose import choose, turn_key
from sim.deals import CLUBS, GRID, TIES, deal_key, stream_root
from sim.game import Dice
from sim.games.club_fight import GAME
from sim.games.club_fight.actions import allowed_by
from sim.games.club_fight.moves import MOVE_FIELDS, candidates, unpack
from sim.games.club_fight.rules import (
    HAND,
    ROOM,
    SETS,
    TURN,
    Block,
    Table,
    deal,
    is_blocked,
    left,
    lying,
    new_table,
    refill,
    take,
)
from sim.jit import at, door, engine
from sim.lanes import tuple_type


class Counters(NamedTuple):
    """What is counted beside the outcomes, added up over a block; shapes in `GAME.counters`."""

    actions: NDArray[np.int64]
    brought: NDArray[np.int64]
    blocked: NDArray[np.int64]
    pace: NDArray[np.int64]


class Keys(NamedTuple):
    """Roots of the streams of a run (uint64), and how ties are broken."""

    grid: Any
    clubs: Any
    ties: Any
    first: bool


class Room(NamedTuple):
    """All arrays the engine works in, made once a block: it can allocate none itself."""

    table: Table
    moves: NDArray[np.int64]  # (fields of Move, ROOM) candidates of the turn
    scores: NDArray[np.float64]  # (ROOM,)
    numbers: NDArray[np.int64]  # (ROOM,) candidate numbers
    sets: NDArray[np.int64]  # (6, SETS) subsets of cells, for the generator
    pace: NDArray[np.int64]  # (14,) cards left after each turn of the game


KEYS = types.NamedTuple([types.uint64] * 3 + [types.boolean], Keys)
COUNTERS = types.NamedTuple([types.int64[::1]] * 3 + [types.int64[:, :, ::1]], Counters)
ROOMS = types.NamedTuple(
    [
        tuple_type(Table),
        types.int64[:, ::1],
        types.float64[::1],
        types.int64[::1],
        types.int64[:, ::1],
        types.int64[::1],
    ],
    Room,
)


def new_counters() -> Counters:
    """Return counters at zero."""
    return Counters(*(np.zeros(GAME.counters[name], np.int64) for name in Counters._fields))


def new_room() -> Room:
    """Return the arrays for one block."""
    return Room(
        new_table(),
        np.zeros((MOVE_FIELDS, ROOM), np.int64),
        np.zeros(ROOM),
        np.zeros(ROOM, np.int64),
        np.zeros((6, SETS), np.int64),
        np.zeros(14, np.int64),
    )


@door
def root_of(seed: Any, purpose: Any) -> Any:
    """Return `stream_root` to Python."""
    return stream_root(seed, purpose)


def keys(dice: Dice) -> Keys:
    """Return the stream roots of a run."""
    streams = (dice.seed, GRID), (dice.seed, CLUBS), (dice.tie_seed, TIES)
    grid, clubs, ties = (np.uint64(root_of(seed, purpose)) for seed, purpose in streams)
    return Keys(grid, clubs, ties, dice.ties == "first")


@engine
def set_up(room: Any, keys: Any, number: Any, jokers: Any) -> None:
    """Deal number `number`."""
    deal(room.table, deal_key(keys.grid, number), deal_key(keys.clubs, number), jokers)


@engine
def is_over(table: Any) -> Any:
    """Return whether the game has ended: nothing lies (won), or no club is in hand (lost)."""
    return (lying(table) == 0) | (table.now[HAND] == 0)


@engine
def list_moves(room: Any, all_clear: Any) -> Any:
    """List the candidates of the turn and their numbers; return how many there are."""
    count = candidates(room.table, all_clear, room.numbers, room.sets)
    unpack(room.numbers, count, room.moves)
    return count


@engine
def pick(room: Any, keys: Any, number: Any, count: Any) -> Any:
    """Return the index of the move to take, by score and then by hash."""
    key = turn_key(deal_key(keys.ties, number), room.table.now[TURN])
    return choose(room.scores, room.numbers, count, key, keys.first)


@engine
def make_move(room: Any, counters: Any, chosen: Any) -> None:
    """Make the move, count it, refill grid and hand."""
    table, clubs, cells = room.table, room.moves[0, at(chosen)], room.moves[1, at(chosen)]
    action = lowest(allowed_by(table, clubs, cells))  # the first that allows it counts
    counters.actions[action] += 1
    counters.brought[action] += popcount(cells)
    for block in (Block.LINE, Block.UPDOWN, Block.RUN):
        counters.blocked[block] += is_blocked(table, block)
    take(table, clubs, cells)
    refill(table)
    room.pace[at(table.now[TURN])] = left(table)


@engine
def finish(room: Any, counters: Any, outcomes: Any, i: Any) -> None:
    """Write the outcome of a finished game, and its pace."""
    cards, made = left(room.table), room.table.now[TURN]
    outcomes[0, at(i)] = cards
    outcomes[1, at(i)] = made
    for turn in range(1, made + 1):
        counters.pace[int(cards == 0), at(turn), at(room.pace[at(turn)])] += 1
