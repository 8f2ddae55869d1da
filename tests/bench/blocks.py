"""How much the times of blocks differ, from the stores of real runs.

`python -m tests.bench.blocks STORE...` reads the seconds of every large block of some stores and
writes their quantiles, relative to the median of their cell, to `docs/performance/blocks.json`.
Rules, strategy and machine drop out of such a ratio; what else ran beside does not, and should not.
"""

from __future__ import annotations

import json
import random
import sqlite3
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

FILE = Path(__file__).parents[2] / "docs" / "performance" / "blocks.json"
SMALLEST = 10_000  # deals of a block that counts: it takes a tenth of a second at least
FEWEST = 4  # such blocks of a cell


class Times:
    """Draws the time of a block relative to what is usual, as measured."""

    def __init__(self, quantiles: list[float]) -> None:
        self._quantiles, self._last = quantiles, len(quantiles) - 1
        self.mean = statistics.mean(quantiles)

    @classmethod
    def measured(cls) -> Times:
        """Return the committed ones."""
        return cls(json.loads(FILE.read_text(encoding="utf-8"))["quantiles"])

    def draw(self, rng: random.Random) -> float:
        """Return a factor, 1 on average."""
        place = rng.random() * self._last
        low = int(place)
        here, there = self._quantiles[low], self._quantiles[min(low + 1, self._last)]
        return (here + (there - here) * (place - low)) / self.mean


def relative(store: Path) -> Iterator[float]:
    """Yield the time a deal of each large block of a store, over the median of its cell."""
    query = "select stamp, seconds / count from block where count >= ?"
    cells = defaultdict[str, list[float]](list)
    with closing(sqlite3.connect(f"{store.absolute().as_uri()}?mode=ro", uri=True)) as db:
        for stamp, seconds in db.execute(query, [SMALLEST]):
            cells[stamp].append(seconds)
    for times in cells.values():
        if len(times) >= FEWEST:
            usual = statistics.median(times)
            yield from (time / usual for time in times)


def write(stores: Iterable[Path]) -> None:
    """Write the quantiles of some stores."""
    found = [time for store in stores for time in relative(store)]
    quantiles = [round(time, 3) for time in statistics.quantiles(found, n=100)]
    text = json.dumps({"blocks": len(found), "quantiles": quantiles})
    FILE.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write(map(Path, sys.argv[1:]))
