"""The store of a run that keeps counts: its rows are sums, so neighbours become one row.

A row is some deals of all cells added up, in the table in which other runs keep the outcomes of one
cell, under a stamp of all cells together. Once the deals of a range are all there, its rows become
one; 64 such rows become one, which holds the digests of its ranges, their leaves; and 64 of these.
So a store has a few hundred rows, and grows by little more than a leaf, 32 bytes, a range. While a
range is being played its blocks lie apart; the room they took is used again for those of the next.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import numpy as np

from sim.counts import NUMBER, RANGE, Counts, Layout, Numbers, leaf_of
from sim.errors import BadInput, StoreDamaged
from sim.schedule import STEP, Load
from sim.store import Packed, Store

FAN = 64  # rows that become one
LEVELS = 3  # the largest row: this many powers of FAN, less one, of ranges
LEAF_BYTES = 32
LAST = 4  # the last blocks have a part of the usual size: one in so many

WITHIN = "stamp = ? and first >= ? and first < ?"


def pack(counts: Counts, seconds: float) -> Packed:
    """Compress counts that were just played as a row."""
    return _row(counts.sums, counts.counters, seconds)


def unpack(layout: Layout, deals: int, block: Packed) -> Counts:
    """Return the counts of a row that a worker has sent."""
    sums, counters = (zlib.decompress(part) for part in (block.outcomes, block.counters))
    return Counts(
        layout, deals, _numbers(sums[: NUMBER.itemsize * layout.sizes[0]]), _numbers(counters)
    )


def _row(sums: Numbers, counters: Numbers, seconds: float, leaves: bytes = b"") -> Packed:
    first, second = sums.astype(NUMBER).tobytes() + leaves, counters.astype(NUMBER).tobytes()
    return Packed(zlib.compress(first, 6), zlib.compress(second, 1), seconds)


def leaves_in(deals: int) -> int:
    """Return how many leaves a row has: none unless it is of several ranges."""
    return deals // RANGE if deals > RANGE else 0


def layout_sizes(layout: Layout, deals: int) -> tuple[int, int]:
    """Return the bytes of both parts of a row when unpacked."""
    sums, counters = (NUMBER.itemsize * size for size in layout.sizes)
    return sums + LEAF_BYTES * leaves_in(deals), counters


def size_of(block: Packed, deals: int) -> int:
    """Return about how many bytes a store of such rows has when all is played."""
    ranges = -(-deals // RANGE)
    rows, left = 0, ranges
    for _ in range(LEVELS - 1):
        rows, left = rows + left % FAN, left // FAN
    return (rows + left) * (len(block.outcomes) + len(block.counters)) + LEAF_BYTES * ranges


@dataclass
class Span(Load):
    """What is left to play of all cells together: no block lies in two ranges.

    The last blocks are shorter, down to a quarter: workers that find nothing more to do shall not
    wait long for those that are not ready.
    """

    workers: int = 0  # 0: not known

    @property
    def size(self) -> int:
        """Return the size of the next block."""
        usual = super().size
        if not self.workers:
            return usual
        last = max(usual // LAST, self.left // (2 * self.workers)) // STEP * STEP
        return min(usual, max(STEP, last))

    def take(self) -> tuple[int, int]:
        """Hand out the next block as (first, count)."""
        first, count = self.gaps[0]
        taken = min(count, self.size, RANGE - first % RANGE)
        self.gaps[:1] = [(first + taken, count - taken)] if taken < count else []
        return first, taken


class CountStore(Store):
    """A store of counts; use it as a context manager."""

    most_deals = RANGE * FAN ** (LEVELS - 1)

    def add(self, stamp: str, first: int, count: int, block: Packed) -> None:
        """Commit a row, and make one row of what is complete with it. Errors as in `Store`."""
        sums = len(block.unpacked()) - LEAF_BYTES * leaves_in(count)
        sizes = sums, len(zlib.decompress(block.counters))
        with self._at_once():
            super().add(stamp, first, count, block)
            for level in range(LEVELS):
                whole = RANGE * FAN**level
                if not self._made_one(stamp, first // whole * whole, whole, sizes):
                    break

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """Commit all that is done within, or nothing: each commit waits for the disk."""
        self._execute("begin")
        try:
            yield
        except BaseException:
            with suppress(StoreDamaged):
                self._execute("rollback")
            raise
        self._execute("commit")

    def _made_one(self, stamp: str, first: int, whole: int, sizes: tuple[int, int]) -> bool:
        """Make one row of those of some deals; return whether these are all there."""
        query = (
            "select count(*), sum(count) from block where stamp = ? and first >= ? and first < ?"
        )
        ((rows, deals),) = self._rows(query, stamp, first, first + whole)
        if deals == whole and rows > 1:
            self._replace(stamp, first, whole, self._sum(stamp, first, whole, sizes))
        return bool(deals == whole)

    def _sum(self, stamp: str, first: int, whole: int, sizes: tuple[int, int]) -> Packed:
        """Return the one row that some rows become."""
        query = f"select first, count, outcomes, counters, seconds from block where {WITHIN}"
        sums, counters = (np.zeros(size // NUMBER.itemsize, NUMBER) for size in sizes)
        leaves, seconds = b"", 0.0
        for *place, one, other, spent in self._rows(
            f"{query} order by first", stamp, first, first + whole
        ):
            start, count = self._place(*place)
            raw = self._unpack(one, start, sizes[0] + LEAF_BYTES * leaves_in(count))
            own = _numbers(raw[: sizes[0]])
            leaves += raw[sizes[0] :] if leaves_in(count) else bytes.fromhex(leaf_of(own))
            sums, seconds = sums + own, seconds + spent
            counters = counters + _numbers(self._unpack(other, start, sizes[1]))
        return _row(sums, counters, seconds, leaves if leaves_in(whole) else b"")

    def _replace(self, stamp: str, first: int, whole: int, block: Packed) -> None:
        within = (stamp, first, first + whole)
        values = (block.outcomes, block.counters, block.seconds)
        self._execute(f"delete from block where {WITHIN}", *within)
        self._execute("insert into block values (?, ?, ?, ?, ?, ?)", stamp, first, whole, *values)

    def total(self, stamp: str, deals: int, layout: Layout) -> tuple[Counts, tuple[str, ...]]:
        """Return deals 0 .. `deals` - 1 added up, and the leaf of each range.

        Raises:
            BadInput: if deals beyond are in one row with them, which cannot be cut.
            StoreDamaged: if deals are missing or a row cannot be read.
        """
        total, part, reached = Counts.nothing(layout), Counts.nothing(layout), 0
        leaves: list[str] = []
        for first, count, packed in self.blocks(stamp):
            if first != reached or reached >= deals:
                break
            if first + count > deals:
                raise BadInput(
                    f"{self.path} has added up deals {first} to {first + count - 1}, "
                    f"which cannot be cut at {deals}; give more deals, "
                    "or another folder with --out DIR"
                )
            counts, own = self.opened(layout, first, count, packed)
            total, part, reached = total + counts, part + counts, first + count
            if reached % RANGE == 0:
                leaves += own or [part.digest]
                part = Counts.nothing(layout)
        if reached < deals:
            raise StoreDamaged(
                f"{self.path}: deal {reached} is missing; run the same command again"
            )
        return total, (*leaves, *([part.digest] if part.deals else []))

    def opened(
        self, layout: Layout, first: int, count: int, packed: Packed
    ) -> tuple[Counts, list[str]]:
        """Return what a row holds: the counts, and the leaves in it.

        Raises:
            StoreDamaged: if it cannot be read.
        """
        sizes = layout_sizes(layout, count)
        sums, counters = (
            self._unpack(part, first, size)
            for part, size in zip((packed.outcomes, packed.counters), sizes, strict=True)
        )
        end = NUMBER.itemsize * layout.sizes[0]
        leaves = [sums[at : at + LEAF_BYTES].hex() for at in range(end, len(sums), LEAF_BYTES)]
        return Counts(layout, count, _numbers(sums[:end]), _numbers(counters)), leaves


def _numbers(data: bytes) -> Numbers:
    return np.frombuffer(data, NUMBER)
