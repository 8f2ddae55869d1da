"""What the player of Club Fight sees, and what a move is: all that a strategy is given.

Masks: cells are bits 0..8 in reading order (cell 3 x row + column); clubs are bits 1..13 by value,
ace to king. Hidden from the player, and so absent here: the order of both decks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.bits import lowest, popcount

__all__ = ["Move", "View", "cards_left", "clubs_left", "lowest", "popcount", "spends"]


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


def cards_left(view: View) -> int:
    """Return R: cards in grid and grid deck before the move."""
    return popcount(view.lying) + view.grid_deck


def clubs_left(view: View) -> int:
    """Return C: clubs in hand and clubs deck before the move."""
    return popcount(view.hand) + view.clubs_deck


def spends(move: Move, value: int) -> int:
    """Return 1 if the move spends the club of `value` (1..13), else 0."""
    return move.clubs >> value & 1
