"""Which blocks are handed out: every missing deal once, in even steps."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import schedule
from sim.schedule import LARGEST, PROBE, SLOW_PROBE, STEP, Job, Load, Schedule, gaps

quick = settings(max_examples=200, deadline=None, database=None)

BLOCKS = st.lists(st.tuples(st.integers(0, 300), st.integers(1, 60)), max_size=12)


def disjoint(blocks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The blocks that do not overlap one before them, as a store holds them."""
    found: list[tuple[int, int]] = []
    for first, count in blocks:
        if all(first + count <= f or f + c <= first for f, c in found):
            found.append((first, count))
    return found


def deals_of(ranges: list[tuple[int, int]]) -> list[int]:
    return [deal for first, count in ranges for deal in range(first, first + count)]


@given(BLOCKS, st.integers(1, 400))
@quick
def test_gaps_and_blocks_cover_every_deal_exactly_once(
    blocks: list[tuple[int, int]], deals: int
) -> None:
    stored = disjoint(blocks)
    missing = gaps(stored, deals)
    covered = [deal for deal in deals_of(stored) if deal < deals]
    assert sorted(deals_of(missing) + covered) == list(range(deals))


@given(BLOCKS, st.integers(1, 400))
@quick
def test_gaps_are_few_and_in_order(blocks: list[tuple[int, int]], deals: int) -> None:
    missing = gaps(blocks, deals)  # even of blocks that overlap
    assert set(deals_of(missing)) == set(range(deals)) - set(deals_of(blocks))
    assert all(count > 0 for _, count in missing)
    assert all(f + c < after for (f, c), (after, _) in pairwise(missing))


@pytest.mark.parametrize(
    ("blocks", "deals", "missing"),
    [
        ([], 5, [(0, 5)]),
        ([(0, 5)], 5, []),
        ([(0, 9)], 5, []),
        ([(2, 1)], 5, [(0, 2), (3, 2)]),
        ([(4, 9), (0, 1)], 5, [(1, 3)]),
        ([(7, 2)], 5, [(0, 5)]),
    ],
)
def test_gaps_of_single_cases(
    blocks: list[tuple[int, int]], deals: int, missing: list[tuple[int, int]]
) -> None:
    assert gaps(blocks, deals) == missing


def play(plan: Schedule, speeds: list[float]) -> list[Job]:
    """Every job of a schedule, each played at once at the speed of its cell."""
    jobs: list[Job] = []
    for source in (plan.probes(), plan.jobs()):
        for job in source:
            jobs.append(job)
            plan.played(job, job.count / speeds[job.cell])
    return jobs


LOADS = st.lists(
    st.tuples(
        st.lists(st.tuples(st.integers(0, 9000), st.integers(1, 2000)), max_size=4),
        st.integers(1, 10_000),  # deals
        st.floats(10, 1e6),  # games a second
        st.booleans(),  # known before
    ),
    min_size=1,
    max_size=5,
)


@given(LOADS)
@quick
def test_every_missing_deal_is_handed_out_exactly_once(
    cells: list[tuple[list[tuple[int, int]], int, float, bool]],
) -> None:
    missing = [gaps(disjoint(blocks), deals) for blocks, deals, _, _ in cells]
    plan = Schedule(
        Load(deals, list(holes), speed if known else 0.0)
        for holes, (_, deals, speed, known) in zip(missing, cells, strict=True)
    )
    total = plan.left
    jobs = play(plan, [speed for _, _, speed, _ in cells])
    for cell, holes in enumerate(missing):
        handed = [(job.first, job.count) for job in jobs if job.cell == cell]
        assert sorted(deals_of(handed)) == deals_of(holes)
    assert sum(job.count for job in jobs) == total and plan.left == 0
    assert plan.seconds_left(1) == 0
    assert [load.played for load in plan.loads] == [deals for _, deals, _, _ in cells]


@given(st.integers(1, 30_000) | st.floats(1, 1e7), st.integers(1, 300_000))
@quick
def test_sizes_are_multiples_of_a_hundred_but_for_the_tail(speed: float, deals: int) -> None:
    plan = Schedule([Load(deals, [(0, deals)])])
    sizes = [job.count for job in play(plan, [speed])]
    assert all(size % STEP == 0 for size in sizes[:-1])
    assert sizes[0] == min(PROBE, deals) and max(sizes) <= LARGEST
    assert all(size <= max(STEP, speed * schedule.BLOCK_SECONDS) for size in sizes[1:])


def test_whoever_thinks_for_long_gets_small_blocks() -> None:
    load = Load(1000, [(0, 1000)], 0.0, SLOW_PROBE)
    assert load.take() == (0, SLOW_PROBE)
    load.speed = 12.5
    assert [load.take(), load.take()] == [(5, 10), (15, 10)]
    load.speed = 0.2
    assert load.take() == (25, 1)


def test_a_cell_whose_speed_is_known_is_not_probed() -> None:
    plan = Schedule([Load(1000, [(0, 1000)], 500.0), Load(1000, [(0, 1000)]), Load(10, [])])
    assert list(plan.probes()) == [Job(1, 0, PROBE)]


def test_cells_grow_evenly() -> None:
    deals, speeds = [400_000, 100_000, 400_000], [1e5, 1e4, 1e3]
    plan = Schedule(Load(n, [(0, n)]) for n in deals)
    for job in plan.probes():
        plan.played(job, job.count / speeds[job.cell])
    handed = [float(PROBE)] * 3
    for job in plan.jobs():
        shares = [count / n for count, n in zip(handed, deals, strict=True)]
        assert shares[job.cell] == min(s for s in shares if s < 1), "not the one furthest behind"
        handed[job.cell] += job.count
        plan.played(job, job.count / speeds[job.cell])
    assert handed == deals


def test_a_resumed_cell_waits_for_the_others() -> None:
    plan = Schedule([Load(1000, [(900, 100)], 100.0), Load(1000, [(0, 1000)], 100.0)])
    cells = [job.cell for job in plan.jobs()]
    assert cells == [1] * 9 + [0, 1]


def test_sizes_follow_the_speed_as_it_changes() -> None:
    plan = Schedule([Load(10**6, [(0, 10**6)])])
    jobs = [*plan.probes()]
    plan.played(jobs[0], PROBE / 5000)  # slow: something else was running
    source = plan.jobs()
    assert next(source).count == 5000 * schedule.BLOCK_SECONDS
    plan.played(Job(0, PROBE, 5000), 0.05)
    assert next(source).count == 100_000 * schedule.BLOCK_SECONDS
    plan.played(Job(0, 5200, 100_000), 0.0)  # a clock that did not move
    assert next(source).count == LARGEST


def test_seconds_left_are_shared_by_the_workers() -> None:
    plan = Schedule([Load(1000, [(0, 1000)], 100.0), Load(500, [(0, 500)], 50.0)])
    assert plan.seconds_left(1) == 20 and plan.seconds_left(4) == 5
    plan.played(next(plan.jobs()), 1.0)
    assert plan.seconds_left(1) == 19


def test_ten_thousand_cells_cost_next_to_nothing() -> None:
    plan = Schedule(Load(1000, [(0, 1000)], 100.0) for _ in range(10_000))
    jobs = list(plan.jobs())  # took minutes when every job looked at every cell
    assert len(jobs) == 100_000
    assert [job.cell for job in jobs[:10_000]] == list(range(10_000))
