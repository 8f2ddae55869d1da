"""Published line-ups of a tournament played again on this machine, leaf by leaf, and compared."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sim.cast import players_of
from sim.errors import BadInput
from sim.game import Dice, Game
from sim.progress import bar
from sim.registry import Registry
from sim.results_text import text_in
from sim.schedule import Job
from sim.settings import params_of, rules_of
from sim.standings import LineUp, Standings
from sim.table_work import MemberSpec, TableSpec
from sim.tally import LEAF, LeafHasher
from sim.work import player_of_blocks
from sim.workers import Processes

PIECE = 2_000  # deals of a job


class Leaf(NamedTuple):
    """A leaf of a line-up."""

    table: int
    number: int


@dataclass
class Replayed:
    """What playing leaves again gave."""

    leaves: int
    games: int
    seconds: float
    differing: list[str]  # leaves, in words


def read(path: Path) -> Standings | None:
    """Return the standings in a results file; None if it is not of a tournament, or no file.

    Raises:
        BadInput: if it is of a tournament, but not as it should be.
    """
    try:
        if '"tournament"' not in (text := text_in(path)):
            return None
    except (OSError, ValueError):
        return None
    try:
        return Standings.from_json(text)
    except ValueError as error:
        raise BadInput(f"{path} is not the results file of a tournament of tipoff") from error


def leaves_of(found: Standings) -> list[Leaf]:
    """Return all leaves."""
    return [Leaf(i, n) for i, table in enumerate(found.lineups) for n in range(len(table.leaves))]


def chosen(found: Standings, count: int | None, seed: int) -> list[Leaf]:
    """Return so many leaves, drawn by a seed; all of them without a count."""
    every = leaves_of(found)
    if count is None or count >= len(every):
        return every
    return sorted(random.Random(seed).sample(every, count))


def replay(found: Standings, leaves: Sequence[Leaf], registry: Registry, workers: int) -> Replayed:
    """Play leaves again.

    Raises:
        BadInput: if the game, a strategy or a parameter is not known here.
    """
    game, dice = registry.game(found.game), Dice(found.seed, found.tie_seed, found.ties)
    tables = sorted({leaf.table for leaf in leaves})
    specs = [spec_of(found, found.lineups[i], game, registry) for i in tables]
    players_of(game, specs, False)  # compiled before workers are forked
    stamps = [spec.stamp(game, dice) for spec in specs]
    work = partial(player_of_blocks, game, dice, specs, stamps)
    done, started = Replayed(len(leaves), 0, 0.0, []), time.perf_counter()
    with Processes(work, workers) as processes, bar(_games(found, leaves)) as shown:
        for leaf in leaves:
            jobs = [Job(tables.index(leaf.table), *piece) for piece in _pieces(found, leaf)]
            blocks = {}
            for job, block in processes.map_unordered(jobs):
                blocks[job.first] = np.frombuffer(block.unpacked(), np.uint8)
                blocks[job.first] = blocks[job.first].reshape(game.width, job.count)
                shown.update(job.count * found.lineups[leaf.table].seats)
            hasher = LeafHasher()
            for first in sorted(blocks):
                hasher.feed(blocks[first])
            _compare(found.lineups[leaf.table], leaf, hasher, done)
    done.games, done.seconds = _games(found, leaves), time.perf_counter() - started
    return done


def spec_of(found: Standings, table: LineUp, game: Game, registry: Registry) -> TableSpec:
    """Return a line-up as it can be played, from what the results say of its members."""
    parts = {(one.variant, one.label): one.parts for one in found.entries}
    every = {one.label: one.parts for one in found.entries}
    members: list[MemberSpec] = []
    for label in table.members:
        member = parts.get((table.variant, label), every[label])
        listings = [
            registry.strategy(game.name, str(member[name]["use"])) for name in game.decisions
        ]
        given = [{k: v for k, v in member[name].items() if k != "use"} for name in game.decisions]
        pairs = zip(listings, given, strict=True)
        members.append(tuple((one.origin, params_of(one, own)) for one, own in pairs))
    return TableSpec(tuple(members), rules_of(game, table.rules))


def _pieces(found: Standings, leaf: Leaf) -> Iterator[tuple[int, int]]:
    end = min(found.lineups[leaf.table].deals, LEAF * (leaf.number + 1))
    for first in range(LEAF * leaf.number, end, PIECE):
        yield first, min(PIECE, end - first)


def _games(found: Standings, leaves: Sequence[Leaf]) -> int:
    return sum(
        count * found.lineups[leaf.table].seats
        for leaf in leaves
        for _, count in _pieces(found, leaf)
    )


def _compare(table: LineUp, leaf: Leaf, hasher: LeafHasher, done: Replayed) -> None:
    if hasher.leaves() != (table.leaves[leaf.number],):
        who = ", ".join(table.members)
        done.differing.append(f"leaf {leaf.number} of {who} at {table.variant} differs")
