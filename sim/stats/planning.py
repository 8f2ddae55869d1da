"""How many deals a wanted precision takes, and what precision a number of deals buys."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sim.stats.intervals import Z, wilson
from sim.stats.paired import Discordance, Numbers, win_difference

MOST_DEALS = 1 << 50
UNSEEN = 0.5  # deals added to each field of a pilot's table

Floats = NDArray[np.float64]
Critical = Callable[[Floats], Floats]  # standard errors from estimate to bound, given the deals


def fixed(deals: Floats) -> Floats:
    """Return the critical value of a 95 % interval that is looked at once: 1.96."""
    return np.full_like(deals, Z)


def expected(pilot: Discordance, deals: Numbers) -> Discordance:
    """Return the table that a pilot leads one to expect after so many deals.

    Half a deal is added to each field of the pilot's, so that what it did not see counts as rare
    and not as impossible. Source: A. Agresti and Y. Min, Statistics in Medicine 24 (2005) 729-740.
    """
    fields = [
        np.asarray(field, np.float64) + UNSEEN
        for field in (pilot.both, pilot.only_a, pilot.only_b, pilot.neither)
    ]
    scale = np.asarray(deals, np.float64) / sum(fields)
    return Discordance(*(field * scale for field in fields))


def half_width(pilot: Discordance, deals: Numbers, critical: Critical = fixed) -> Floats:
    """Return the half width to expect of a difference of win rates after so many deals.

    Args:
        pilot: paired tables of any shape.
        deals: of that shape, or one number for all.
        critical: `fixed`, or that of a confidence sequence.
    """
    table = expected(pilot, deals)
    return win_difference(table, critical(table.deals)).half_width


def deals_needed(
    pilot: Discordance, wanted: float, critical: Critical = fixed
) -> NDArray[np.int64]:
    """Return the fewest deals after which to expect a half width as wanted or less.

    Found by halving, so that it agrees with the interval that will be reported; for many discordant
    deals it is z^2 (discordant rate - difference^2) / wanted^2.
    """
    few = np.zeros(np.shape(pilot.both), np.int64)
    many = np.full_like(few, MOST_DEALS)
    while (many - few > 1).any():
        middle = (few + many) // 2
        enough = half_width(pilot, np.maximum(middle, 1), critical) <= wanted
        few, many = np.where(enough, few, middle), np.where(enough, middle, many)
    return many


def rate_half_width(rate: float, deals: int, z: float = Z) -> float:
    """Return the half width to expect of one win rate after so many deals, at a critical value."""
    low, high = wilson(round(rate * deals), deals, z)
    return (high - low) / 2
