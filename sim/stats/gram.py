"""The sums that every comparison is made of: for each two entries, over the deals both played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 14  # deals multiplied at once: 255**2 * BLOCK < 2**53, so floats stay exact

Matrix = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Gram:
    """Sums over k entries, each (k, k) with [a, b] on the deals that a and b both played.

    Whole numbers, so the same for any order of blocks; it adds.
    """

    common: Matrix  # deals
    wins: Matrix  # deals that a won; on the deals of [a, b], so not symmetric
    wins_both: Matrix  # deals that both won
    left: Matrix  # cards that a left
    left_squares: Matrix  # squares of the cards that a left on each deal
    left_product: Matrix  # cards that a left times cards that b left on the same deal

    def __add__(self, other: Gram) -> Gram:
        """Return the sums over both sets of deals, which must not overlap."""
        return Gram(*map(np.add, astuple(self), astuple(other)))

    def __eq__(self, other: object) -> bool:
        """Tell whether all sums are the same."""
        return isinstance(other, Gram) and all(map(np.array_equal, astuple(self), astuple(other)))

    def __len__(self) -> int:
        """Return how many entries there are."""
        return len(self.common)

    def of(self, entries: Sequence[int]) -> Gram:
        """Return the sums of some of the entries, in the order given."""
        return Gram(*(part[np.ix_(entries, entries)] for part in astuple(self)))


def empty(entries: int) -> Gram:
    """Return the sums over no deals: what to start adding from."""
    return Gram(*(np.zeros((entries, entries), np.int64) for _ in range(6)))


def gram_of(left: NDArray[np.uint8], played: Matrix | None = None) -> Gram:
    """Add up n deals of k entries.

    Args:
        left: (k, n) cards left, 0 = won; what an entry did not play may hold anything.
        played: (k,) how many of the n deals each entry has, counted from the first; None = all.
    """
    entries, deals = left.shape
    ends = np.full(entries, deals, np.int64) if played is None else played
    if ends.shape != (entries,) or ends.min(initial=0) < 0 or ends.max(initial=0) > deals:
        raise ValueError(f"played: {entries} numbers from 0 to {deals} wanted, got {ends}")
    total = empty(entries)
    for start, stop in _stretches(ends):
        present = np.flatnonzero(ends >= stop)
        _add_block(total, present, left[present, start:stop])
    return total


def _stretches(ends: Matrix) -> Iterator[tuple[int, int]]:
    """Cut the deals into blocks within which the same entries are present."""
    start = 0
    for end in np.unique(ends).tolist():
        for stop in (*range(start + BLOCK, end, BLOCK), end):
            if stop > start:
                yield start, stop
            start = stop


def _add_block(total: Gram, present: NDArray[np.intp], left: NDArray[np.uint8]) -> None:
    """Add a block of deals that all present entries played to the sums, in place."""
    cards = left.astype(np.float64)
    won = (left == 0).astype(np.float64)
    both, product = _product(won), _product(cards)
    place = np.ix_(present, present)
    total.common[place] += left.shape[1]
    total.wins[place] += both.diagonal()[:, None]
    total.wins_both[place] += both
    total.left[place] += left.sum(axis=1, dtype=np.int64)[:, None]
    total.left_squares[place] += product.diagonal()[:, None]
    total.left_product[place] += product


def _product(rows: NDArray[np.float64]) -> Matrix:
    return np.rint(rows @ rows.T).astype(np.int64)
