"""How long a target will take and what is in reach, judged from the deals so far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.stats.gram import Gram
from sim.stats.paired import Estimate, discordance
from sim.stats.planning import MOST_DEALS, expected
from sim.stats.sequence import Decision, Sequence, Target, bounds_of, judge


@dataclass(frozen=True)
class Outlook:
    """What to expect if all rates stay as they are."""

    deals: int  # after which the target will be met
    each: NDArray[np.int64]  # (k,) deals each entry will play, in whole rounds
    open: int  # comparisons that will be open at the most deals
    reachable: float  # half width or margin, of a win rate, that will be met by then

    @property
    def about(self) -> str:
        """The deals as one would say them: two digits are all that can be foreseen."""
        return f"{float(f'{self.deals:.2g}'):,.0f}"


@dataclass(frozen=True)
class Aim:
    """What the entries of a rules variant are played for."""

    target: Target
    sequence: Sequence
    baseline: int  # its place among the entries
    round: int  # deals between two looks
    at_most: int  # deals

    def forecast(self, gram: Gram, deals: int) -> Estimate:
        """Return what the bounds of all pairs will be after so many deals."""
        return bounds_of(expected(discordance(gram), deals), self.sequence)

    def judged(self, bounds: Estimate) -> Decision:
        """Return what bounds, known or forecast, say of the target."""
        return judge(bounds, self.baseline, self.target)

    def outlook(self, gram: Gram) -> Outlook:
        """Return when the target will be met, and what will be known after the most deals."""
        deals, bounds = self._deals(gram), self.forecast(gram, self.at_most)
        waiting = self.judged(bounds).waiting
        sizes = self.target.size(bounds)[waiting]
        return Outlook(
            deals, self._each(gram, deals), int(waiting.sum()) // 2, float(sizes.max(initial=0.0))
        )

    def _deals(self, gram: Gram) -> int:
        """Find by halving when the target will be met, to one percent."""
        few, many = 0, MOST_DEALS
        while many - few > max(few // 100, 1):
            middle = (few + many) // 2
            met = self.judged(self.forecast(gram, middle)).done
            few, many = (few, middle) if met else (middle, many)
        return many

    def _each(self, gram: Gram, deals: int) -> NDArray[np.int64]:
        """Find who will stop early, looking after 1, 2, 4, 8, ... rounds."""
        last = min(-(-deals // self.round) * self.round, self.at_most)
        each, reach = np.full(len(gram), last), self.round
        while reach < last:
            worse = self.judged(self.forecast(gram, reach)).worse
            each = np.where(worse, np.minimum(each, reach), each)
            reach *= 2
        return each
