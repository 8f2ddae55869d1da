"""The end of Club Fight, worked out: with both decks empty nothing is hidden and chance is over.

Then a position is a set of cells and a set of clubs, at most 512 times 16 of them, and each is won
if one of its moves leads to one that is won. They are worked out from the smallest hands up.
"""

from __future__ import annotations

from typing import Any

from numba import types

from sim.bits import lowest
from sim.games.club_fight.rules import CELLS, HAND, KING, Table, lying
from sim.games.club_fight.steps import ROOMS, list_moves
from sim.jit import at, door_as, engine
from sim.lanes import tuple_type

POSITIONS = 16 << CELLS  # hands of up to four clubs, by the sets of cells that still hold a card


@engine
def packed(clubs: Any, hand: Any) -> Any:
    """Return which clubs of a hand a mask holds: bit 0 is the lowest club of the hand."""
    found, place = 0, 0
    while hand:
        found |= (clubs >> lowest(hand) & 1) << place
        hand &= hand - 1
        place += 1
    return found


@engine
def spread(found: Any, hand: Any) -> Any:
    """Return the mask of clubs that `packed` made a number of."""
    clubs = 0
    while found:
        clubs |= (hand & -hand) if found & 1 else 0
        hand &= hand - 1
        found >>= 1
    return clubs


@engine
def lay(table: Any, whole: Any, cells: Any, clubs: Any) -> None:
    """Lay out what of a position lies in some cells, with some clubs in hand.

    The cards themselves are not moved: moves are found by the masks of values and suits alone.
    """
    for value in range(KING + 1):
        table.by_value[value] = whole.by_value[value] & cells
    for suit in range(4):
        table.by_suit[suit] = whole.by_suit[suit] & cells
    table.now[HAND] = clubs


@engine
def is_won(won: Any, held: Any, hand: Any, cells: Any, room: Any, count: Any) -> Any:
    """Return the number of the first listed move that leads to a position that is won, or -1."""
    for m in range(count):
        rest = cells & ~room.moves[1, m]
        kept = held & ~packed(room.moves[0, m], hand)
        if won[at(kept << CELLS | rest)]:
            return m
    return -1


TABLES = tuple_type(Table)


@door_as(types.int64(TABLES, ROOMS, types.int64, types.int64[::1]))
def sure_win_compiled(whole: Any, room: Any, all_clear: Any, won: Any) -> Any:
    """Return a move that wins for certain as clubs << 9 | cells, or -1; both decks are empty.

    Args:
        whole: the table.
        room: to work in; its table is overwritten.
        all_clear: whether that action is allowed.
        won: (POSITIONS,) zeros, overwritten.
    """
    table, here, hand = room.table, lying(whole), whole.now[HAND]
    full = packed(hand, hand)
    for held in range(full + 1):
        won[at(held << CELLS)] = 1
    for held in range(1, full):
        cells = here
        while cells:
            lay(table, whole, cells, spread(held, hand))
            count = list_moves(room, all_clear)
            won[at(held << CELLS | cells)] = is_won(won, held, hand, cells, room, count) >= 0
            cells = cells - 1 & here
    lay(table, whole, here, hand)
    found = is_won(won, full, hand, here, room, list_moves(room, all_clear))
    return room.moves[0, at(found)] << CELLS | room.moves[1, at(found)] if found >= 0 else -1
