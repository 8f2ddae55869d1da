"""Published ranges of a run that kept counts, played again by all its entries and compared."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial

from sim.audit.check import who
from sim.cast import players_of
from sim.count_store import Span, unpack
from sim.counting import Together
from sim.counts import RANGE, Counts, Layout
from sim.progress import bar
from sim.receipts import Leaf, Receipts
from sim.schedule import Job
from sim.sums import tallies
from sim.verify import Replayed, faults_of_whole
from sim.work import player_of_blocks
from sim.workers import Processes


def replay(receipts: Receipts, leaves: Sequence[Leaf], workers: int) -> Replayed:
    """Play ranges again and compare them; all of them, and the entries are compared, too.

    Raises:
        StrategyFailed, WorkerFailed: if they cannot be played.
    """
    assert receipts.results.counts is not None
    published = receipts.results.counts.leaves
    found, started = Replayed(games=receipts.games(leaves)), time.perf_counter()
    specs = [spec for _, spec in sorted(receipts.specs.items())]
    players_of(receipts.game, specs, require_compiled=False)
    found.compiling = time.perf_counter() - started
    total = Counts.nothing(Layout.of(receipts.game, len(specs)))
    started = time.perf_counter()
    for leaf, counts in _played(receipts, leaves, total, workers):
        found.leaves += 1
        if counts.digest == published[leaf.number]:
            found.matching += 1
            total += counts
        else:
            found.ranges.append((leaf, counts.digest))
    found.seconds = time.perf_counter() - started
    found.faults += _faults_of_entries(receipts, total)
    return found


def _played(
    receipts: Receipts, leaves: Sequence[Leaf], nothing: Counts, workers: int
) -> Iterator[tuple[Leaf, Counts]]:
    """Yield each range with its counts, in the order in which they are finished."""
    specs = [spec for _, spec in sorted(receipts.specs.items())]
    stamps = [spec.stamp(receipts.game, receipts.dice) for spec in specs]
    setup = partial(player_of_blocks, receipts.game, receipts.dice, specs, stamps)
    parts = [(leaf.first, leaf.count) for leaf in leaves]
    schedule = Together(Span(sum(count for _, count in parts), parts))
    of_number = {leaf.number: leaf for leaf in leaves}
    open_ = dict.fromkeys(of_number, nothing)
    with (
        Processes(setup, workers, name=_name) as processes,
        bar(receipts.games(leaves)) as progress,
    ):
        for jobs in (schedule.probes(), schedule.jobs()):
            for job, block in processes.map_unordered(jobs):
                schedule.played(job, block.seconds)
                progress.update(job.count * len(specs))
                number = job.first // RANGE
                open_[number] += unpack(nothing.layout, job.count, block)
                if open_[number].deals == of_number[number].count:
                    yield of_number[number], open_.pop(number)


def _name(job: Job) -> str:
    return f"deals {job.first} to {job.first + job.count - 1}"


def _faults_of_entries(receipts: Receipts, total: Counts) -> Iterator[str]:
    """Yield what entries and pairs say that is not so, if all ranges were played again."""
    results = receipts.results
    for entry, counted in zip(results.entries, tallies(total), strict=True):
        yield from faults_of_whole(entry, counted)
    both = total.gram().wins_both
    place = {(entry.label, entry.variant): i for i, entry in enumerate(results.entries)}
    for pair in results.pairs:
        a, b = (place.get((label, pair.variant)) for label in (pair.a, pair.b))
        if a is None or b is None or total.deals != pair.deals:
            continue  # the first was said before
        if both[a, b] != pair.both:
            one, other = who(results.entries[a]), who(results.entries[b])
            yield f"{one} and {other}: both is {pair.both}, but the ranges hold {both[a, b]}"
