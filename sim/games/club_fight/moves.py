"""The legal moves of a position: every distinct effect once, and the actions that allow it."""

from __future__ import annotations

from typing import Any

from sim.bits import lowest, popcount
from sim.games.club_fight.rules import (
    HAND,
    JOKERS,
    KING,
    LINES,
    Action,
    Block,
    is_blocked,
    lying,
)
from sim.games.club_fight.view import Move
from sim.jit import engine

MOVE_FIELDS = len(Move._fields)

# Rows of the scratch: sets of cells with their sums, chains below and above the club of a run, and
# the cells that each club clears going down.
SUMS, BELOW, ABOVE, LOWER = range(4)


@engine
def candidates(table: Any, all_clear: Any, moves: Any, sets: Any) -> Any:
    """List every candidate into `moves` (fields of Move, ROOM); return how many there are.

    `sets` (4, SETS) is scratch; what its rows hold is named above.
    """
    hand, here = table.now[HAND], lying(table)
    lines_free = not is_blocked(table, Block.LINE)
    updown_free = not is_blocked(table, Block.UPDOWN)
    runs_free = not is_blocked(table, Block.RUN)
    count = 0
    clubs = hand
    while clubs:
        club = lowest(clubs)
        clubs &= clubs - 1
        first = count
        same = table.by_value[club]
        lower = down_cells(table.by_value, club) if updown_free else 0
        higher = up_cells(table.by_value, club) if updown_free else 0
        sets[LOWER, club] = lower
        count = add_anys(here, moves, count)
        count = add_if_several(same, moves, count)
        count = add_if_several(lower, moves, count)
        count = add_if_several(higher, moves, count)
        if lines_free and same:
            count = add_lines(here, same, moves, count)
        if runs_free:
            count = add_runs(table.by_value, club, lower, higher, sets, moves, count)
        for m in range(first, count):
            moves[0, m] = 1 << club
    count = add_sums(table, hand, sets, moves, count)
    if all_clear:
        count = add_all_clears(hand, here, moves, count)
    for m in range(count):
        moves[2, m] = popcount(moves[1, m])
        moves[3, m] = popcount(moves[0, m])
    return count


@engine
def highest(hand: Any) -> Any:
    """Return the value of the highest club in a hand."""
    value = KING
    while not hand >> value & 1:
        value -= 1
    return value


@engine
def down_cells(by_value: Any, club: Any) -> Any:
    """Return all cells of lower value, for the clubs 2..7 that may go down."""
    cells = 0
    if 2 <= club <= 7:
        for value in range(1, club):
            cells |= by_value[value]
    return cells


@engine
def up_cells(by_value: Any, club: Any) -> Any:
    """Return all cells of higher value, for the clubs 7..12 that may go up."""
    cells = 0
    if 7 <= club <= 12:
        for value in range(club + 1, KING + 1):
            cells |= by_value[value]
    return cells


@engine
def add_anys(here: Any, moves: Any, count: Any) -> Any:
    """Add each single card; every other action leaves single cards to this one."""
    while here:
        moves[1, count] = here & -here
        here &= here - 1
        count += 1
    return count


@engine
def add_if_several(cells: Any, moves: Any, count: Any) -> Any:
    """Add a set of cells if it holds more than one card."""
    moves[1, count] = cells
    return count + (cells & (cells - 1) != 0)


@engine
def add_sums(table: Any, hand: Any, sets: Any, moves: Any, count: Any) -> Any:
    """Add the sets of two or more cards that add up to a club, but those that `down` has added.

    All sets that add up to at most the highest club are listed first, as sum << 9 | cells. The
    largest values come first: few sets have room for them, so the list stays short.
    """
    sums = sets[SUMS]
    sums[0] = 0
    size = 1
    top = highest(hand)
    limit = (top + 1) << 9
    for value in range(top, 0, -1):
        cells = table.by_value[value]
        while cells:
            card = value << 9 | cells & -cells
            cells &= cells - 1
            for i in range(size):
                larger = sums[i] + card
                sums[size] = larger
                size += larger < limit
    for i in range(1, size):
        club, cells = sums[i] >> 9, sums[i] & 511
        moves[0, count] = 1 << club
        moves[1, count] = cells
        several = cells & (cells - 1) != 0
        count += (hand >> club & 1) & several & (cells != sets[LOWER, club])
    return count


@engine
def add_lines(here: Any, same: Any, moves: Any, count: Any) -> Any:
    """Add the rows and columns with a card of the club's value, but one that is just the match."""
    for line in LINES:
        cells = line & here
        moves[1, count] = cells
        count += (line & same != 0) & (cells & (cells - 1) != 0) & (cells != same)
    return count


@engine
def add_runs(
    by_value: Any, club: Any, lower: Any, higher: Any, sets: Any, moves: Any, count: Any
) -> Any:
    """Add the runs of two or more cards that neither up, down nor a sum has added."""
    below = list_chains(by_value, club, -1, sets[BELOW])
    above = list_chains(by_value, club, 1, sets[ABOVE])
    for i in range(below):
        for j in range(above):
            cells = sets[BELOW, i] | sets[ABOVE, j]
            is_sum = (club == 3) & (j == 0)  # A and 2
            moves[1, count] = cells
            several = cells & (cells - 1) != 0
            count += several & (cells != lower) & (cells != higher) & (not is_sum)
    return count


@engine
def list_chains(by_value: Any, club: Any, step: Any, chains: Any) -> Any:
    """List the sets with one card each of club + step, club + 2 step, ...; the empty one first."""
    chains[0] = 0
    first, size = 0, 1  # the chains that reach the value before
    value = club + step
    while 1 <= value <= KING and by_value[value]:
        end = size
        cells = by_value[value]
        while cells:
            for i in range(first, end):
                chains[size] = chains[i] | cells & -cells
                size += 1
            cells &= cells - 1
        first = end
        value += step
    return size


@engine
def add_all_clears(hand: Any, here: Any, moves: Any, count: Any) -> Any:
    """Add three consecutive clubs of the hand for the whole grid."""
    for value in range(1, KING - 1):
        three = 0b111 << value
        if hand & three == three:
            moves[0, count] = three
            moves[1, count] = here
            count += 1
    return count


@engine
def allowed_by(table: Any, clubs: Any, cells: Any) -> Any:
    """Return the actions that allow a legal candidate, as a mask with a bit per `Action`."""
    if clubs & (clubs - 1):
        return 1 << Action.ALL_CLEAR
    club = lowest(clubs)
    same, single = table.by_value[club], cells & (cells - 1) == 0
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
