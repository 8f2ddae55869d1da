"""How long a target will take and what is in reach, judged from the deals so far."""

from __future__ import annotations

from dataclasses import dataclass

from sim.stats.gram import Gram
from sim.stats.paired import Estimate, discordance
from sim.stats.planning import MOST_DEALS, expected
from sim.stats.sequence import Sequence, Target, bounds_of, judge


@dataclass(frozen=True)
class Outlook:
    """What to expect if all rates stay as they are."""

    deals: int  # after which the target will be met
    open: int  # comparisons that will be open at the most deals
    reachable: float  # half width or margin, of a win rate, that will be met by then


def forecast(gram: Gram, sequence: Sequence, deals: int) -> Estimate:
    """Return what the bounds of all pairs will be after so many deals if all rates stay."""
    return bounds_of(expected(discordance(gram), deals), sequence)


def outlook(gram: Gram, baseline: int, target: Target, sequence: Sequence, at_most: int) -> Outlook:
    """Return when a target will be met, and what will be known after `at_most` deals.

    The deals are found by halving: bounds narrow as deals are played.
    """

    def met(deals: int) -> bool:
        return judge(forecast(gram, sequence, deals), baseline, target).done

    few, many = 0, MOST_DEALS
    while many - few > max(few // 100, 1):  # to one percent
        middle = (few + many) // 2
        few, many = (few, middle) if met(middle) else (middle, many)
    bounds = forecast(gram, sequence, at_most)
    decision = judge(bounds, baseline, target)
    sizes = target.size(bounds)[decision.waiting]
    return Outlook(many, decision.open, float(sizes.max(initial=0.0)))
