"""Published leaves played again on this machine, and compared."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sim.audit.check import who
from sim.cast import players_of
from sim.progress import bar
from sim.receipts import Leaf, Receipts
from sim.results import Entry
from sim.schedule import SLOW_PROBE, Job, Load, Schedule
from sim.store import Packed
from sim.strategy import contract
from sim.tally import LEAF, Tally, tally
from sim.work import Spec, player_of_blocks
from sim.workers import Processes

Outcomes = NDArray[np.uint8]  # (columns, deals)


@dataclass
class Differing:
    """Leaves of one entry whose digests differ."""

    first: Leaf
    outcomes: Outcomes  # of that leaf, as played here
    count: int = 1

    def and_(self, leaf: Leaf, outcomes: Outcomes) -> None:
        """Add a leaf; the first one of the entry is kept."""
        self.count += 1
        if leaf.number < self.first.number:
            self.first, self.outcomes = leaf, outcomes


@dataclass
class Replayed:
    """What playing leaves again gave."""

    leaves: int = 0
    matching: int = 0
    games: int = 0
    seconds: float = 0.0  # of playing, as the clock goes
    compiling: float = 0.0  # seconds before
    differing: dict[int, Differing] = field(default_factory=dict)  # by number of the entry
    tallies: dict[int, Tally] = field(default_factory=dict)  # of the leaves that match
    faults: list[str] = field(default_factory=list)  # of entries of which every leaf matches
    ranges: list[tuple[Leaf, str]] = field(default_factory=list)  # that differ, and digests here

    def take(self, leaf: Leaf, entry: Entry, outcomes: Outcomes) -> None:
        """Compare a leaf with what the entry shows."""
        played = tally([outcomes])
        self.leaves += 1
        if played.leaves == (entry.leaves[leaf.number],):
            self.matching += 1
            before = self.tallies.get(leaf.entry)
            self.tallies[leaf.entry] = before.then(played) if before else played
        elif leaf.entry in self.differing:
            self.differing[leaf.entry].and_(leaf, outcomes)
        else:
            self.differing[leaf.entry] = Differing(leaf, outcomes)


def replay(receipts: Receipts, leaves: Sequence[Leaf], workers: int) -> Replayed:
    """Play leaves again and compare them.

    Raises:
        StrategyFailed, WorkerFailed: if they cannot be played.
    """
    found, started = Replayed(games=sum(leaf.count for leaf in leaves)), time.perf_counter()
    entries = sorted({leaf.entry for leaf in leaves})
    specs = [receipts.specs[entry] for entry in entries]
    players_of(receipts.game, specs, require_compiled=False)
    found.compiling = time.perf_counter() - started
    started = time.perf_counter()
    for leaf, outcomes in _played(receipts, leaves, entries, specs, workers):
        found.take(leaf, receipts.results.entries[leaf.entry], outcomes)
    found.seconds = time.perf_counter() - started
    for number, counted in found.tallies.items():
        found.faults += faults_of_whole(receipts.results.entries[number], counted)
    return found


def _played(
    receipts: Receipts,
    leaves: Sequence[Leaf],
    entries: Sequence[int],
    specs: Sequence[Spec],
    workers: int,
) -> Iterator[tuple[Leaf, Outcomes]]:
    """Yield each leaf with its outcomes, in the order in which they are finished."""
    open_leaves = _Open(len(receipts.game.columns), leaves)
    schedule = Schedule(
        _load((leaf for leaf in leaves if leaf.entry == entry), _thinks(spec))
        for entry, spec in zip(entries, specs, strict=True)
    )
    stamps = [spec.stamp(receipts.game, receipts.dice) for spec in specs]
    setup = partial(player_of_blocks, receipts.game, receipts.dice, specs, stamps)
    with Processes(setup, workers, name=_name) as processes, bar(schedule.left) as progress:
        for jobs in (schedule.probes(), schedule.jobs()):
            for job, block in processes.map_unordered(jobs):
                schedule.played(job, block.seconds)
                progress.update(job.count)
                yield from open_leaves.add(entries[job.cell], job, block)


def _load(leaves: Iterable[Leaf], thinks: bool) -> Load:
    ranges = [(leaf.first, leaf.count) for leaf in leaves]
    return Load(sum(count for _, count in ranges), ranges, probe=SLOW_PROBE if thinks else 0)


def _thinks(spec: Spec) -> bool:
    """Return whether a strategy chooses its moves itself, and so thinks for long."""
    return contract(spec.origin.load()) == "choose"


def _name(job: Job) -> str:
    return f"deals {job.first} to {job.first + job.count - 1}"


class _Open:
    """Leaves of which some deals are still to come."""

    def __init__(self, columns: int, leaves: Iterable[Leaf]) -> None:
        self._columns = columns
        self._leaves = {(leaf.entry, leaf.number): leaf for leaf in leaves}
        self._rooms: dict[Leaf, Outcomes] = {}
        self._left: dict[Leaf, int] = {}

    def add(self, entry: int, job: Job, block: Packed) -> Iterator[tuple[Leaf, Outcomes]]:
        """Put a block into its leaf; yield the leaf if it is whole now."""
        leaf = self._leaves[entry, job.first // LEAF]
        room = self._rooms.setdefault(leaf, np.empty((self._columns, leaf.count), np.uint8))
        start = job.first - leaf.first
        room[:, start : start + job.count] = np.frombuffer(block.unpacked(), np.uint8).reshape(
            self._columns, job.count
        )
        self._left[leaf] = self._left.get(leaf, leaf.count) - job.count
        if not self._left[leaf]:
            yield leaf, self._rooms.pop(leaf)


def faults_of_whole(entry: Entry, counted: Tally) -> Iterator[str]:
    """Yield what an entry says of its deals that is not so, if all of them were played again."""
    if counted.deals != entry.deals:
        return
    shown = np.array(entry.leftover_histogram)
    if counted.histogram[len(shown) :].any() or (counted.histogram[: len(shown)] != shown).any():
        yield f"{who(entry)}: leftover_histogram is not that of its leaves"
    if abs(counted.turns / counted.deals - entry.turns_mean) > 1e-9 * entry.turns_mean:
        yield (
            f"{who(entry)}: turns_mean is {entry.turns_mean}, but its leaves hold "
            f"{counted.turns / counted.deals}"
        )
