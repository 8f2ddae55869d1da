"""What the player of Club Fight sees, and what a move is: all that a strategy is given.

Masks: cells are bits 0..8 in reading order (cell 3 x row + column); clubs are bits 1..13 by value,
ace to king. Hidden from the player, and so absent here: the order of both decks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bits import lowest, popcount
from sim.noise import Noise, draw

__all__ = [
    "Move",
    "Moves",
    "Noise",
    "View",
    "cards_left",
    "clubs_left",
    "draw",
    "lowest",
    "popcount",
    "spends",
    "unseen_cards",
    "unseen_clubs",
    "unseen_jokers",
]

CLUBS = 0b11111111111110  # mask of ace to king
GRID_CARDS = (1 << 39) - 1  # mask of the numbers of all hearts, spades and diamonds


class View(NamedTuple):
    """The table as the player sees it before a move."""

    grid: NDArray[np.int64]  # (9,) the card in each cell (see sim.cards), -1 for an empty one
    hand: int  # clubs in hand
    hearts: int  # cells in which a heart lies
    spades: int
    diamonds: int
    jokers: int
    lying: int  # cells in which any card lies
    grid_deck: int  # cards left in the grid deck, 0..32
    clubs_deck: int  # clubs left in the clubs deck, 0..9
    turn: int  # moves already made, 0..12
    discards: int  # cards in the discard pile: bit per card number 0..51
    jokers_discarded: int  # jokers in the discard pile, 0..2
    jokers_in_play: int  # jokers of this rules variant, 1 or 2
    all_clear: int  # 1 if the action All Clear is allowed


class Move(NamedTuple):
    """One candidate: a distinct effect, whatever actions allow it."""

    clubs: int  # clubs it spends
    cells: int  # cells it clears
    cleared: int  # how many cards it clears, 1..9
    spent: int  # how many clubs it spends: 1, or 3 for All Clear


class Moves(NamedTuple):
    """All candidates of a turn side by side, for a strategy that chooses; read only.

    They come in the order of their clubs, equal ones in that of their cells, both as numbers:
    it has nothing to do with how they are found.
    """

    clubs: NDArray[np.int64]
    cells: NDArray[np.int64]
    cleared: NDArray[np.int64]
    spent: NDArray[np.int64]
    size: int  # how many there are; compiled, the arrays are longer


def cards_left(view: View) -> int:
    """Return R: cards in grid and grid deck before the move."""
    return popcount(view.lying) + view.grid_deck


def clubs_left(view: View) -> int:
    """Return C: clubs in hand and clubs deck before the move."""
    return popcount(view.hand) + view.clubs_deck


def spends(move: Move, value: int) -> int:
    """Return 1 if the move spends the club of `value` (1..13), else 0."""
    return move.clubs >> value & 1


def unseen_cards(view: View) -> int:
    """Return the mask of the cards that lie in the grid deck, by number 0..38; jokers have none."""
    seen = view.discards
    for cell in range(9):
        card = view.grid[cell]
        if 0 <= card < 39:
            seen |= 1 << card
    return GRID_CARDS & ~seen


def unseen_jokers(view: View) -> int:
    """Return how many jokers lie in the grid deck."""
    return view.jokers_in_play - view.jokers_discarded - popcount(view.jokers)


def unseen_clubs(view: View) -> int:
    """Return the mask of the clubs that lie in the clubs deck, by value 1..13."""
    spent = view.discards >> 39 << 1
    return CLUBS & ~(spent | view.hand)
