"""Putting shards together: the blocks of several run folders into one, and its report.

The whole is what an undivided run would have given, to the bit: a block is bytes under a stamp, and
it does not matter who played it. What does not belong together is refused by name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import pairwise
from operator import itemgetter
from pathlib import Path

from sim import folder, run
from sim.cast import Cast, cast_of, stamps_of
from sim.counts import together
from sim.errors import BadInput, StoreDamaged
from sim.plan import Plan
from sim.schedule import gaps
from sim.store import Store

Block = tuple[int, int, int]  # first deal, count, number of the shard


def merge(shards: Sequence[Path], options: run.Options) -> run.Finished:
    """Copy the blocks of all shards into the folder `options.out`, and write its report.

    Raises:
        BadInput: if a folder is no shard, belongs to another experiment, or overlaps another.
        StoreDamaged: if deals are in none of them, or a store is damaged.
    """
    plans = [run.planned(shard) for shard in shards]
    _refuse_foreign(shards, plans)
    wanted = plans[0]
    out = options.out or Path("reports") / wanted.experiment
    if out.resolve() in {shard.resolve() for shard in shards}:
        raise BadInput(f"{out} is one of the shards; give another folder with --out DIR")
    folder.claim(out, wanted)
    cast = cast_of(wanted, options.require_compiled)
    with ExitStack() as open_:
        stores = [
            open_.enter_context(folder.opened(shard, wanted, read_only=True)) for shard in shards
        ]
        for store, shard in zip(stores, shards, strict=True):
            folder.check_store(shard, wanted, store)
        _refuse_misfits(cast, shards, stores)
        _copy(cast, stores, out)
        about = stores[0].told("command"), stores[0].told("question")
    return run.play(cast, out, options, *about)


def _refuse_foreign(shards: Sequence[Path], plans: Sequence[Plan]) -> None:
    """Refuse shards of different experiments, or of different versions of their strategies."""
    first, *others = plans
    for shard, other in zip(shards[1:], others, strict=True):
        for key, value in folder.identity(first).items():
            if (found := folder.identity(other)[key]) != value:
                what = key.replace("_", " ")
                raise BadInput(f"{shard} holds {what} {found}, but {shards[0]} {value}")
        kept = [(plan.counts, [cell.deals for cell in plan.cells]) for plan in (first, other)]
        if kept[0] != kept[1] or stamps_of(first) != stamps_of(other):
            raise BadInput(f"{shard} has other entries, rules or deals than {shards[0]}")


def _refuse_misfits(cast: Cast, shards: Sequence[Path], stores: Sequence[Store]) -> None:
    """Refuse deals that are in two shards, or in none."""
    for stamp, deals, who in _kept(cast):
        blocks: list[Block] = sorted(
            (first, count, number)
            for number, store in enumerate(stores)
            for first, count in store.coverage(stamp)
        )
        for (first, count, one), (later, _, other) in pairwise(blocks):
            if later < first + count:
                both = f"{shards[one]} and {shards[other]}"
                raise BadInput(f"deal {later} {who} is in both {both}; merge each shard once")
        for first, count in gaps([(first, count) for first, count, _ in blocks], deals):
            raise StoreDamaged(
                f"deals {first} to {first + count - 1} {who} are in none of the shards, or their "
                "strategy was edited since; play that shard with `tipoff run --shard I/N`"
            )


def _copy(cast: Cast, stores: Sequence[Store], out: Path) -> None:
    """Copy the blocks that an earlier try has not copied yet."""
    with folder.opened(out, cast.plan) as store:
        folder.check_store(out, cast.plan, store)
        for stamp, _, _ in _kept(cast):
            there = store.coverage(stamp)
            for source in stores:
                for first, count, block in source.blocks(stamp):
                    if not _holds(there, first, count):
                        store.add(stamp, first, count, block)


def _holds(blocks: Sequence[tuple[int, int]], first: int, count: int) -> bool:
    """Tell whether a block is there; of counts, it may have become part of a larger one."""
    at = bisect_right(blocks, first, key=itemgetter(0)) - 1
    return at >= 0 and first + count <= sum(blocks[at])


def _kept(cast: Cast) -> Iterator[tuple[str, int, str]]:
    """Yield the stamp and the deals of all that is kept, and whose they are in words."""
    if cast.plan.counts:
        yield together(cast.stamps), cast.plan.deals, "of all entries"
        return
    for cell, stamp in zip(cast.plan.cells, cast.stamps, strict=True):
        yield stamp, cell.deals, f"of '{cell.label}' at {cell.variant}"
