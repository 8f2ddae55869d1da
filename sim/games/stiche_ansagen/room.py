"""All that a block of games is played with: arrays made once, keys of the dice, the options.

The engine can allocate nothing itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from sim.deals import TIES, stream_root
from sim.game import Dice
from sim.games.stiche_ansagen import Rules
from sim.games.stiche_ansagen.rules import NOW, PACK, SEATS, SUITS, Options, Table
from sim.games.stiche_ansagen.seen import Eyes, new_eyes
from sim.jit import door
from sim.lanes import tuple_type

DECK = np.uint64(0xE7037ED1A0B428DB)  # purpose of the stream that shuffles
MOST = 52  # candidates of a decision: a bid from 0 to the 51 cards of the largest hand
FIELDS = 3  # of Play, which has more than Bid


class DealKeys(NamedTuple):
    """Roots of the streams of a run (uint64), and how ties are broken."""

    deck: Any
    ties: Any
    first: bool


class Room(NamedTuple):
    """All arrays the engine works in, made once a block."""

    table: Table
    eyes: Eyes
    moves: NDArray[np.int64]  # (FIELDS, MOST) candidates of the decision
    numbers: NDArray[np.int64]  # (MOST,) their numbers: the bid, or the printed card
    scores: NDArray[np.float64]  # (MOST,)


KEYS = types.NamedTuple([types.uint64, types.uint64, types.boolean], DealKeys)
_MASKS = types.int64[:, ::1]
TABLES = types.NamedTuple(
    [_MASKS if name in ("hands", "twins", "shown") else types.int64[::1] for name in Table._fields],
    Table,
)
ROOMS = types.NamedTuple(
    [TABLES, tuple_type(Eyes), _MASKS, types.int64[::1], types.float64[::1]], Room
)
OPTIONS = tuple_type(Options)


def new_room() -> Room:
    """Return the arrays for one block."""
    shapes = {"now": NOW, "deck": 2 * PACK, "out": SUITS, "out_twice": SUITS}
    shapes_2 = dict.fromkeys(("hands", "twins", "shown"), (SEATS, SUITS))
    table = Table(
        *(
            np.zeros(shapes_2.get(name) or shapes.get(name, SEATS), np.int64)
            for name in Table._fields
        )
    )
    moves = np.zeros((FIELDS, MOST), np.int64)
    return Room(table, new_eyes(), moves, np.zeros(MOST, np.int64), np.zeros(MOST))


def options_of(rules: Rules, seats: int) -> Options:
    """Return the rules as the engine knows them."""
    largest = rules.largest_hand(seats)
    return Options(
        seats=seats,
        rounds=2 * largest,
        largest=largest,
        first_dealer=rules.first_dealer,
        bowers=int(rules.bowers),
        packs=int(rules.packs),
        hook=int(rules.hook),
        per_trick=int(rules.wrong_zero == "per_trick"),
        printed=int(rules.left_bower_follows == "printed"),
    )


@door
def root_of(seed: Any, purpose: Any) -> Any:
    """Return `stream_root` to Python."""
    return stream_root(seed, purpose)


def keys(dice: Dice) -> DealKeys:
    """Return the stream roots of a run."""
    deck, ties = root_of(dice.seed, DECK), root_of(dice.tie_seed, TIES)
    return DealKeys(np.uint64(deck), np.uint64(ties), dice.ties == "first")
