"""Does it reach a worker? One is started by each method, and plays a block as in a run."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import multiprocess

from sim.check.model import Verdict, failed, ok
from sim.check.subject import DICE, Subject
from sim.errors import TipoffError
from sim.registry import Origin, Paths, look_in, where_to_look
from sim.schedule import Job
from sim.store import Packed
from sim.work import Spec, player_of_blocks
from sim.workers import Processes

METHODS = ("fork", "spawn")
DEALS, FIRST = 50, 300  # deals no check has played in the same block
SECONDS = 1.0

EXPECTED = "the same games in every process"
ADVICE = (
    "a worker imports the file anew: nothing in it may depend on the process, such as the order of "
    "a set, an address, or who imports it"
)


@dataclass(frozen=True)
class Told:
    """What a worker is told: names and numbers, as in a run, and where to look for games."""

    paths: Paths
    game: str
    origin: Origin
    params: Mapping[str, Any]
    rules: Sequence[Mapping[str, Any]]
    stamps: Sequence[str]


def workers(subject: Subject) -> Verdict:
    """Return whether a worker of each kind plays the same games as this process."""
    amount = subject.amount(DEALS, subject.player, SECONDS)
    jobs = [Job(cell, FIRST, amount.deals) for cell in range(len(subject.variants))]
    wanted = [
        subject.play(subject.player, rules, FIRST, amount.deals).tobytes()
        for rules in subject.variants
    ]
    methods = [name for name in METHODS if name in multiprocess.get_all_start_methods()]
    for method in methods:
        try:
            with Processes(partial(work_of, told(subject)), 1, method) as processes:
                found = dict(processes.map_unordered(jobs))
        except TipoffError as error:
            reason = str(error).strip().splitlines()[-1]
            return failed(f"started by {method}: {reason}", EXPECTED, subject.place, ADVICE)
        for job in jobs:
            if found[job].unpacked() != wanted[job.cell]:
                seen = f"a worker started by {method} plays other games than this process"
                return failed(f"{seen} [{subject.variants[job.cell]}]", EXPECTED, "", ADVICE)
    return ok(f"one started by {', one by '.join(methods)}: the same games")


def told(subject: Subject) -> Told:
    """Return what a worker must know to play this strategy."""
    specs = [Spec(subject.listing.origin, subject.params, rules) for rules in subject.variants]
    return Told(
        where_to_look(),
        subject.game.name,
        subject.listing.origin,
        subject.params,
        [vars(rules) for rules in subject.variants],
        [spec.stamp(subject.game, DICE) for spec in specs],
    )


def work_of(what: Told) -> Callable[[Job], Packed]:
    """Return, in a worker, the function that plays a job."""
    look_in(what.paths)
    game = importlib.import_module(f"sim.games.{what.game}").GAME
    specs = [Spec(what.origin, what.params, game.rules(**rules)) for rules in what.rules]
    return player_of_blocks(game, DICE, specs, what.stamps)
