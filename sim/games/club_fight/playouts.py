"""Imagined games: the engine's steps on a table of their own.

Compiled code calls the engine's steps on a table of its own. `play_out` is compiled once for all
strategies and policies; the policy is reached as a strategy is from the engine, once a turn through
a function pointer. Equal scores are settled by a hash of the sample, which is fair and cheap.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from sim.bits import lowest
from sim.cards import EMPTY, JOKER
from sim.choose import choose, turn_key
from sim.deals import mix, shuffle
from sim.games.club_fight.rules import (
    CELLS,
    CLUBS_NEXT,
    DISCARDS,
    GRID_NEXT,
    GRID_SIZE,
    HAND,
    JOKERS_OUT,
    KING,
    TURN,
    Table,
    left,
    look,
    lying,
    place,
    refill,
    take,
)
from sim.games.club_fight.steps import ROOMS, Room, is_over, list_moves
from sim.games.club_fight.view import (
    View,
)
from sim.jit import at, door_as, engine
from sim.lanes import score_all_signature, tuple_type

ODD = np.uint64(0x9FB21C651E98DF25)
# Places in Sample.facts.
JOKERS_IN_PLAY, ALL_CLEAR, CARDS, CLUBS, TIES = range(5)


class Sample(NamedTuple):
    """An imagined game: where it stands, and a room to play it on in."""

    start: Table  # as the player sees it, with decks that were dealt at random
    room: Room  # its table has the decks of `start`
    cards: NDArray[np.int64]  # (54,) the unseen grid cards in a fixed order
    clubs: NDArray[np.int64]  # (13,) the unseen clubs in a fixed order
    mixed: NDArray[np.int64]  # (54,) the same shuffled
    facts: NDArray[np.int64]  # (5,) two options of the rules, two counts, and a key for ties


SAMPLES = types.NamedTuple([tuple_type(Table), ROOMS, *[types.int64[::1]] * 4], Sample)
SCORE_ALL = types.FunctionType(score_all_signature(View))
MOST_CARDS = 54


@engine
def settle(game: Any, view: Any, cards: Any, jokers: Any, clubs: Any) -> None:
    """Lay the table as a view shows it, and list what it does not show.

    Args:
        game: the sample.
        view: what the player sees.
        cards: mask of the unseen grid cards.
        jokers: how many are unseen.
        clubs: mask of the unseen clubs.
    """
    table, now, facts = game.start, game.start.now, game.facts
    for value in range(KING + 1):
        table.by_value[value] = 0
    for suit in range(4):
        table.by_suit[suit] = 0
    for cell in range(CELLS):
        table.grid[cell] = EMPTY
        if view.grid[cell] != EMPTY:
            place(table, cell, view.grid[cell])
    now[HAND], now[GRID_NEXT], now[GRID_SIZE] = view.hand, 0, view.grid_deck
    now[CLUBS_NEXT], now[TURN] = KING - view.clubs_deck, view.turn
    now[DISCARDS], now[JOKERS_OUT] = view.discards, view.jokers_discarded
    facts[JOKERS_IN_PLAY], facts[ALL_CLEAR] = view.jokers_in_play, view.all_clear
    facts[CARDS], facts[CLUBS] = list_cards(game.cards, cards, jokers), 0
    while clubs:
        game.clubs[facts[CLUBS]] = lowest(clubs)
        clubs &= clubs - 1
        facts[CLUBS] += 1


@engine
def list_cards(into: Any, cards: Any, jokers: Any) -> Any:
    """List the cards of a mask by number, then the jokers; return how many there are."""
    count = 0
    while cards:
        into[at(count)] = lowest(cards)
        cards &= cards - 1
        count += 1
    for _ in range(jokers):
        into[at(count)] = JOKER
        count += 1
    return count


@engine
def deal(game: Any, noise: Any, number: Any) -> None:
    """Deal sample `number` of a turn."""
    table, facts, mixed = game.start, game.facts, game.mixed
    key = mix(np.uint64(noise) + np.uint64(number + 1) * ODD)
    facts[TIES] = np.int64(key)
    for i in range(facts[CARDS]):
        mixed[i] = game.cards[i]
    shuffle(mixed, facts[CARDS], mix(key ^ ODD))
    for i in range(table.now[GRID_SIZE]):
        table.grid_deck[i] = mixed[i]
    for i in range(facts[CLUBS]):
        mixed[i] = game.clubs[i]
    shuffle(mixed, facts[CLUBS], mix(key + ODD))
    first = table.now[CLUBS_NEXT]
    for i in range(KING - first):
        table.clubs_deck[at(first + i)] = mixed[i]


@engine
def begin(game: Any, clubs: Any, cells: Any) -> None:
    """Go back to where the player stands, and make a move."""
    table, start = game.room.table, game.start
    for cell in range(CELLS):
        table.grid[cell] = start.grid[cell]
    for value in range(KING + 1):
        table.by_value[value] = start.by_value[value]
    for suit in range(4):
        table.by_suit[suit] = start.by_suit[suit]
    for fact in range(7):
        table.now[fact] = start.now[fact]
    take(table, clubs, cells)
    refill(table)


@engine
def winning(room: Any, count: Any) -> Any:
    """Return the number of a move that wins at once, or -1."""
    table, found = room.table, -1
    if table.now[GRID_NEXT] == table.now[GRID_SIZE]:
        here = lying(table)
        for m in range(count):
            found = m if room.moves[1, m] == here else found
    return found


@engine
def preferred(game: Any, count: Any) -> Any:
    """Return the number of the move with the best score."""
    room = game.room
    key = turn_key(np.uint64(game.facts[TIES]), room.table.now[TURN])
    return choose(room.scores, room.numbers, count, key, False)


@engine
def advance(game: Any, chosen: Any) -> None:
    """Make a move of the imagined game."""
    room = game.room
    take(room.table, room.moves[0, at(chosen)], room.moves[1, at(chosen)])
    refill(room.table)


@door_as(types.int64(SAMPLES, types.int64, types.int64, SCORE_ALL, types.float64[::1]))
def play_out_compiled(game: Any, clubs: Any, cells: Any, score_all: Any, weights: Any) -> Any:
    """Play an imagined game to its end; return the cards left, or -1 if a score is not finite."""
    room, jokers, all_clear = game.room, game.facts[JOKERS_IN_PLAY], game.facts[ALL_CLEAR]
    begin(game, clubs, cells)
    while not is_over(room.table):
        count = list_moves(room, all_clear)
        chosen = winning(room, count)
        if chosen >= 0:
            return 0
        score_all(weights, look(room.table, jokers, all_clear), room.moves, count, room.scores)
        chosen = preferred(game, count)
        if chosen < 0:
            return -1
        advance(game, chosen)
    return left(room.table)
