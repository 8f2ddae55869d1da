"""`tipoff plan`: what an experiment will cost, and what precision it buys, from a short pilot.

The pilot plays the first deals of every cell in this process and keeps none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sim.cast import Cast
from sim.cell import Cell
from sim.compare import Group, by_variant
from sim.count_store import pack, size_of
from sim.counts import Layout, count
from sim.game import Block
from sim.plan import Plan
from sim.report.wording import comparisons
from sim.rounds import Variant, sequence_of
from sim.stats.outlook import Outlook
from sim.stats.paired import discordance
from sim.stats.planning import fixed, half_width, rate_half_width
from sim.store import Packed

TRIAL = 10  # deals that tell how slow the slowest cell is
LONGEST = 0.5  # seconds the pilot may take for a cell
MOST = 2_000  # deals of the pilot


@dataclass(frozen=True)
class Row:
    """What to expect of one cell."""

    cell: Cell
    deals: int  # that it will play
    speed: float  # games a second and worker
    rate: float  # half width of the 95 % interval of the win rate, or of its bounds
    difference: float | None  # of the paired difference from the baseline; None for itself


@dataclass(frozen=True)
class Forecast:
    """What to expect of an experiment."""

    pilot: int  # deals
    seconds: float  # of play, on the workers asked for
    size: float  # bytes of the store
    rows: tuple[Row, ...]
    until: str  # what is played for, in words; "" if the deals are fixed
    outlooks: Mapping[str, Outlook]  # of each rules variant, when it will be known

    @property
    def games(self) -> int:
        """Return how many games will be played."""
        return sum(row.deals for row in self.rows)


def forecast(cast: Cast, workers: int) -> Forecast:
    """Play the pilot and say what the whole plan will cost and buy."""
    cells, pilot = cast.plan.cells, pilot_deals(cast)
    blocks = [cast.play(i, pilot) for i in range(len(cells))]
    groups = by_variant(cells)
    for group in groups:
        group.add([block.outcomes for block in blocks])
    outlooks = _outlooks(cast.plan, groups)
    rows = [row for group in groups for row in _rows(cast.plan, blocks, group, outlooks)]
    return Forecast(
        pilot=pilot,
        seconds=sum(row.deals / row.speed for row in rows) / workers,
        size=_size(cast.plan, blocks, rows, pilot),
        rows=tuple(rows),
        until=str(cast.plan.until.until) if cast.plan.until else "",
        outlooks=outlooks,
    )


def _size(plan: Plan, blocks: Sequence[Block], rows: Sequence[Row], pilot: int) -> float:
    """Return the bytes that the store will have."""
    if plan.counts:
        counts, _ = count(
            Layout.of(plan.game, len(blocks)), lambda cell, *_: blocks[cell], 0, pilot
        )
        return size_of(pack(counts, 0.0), plan.deals)
    sizes = [len(Packed.of(block).outcomes) / pilot for block in blocks]
    return sum(row.deals * size for row, size in zip(rows, sizes, strict=True))


def pilot_deals(cast: Cast) -> int:
    """Return how many deals each cell can play in the time allowed, 100 at least."""
    slowest = max(cast.play(i, TRIAL).seconds for i in range(len(cast.plan.cells)))
    return min(MOST, max(100, int(LONGEST * TRIAL / max(slowest, 1e-9)) // 100 * 100))


def _outlooks(plan: Plan, groups: Sequence[Group]) -> dict[str, Outlook]:
    """Return when each rules variant will be known, if that is what is played for."""
    if plan.until is None:
        return {}
    variants = [Variant(plan, group, sequence_of(plan)) for group in groups]
    return {variant.name: variant.outlook() for variant in variants}


def _rows(
    plan: Plan, blocks: Sequence[Block], group: Group, outlooks: Mapping[str, Outlook]
) -> Iterator[Row]:
    cells = [plan.cells[number] for number in group.cells]
    ahead = outlooks.get(cells[0].variant)
    deals = np.array([cell.deals for cell in cells]) if ahead is None else ahead.each
    critical = fixed if plan.until is None else sequence_of(plan).critical
    common = np.minimum(deals, deals[:, None])
    base = [cell.label for cell in cells].index(plan.baseline)
    widths = half_width(discordance(group.gram), common, critical)[:, base]
    z = critical(deals.astype(np.float64))
    for i, (cell, number) in enumerate(zip(cells, group.cells, strict=True)):
        block, own = blocks[number], int(deals[i])
        yield Row(
            cell=cell,
            deals=own,
            speed=block.outcomes.shape[1] / block.seconds,
            rate=rate_half_width(float((block.outcomes[0] == 0).mean()), own, float(z[i])),
            difference=None if i == base else float(widths[i]),
        )


def text(found: Forecast, workers: int) -> Iterator[str]:
    """Yield the lines of a forecast for reading."""
    minutes = found.seconds / 60
    yield (
        f"{found.games:,} games, about {minutes:,.1f} minutes on {workers} workers, "
        f"{found.size / 1e6:,.0f} MB of store (pilot: {found.pilot:,} deals)"
    )
    width = max(len(row.cell.label) for row in found.rows)
    ends = "95 % bounds" if found.until else "95 % interval"
    for variant in dict.fromkeys(row.cell.variant for row in found.rows):
        if variant in found.outlooks:
            yield f"\n{variant}: {_when(found, variant)}"
        yield f"\n{variant}: half width of the {ends} to expect, in points"
        yield f"  {'':{width}}  {'deals':>12}  win rate  difference  games/s"
        for row in found.rows:
            if row.cell.variant == variant:
                apart = "baseline" if row.difference is None else f"±{100 * row.difference:.3f}"
                yield (
                    f"  {row.cell.label:{width}}  {row.deals:12,}  ±{100 * row.rate:6.3f}"
                    f"  {apart:>10}  {row.speed:7,.0f}"
                )


def _when(found: Forecast, variant: str) -> str:
    ahead = found.outlooks[variant]
    if ahead.open:
        return (
            f"too few deals are allowed: {comparisons(ahead.open)} would stay open, the widest at "
            f"{100 * ahead.reachable:.2g} points; it would take about {ahead.about} deals until "
            f"{found.until}"
        )
    return f"about {ahead.about} deals until {found.until}"
