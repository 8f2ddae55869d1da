"""Deals added up instead of kept: what `store: counts` holds of all cells over the same deals.

Of every cell how many deals ended with how many cards left, the turns, and the game's counters; of
every two cells the deals both won and the products of their cards left. Nothing else goes into the
statistics. Whole numbers that add, so it does not matter how the deals were cut.

The order of the numbers is fixed, for their bytes (int64, little-endian) are what a leaf hashes:
cards left, cell after cell; the turns of each cell; deals that both won, for each pair (0, 1),
(0, 2), ... (1, 2) ...; the products, pair after pair.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sim.errors import WorkerFailed
from sim.game import Block, Game
from sim.stats.gram import Gram, gram_of

RANGE = 200_000  # deals a leaf: those of one job at most, and what `tipoff verify` plays again
PIECE = 50_000  # deals whose outcomes are in memory at a time, one byte each a cell
MOST_CELLS = 500  # sums over more pairs would outgrow what they save
EVERY = -1  # as the cell of a job: all of them
NUMBER = np.dtype("<i8")

Numbers = NDArray[np.int64]
Play = Callable[[int, int, int], Block]  # plays (cell, first deal, count)


def together(stamps: Sequence[str]) -> str:
    """Return what the counts of some cells are stored under, from their stamps in order."""
    return sha256("\n".join([f"counts of ranges of {RANGE}", *stamps]).encode()).hexdigest()


def leaf_of(sums: Numbers) -> str:
    """Return the sha256 of some sums."""
    return sha256(sums.astype(NUMBER).tobytes()).hexdigest()


@dataclass(frozen=True)
class Layout:
    """How many numbers there are, and where each stands."""

    cells: int
    places: int  # cards left from 0 to places - 1
    counters: int  # numbers a cell

    @classmethod
    def of(cls, game: Game, cells: int) -> Self:
        """Return the layout of so many cells of a game."""
        shapes = [counter.shape for counter in game.counters.values()]
        return cls(cells, game.worst + 1, sum(int(np.prod(shape)) for shape in shapes))

    @property
    def sizes(self) -> tuple[int, int]:
        """Return how many sums and counters there are."""
        pairs = self.cells * (self.cells - 1)
        return self.cells * (self.places + 1) + pairs, self.cells * self.counters


@dataclass(frozen=True, eq=False)
class Counts:
    """Deals of all cells added up; it adds."""

    layout: Layout
    deals: int  # of each cell
    sums: Numbers  # in the order above
    counters: Numbers  # cell after cell, in the order in which the game declares them

    @classmethod
    def nothing(cls, layout: Layout) -> Self:
        """Return what to start adding from."""
        sums, counters = (np.zeros(size, NUMBER) for size in layout.sizes)
        return cls(layout, 0, sums, counters)

    def __add__(self, other: Counts) -> Counts:
        """Return the counts of both sets of deals."""
        sums, counters = self.sums + other.sums, self.counters + other.counters
        return Counts(self.layout, self.deals + other.deals, sums, counters)

    @property
    def left(self) -> Numbers:
        """Return (cells, places): how many deals ended with how many cards left."""
        places = self.layout.cells * self.layout.places
        return self.sums[:places].reshape(self.layout.cells, self.layout.places)

    @property
    def turns(self) -> Numbers:
        """Return (cells,) the turns made."""
        start = self.layout.cells * self.layout.places
        return self.sums[start : start + self.layout.cells]

    @property
    def digest(self) -> str:
        """Return the sha256 of the sums, counters left out: a leaf."""
        return leaf_of(self.sums)

    def counters_of(self, cell: int, game: Game) -> dict[str, Numbers]:
        """Return the counters of a cell by name."""
        start, found = cell * self.layout.counters, dict[str, Numbers]()
        for name, counter in game.counters.items():
            size = int(np.prod(counter.shape))
            found[name] = self.counters[start : start + size].reshape(counter.shape)
            start += size
        return found

    def gram(self) -> Gram:
        """Return the sums over pairs of all cells, which have all played all deals."""
        cells = self.layout.cells
        cards = np.arange(self.layout.places)
        wins, left, squares = self.left[:, 0], self.left @ cards, self.left @ cards**2
        both, product = self.sums[cells * (self.layout.places + 1) :].reshape(2, -1)
        row = np.ones(cells, np.int64)
        return Gram(
            common=np.full((cells, cells), self.deals, np.int64),
            wins=np.outer(wins, row),
            wins_both=_mirrored(both, wins),
            left=np.outer(left, row),
            left_squares=np.outer(squares, row),
            left_product=_mirrored(product, squares),
        )


def _mirrored(pairs: Numbers, diagonal: Numbers) -> Numbers:
    """Return the symmetric matrix whose upper triangle and diagonal are given."""
    found = np.diag(diagonal)
    upper = np.triu_indices(len(diagonal), 1)
    found[upper] = found.T[upper] = pairs
    return found


def count(layout: Layout, play: Play, first: int, deals: int) -> tuple[Counts, float]:
    """Play some deals with all cells and add them up; return the seconds spent playing, too."""
    total, seconds = Counts.nothing(layout), 0.0
    for start in range(first, first + deals, PIECE):
        piece, spent = _count(layout, play, start, min(PIECE, first + deals - start))
        total, seconds = total + piece, seconds + spent
    return total, seconds


def _count(layout: Layout, play: Play, first: int, deals: int) -> tuple[Counts, float]:
    left, seconds = np.empty((layout.cells, deals), np.uint8), 0.0
    turns, counters = list[int](), list[Numbers]()
    for cell in range(layout.cells):
        block = play(cell, first, deals)
        left[cell] = block.outcomes[0]
        turns.append(int(block.outcomes[1].sum(dtype=np.int64)))
        counters += [part.ravel() for part in block.counters.values()]
        seconds += block.seconds
    if left.max() >= layout.places:
        raise WorkerFailed(f"a deal ended with {left.max()} cards left, more than there can be")
    gram = gram_of(left)
    upper = np.triu_indices(layout.cells, 1)
    ends = [np.bincount(row, minlength=layout.places) for row in left]
    parts = [*ends, np.array(turns), gram.wins_both[upper], gram.left_product[upper]]
    empty = np.zeros(0, np.int64)
    sums, counted = np.concatenate(parts), np.concatenate([empty, *counters])
    return Counts(layout, deals, sums.astype(NUMBER), counted.astype(NUMBER)), seconds
