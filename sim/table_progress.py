"""The bar of a tournament: the leader is who has most points a game in the first variant."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.plan import Plan
from sim.progress import Progress
from sim.seat_bytes import Layout


class TableProgress(Progress):
    """A bar over games of several players."""

    def __init__(self, plan: Plan, games: int, shown: bool | None = None) -> None:
        """Draw the bar; by default (None) only on a terminal."""
        super().__init__(plan.cells, games, shown)
        self._tables, self._layout = plan.cells, Layout(plan.game.seats[1])
        self._points: dict[str, int] = {}
        self._games: dict[str, int] = {}

    def add_block(self, cell: int, outcomes: NDArray[np.uint8]) -> None:
        """Count the outcomes of a block of a table, (width, deals)."""
        table, deals = self._tables[cell], outcomes.shape[1]
        if table.variant == self._tables[0].variant:
            points = self._layout.unpacked(outcomes, table.seats).points.sum(axis=0)
            measured = 1 if table.entrant is not None else table.seats
            for who, own in list(zip(table.contestants, points.tolist(), strict=True))[:measured]:
                self._points[who.label] = self._points.get(who.label, 0) + own
                self._games[who.label] = self._games.get(who.label, 0) + deals * table.games
        self.advance(deals * table.games)

    def leader(self) -> str:
        """Return who leads, in words, or "" before anything was played."""
        means = {label: self._points[label] / games for label, games in self._games.items()}
        if not means:
            return ""
        best = max(means, key=lambda label: means[label])
        return f"leader: {best} {means[best]:.1f} points"
