"""What results are due to, as a table: for the terminal, and for a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

SAID = {
    "strategy": "how good the strategies are",
    "deal": "how easy the deal is",
    "both": "deals that suit some strategies and not others",
    "ties": "which of equal moves is taken",
}


class Part(Protocol):
    """A part of the variance, as `sim.stats.luck` finds it."""

    @property
    def name(self) -> str:
        """Return which it is, a key of `SAID`."""

    @property
    def variance(self) -> float:
        """Return how large it is, in squared win rates."""

    @property
    def share(self) -> float:
        """Return which share of the whole it is."""

    @property
    def share_low(self) -> float:
        """Return the lower end of the interval of the share."""

    @property
    def share_high(self) -> float:
        """Return its upper end."""


HEAD = ("due to", "share", "95 % interval", "variance", "which is")


def rows(parts: Sequence[Part]) -> list[tuple[str, ...]]:
    """Return a row a part, in the columns of `HEAD`."""
    return [
        (
            "deal and strategy" if part.name == "both" else part.name,
            f"{100 * part.share:.1f} %",
            f"{100 * part.share_low:.1f} to {100 * part.share_high:.1f}",
            f"{part.variance:.5f}",
            SAID[part.name],
        )
        for part in parts
    ]


def as_text(parts: Sequence[Part]) -> Iterator[str]:
    """Yield the lines of the table for a terminal."""
    lines = [HEAD, *rows(parts)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    for line in lines:
        pairs = list(zip(line, widths, strict=True))
        numbers = (cell.rjust(width) for cell, width in pairs[1:4])
        yield "  ".join([line[0].ljust(widths[0]), *numbers, line[4]])


def as_markdown(parts: Sequence[Part]) -> Iterator[str]:
    """Yield the lines of the table for a page."""
    yield f"| {' | '.join(HEAD)} |"
    yield "|---|---:|---:|---:|---|"
    for row in rows(parts):
        yield f"| {' | '.join(row)} |"
