"""What a seat sees: the views of `view`, filled from the table as it stands.

Whatever is hidden from the seat is not read here: not the other hands, not the rest of the pack.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.games.stiche_ansagen.rules import (
    BEST_RANK,
    BEST_SUIT,
    CARDS,
    DEALER,
    LED,
    PLACE,
    ROUND,
    SEAT,
    SEATS,
    SUITS,
    TRICKS,
    TURNED_UP,
    WINNER,
    ranks_of,
)
from sim.games.stiche_ansagen.view import BidView, PlayView
from sim.jit import at, engine


class Eyes(NamedTuple):
    """The arrays of a view, filled anew for each decision."""

    hand: NDArray[np.int64]  # (4,)
    twins: NDArray[np.int64]  # (4,)
    unseen: NDArray[np.int64]  # (4,)
    shown: NDArray[np.int64]  # (24,)
    voids: NDArray[np.int64]  # (6,)
    bids: NDArray[np.int64]  # (6,)
    won: NDArray[np.int64]  # (6,)
    points: NDArray[np.int64]  # (6,)


def new_eyes() -> Eyes:
    """Return the arrays."""
    sizes = {"hand": SUITS, "twins": SUITS, "unseen": SUITS, "shown": SEATS * SUITS}
    return Eyes(*(np.zeros(sizes.get(name, SEATS), np.int64) for name in Eyes._fields))


@engine
def _own_cards(table: Any, eyes: Any) -> None:
    seat = table.now[SEAT]
    for suit in range(SUITS):
        eyes.hand[suit] = table.hands[at(seat), suit]
        eyes.twins[suit] = table.twins[at(seat), suit]


@engine
def look_to_bid(table: Any, eyes: Any, options: Any) -> Any:
    """Return the view of the seat that bids."""
    now = table.now
    _own_cards(table, eyes)
    for other in range(options.seats):
        seat = (now[SEAT] + other) % options.seats
        eyes.bids[other] = table.bids[at(seat)]
        eyes.points[other] = table.points[at(seat)]
    return BidView(
        eyes.hand,
        eyes.twins,
        now[TURNED_UP],
        now[CARDS],
        options.seats,
        now[PLACE],
        eyes.bids,
        eyes.points,
        now[ROUND],
        options.rounds,
        options.bowers,
        options.packs,
        options.hook,
        options.per_trick,
    )


@engine
def look_to_play(table: Any, eyes: Any, options: Any) -> Any:
    """Return the view of the seat that plays a card."""
    now = table.now
    _own_cards(table, eyes)
    for suit in range(SUITS):
        gone = table.out_twice[suit] | eyes.twins[suit] | (eyes.hand[suit] & table.out[suit])
        if options.packs == 1:
            gone = eyes.hand[suit] | table.out[suit]
        eyes.unseen[suit] = ranks_of(suit, options.bowers) & ~gone
    for other in range(options.seats):
        seat = (now[SEAT] + other) % options.seats
        eyes.bids[other] = table.bids[at(seat)]
        eyes.won[other] = table.won[at(seat)]
        eyes.points[other] = table.points[at(seat)]
        eyes.voids[other] = table.voids[at(seat)]
        for suit in range(SUITS):
            eyes.shown[SUITS * other + suit] = table.shown[at(seat), suit]
    leads = now[PLACE] == 0
    return PlayView(
        eyes.hand,
        eyes.twins,
        eyes.unseen,
        eyes.shown,
        eyes.voids,
        eyes.bids,
        eyes.won,
        eyes.points,
        table.trick_suits,
        table.trick_ranks,
        now[PLACE],
        now[LED],
        -1 if leads else (now[WINNER] - now[SEAT]) % options.seats,
        0 if leads else now[BEST_SUIT],
        0 if leads else now[BEST_RANK],
        now[TURNED_UP],
        now[CARDS],
        now[CARDS] - now[TRICKS],
        options.seats,
        (now[DEALER] - now[SEAT]) % options.seats,
        now[ROUND],
        options.rounds,
        options.bowers,
        options.packs,
        options.printed,
        options.per_trick,
    )
