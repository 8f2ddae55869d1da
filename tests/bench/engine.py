"""Speed of the engine in one process, and of several at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any

from sim.game import Dice
from sim.games.club_fight import Rules
from sim.games.club_fight.play import play_block
from sim.games.club_fight.steps import keys, new_room, set_up
from sim.jit import door
from sim.lanes import Player
from sim.registry import Registry
from sim.strategy import contract
from sim.work import Spec
from sim.workers import Processes
from tests.bench import reference

DICE = Dice(7, 7)
EASY = Rules(1)
RUNS = 5
ALIKE = ("tuned-easy", "tuned-hard", "tuned-patient")  # to `linear` and `patient`
BEYOND_TIPS = ("linear", "patient")  # twenty-five weights; what the clubs kept could do next


@door
def deal_many(room: Any, keys: Any, count: Any) -> None:
    """Deal so many deals and do nothing else."""
    for number in range(count):
        set_up(room, keys, number, 1)


def players(registry: Registry) -> dict[str, Player]:
    """Return the compiled players of the shipped strategies that score, greedy first.

    Of those that differ in nothing but their weights, one is enough.
    """
    game = registry.game("club_fight")
    known = registry.strategies(game.name).items()
    scoring = {name: one for name, one in known if contract(one.cls) == "score"}
    found = {name: one for name, one in scoring.items() if name not in ALIKE}
    names = sorted(found, key=lambda name: (name != "greedy-most-cards", name))
    return {name: Spec(found[name].origin, {}, EASY).player(game) for name in names}


def speed(player: Player, deals: int) -> float:
    """Return games a second of processor over one block: on a shared machine, not of the clock."""
    started = time.process_time()
    play_block(EASY, DICE, 0, deals, player)
    return deals / (time.process_time() - started)


def against_reference(player: Player, deals: int) -> tuple[float, float, float]:
    """Return games a second of the engine and of the C++ loop, and the median ratio of pairs."""
    pairs = [(speed(player, deals), reference.speed(deals)) for _ in range(RUNS)]
    ours, theirs = (median(column) for column in zip(*pairs, strict=True))
    return ours, theirs, median(a / b for a, b in pairs)


def against(player: Player, other: Player, deals: int) -> float:
    """Return the speed of one player by that of another, the median of pairs."""
    return median(speed(player, deals) / speed(other, deals) for _ in range(RUNS))


def both_lanes(player: Player, deals: int, plain_deals: int) -> tuple[float, float]:
    """Return games a second compiled and in plain Python."""
    compiled = median(speed(player, deals) for _ in range(RUNS))
    return compiled, median(speed(replace(player, score_all=None), plain_deals) for _ in range(3))


def dealing(count: int) -> float:
    """Return the nanoseconds of one deal."""
    room, roots = new_room(), keys(DICE)
    deal_many(room, roots, 1)

    def once() -> float:
        started = time.process_time()
        deal_many(room, roots, count)
        return time.process_time() - started

    return 1e9 * median(once() for _ in range(RUNS)) / count


def on_workers(player: Player, workers: int, deals: int) -> float:
    """Return games a second of so many workers, each playing two blocks."""
    with Processes(partial(_work, player), workers, "fork") as processes:
        list(processes.map_unordered([(i, 100) for i in range(workers)]))
        started = time.perf_counter()
        list(processes.map_unordered([(i, deals) for i in range(2 * workers)]))
        return 2 * workers * deals / (time.perf_counter() - started)


def _work(player: Player) -> Callable[[tuple[int, int]], float]:
    def play(job: tuple[int, int]) -> float:
        return play_block(EASY, DICE, job[0] * job[1], job[1], player).seconds

    return play
