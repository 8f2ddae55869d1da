"""The bar of a run: games a second, time left, and who leads. Silent where nobody watches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from sim.cell import Cell
from sim.tally import Tally, tally_block


class _Bar(tqdm):  # type: ignore[type-arg]
    monitor_interval = 0  # no thread watches it: a process with threads is not safe to fork


def bar(games: int, shown: bool | None = None) -> Any:
    """Return a bar over games, to be updated; by default (None) drawn only on a terminal."""
    return _Bar(
        total=games,
        unit=" games",
        unit_scale=True,
        disable=None if shown is None else not shown,
        dynamic_ncols=True,
        smoothing=0.1,
        bar_format="{percentage:3.0f} %|{bar}| {n_fmt}/{total_fmt} games, {rate_fmt}, "
        "{remaining} left{postfix}",
    )


class Progress:
    """A bar over games; the leader is the best win rate so far in the first rules variant."""

    def __init__(self, cells: Sequence[Cell], games: int, shown: bool | None = None) -> None:
        """Draw the bar; by default (None) only on a terminal."""
        self._cells = [(i, cell) for i, cell in enumerate(cells) if cell.rules == cells[0].rules]
        self._tallies: dict[int, Tally] = {}
        self._bar = bar(games, shown)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def add_block(self, cell: int, outcomes: NDArray[np.uint8]) -> None:
        """Count the outcomes of a block of a cell, (columns, deals)."""
        self.add(cell, tally_block(outcomes))

    def add(self, cell: int, played: Tally) -> None:
        """Count deals of a cell."""
        self.add_all({cell: played})

    def add_all(self, played: Mapping[int, Tally]) -> None:
        """Count a block of several cells."""
        for cell, more in played.items():
            self._tallies[cell] = self._tallies[cell] + more if cell in self._tallies else more
        self.advance(sum(more.deals for more in played.values()))

    def advance(self, games: int) -> None:
        """Move on by so many games, and say who leads."""
        self._bar.set_postfix_str(self.leader(), refresh=False)
        self._bar.update(games)

    def expect(self, games: int) -> None:
        """Change how many games there will be."""
        self._bar.total = games
        self._bar.refresh()

    def clear(self) -> None:
        """Wipe the bar off its line, so that something else can be said there."""
        self._bar.clear()

    def leader(self) -> str:
        """Return who leads, in words, or "" before anything was played."""
        rates = {
            cell.label: self._tallies[i].wins / self._tallies[i].deals
            for i, cell in self._cells
            if i in self._tallies
        }
        if not rates:
            return ""
        best = max(rates, key=lambda label: rates[label])
        return f"leader: {best} {100 * rates[best]:.1f} %"
