"""One piece of code a tip: what each adds to the score of a move, at a given weight.

The tips are those of D. Teuber's rules of Club Fight (July 2024). Single tips and their sum, `all-
tips`, share this code, so that a tip alone and the sum with all other weights at 0 play the same
games.
"""

from __future__ import annotations

from sim.games.club_fight.view import (
    Move,
    View,
    cards_left,
    clubs_left,
    lowest,
    popcount,
    spends,
)

BLOCK_AT = 3  # cards of one suit that block an action
FULL_GRID = 9

# The clubs from the strongest to the weakest, and how weak each is, 0 to 12, in four bits of one
# number: compiled code reads those ten times faster than a tuple.
BY_STRENGTH = (7, 6, 8, 5, 9, 4, 10, 3, 11, 2, 12, 1, 13)
WEAKNESS = sum(weakness << 4 * value for weakness, value in enumerate(BY_STRENGTH))


def clear_jokers(view: View, move: Move, weight: float) -> float:
    """Tip 1: reward each joker cleared."""
    return weight * popcount(view.jokers & move.cells)


def break_blocks(view: View, move: Move, weight: float) -> float:
    """Tip 2: punish each suit that still blocks an action after the clear, before the refill."""
    blocking = 0
    for suit in (view.hearts, view.spades, view.diamonds):
        if popcount(suit & ~move.cells) >= BLOCK_AT:
            blocking += 1
    return -weight * blocking


def save_middle(view: View, move: Move, weight: float) -> float:
    """Tip 3: punish spending a middle club, the seven most."""
    others = spends(move, 5) + spends(move, 6) + spends(move, 8) + spends(move, 9)
    return -weight * (1.25 * spends(move, 7) + others)


def spend_weak(view: View, move: Move, weight: float) -> float:
    """Tip 4: reward spending an ace or a king while the grid is full."""
    weak = spends(move, 1) + spends(move, 13)
    return weight if weak and popcount(view.lying) == FULL_GRID else 0.0


def keep_pace(view: View, move: Move, weight: float) -> float:
    """Tip 5: reward moves that clear their share of what is left, with the weakest club."""
    # n >= ceil(R k / C) without the division, which would take most of the time of a game
    keeps = move.cleared * clubs_left(view) >= cards_left(view) * move.spent
    return weight * (1 + weakness(move)) if keeps else 0.0


def weakness(move: Move) -> int:
    """Return how weak the strongest club spent is, 0 (seven) to 12 (king)."""
    low = lowest(move.clubs)
    if move.spent == 1:
        return club_weakness(low)
    # All Clear spends three in a row
    return min(club_weakness(low), club_weakness(low + 1), club_weakness(low + 2))


def club_weakness(value: int) -> int:
    """Return how weak the club of a value is."""
    return WEAKNESS >> 4 * value & 15
