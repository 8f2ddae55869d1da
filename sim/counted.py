"""From the counters of a store to those of an entry, and from a game's card to what they mean."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sim.game import Game
from sim.results import Counted, Counts, Meaning
from sim.store import Store
from sim.tally import Tally, tally_block


def meanings(game: Game) -> tuple[Meaning, ...]:
    """Return what a game's card says of its counters."""
    return tuple(
        Meaning(name, counter.places, counter.per, counter.note)
        for name, counter in game.counters.items()
    )


def counted(store: Store, stamp: str, tallied: Tally) -> Counted:
    """Return the counters of a cell over the deals of its tally, or as many as can be had.

    Raises:
        StoreDamaged: if blocks are missing or damaged.
    """
    deals, counters = store.counters(stamp, tallied.deals)
    turns = tallied.turns
    if deals != tallied.deals:
        turns = sum(tally_block(outcomes).turns for outcomes in store.outcomes(stamp, deals))
    return as_counted(deals, turns, counters)


def as_counted(deals: int, turns: int, counters: Mapping[str, NDArray[np.int64]]) -> Counted:
    """Return sums of counters as results hold them."""
    return Counted(deals, turns, {name: _counts(values) for name, values in counters.items()})


def _counts(values: NDArray[np.int64]) -> Counts:
    """Return counts as tuples; inner rows without the zeros at their ends, which are many."""
    if values.ndim == 1:
        return tuple(values.tolist())
    return tuple(_counts(row if row.ndim > 1 else np.trim_zeros(row, "b")) for row in values)
