"""`tipoff plan`: what an experiment will cost, and what precision it buys, from a short pilot.

The pilot plays the first deals of every cell in this process and keeps none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.cast import Cast
from sim.compare import Group, by_variant
from sim.game import Block
from sim.plan import Cell
from sim.stats.paired import discordance
from sim.stats.planning import half_width, rate_half_width
from sim.store import Packed

TRIAL = 10  # deals that tell how slow the slowest cell is
LONGEST = 0.5  # seconds the pilot may take for a cell
MOST = 2_000  # deals of the pilot


@dataclass(frozen=True)
class Row:
    """What to expect of one cell."""

    cell: Cell
    speed: float  # games a second and worker
    rate: float  # half width of the 95 % interval of the win rate
    difference: float | None  # of the paired difference from the baseline; None for itself


@dataclass(frozen=True)
class Forecast:
    """What to expect of an experiment."""

    pilot: int  # deals
    games: int
    seconds: float  # of play, on the workers asked for
    size: float  # bytes of the store
    rows: tuple[Row, ...]


def forecast(cast: Cast, workers: int) -> Forecast:
    """Play the pilot and say what the whole plan will cost and buy."""
    cells, deals = cast.plan.cells, pilot_deals(cast)
    blocks = [cast.play(i, deals) for i in range(len(cells))]
    rows = tuple(_rows(cast, blocks, deals))
    per_deal = [len(Packed.of(block).outcomes) / deals for block in blocks]
    return Forecast(
        pilot=deals,
        games=sum(cell.deals for cell in cells),
        seconds=sum(row.cell.deals / row.speed for row in rows) / workers,
        size=sum(cell.deals * size for cell, size in zip(cells, per_deal, strict=True)),
        rows=rows,
    )


def pilot_deals(cast: Cast) -> int:
    """Return how many deals each cell can play in the time allowed, 100 at least."""
    slowest = max(cast.play(i, TRIAL).seconds for i in range(len(cast.plan.cells)))
    return min(MOST, max(100, int(LONGEST * TRIAL / max(slowest, 1e-9)) // 100 * 100))


def _rows(cast: Cast, blocks: Sequence[Block], deals: int) -> Iterator[Row]:
    for group in by_variant(cast.plan.cells):
        group.add([block.outcomes for block in blocks])
        widths = _differences(cast, group)
        for number, width in zip(group.cells, widths, strict=True):
            cell, block = cast.plan.cells[number], blocks[number]
            rate = float((block.outcomes[0] == 0).mean())
            itself = cell.label == cast.plan.baseline
            yield Row(
                cell,
                deals / block.seconds,
                rate_half_width(rate, cell.deals),
                None if itself else float(width),
            )


def _differences(cast: Cast, group: Group) -> Any:
    """Return the half width to expect of each cell's difference from the baseline."""
    cells = [cast.plan.cells[number] for number in group.cells]
    base = next(i for i, cell in enumerate(cells) if cell.label == cast.plan.baseline)
    common = np.array([[min(a.deals, b.deals) for b in cells] for a in cells])
    return half_width(discordance(group.gram), common)[:, base]


def text(found: Forecast, workers: int) -> Iterator[str]:
    """Yield the lines of a forecast for reading."""
    minutes = found.seconds / 60
    yield (
        f"{found.games:,} games, about {minutes:,.1f} minutes on {workers} workers, "
        f"{found.size / 1e6:,.0f} MB of store (pilot: {found.pilot:,} deals)"
    )
    width = max(len(row.cell.label) for row in found.rows)
    for variant in dict.fromkeys(row.cell.variant for row in found.rows):
        yield f"\n{variant}: half width of the 95 % interval to expect, in points"
        yield f"  {'':{width}}  {'deals':>12}  win rate  difference  games/s"
        for row in found.rows:
            if row.cell.variant == variant:
                apart = "baseline" if row.difference is None else f"±{100 * row.difference:.3f}"
                yield (
                    f"  {row.cell.label:{width}}  {row.cell.deals:12,}  ±{100 * row.rate:6.3f}"
                    f"  {apart:>10}  {row.speed:7,.0f}"
                )
