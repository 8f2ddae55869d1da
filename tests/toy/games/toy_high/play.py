"""The rules of Toy High, and its loop in both lanes.

Twelve cards, 1 to 12, are shuffled. The first five are targets, turned over one by one; the others
are the player's stock, and two or three of them are held. Each turn one card held is played against
the target: a higher one beats it. Then a card is drawn. Targets not beaten are left over.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray
from sim.games.toy_high import Rules
from sim.games.toy_high.view import Move, View

from sim.bits import lowest
from sim.choose import choose, turn_key
from sim.deals import TIES, deal_key, shuffle, stream_root
from sim.game import Block, Dice
from sim.jit import door, door_as, engine
from sim.lanes import Player, score_all_signature, strategy_fault

VIEW, MOVE = View, Move
DECK = np.uint64(0x8F3A5C1D7B2E9641)  # purpose of the stream that shuffles
CARDS, TARGETS, MOST_HELD = 12, 5, 3

HELD, NEXT, TURN, BEATEN = range(4)  # places in Room.now


class Room(NamedTuple):
    """All arrays of a block: the engine can allocate none itself."""

    deck: NDArray[np.int64]  # (12,) targets first
    now: NDArray[np.int64]  # (4,) mask of cards held, place of the next card, turn, targets beaten
    moves: NDArray[np.int64]  # (1, 3) fields of Move
    numbers: NDArray[np.int64]  # (3,) candidate numbers
    scores: NDArray[np.float64]  # (3,)
    where: NDArray[np.int64]  # (2,) the deal in play, and 1 if a score was not finite


class Keys(NamedTuple):
    """Roots of the streams of a run (uint64), and how ties are broken."""

    deck: Any
    ties: Any
    first: bool


ROOM = types.NamedTuple(
    [types.int64[::1]] * 2
    + [types.int64[:, ::1], types.int64[::1], types.float64[::1], types.int64[::1]],
    Room,
)
KEYS = types.NamedTuple([types.uint64, types.uint64, types.boolean], Keys)


@engine
def set_up(room: Any, keys: Any, number: Any, hand: Any) -> None:
    room.where[0] = number
    for i in range(CARDS):
        room.deck[i] = i + 1
    shuffle(room.deck, CARDS, deal_key(keys.deck, number))
    room.now[HELD], room.now[TURN], room.now[BEATEN] = 0, 0, 0
    for i in range(TARGETS, TARGETS + hand):
        room.now[HELD] |= 1 << room.deck[i]
    room.now[NEXT] = TARGETS + hand


@engine
def list_moves(room: Any) -> Any:
    """List the candidates of the turn; return how many there are, 0 if the game is over."""
    count, held = 0, room.now[HELD] if room.now[TURN] < TARGETS else 0
    while held:
        room.moves[0, count] = room.numbers[count] = lowest(held)
        held &= held - 1
        count += 1
    return count


@engine
def look(room: Any) -> Any:
    return View(room.deck[room.now[TURN]], room.now[HELD], room.now[TURN])


@engine
def move(room: Any, keys: Any, count: Any, beaten: Any) -> Any:
    """Choose by the scores and make the move; return its index, or a negative number."""
    now = room.now
    key = turn_key(deal_key(keys.ties, room.where[0]), now[TURN])
    chosen = choose(room.scores, room.numbers, count, key, keys.first)
    if chosen < 0:
        room.where[1] = 1
        return chosen
    card = room.moves[0, chosen]
    higher = card > room.deck[now[TURN]]
    beaten[now[TURN]] += higher
    now[BEATEN] += higher
    now[HELD] &= ~(1 << card)
    if now[NEXT] < CARDS:
        now[HELD] |= 1 << room.deck[now[NEXT]]
        now[NEXT] += 1
    now[TURN] += 1
    return chosen


@engine
def finish(room: Any, outcomes: Any, i: Any) -> None:
    outcomes[0, i] = TARGETS - room.now[BEATEN]
    outcomes[1, i] = room.now[TURN]


@door_as(
    types.void(
        KEYS,
        types.int64,
        types.int64,
        types.FunctionType(score_all_signature(View)),
        types.float64[::1],
        types.uint8[:, ::1],
        types.int64[::1],
        ROOM,
    )
)
def play_compiled(
    keys: Any,
    first: Any,
    hand: Any,
    score_all: Any,
    weights: Any,
    outcomes: Any,
    beaten: Any,
    room: Any,
) -> None:
    for i in range(outcomes.shape[1]):
        set_up(room, keys, first + i, hand)
        count = list_moves(room)
        while count:
            score_all(weights, look(room), room.moves, count, room.scores)
            if move(room, keys, count, beaten) < 0:
                return
            count = list_moves(room)
        finish(room, outcomes, i)


# The plain lane: the same rules, through doors.


@door
def root_of(seed: Any, purpose: Any) -> Any:
    return stream_root(seed, purpose)


@door
def open_deal(room: Any, keys: Any, number: Any, hand: Any) -> None:
    set_up(room, keys, number, hand)


@door
def open_turn(room: Any) -> Any:
    return list_moves(room)


@door
def close_turn(room: Any, keys: Any, count: Any, beaten: Any) -> Any:
    return move(room, keys, count, beaten)


@door
def close_deal(room: Any, outcomes: Any, i: Any) -> None:
    finish(room, outcomes, i)


def play_plain(
    keys: Keys, first: int, hand: int, player: Player, outcomes: Any, beaten: Any, room: Room
) -> None:
    score = player.strategy.score  # type: ignore[attr-defined]
    for i in range(outcomes.shape[1]):
        open_deal(room, keys, first + i, hand)
        while count := open_turn(room):
            turn = int(room.now[TURN])
            view = View(int(room.deck[turn]), int(room.now[HELD]), turn)
            moves = [Move(card) for card in room.moves[0, :count].tolist()]
            room.scores[:count] = [float(score(view, option)) for option in moves]
            if close_turn(room, keys, count, beaten) < 0:
                return
        close_deal(room, outcomes, i)


def play_block(rules: Rules, dice: Dice, first: int, count: int, player: Player) -> Block:
    """Play deals `first` .. `first + count - 1` with one strategy."""
    started = time.perf_counter()
    outcomes, beaten = np.zeros((2, count), np.uint8), np.zeros(TARGETS, np.int64)
    roots = (root_of(dice.seed, DECK), root_of(dice.tie_seed, TIES))
    keys = Keys(*map(np.uint64, roots), dice.ties == "first")
    room = new_room()
    try:
        if player.score_all is None:
            play_plain(keys, first, rules.hand, player, outcomes, beaten, room)
        else:
            scoring = player.score_all, player.weights
            play_compiled(keys, first, rules.hand, *scoring, outcomes, beaten, room)
    except Exception as error:
        raise strategy_fault(player, int(room.where[0]), int(room.now[TURN]), error) from error
    if room.where[1]:
        fault = "returned a score that is not a finite number"
        raise strategy_fault(player, int(room.where[0]), int(room.now[TURN]), fault)
    return Block(outcomes, {"beaten": beaten}, time.perf_counter() - started)


def new_room() -> Room:
    return Room(
        np.zeros(CARDS, np.int64),
        np.zeros(4, np.int64),
        np.zeros((1, MOST_HELD), np.int64),
        np.zeros(MOST_HELD, np.int64),
        np.zeros(MOST_HELD),
        np.zeros(2, np.int64),
    )
