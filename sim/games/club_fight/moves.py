"""The legal moves of a position: every distinct effect once.

Half of a game's time goes into the list of candidates, and most of that was once lost in branches
that the processor could not foresee. Hence the habits here: what could be a short loop over values
is a mask noted once a turn, and a candidate is written first and counted if it is wanted.
"""

from __future__ import annotations

from typing import Any

from sim.bits import lowest, popcount
from sim.games.club_fight.rules import (
    CELLS,
    DOWN_CLUBS,
    HAND,
    KING,
    LINES,
    UP_CLUBS,
    Block,
    is_blocked,
    lying,
)
from sim.games.club_fight.view import Move
from sim.jit import at, engine, highest

MOVE_FIELDS = len(Move._fields)

# Rows of the scratch: sets of cells with their sums, chains below and above the club of a run, the
# cells up to each value, and what each club clears going down and up.
SUMS, BELOW, ABOVE, UPTO, LOWER, HIGHER = range(6)

CLUB_SHIFT = 9  # a candidate's number is clubs << 9 | cells
ALL_CELLS = (1 << CELLS) - 1


@engine
def candidates(table: Any, all_clear: Any, numbers: Any, sets: Any) -> Any:
    """List the number of every candidate into `numbers` (ROOM,); return how many there are.

    `sets` (6, SETS) is scratch; what its rows hold is named above.
    """
    hand, here = table.now[HAND], lying(table)
    values = note_values(table.by_value, sets)
    note_up_and_down(is_blocked(table, Block.UPDOWN), sets)
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
    numbers[at(count)] = number
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
        upto |= by_value[at(value)]
        values |= (by_value[at(value)] != 0) << value
        sets[UPTO, value] = upto
    return values


@engine
def note_up_and_down(blocked: Any, sets: Any) -> None:
    """Note the cells that each club clears going down and going up, 0 if it may not."""
    free = 0 if blocked else -1
    for club in range(1, KING + 1):
        down, up = -(DOWN_CLUBS >> club & 1) & free, -(UP_CLUBS >> club & 1) & free
        sets[LOWER, at(club)] = sets[UPTO, club - 1] & down
        sets[HIGHER, at(club)] = (sets[UPTO, KING] ^ sets[UPTO, club]) & up


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
                numbers[at(count + cell)] = clubs | 1 << cell
            count += CELLS
        else:
            left = here
            while left:
                numbers[at(count)] = clubs | left & -left
                left &= left - 1
                count += 1
        same, lower, higher = by_value[at(club)], sets[LOWER, at(club)], sets[HIGHER, at(club)]
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
        same = by_value[at(club)]
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
        cells = by_value[at(value)]
        while cells:
            card = value << CLUB_SHIFT | cells & -cells
            cells &= cells - 1
            for i in range(size):
                larger = sums[at(i)] + card
                sums[at(size)] = larger
                size += larger < limit
    for i in range(1, size):
        club, cells = sums[at(i)] >> CLUB_SHIFT, sums[at(i)] & ALL_CELLS
        wanted = (hand >> club & 1) & several(cells) & (cells != sets[LOWER, at(club)])
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
        lower, higher = sets[LOWER, at(club)], sets[HIGHER, at(club)]
        for i in range(below):
            for j in range(above):
                cells = sets[BELOW, at(i)] | sets[ABOVE, at(j)]
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
    while 1 <= value <= KING and by_value[at(value)]:
        end = size
        cells = by_value[at(value)]
        while cells:
            for i in range(first, end):
                chains[at(size)] = chains[at(i)] | cells & -cells
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
