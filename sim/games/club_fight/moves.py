"""The legal moves of a position: every distinct effect once, and the actions that allow it."""

from __future__ import annotations

from typing import Any

from sim.bits import lowest, popcount
from sim.games.club_fight.rules import (
    CELLS,
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
from sim.jit import engine, highest

MOVE_FIELDS = len(Move._fields)

# Rows of the scratch: sets of cells with their sums, chains below and above the club of a run, the
# cells up to each value, and what each club clears going down and up.
SUMS, BELOW, ABOVE, UPTO, LOWER, HIGHER = range(6)

CLUB_SHIFT = 9  # a candidate's number is clubs << 9 | cells
ALL_CELLS = (1 << CELLS) - 1
DOWN_CLUBS = 0b0000011111100  # 2..7
UP_CLUBS = 0b1111110000000  # 7..12


@engine
def candidates(table: Any, all_clear: Any, numbers: Any, sets: Any) -> Any:
    """List the number of every candidate into `numbers` (ROOM,); return how many there are.

    `sets` (6, SETS) is scratch; what its rows hold is named above.
    """
    hand, here = table.now[HAND], lying(table)
    values = note_values(table.by_value, sets)
    note_up_and_down(hand, is_blocked(table, Block.UPDOWN), sets)
    count = add_alone(table.by_value, hand, here, sets, numbers)
    if not is_blocked(table, Block.LINE):
        count = add_lines(table.by_value, hand & values, here, numbers, count)
    if not is_blocked(table, Block.RUN):
        count = add_runs(table.by_value, with_runs(hand, values), sets, numbers, count)
    count = add_sums(table.by_value, hand, values, sets, numbers, count)
    if all_clear:
        count = add_all_clears(hand, here, numbers, count)
    return count


@engine
def add_if(numbers: Any, count: Any, number: Any, wanted: Any) -> Any:
    """Add a candidate if it is wanted: written in any case, for a branch would cost more."""
    numbers[count] = number
    return count + wanted


@engine
def several(cells: Any) -> Any:
    """Return whether a set holds two cells or more."""
    return cells & (cells - 1) != 0


@engine
def note_values(by_value: Any, sets: Any) -> Any:
    """Note the cells up to each value; return the mask of values that lie."""
    upto, values = 0, 0
    sets[UPTO, 0] = 0
    for value in range(1, KING + 1):
        upto |= by_value[value]
        values |= (by_value[value] != 0) << value
        sets[UPTO, value] = upto
    return values


@engine
def note_up_and_down(hand: Any, blocked: Any, sets: Any) -> None:
    """Note the cells that each club clears going down and going up, 0 if it may not."""
    free = 0 if blocked else -1
    for club in range(1, KING + 1):
        down, up = -(DOWN_CLUBS >> club & 1) & free, -(UP_CLUBS >> club & 1) & free
        sets[LOWER, club] = sets[UPTO, club - 1] & down
        sets[HIGHER, club] = (sets[UPTO, KING] ^ sets[UPTO, club]) & up


@engine
def add_alone(by_value: Any, hand: Any, here: Any, sets: Any, numbers: Any) -> Any:
    """Add for each club single cards, the match, and what it clears going down and up.

    Every other action leaves single cards to `any`.
    """
    count = 0
    while hand:
        club = lowest(hand)
        hand &= hand - 1
        clubs = 1 << (club + CLUB_SHIFT)
        if here == ALL_CELLS:
            for cell in range(CELLS):
                numbers[count + cell] = clubs | 1 << cell
            count += CELLS
        else:
            left = here
            while left:
                numbers[count] = clubs | left & -left
                left &= left - 1
                count += 1
        same, lower, higher = by_value[club], sets[LOWER, club], sets[HIGHER, club]
        count = add_if(numbers, count, clubs | same, several(same))
        count = add_if(numbers, count, clubs | lower, several(lower))
        count = add_if(numbers, count, clubs | higher, several(higher))
    return count


@engine
def add_lines(by_value: Any, hand: Any, here: Any, numbers: Any, count: Any) -> Any:
    """Add the rows and columns with a card of the club's value, but one that is just the match."""
    while hand:
        club = lowest(hand)
        hand &= hand - 1
        same = by_value[club]
        for line in LINES:
            cells = line & here
            wanted = (line & same != 0) & several(cells) & (cells != same)
            count = add_if(numbers, count, 1 << (club + CLUB_SHIFT) | cells, wanted)
    return count


@engine
def add_sums(by_value: Any, hand: Any, values: Any, sets: Any, numbers: Any, count: Any) -> Any:
    """Add the sets of two or more cards that add up to a club, but those that `down` has added.

    All sets that add up to at most the highest club are listed first, as sum << 9 | cells. The
    largest values come first: few sets have room for them, so the list stays short.
    """
    sums = sets[SUMS]
    sums[0] = 0
    size = 1
    top = highest(hand)
    limit = (top + 1) << CLUB_SHIFT
    values &= (2 << top) - 1
    while values:
        value = highest(values)
        values ^= 1 << value
        cells = by_value[value]
        while cells:
            card = value << CLUB_SHIFT | cells & -cells
            cells &= cells - 1
            for i in range(size):
                larger = sums[i] + card
                sums[size] = larger
                size += larger < limit
    for i in range(1, size):
        club, cells = sums[i] >> CLUB_SHIFT, sums[i] & ALL_CELLS
        wanted = (hand >> club & 1) & several(cells) & (cells != sets[LOWER, club])
        count = add_if(numbers, count, 1 << (club + CLUB_SHIFT) | cells, wanted)
    return count


@engine
def with_runs(hand: Any, values: Any) -> Any:
    """Return the clubs of a hand that stand beside two values or more in a row."""
    near = (values << 1 & values << 2) | (values << 1 & values >> 1) | (values >> 1 & values >> 2)
    return hand & near


@engine
def add_runs(by_value: Any, hand: Any, sets: Any, numbers: Any, count: Any) -> Any:
    """Add the runs of two or more cards that neither up, down nor a sum has added."""
    while hand:
        club = lowest(hand)
        hand &= hand - 1
        below = list_chains(by_value, club, -1, sets[BELOW])
        above = list_chains(by_value, club, 1, sets[ABOVE])
        lower, higher = sets[LOWER, club], sets[HIGHER, club]
        for i in range(below):
            for j in range(above):
                cells = sets[BELOW, i] | sets[ABOVE, j]
                is_sum = (club == 3) & (j == 0)  # A and 2
                wanted = several(cells) & (cells != lower) & (cells != higher) & (not is_sum)
                count = add_if(numbers, count, 1 << (club + CLUB_SHIFT) | cells, wanted)
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
def add_all_clears(hand: Any, here: Any, numbers: Any, count: Any) -> Any:
    """Add three consecutive clubs of the hand for the whole grid."""
    for value in range(1, KING - 1):
        three = 0b111 << value
        count = add_if(numbers, count, three << CLUB_SHIFT | here, hand & three == three)
    return count


@engine
def unpack(numbers: Any, count: Any, moves: Any) -> None:
    """Write the candidates as moves (fields of Move, ROOM)."""
    for m in range(count):
        clubs, cells = numbers[m] >> CLUB_SHIFT, numbers[m] & ALL_CELLS
        moves[0, m] = clubs
        moves[1, m] = cells
        moves[2, m] = popcount(cells)
        moves[3, m] = popcount(clubs)


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
