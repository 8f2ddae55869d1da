"""The model of a cluster: it plays what the real schedule hands out, all of it and once."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from sim import schedule
from sim.count_store import Span
from sim.counting import Together
from sim.counts import EVERY
from sim.schedule import Job, Load, Schedule
from tests.bench import blocks, largest
from tests.bench.blocks import Times
from tests.bench.cluster_model import Parent, Run, Simulation, Site

DEALS, GAME = 400_000, 1e-5  # seconds
FREE = Parent(0.0, 0.0)


class Noted(Schedule):
    """A schedule that notes what was played."""

    def __init__(self, *loads: Load) -> None:
        super().__init__(loads)
        self.done: list[Job] = []

    def played(self, job: Job, seconds: float) -> None:
        super().played(job, seconds)
        self.done.append(job)


def play(parent: Parent, site: Site, spread: bool = False) -> tuple[Run, Noted]:
    rng, times = random.Random(3), Times([0.5, 1.0, 2.0])
    plan = Noted(*(Load(DEALS, [(0, DEALS)]) for _ in range(3)))

    def seconds(job: Job) -> float:
        return job.count * GAME * (times.draw(rng) if spread else 1.0)

    return Simulation(plan, seconds, parent, site, rng).play(), plan


@pytest.mark.parametrize("losses", [0.0, 3000.0])  # of a worker, per hour
def test_every_deal_is_played_once_whoever_is_lost(losses: float) -> None:
    run, plan = play(Parent(0.001, 0.001), Site(4, losses=losses, replaced=0.5), spread=True)
    assert plan.left == 0 and max(Counter(plan.done).values()) == 1
    covered = sorted((job.cell, job.first, job.count) for job in plan.done)
    for cell in range(3):
        own = [(first, count) for number, first, count in covered if number == cell]
        assert schedule.gaps(own, DEALS) == [] and sum(count for _, count in own) == DEALS
    assert run.jobs == len(plan.done)
    assert (run.lost > 0) == (losses > 0) == (run.worst > 0)


def test_an_idle_parent_costs_nothing() -> None:
    run, _ = play(FREE, Site(4, latency=0.0))
    perfect = 3 * DEALS * GAME / 4
    assert run.playing == pytest.approx(3 * DEALS * GAME)
    assert perfect <= run.wall < perfect + 2 * schedule.BLOCK_SECONDS


def test_workers_wait_for_a_parent_that_is_too_slow() -> None:
    slow = Parent(0.2, 0.3)
    run, _ = play(slow, Site(40))
    assert run.parent == pytest.approx(run.jobs * 0.5)
    assert run.parent <= run.wall < 1.5 * run.parent
    assert run.playing < 0.5 * run.wall * 40


def test_one_block_ahead_hides_the_way_to_a_worker() -> None:
    far = {ahead: play(FREE, Site(2, ahead=ahead, latency=0.3))[0].wall for ahead in (1, 2)}
    assert far[2] < far[1] - 1.0


def test_it_is_the_same_each_time() -> None:
    site = Site(5, losses=600.0, replaced=1.0)
    assert play(FREE, site, True)[0] == play(FREE, site, True)[0]


def test_counts_are_played_within_their_ranges() -> None:
    plan = Together(Span(500_000, [(0, 500_000)]))
    plan.share_among(3)
    jobs: list[Job] = []

    def seconds(job: Job) -> float:
        jobs.append(job)
        return job.count * GAME

    Simulation(plan, seconds, FREE, Site(3), random.Random(1)).play()
    assert {job.cell for job in jobs} == {EVERY} and plan.left == 0
    assert all(job.first // 200_000 == (job.first + job.count - 1) // 200_000 for job in jobs)


def test_the_largest_run_in_small() -> None:
    setting = largest.Setting("counts", FREE, workers=8, games=10**8, cells=10)
    run = largest.played(setting, Times.measured())
    used = run.playing / (8 * run.wall)
    assert run.playing == pytest.approx(10**8 * largest.a_game(), rel=0.1)
    assert 0.8 < used <= 1.0 and len(largest.told(setting, run)) == len(largest.HEAD)


def test_the_measured_times_are_usual_on_average() -> None:
    times, rng = Times.measured(), random.Random(1)
    drawn = [times.draw(rng) for _ in range(20_000)]
    assert sum(drawn) / len(drawn) == pytest.approx(1.0, abs=0.02)
    assert min(drawn) < 0.6 and max(drawn) > 1.8, "blocks of real runs differ"
    assert 5e-6 < largest.a_game() < 12e-6


def test_times_are_read_from_a_store(
    finished: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(blocks, "FILE", tmp_path / "blocks.json")
    monkeypatch.setattr(blocks, "SMALLEST", 1)
    monkeypatch.setattr(blocks, "FEWEST", 1)
    found = list(blocks.relative(Path("reports/tiny/results.sqlite")))
    assert len(found) >= 2 and all(time > 0 for time in found)
    blocks.write([Path("reports/tiny/results.sqlite")])
    assert Times.measured().mean > 0
