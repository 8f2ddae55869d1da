"""The pace of an entry in numbers: cards left after each turn, of deals won and of deals lost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from sim.results import Entry, Results

CHART = "pace.png"


@dataclass(frozen=True)
class Band:
    """Cards left after turn 1, 2, ... of the deals in which that turn was made."""

    deals: tuple[int, ...]  # in which the turn was made; never growing
    low: tuple[int, ...]  # quartiles: see `quantile`
    middle: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def turns(self) -> range:
        """The turns there is something to show of."""
        return range(1, len(self.deals) + 1)


def paced(results: Results) -> list[Entry]:
    """Return the entries whose pace was counted."""
    found = [entry for entry in results.entries if results.pace in entry.counted.counts]
    return [entry for entry in found if entry.counted.deals]


def lost_and_won(results: Results, entry: Entry) -> tuple[Band, Band]:
    """Return the bands of the deals that the entry lost and of those it won."""
    lost, won = entry.counted.counts[results.pace]
    return _band(lost), _band(won)


def _band(by_turn: Sequence[Sequence[int]]) -> Band:
    rows = [counts for counts in by_turn[1:] if sum(counts)]
    deals = tuple(map(sum, rows))
    return Band(deals, *(tuple(quantile(row, part) for row in rows) for part in (1, 2, 3)))


def quantile(counts: Sequence[int], quarters: int) -> int:
    """Return the fewest cards that at least so many quarters of the deals do not exceed.

    This is the inverse of the empirical distribution, definition 1 of Hyndman and Fan, "Sample
    quantiles in statistical packages", The American Statistician 50 (1996): always a whole number.
    """
    needed = quarters * sum(counts)
    return next(cards for cards, sofar in enumerate(accumulate(counts)) if 4 * sofar >= needed)


def longest(results: Results) -> int:
    """Return the last turn that any entry made."""
    bands = [band for entry in paced(results) for band in lost_and_won(results, entry)]
    return max(len(band.deals) for band in bands)


def milestones(results: Results) -> list[int]:
    """Return the turns after a quarter, a half and three quarters of the longest game."""
    last = longest(results)
    return sorted({math.ceil(part * last / 4) for part in (1, 2, 3)})


def halfway(results: Results) -> int:
    """Return the turn after half of the longest game."""
    return math.ceil(longest(results) / 2)


def after(band: Band, turn: int) -> str:
    """Return the median of the cards left after a turn; a dash if no deal got so far."""
    return str(band.middle[turn - 1]) if turn <= len(band.middle) else "–"


def both_after(lost: Band, won: Band, turn: int) -> str:
    """Return the medians of the deals won and of those lost, such as "14 / 18"."""
    return f"{after(won, turn)} / {after(lost, turn)}"
