"""The beam search of `open_cards`, compiled; plain Python calls the same.

A position is a row of numbers: nine cards, the hand, the next card of each deck, and the move of
the first turn that led to it. The moves of all positions are listed twice: first to count how many
children there are of each rank, then to make those that are kept. That takes no room for children.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from sim.bits import popcount
from sim.cards import EMPTY
from sim.deals import mix
from sim.games.club_fight import open_cards
from sim.games.club_fight.hidden import Hidden
from sim.games.club_fight.playouts import ALL_CLEAR, SAMPLES
from sim.games.club_fight.rules import (
    CELLS,
    CLUBS_NEXT,
    GRID_NEXT,
    GRID_SIZE,
    HAND,
    left,
    place,
    refill,
    take,
)
from sim.games.club_fight.steps import is_over, list_moves
from sim.jit import TWO_FORMS, at, door_as, engine
from sim.lanes import tuple_type

ROW = CELLS + 4  # nine cards, hand, next grid card, next club, first move
FIRST = ROW - 1
LOTS = 16  # ranks of positions with equally many cards left, by hash
RANKS = 42 * LOTS
NONE = -1
ODD = np.uint64(0xFF51AFD7ED558CCD)


@engine
def set_out(game: Any, row: Any) -> None:
    """Lay the position of a row on the table of the room."""
    table = game.room.table
    for value in range(14):
        table.by_value[value] = 0
    for suit in range(4):
        table.by_suit[suit] = 0
    for cell in range(CELLS):
        table.grid[cell] = EMPTY
        if row[cell] != EMPTY:
            place(table, cell, row[cell])
    table.now[HAND], table.now[GRID_NEXT], table.now[CLUBS_NEXT] = row[9], row[10], row[11]


@engine
def write_down(table: Any, row: Any, first: Any) -> None:
    """Write the position on a table into a row."""
    for cell in range(CELLS):
        row[cell] = table.grid[cell]
    row[9], row[10], row[11] = table.now[HAND], table.now[GRID_NEXT], table.now[CLUBS_NEXT]
    row[FIRST] = first


@engine
def rank(room: Any, cards: Any, salt: Any, m: Any) -> Any:
    """Return the rank of a child, lower ones first: by the cards left, then by hash."""
    lot = mix(salt + np.uint64(room.numbers[at(m)] + 1) * ODD) & np.uint64(LOTS - 1)
    return (cards - popcount(room.moves[1, at(m)])) * LOTS + np.int64(lot)


@engine
def salt_of(row: Any) -> Any:
    """Return a hash (uint64) of a position."""
    salt = np.uint64(0)
    for i in range(FIRST):
        salt = mix(salt + np.uint64(row[i] + 2) * ODD)
    return salt


@engine
def limit(ranks: Any, width: Any) -> Any:
    """Return the rank from which on children are dropped, so that at most `width` are kept.

    If even the lowest rank holds more, it is kept as far as there is room.
    """
    kept = 0
    for place_of in range(RANKS):
        kept += ranks[place_of]
        if kept > width:
            return place_of if kept > ranks[place_of] else place_of + 1
    return RANKS


@engine
def count_children(game: Any, rows: Any, size: Any, ranks: Any) -> Any:
    """Count the children of all positions by rank; return the first move of one that wins."""
    for place_of in range(RANKS):
        ranks[place_of] = 0
    for i in range(size):
        set_out(game, rows[i])
        count = list_moves(game.room, game.facts[ALL_CLEAR])
        cards, salt = left(game.room.table), salt_of(rows[i])
        for m in range(count):
            if popcount(game.room.moves[1, m]) == cards:
                return i, m
            ranks[at(rank(game.room, cards, salt, m))] += 1
    return NONE, NONE


@engine
def make_children(game: Any, rows: Any, size: Any, into: Any, below: Any, width: Any) -> Any:
    """Make the children whose rank is below a limit; return how many there are."""
    room, made = game.room, 0
    for i in range(size):
        set_out(game, rows[i])
        count = list_moves(room, game.facts[ALL_CLEAR])
        cards, salt = left(room.table), salt_of(rows[i])
        for m in range(count):
            if rank(room, cards, salt, m) < below and made < width:
                set_out(game, rows[i])
                take(room.table, room.moves[0, m], room.moves[1, m])
                refill(room.table)
                if not is_over(room.table):
                    first = rows[i, FIRST]
                    move = room.moves[0, m] << CELLS | room.moves[1, m]
                    write_down(room.table, into[at(made)], move if first == NONE else first)
                    made += 1
    return made


@engine
def open_decks(game: Any, hidden: Any) -> None:
    """Put the real decks on the table."""
    for i in range(hidden.grid_size):
        game.start.grid_deck[i] = hidden.grid_deck[i]
    for i in range(13):
        game.start.clubs_deck[i] = hidden.clubs_deck[i]
    game.start.now[GRID_NEXT], game.start.now[CLUBS_NEXT] = hidden.grid_next, hidden.clubs_next
    game.room.table.now[GRID_SIZE] = hidden.grid_size


@engine
def first_of(room: Any, row: Any, m: Any) -> Any:
    """Return the first move of a line that goes on with move `m` from a position."""
    if row[FIRST] != NONE:
        return row[FIRST]
    return room.moves[0, at(m)] << CELLS | room.moves[1, at(m)]


@engine
def best_of(ranks: Any) -> Any:
    """Return the lowest rank of which there is a child."""
    place_of = 0
    while place_of < RANKS - 1 and not ranks[place_of]:
        place_of += 1
    return place_of


@engine
def best_last(game: Any, rows: Any, size: Any, best: Any) -> Any:
    """Return the first move of a line to a child of the best rank."""
    for i in range(size):
        set_out(game, rows[i])
        count = list_moves(game.room, game.facts[ALL_CLEAR])
        cards, salt = left(game.room.table), salt_of(rows[i])
        for m in range(count):
            if rank(game.room, cards, salt, m) == best:
                return first_of(game.room, rows[i], m)
    return NONE


@door_as(
    types.int64(SAMPLES, tuple_type(Hidden), types.int64[:, :, ::1], types.int64[::1], types.int64)
)
def search_compiled(game: Any, hidden: Any, beams: Any, ranks: Any, width: Any) -> Any:
    """Return the move to make as clubs << 9 | cells.

    Args:
        game: what the player sees; its decks are overwritten.
        hidden: the real ones.
        beams: (2, width, ROW) positions of this turn and the next.
        ranks: (RANKS,) scratch.
        width: positions that are kept.
    """
    open_decks(game, hidden)
    write_down(game.start, beams[0, 0], NONE)
    size, now = 1, 0
    while True:
        rows = beams[now]
        winner, m = count_children(game, rows, size, ranks)
        if winner >= 0:
            return first_of(game.room, rows[winner], m)
        made = make_children(game, rows, size, beams[1 - now], limit(ranks, width), width)
        if not made:
            return best_last(game, rows, size, best_of(ranks))
        size, now = made, 1 - now


TWO_FORMS.add(open_cards.search)


@overload(open_cards.search)
def _search(game: Any, moves: Any, hidden: Any, width: Any) -> Any:
    def found(game: Any, moves: Any, hidden: Any, width: Any) -> Any:
        beams, ranks = np.zeros((2, width, ROW), np.int64), np.zeros(RANKS, np.int64)
        move = search_compiled(game, hidden, beams, ranks, width)
        for m in range(moves.size):
            if moves.clubs[m] << CELLS | moves.cells[m] == move:
                return m
        return NONE

    return found


def search(game: Any, moves: Any, hidden: Hidden, width: int) -> int:
    """Do what `open_cards.search` says, for plain Python."""
    decks: Any = {
        "grid_deck": np.array(hidden.grid_deck, np.int64),
        "clubs_deck": np.array(hidden.clubs_deck, np.int64),
    }
    beams, ranks = np.zeros((2, width, ROW), np.int64), np.zeros(RANKS, np.int64)
    move = search_compiled(game, hidden._replace(**decks), beams, ranks, width)
    pairs = list(zip(moves.clubs, moves.cells, strict=True))
    return pairs.index((move >> CELLS, move & (1 << CELLS) - 1))
