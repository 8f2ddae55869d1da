"""Playing Club Fight with strategies that choose: the compiled loop, and what they are given.

Apart from the loop for strategies that score, because most runs need no other: it is compiled when
the first strategy that chooses is played.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import types

from sim.choosing import ask, choose_signature, nobody, noise_of, pointers
from sim.deals import NOISE
from sim.errors import StrategyFailed
from sim.game import Dice
from sim.games.club_fight import Rules, beam, imagined
from sim.games.club_fight.hidden import Hidden
from sim.games.club_fight.moves import unpack
from sim.games.club_fight.rules import CLUBS_NEXT, GRID_NEXT, GRID_SIZE, TURN, look
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
    new_room,
    root_of,
    set_up,
)
from sim.games.club_fight.view import Moves, View
from sim.jit import at, door, door_as, engine
from sim.lanes import Player, score_all_signature, strategy_fault

MOVES, HIDDEN = Moves, Hidden  # what a strategy that chooses is given beside the view
assert imagined and beam  # compiled strategies call them


@engine
def in_order(room: Any, count: Any) -> None:
    """Put the candidates in the order of their numbers, whatever way they were found."""
    numbers = room.numbers
    for i in range(1, count):
        number, place = numbers[i], i
        while place and numbers[at(place - 1)] > number:
            numbers[at(place)] = numbers[at(place - 1)]
            place -= 1
        numbers[at(place)] = number
    unpack(numbers, count, room.moves)


@engine
def hidden_of(table: Any) -> Any:
    """Return what the player does not see."""
    now = table.now
    return Hidden(
        table.grid_deck, now[GRID_NEXT], now[GRID_SIZE], table.clubs_deck, now[CLUBS_NEXT]
    )


@door_as(
    types.void(
        KEYS,
        types.uint64,
        types.int64,
        types.int64,
        types.int64,
        types.FunctionType(choose_signature(View, Hidden)),
        types.float64[::1],
        types.FunctionType(score_all_signature(View)),
        types.float64[::1],
        types.uint8[:, ::1],
        COUNTERS,
        types.int64[::1],
        ROOMS,
    )
)
def play_choosing(
    keys: Any,
    noise_root: Any,
    first: Any,
    jokers: Any,
    all_clear: Any,
    choose_move: Any,
    weights: Any,
    score_all: Any,
    its_weights: Any,
    outcomes: Any,
    counters: Any,
    where: Any,
    room: Any,
) -> None:
    """Play one deal from `first` on for each column of `outcomes`, (2, deals): cards left, turns.

    `where` (4,) always holds the deal and turn in play; then 1 and the choice, if there is no such
    move.
    """
    for i in range(outcomes.shape[1]):
        number = first + i
        where[0] = number
        set_up(room, keys, number, jokers)
        while not is_over(room.table):
            where[1] = room.table.now[TURN]
            count = list_moves(room, all_clear)
            in_order(room, count)
            view, hidden = look(room.table, jokers, all_clear), hidden_of(room.table)
            noise = noise_of(noise_root, number, room.table.now[TURN])
            chosen = choose_move(
                weights, view, room.moves, count, noise, hidden, score_all, its_weights
            )
            if chosen < 0 or chosen >= count:
                where[2], where[3] = 1, chosen
                return
            make_move(room, counters, chosen)
        finish(room, counters, outcomes, i)


def play_compiled(
    rules: Rules, dice: Dice, first: int, player: Player, outcomes: Any, counters: Counters
) -> None:
    """Play a deal from `first` on for each column of `outcomes`.

    Raises:
        StrategyFailed: if the strategy raises, or chooses a move that there is not.
    """
    where, room = np.zeros(4, np.int64), new_room()
    options = int(rules.jokers), int(rules.all_clear)
    how = (*options, *pointers(player, _nobody()))
    try:
        play_choosing(keys(dice), noise_root(dice), first, *how, outcomes, counters, where, room)
    except Exception as error:  # raised by the strategy, through the function pointer
        raise strategy_fault(player, int(where[0]), int(where[1]), error) from error
    if where[2]:
        raise no_move(player, int(where[0]), int(where[1]), int(where[3]))


@cache
def _nobody() -> Any:
    return nobody(View)


def noise_root(dice: Dice) -> Any:
    """Return where the noise of a run begins: the player's luck, as ties are."""
    return np.uint64(root_of(dice.tie_seed, NOISE))


# --- In plain Python ---


@door
def order_door(room: Any, count: Any) -> None:
    """Let Python call `in_order`."""
    in_order(room, count)


@door
def noise_door(root: Any, number: Any, turn: Any) -> Any:
    """Let Python call `noise_of`."""
    return noise_of(root, number, turn)


def asked(player: Player, view: View, room: Any, count: int, dice: Dice, number: int) -> int:
    """Return what a strategy chooses, in its lane.

    Raises:
        StrategyFailed: if it raises, or chooses a move that there is not.
    """
    noise, hidden = int(noise_door(noise_root(dice), number, view.turn)), _hidden(room.table)
    try:
        if player.choose_move is None:
            fields: Any = room.moves[:, :count].tolist()
            moves = Moves._make([*fields, count])
            chosen = int(ask(player, view, moves, noise, _as_lists(hidden)))
        else:
            choose, weights, *policy = pointers(player, _nobody())
            seen = view._replace(grid=room.table.grid)
            chosen = int(choose(weights, seen, room.moves, count, noise, hidden, *policy))
    except Exception as error:  # whatever a strategy's author left in it
        raise strategy_fault(player, number, view.turn, error) from error
    if not 0 <= chosen < count:
        raise no_move(player, number, view.turn, chosen)
    return chosen


def _hidden(table: Any) -> Hidden:
    now = table.now.tolist()
    return Hidden(
        table.grid_deck, now[GRID_NEXT], now[GRID_SIZE], table.clubs_deck, now[CLUBS_NEXT]
    )


def _as_lists(hidden: Hidden) -> Hidden:
    decks: Any = {"grid_deck": hidden.grid_deck.tolist(), "clubs_deck": hidden.clubs_deck.tolist()}
    return hidden._replace(**decks)


def no_move(player: Player, number: int, turn: int, chosen: int) -> StrategyFailed:
    """Say that a strategy chose a move that there is not."""
    what = f"chose move {chosen}, and there is none; expected a number from 0 to moves.size - 1"
    return strategy_fault(player, number, turn, what)
