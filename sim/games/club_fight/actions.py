"""Which actions allow a legal candidate: asked once a turn, of the move that is made."""

from __future__ import annotations

from typing import Any

from sim.bits import lowest, popcount
from sim.games.club_fight.rules import (
    DOWN_CLUBS,
    JOKERS,
    KING,
    LINES,
    UP_CLUBS,
    Action,
    Block,
    is_blocked,
    lying,
)
from sim.jit import at, engine


@engine
def allowed_by(table: Any, clubs: Any, cells: Any) -> Any:
    """Return the actions that allow a legal candidate, as a mask with a bit per `Action`."""
    if clubs & (clubs - 1):
        return 1 << Action.ALL_CLEAR
    club = lowest(clubs)
    same, single = table.by_value[at(club)], cells & (cells - 1) == 0
    numbered = cells & table.by_suit[JOKERS] == 0
    low, high, total, values = span(table.grid, cells)
    distinct = popcount(values) == popcount(cells) and numbered
    kinds = (cells == same) << Action.MATCH | (numbered and total == club) << Action.SUM
    kinds |= single << Action.ANY
    if cells & same and not is_blocked(table, Block.LINE):
        kinds |= is_line(cells, same, lying(table)) << Action.LINE
    if numbered and not is_blocked(table, Block.UPDOWN):
        kinds |= (low > club and cells == up_cells(table.by_value, club)) << Action.UP
        kinds |= (high < club and cells == down_cells(table.by_value, club)) << Action.DOWN
    if distinct and not cells & same and not is_blocked(table, Block.RUN):
        kinds |= is_unbroken(values | 1 << club) << Action.RUN
    return kinds


@engine
def span(grid: Any, cells: Any) -> Any:
    """Return lowest value, highest value, sum, and the mask of values of numbered cards."""
    low, high, total, values = KING + 1, 0, 0, 0
    while cells:
        value = grid[lowest(cells)] % 13 + 1
        cells &= cells - 1
        low, high = min(low, value), max(high, value)
        total += value
        values |= 1 << value
    return low, high, total, values


@engine
def is_line(cells: Any, same: Any, here: Any) -> Any:
    """Return whether the cells are all that lies in a row or column with a card of the value."""
    found = False
    for line in LINES:
        found |= line & here == cells and line & same != 0
    return found


@engine
def is_unbroken(values: Any) -> Any:
    """Return whether the set bits of a mask stand side by side."""
    return values & (values + (values & -values)) == 0


@engine
def down_cells(by_value: Any, club: Any) -> Any:
    """Return all cells of lower value, for the clubs 2..7 that may go down."""
    cells = 0
    if DOWN_CLUBS >> club & 1:
        for value in range(1, club):
            cells |= by_value[at(value)]
    return cells


@engine
def up_cells(by_value: Any, club: Any) -> Any:
    """Return all cells of higher value, for the clubs 7..12 that may go up."""
    cells = 0
    if UP_CLUBS >> club & 1:
        for value in range(club + 1, KING + 1):
            cells |= by_value[at(value)]
    return cells
