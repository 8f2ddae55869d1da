"""Which deals are still to be played, and in blocks of what size.

A block takes about a second, whatever the strategy: short enough that little is lost when a run is
stopped, long enough that handing it out costs nothing. All cells grow at the same rate, so that the
leader shown during a run means something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heapreplace

BLOCK_SECONDS = 1.0
STEP = 100  # block sizes are multiples of this, deals; of who thinks for long, parts of it
PARTS = (50, 20, 10, 5, 2, 1)
PROBE = 200  # deals in the first block of a cell whose speed is not known
SLOW_PROBE = 5  # the same, of a player that is known to think for long
LARGEST = 200_000


@dataclass(frozen=True)
class Job:
    """A block to be played: deals `first` .. `first + count - 1` of cell number `cell`."""

    cell: int
    first: int
    count: int


@dataclass
class Load:
    """What is left to play of one cell."""

    deals: int
    gaps: list[tuple[int, int]]  # (first, count) of deals not handed out yet, in order
    speed: float = 0.0  # games a second and worker; 0 if not known
    probe: int = 0  # deals in the first block of a player that thinks for long; 0: of all others
    played: int = field(init=False)

    def __post_init__(self) -> None:
        self.played = self.deals - self.left

    @property
    def left(self) -> int:
        """Return how many deals are not handed out yet."""
        return sum(count for _, count in self.gaps)

    @property
    def share(self) -> float:
        """Return what part of the deals is handed out."""
        return 1 - self.left / self.deals

    @property
    def size(self) -> int:
        """Return the size of the next block."""
        if not self.speed:
            return self.probe or PROBE
        wanted = self.speed * BLOCK_SECONDS
        if self.probe and wanted < STEP:
            return next((part for part in PARTS if part <= wanted), 1)
        return min(LARGEST, max(STEP, int(wanted) // STEP * STEP))

    def take(self) -> tuple[int, int]:
        """Hand out the next block as (first, count)."""
        first, count = self.gaps[0]
        taken = min(count, self.size)
        self.gaps[:1] = [(first + taken, count - taken)] if taken < count else []
        return first, taken


class Schedule:
    """Hands out the blocks of all cells, the cell that is furthest behind first."""

    def __init__(self, loads: Iterable[Load]) -> None:
        self.loads = list(loads)
        self.left = sum(load.left for load in self.loads)  # deals not yet played

    def probes(self) -> Iterator[Job]:
        """Yield one block for each cell whose speed is not known."""
        for number, load in enumerate(self.loads):
            if load.gaps and not load.speed:
                yield Job(number, *load.take())

    def jobs(self) -> Iterator[Job]:
        """Yield blocks until nothing is left; sizes follow the speeds known by then."""
        behind = [(load.share, number) for number, load in enumerate(self.loads) if load.gaps]
        heapify(behind)
        while behind:
            _, number = behind[0]
            load = self.loads[number]
            yield Job(number, *load.take())
            if load.gaps:
                heapreplace(behind, (load.share, number))
            else:
                heappop(behind)

    def played(self, job: Job, seconds: float) -> None:
        """Note that a block was played, and how long it took."""
        load = self.loads[job.cell]
        load.played += job.count
        load.speed = job.count / max(seconds, 1e-9)
        self.left -= job.count

    def seconds_left(self, workers: int) -> float:
        """Return the time the rest will take, from the speeds measured so far."""
        times = ((load.deals - load.played) / load.speed for load in self.loads if load.speed)
        return sum(times) / workers


def gaps(blocks: Iterable[tuple[int, int]], deals: int) -> list[tuple[int, int]]:
    """Return the ranges of deals 0 .. `deals` - 1 that no block covers, as (first, count)."""
    missing, reached = [], 0
    for first, count in sorted(blocks):
        if first > reached:
            missing.append((reached, min(first, deals) - reached))
        reached = max(reached, first + count)
        if reached >= deals:
            return missing
    return [*missing, (reached, deals - reached)]
