"""Playing Club Fight: a block of deals at full speed, in the lane of the player.

The compiled loop calls the strategy's scoring loop through a pointer once a turn. A strategy that
could not be compiled is played by `turns`, which shares every rule with this loop.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from sim.choose import choose, turn_key
from sim.deals import CLUBS, GRID, TIES, deal_key, stream_root
from sim.errors import StrategyFailed
from sim.game import Block as PlayedBlock
from sim.game import Dice
from sim.games.club_fight import GAME, Rules
from sim.games.club_fight.moves import MOVE_FIELDS, allowed_by, candidates
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
    look,
    lying,
    new_table,
    refill,
    take,
)
from sim.games.club_fight.view import Move, View
from sim.jit import door, door_as, engine
from sim.lanes import Player, score_all_signature, strategy_fault, tuple_type

VIEW, MOVE = View, Move  # the two classes a strategy for this game is written against
CANDIDATE_SHIFT = 9  # a candidate's number is clubs << 9 | cells


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
    sets: NDArray[np.int64]  # (4, SETS) subsets of cells, for the generator
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
        np.zeros((4, SETS), np.int64),
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
    count = candidates(room.table, all_clear, room.moves, room.sets)
    for m in range(count):
        room.numbers[m] = room.moves[0, m] << CANDIDATE_SHIFT | room.moves[1, m]
    return count


@engine
def pick(room: Any, keys: Any, number: Any, count: Any) -> Any:
    """Return the index of the move to take, by score and then by hash."""
    key = turn_key(deal_key(keys.ties, number), room.table.now[TURN])
    return choose(room.scores, room.numbers, count, key, keys.first)


@engine
def make_move(room: Any, counters: Any, chosen: Any) -> None:
    """Make the move, count it, refill grid and hand."""
    table, clubs, cells = room.table, room.moves[0, chosen], room.moves[1, chosen]
    action = first_action(allowed_by(table, clubs, cells))
    counters.actions[action] += 1
    counters.brought[action] += room.moves[2, chosen]
    for block in (Block.LINE, Block.UPDOWN, Block.RUN):
        counters.blocked[block] += is_blocked(table, block)
    take(table, clubs, cells)
    refill(table)
    room.pace[table.now[TURN]] = left(table)


@engine
def first_action(kinds: Any) -> Any:
    """Return the first action of a mask: the one an effect is counted for."""
    action = 0
    while not kinds >> action & 1:
        action += 1
    return action


@engine
def finish(room: Any, counters: Any, outcomes: Any, i: Any) -> None:
    """Write the outcome of a finished game, and its pace."""
    cards, made = left(room.table), room.table.now[TURN]
    outcomes[0, i] = cards
    outcomes[1, i] = made
    for turn in range(1, made + 1):
        counters.pace[int(cards == 0), turn, room.pace[turn]] += 1


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


def play_block(rules: Rules, dice: Dice, first: int, count: int, player: Player) -> PlayedBlock:
    """Play deals `first` .. `first + count - 1` with one strategy.

    Raises:
        StrategyFailed: if the strategy raises, or a score is not a finite number; the message names
            strategy, deal, turn and source line.
    """
    outcomes, counters = np.zeros((2, count), np.uint8), new_counters()
    started = time.perf_counter()
    if player.score_all is None:
        _play_plain(rules, dice, first, player, outcomes, counters)
    else:
        _play_compiled(rules, dice, first, player, outcomes, counters)
    return PlayedBlock(outcomes, counters._asdict(), time.perf_counter() - started)


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
    from sim.games.club_fight.turns import play_deal  # it builds on this module

    room = new_room()
    for i in range(outcomes.shape[1]):
        play_deal(rules, dice, first + i, player, room, counters, outcomes, i)


def not_finite(player: Player, number: int, turn: int, score: float) -> StrategyFailed:
    """Say that a score is not a finite number."""
    what = f"returned the score {score}, which is not a finite number"
    return strategy_fault(player, number, turn, what)
