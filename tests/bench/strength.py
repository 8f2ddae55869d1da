"""The curve of strength against time: the table in `docs/strength.md`, drawn beside it.

`python -m tests.bench.strength` draws it again after the table was changed.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sim.report.style import INK, QUIET, framed, pen, png

PAGE = Path(__file__).parents[2] / "docs" / "strength.md"
CURVE = PAGE.with_name("strength.png")
BARS = {"easy: one joker": (96.0, 97.5), "hard: two jokers": (89.0, 92.0)}  # promised and hoped for
RATE = r"([\d.]+) \(([\d.]+)–([\d.]+)\)"
ROW = re.compile(
    rf"^\| ([\d,]+) \| \d+ \| {RATE} \| {RATE} \| ([\d.]+) \| [\d,]+ \|$", re.MULTILINE
)


class Setting(NamedTuple):
    """One row: games imagined a turn, win rates in percent with interval, games a second."""

    rollouts: str
    rates: tuple[tuple[float, float, float], ...]  # of each level: rate, low, high
    speed: float


def settings(text: str) -> list[Setting]:
    """Return the rows of the table on the page."""
    found = []
    for rollouts, *numbers, speed in ROW.findall(text):
        easy, hard = (tuple(map(float, numbers[at : at + 3])) for at in (0, 3))
        found.append(Setting(rollouts, (easy, hard), float(speed)))  # type: ignore[arg-type]
    return found


def curve(rows: list[Setting]) -> Figure:
    """Draw win rates against games a second, both levels in one panel."""
    figure = framed(
        8.0,
        3.6,
        "What thinking longer brings",
        "look-ahead with the policy all-tips: share of deals won against games played a second on "
        "one core, with 95 % intervals; beside each point the games imagined a turn. Dotted: 96 "
        "and 97.5 % of easy deals, 89 and 92 % of hard ones",
        "docs/strength.md  ·  seed 20261130",
    )
    axes = figure.subplots()
    for i, name in enumerate(BARS):
        _line(axes, rows, i, name)
    axes.set(xscale="log", xlabel="games a second", ylabel="deals won, %", ylim=(60, 100))
    axes.invert_xaxis()
    axes.set_xticks([row.speed for row in rows], [f"{row.speed:g}" for row in rows])
    axes.minorticks_off()
    axes.margins(x=0.1)
    axes.legend(loc="lower right")
    return figure


def _line(axes: Axes, rows: list[Setting], level: int, name: str) -> None:
    look = pen(level, 2)
    speeds = [row.speed for row in rows]
    rates = [row.rates[level][0] for row in rows]
    ends = [[abs(row.rates[level][end] - row.rates[level][0]) for row in rows] for end in (1, 2)]
    axes.errorbar(
        speeds, rates, ends, color=look.colour, marker=look.marker, linestyle=look.dash, label=name
    )
    for row in rows:
        below = (0, -14)
        axes.annotate(
            row.rollouts, (row.speed, row.rates[level][1]), below, textcoords="offset points",
            ha="center", size=8.5, color=QUIET,
        )  # fmt: skip
    for bar in BARS[name]:
        axes.axhline(bar, color=look.colour if level else INK, linewidth=0.6, linestyle=":")


def main() -> None:
    """Draw the curve."""
    rows = settings(PAGE.read_text(encoding="utf-8"))
    CURVE.write_bytes(png(lambda: curve(rows)))


if __name__ == "__main__":
    main()
