"""The curves that `make bench` draws: `docs/performance/*.png`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sim.report.style import BLUE, INK, PALE, QUIET, framed, panel_title, pen, png
from tests.bench.growth import Cost, Gain

FOLDER = Path(__file__).parents[2] / "docs" / "performance"
BAND = 0.05  # what a game may cost more or less
MEMORY = 800  # MB, the bar
WIDTH, HEIGHT = 8.0, 3.1  # inches


def draw(
    machine: str, deals: Sequence[Cost], strategies: Sequence[Cost], gains: Sequence[Gain]
) -> list[Path]:
    """Draw all curves and return their files."""
    charts: dict[str, Callable[[], Figure]] = {
        "growth": lambda: growth(machine, deals, strategies),
        "memory": lambda: memory(machine, deals),
        "workers": lambda: workers(machine, gains),
    }
    for name, chart in charts.items():
        (FOLDER / f"{name}.png").write_bytes(png(chart))
    return [FOLDER / f"{name}.png" for name in charts]


def growth(machine: str, deals: Sequence[Cost], strategies: Sequence[Cost]) -> Figure:
    """Draw what a game costs as deals and strategies grow; it should be flat."""
    figure = framed(
        WIDTH,
        HEIGHT,
        "What a game costs, as deals and strategies grow",
        "Processor time of the whole run, less that of one with hardly any deals, by what the loop "
        "alone takes; the band is 5 % about the median",
        machine,
    )
    left, right = figure.subplots(1, 2, sharey=True)
    many, some = deals[0].strategies, strategies[0].deals
    _costs(left, [cost.deals for cost in deals], deals, f"{many} strategies", "deals")
    entries = [cost.strategies for cost in strategies]
    _costs(right, entries, strategies, f"{some:,} deals", "strategies")
    left.set_ylabel("processor time / loop")
    left.set_ylim(0, 1.25 * max(cost.by_engine for cost in [*deals, *strategies]))
    return figure


def _costs(axes: Axes, sizes: Sequence[int], costs: Sequence[Cost], title: str, by: str) -> None:
    shares = [cost.by_engine for cost in costs]
    middle = sorted(shares)[len(shares) // 2]
    axes.axhspan((1 - BAND) * middle, (1 + BAND) * middle, color=PALE, alpha=0.5, lw=0)
    axes.plot(sizes, shares, color=BLUE, marker="o")
    for size, share, cost in zip(sizes, shares, costs, strict=True):
        words = f"{share:.2f}\n{cost.game:.1f} µs"
        below = (0, -8)
        axes.annotate(
            words, (size, share), below, textcoords="offset points", ha="center", va="top", size=8.5
        )
    axes.set(xscale="log", xlabel=by)
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.margins(x=0.15)
    axes.set_title(panel_title(title, WIDTH / 2 - 0.8))


def memory(machine: str, deals: Sequence[Cost]) -> Figure:
    """Draw the peak memory of a run as deals grow."""
    figure = framed(
        WIDTH,
        HEIGHT,
        "Memory of a run, as deals grow",
        f"Peak of all processes together (PSS), {deals[0].strategies} strategies on 2 workers",
        machine,
    )
    axes = figure.subplots()
    sizes = [cost.deals for cost in deals]
    axes.plot(sizes, [cost.peak for cost in deals], color=BLUE, marker="o")
    for cost in deals:
        axes.annotate(
            f"{cost.peak:.0f} MB", (cost.deals, cost.peak), (0, 7), textcoords="offset points",
            ha="center", color=INK,
        )  # fmt: skip
    axes.axhline(MEMORY, color=QUIET, linestyle="--")
    axes.annotate(
        f"promised: below {MEMORY} MB", (sizes[0], MEMORY), (0, 5), textcoords="offset points"
    )
    axes.set(xscale="log", xlabel="deals", ylabel="MB", ylim=(0, 1.2 * MEMORY))
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.margins(x=0.12)
    return figure


def workers(machine: str, gains: Sequence[Gain]) -> Figure:
    """Draw what more workers gain, beside what copies of the C++ loop gain."""
    figure = framed(
        WIDTH,
        HEIGHT,
        "What more workers gain",
        "Greedy games a second of so many workers by those of one, beside as many copies of the "
        "C++ loop, measured in turn",
        machine,
    )
    axes = figure.subplots()
    counts = [gain.workers for gain in gains]
    lines = {"workers": [gain.ours for gain in gains]}
    if all(gain.control for gain in gains):
        lines["copies of the C++ loop"] = [gain.control for gain in gains]
    for i, (name, values) in enumerate(lines.items()):
        line = pen(i, len(lines))
        axes.plot(
            counts, values, color=line.colour, marker=line.marker, linestyle=line.dash,
            label=f"{name}: {values[-1]:.2f} at {counts[-1]}",
        )  # fmt: skip
    axes.plot(counts, counts, color=QUIET, linestyle=":", label="as many times as workers")
    axes.set(xlabel="workers or copies", ylabel="times one", ylim=(0, None))
    axes.set_xticks(counts)
    axes.legend(loc="lower right")
    return figure
