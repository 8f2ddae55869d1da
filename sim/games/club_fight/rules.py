"""The rules of Club Fight and their compiled form: the table, the legal moves, a move's effect.

One player, two shuffled decks: the 13 clubs, and 40 or 41 grid cards (hearts, spades, diamonds, one
or two jokers). Nine grid cards lie in a 3 x 3 grid; four clubs are in hand. A turn spends one club
and clears cards by one of six actions; then the grid is refilled in reading order and the hand
drawn up to four. The game is won when grid and grid deck are empty, and lost when no club is left.

    match   all cards of the club's value
    sum     any cards whose values add up to the club's value
    any     exactly one card
    line    a whole row or column that holds a card of the club's value   (not with 3+ diamonds)
    up      club 7..12: all cards of higher value                         (not with 3+ spades)
    down    club 2..7: all cards of lower value                           (not with 3+ spades)
    run     cards that with the club make an unbroken sequence            (not with 3+ hearts)

With the option All Clear, three clubs of consecutive values may be spent to clear the whole grid.
A joker has no value: only any, line and All Clear remove it.

Example: in the grid `6H 9S 2D / AD Jk TD / KD 4H 6S` the club 3 clears {2D, AD} as a sum or going
down, {AD, 2D, 4H} as a run 1-2-(3)-4, or any single card; four diamonds lie, so there is no line.

A *candidate* is a distinct effect (clubs spent, cells cleared), however many actions allow it. The
generator lists each once without looking any up: single cards come from `any` alone; two lines
share one cell at most; a match equals a line only if the line holds nothing else; a sum equals a
down only if all lower cards add up to the club; a run equals a sum only for the club 3 with A and
2.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bits import lowest, popcount
from sim.cards import CLUBS, DIAMONDS, EMPTY, HEARTS, JOKER, SPADES
from sim.deals import shuffle
from sim.games.club_fight.view import View
from sim.jit import at, engine

CELLS = 9
HAND_SIZE = 4
KING = 13
JOKERS = 3  # place of the joker mask in Table.by_suit
FULL_GRID_DECK = 41  # 39 numbered cards and two jokers; the easy level drops one
SECOND_JOKER = 53  # until the deck is shuffled the two jokers are told apart
ROOM = 4 * 511 + 3  # candidates: every subset for every club, two All Clears, and one to overwrite
SETS = 512  # subsets of nine cells
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444)  # "rows and columns, no diagonals"
DOWN_CLUBS = 0b0000011111100  # masks: "club 2..7", "club 7..12"
UP_CLUBS = 0b1111110000000
BLOCK_AT = 3  # "if 3 or more of the suit lie in the grid"


class Action(IntEnum):
    """The kinds of action, in the order in which an effect that several allow is counted."""

    MATCH = 0
    SUM = 1
    ANY = 2
    LINE = 3
    UP = 4
    DOWN = 5
    RUN = 6
    ALL_CLEAR = 7


class Block(IntEnum):
    """What three cards of a suit block: diamonds the lines, spades up and down, hearts the runs."""

    LINE = 0
    UPDOWN = 1
    RUN = 2


# Places in Table.now: the numbers that change from turn to turn.
HAND, GRID_NEXT, GRID_SIZE, CLUBS_NEXT, TURN, DISCARDS, JOKERS_OUT = range(7)


class Table(NamedTuple):
    """A game in progress. All arrays are int64 and changed in place."""

    grid: NDArray[np.int64]  # (9,) card in each cell
    by_value: NDArray[np.int64]  # (14,) cells that hold a card of value 1..13
    by_suit: NDArray[np.int64]  # (4,) cells that hold hearts, spades, diamonds, jokers
    now: NDArray[np.int64]  # (7,) hand, next grid card, size of the grid deck, next club, turn, ...
    grid_deck: NDArray[np.int64]  # (41,) top card first
    clubs_deck: NDArray[np.int64]  # (13,)


def new_table() -> Table:
    """Return an empty table, to be used for one deal after the other."""
    return Table(
        np.full(CELLS, EMPTY),
        np.zeros(KING + 1, np.int64),
        np.zeros(4, np.int64),
        np.zeros(7, np.int64),
        np.empty(FULL_GRID_DECK, np.int64),
        np.empty(KING, np.int64),
    )


@engine
def deal(table: Any, grid_key: Any, clubs_key: Any, jokers: Any) -> None:
    """Shuffle both decks of a deal and lay out its first turn.

    Two jokers are always shuffled in; the easy level takes the second one out again, so that both
    levels share their deals.
    """
    deck = table.grid_deck
    for i in range(FULL_GRID_DECK):
        deck[i] = i
    deck[39], deck[40] = JOKER, SECOND_JOKER
    shuffle(deck, FULL_GRID_DECK, grid_key)
    settle_jokers(deck, jokers)
    for i in range(KING):
        table.clubs_deck[i] = i + 1
    shuffle(table.clubs_deck, KING, clubs_key)
    start(table, 39 + jokers)


@engine
def settle_jokers(deck: Any, jokers: Any) -> None:
    """Make the second joker one like the first, or take it out: the cards below it move up."""
    second = 0
    while deck[second] != SECOND_JOKER:
        second += 1
    deck[second] = JOKER
    if jokers == 1:
        for i in range(second, FULL_GRID_DECK - 1):
            deck[i] = deck[i + 1]


@engine
def start(table: Any, grid_size: Any) -> None:
    """Clear the table and lay out the first turn from the decks as they are."""
    for cell in range(CELLS):
        table.grid[cell] = EMPTY
    for value in range(KING + 1):
        table.by_value[value] = 0
    for suit in range(4):
        table.by_suit[suit] = 0
    for place_of in range(7):
        table.now[place_of] = 0
    table.now[GRID_SIZE] = grid_size
    refill(table)


@engine
def lying(table: Any) -> Any:
    """Return the mask of cells in which a card lies."""
    suit = table.by_suit
    return suit[HEARTS] | suit[SPADES] | suit[DIAMONDS] | suit[JOKERS]


@engine
def is_blocked(table: Any, block: Any) -> Any:
    """Return whether an action is blocked, read from the grid as it lies."""
    suit = HEARTS if block == Block.RUN else SPADES if block == Block.UPDOWN else DIAMONDS
    return popcount(table.by_suit[suit]) >= BLOCK_AT


@engine
def refill(table: Any) -> None:
    """Put grid cards into the lowest-numbered empty cells; draw clubs up to four."""
    now = table.now
    empty = 511 & ~lying(table)
    while empty and now[GRID_NEXT] < now[GRID_SIZE]:
        cell = lowest(empty)
        empty &= empty - 1
        place(table, cell, table.grid_deck[at(now[GRID_NEXT])])
        now[GRID_NEXT] += 1
    while now[CLUBS_NEXT] < KING and popcount(now[HAND]) < HAND_SIZE:
        now[HAND] |= 1 << table.clubs_deck[at(now[CLUBS_NEXT])]
        now[CLUBS_NEXT] += 1


@engine
def place(table: Any, cell: Any, card: Any) -> None:
    """Lay a card into an empty cell."""
    table.grid[cell] = card
    if card == JOKER:
        table.by_suit[JOKERS] |= 1 << cell
    else:
        table.by_suit[at(card // 13)] |= 1 << cell
        table.by_value[at(card % 13 + 1)] |= 1 << cell


@engine
def take(table: Any, clubs: Any, cells: Any) -> None:
    """Discard the clubs spent and the cards cleared."""
    now, kept = table.now, ~cells
    now[HAND] &= ~clubs
    now[TURN] += 1
    now[JOKERS_OUT] += popcount(table.by_suit[JOKERS] & cells)
    discards = now[DISCARDS] | (clubs >> 1) << (13 * CLUBS)
    while cells:
        cell = lowest(cells)
        cells &= cells - 1
        discards |= 1 << table.grid[cell]
        table.grid[cell] = EMPTY
    now[DISCARDS] = discards & ~(1 << JOKER)
    for value in range(1, KING + 1):
        table.by_value[value] &= kept
    for suit in range(4):
        table.by_suit[suit] &= kept


@engine
def left(table: Any) -> Any:
    """Return the cards in grid and grid deck: the score of a loss, 0 if won."""
    return popcount(lying(table)) + table.now[GRID_SIZE] - table.now[GRID_NEXT]


@engine
def look(table: Any, jokers: Any, all_clear: Any) -> Any:
    """Return what the player sees."""
    now, suit = table.now, table.by_suit
    return View(
        table.grid,
        now[HAND],
        suit[HEARTS],
        suit[SPADES],
        suit[DIAMONDS],
        suit[JOKERS],
        lying(table),
        now[GRID_SIZE] - now[GRID_NEXT],
        KING - now[CLUBS_NEXT],
        now[TURN],
        now[DISCARDS],
        now[JOKERS_OUT],
        jokers,
        all_clear,
    )
