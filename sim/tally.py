"""Adding up what a store holds: integers only, so the same for any block size and order.

Digests prove a result: a leaf is the sha256 of the outcome bytes of 50,000 deals, counted from deal
0, deal after deal (for Club Fight: cards left, turns); the last leaf may be shorter. An entry's
digest is the sha256 of the text of its leaf digests, one after the other; the run's digest is the
sha256 of the text of its sorted entry digests.

A run that keeps counts has a leaf for each range of deals of all its entries (`sim.counts`), and
its digest is the sha256 of the text of these; that of an entry is the sha256 of its histogram and
the sum of its turns, as int64.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

LEAF = 50_000  # deals

WORST = 256  # an outcome is a byte


@dataclass(frozen=True)
class Tally:
    """Deals added up: how many ended with how many cards left, after how many turns in all."""

    histogram: NDArray[np.int64]  # (256,) [c] = deals that ended with c cards left
    turns: int
    leaves: tuple[str, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        """Return the tally of both sets of deals; leaves do not add."""
        return Tally(self.histogram + other.histogram, self.turns + other.turns)

    def then(self, later: Tally) -> Tally:
        """Return the tally of these deals and those right after them; these are whole leaves."""
        both = self + later
        return Tally(both.histogram, both.turns, self.leaves + later.leaves)

    @property
    def deals(self) -> int:
        """Return how many deals were added up."""
        return int(self.histogram.sum())

    @property
    def wins(self) -> int:
        """Return how many deals were won: no card left."""
        return int(self.histogram[0])

    @property
    def digest(self) -> str:
        """Return the digest of the entry."""
        return sha256("".join(self.leaves).encode()).hexdigest()


@dataclass(frozen=True)
class Summed(Tally):
    """A tally of which no deal was kept: its digest is that of what it holds."""

    places: int = WORST  # of the histogram that the digest covers

    @property
    def digest(self) -> str:
        """Return the digest of the entry."""
        return summed_digest(self.histogram[: self.places], self.turns)


def summed_digest(histogram: Iterable[int] | NDArray[np.int64], turns: int) -> str:
    """Return the digest of an entry of which no deal was kept."""
    numbers = np.array([*histogram, turns], "<i8")
    return sha256(numbers.tobytes()).hexdigest()


def tally_block(outcomes: NDArray[np.uint8]) -> Tally:
    """Add up one block of (2, deals) outcomes: cards left, turns."""
    histogram = np.bincount(outcomes[0], minlength=WORST).astype(np.int64)
    return Tally(histogram, int(outcomes[1].sum(dtype=np.int64)))


def tally(blocks: Iterable[NDArray[np.uint8]]) -> Tally:
    """Add up blocks of outcomes in deal order from deal 0, and hash their leaves."""
    total, hasher = Tally(np.zeros(WORST, np.int64), 0), LeafHasher()
    for outcomes in blocks:
        total += tally_block(outcomes)
        hasher.feed(outcomes)
    return Tally(total.histogram, total.turns, hasher.leaves())


class LeafHasher:
    """Cuts outcomes into leaves of 50,000 deals, whatever the sizes of the blocks they come in."""

    def __init__(self) -> None:
        self._finished: list[str] = []
        self._open, self._filled = sha256(), 0

    def feed(self, outcomes: NDArray[np.uint8]) -> None:
        """Take the next deals, as (columns, deals)."""
        rest = outcomes.T
        while len(rest):
            part, rest = rest[: LEAF - self._filled], rest[LEAF - self._filled :]
            self._open.update(part.tobytes())
            self._filled += len(part)
            if self._filled == LEAF:
                self._finished.append(self._open.hexdigest())
                self._open, self._filled = sha256(), 0

    def leaves(self) -> tuple[str, ...]:
        """Return the digests of all leaves so far, a last short one included."""
        return (*self._finished, *([self._open.hexdigest()] if self._filled else []))


def recut(blocks: Iterable[NDArray[np.uint8]], size: int) -> Iterator[NDArray[np.uint8]]:
    """Yield the same outcomes in pieces of `size` deals; the last one may be shorter."""
    waiting: list[NDArray[np.uint8]] = []
    held = 0
    for block in blocks:
        waiting.append(block)
        held += block.shape[1]
        while held >= size:
            whole = np.concatenate(waiting, axis=1)
            yield whole[:, :size]
            waiting, held = [whole[:, size:]], held - size
    if held:
        yield np.concatenate(waiting, axis=1)


def counts_digest(leaves: Iterable[str]) -> str:
    """Return the digest of a run that kept counts from the leaves of its ranges."""
    return sha256("".join(leaves).encode()).hexdigest()


def run_digest(entries: Iterable[str]) -> str:
    """Return the digest of a run from those of its entries."""
    return sha256("".join(sorted(entries)).encode()).hexdigest()
