"""A mean with its interval, where the sums behind it are not in the file: do they fit together?"""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, sqrt

import numpy as np

from sim.audit.check import same
from sim.stats.intervals import Z
from sim.stats.paired import two_sided
from sim.stats.sequence import Sequence

ROUGH = 1e-6  # relative: worked out from the width of an interval


@dataclass(frozen=True)
class Spread:
    """A mean over deals with its 95 % interval, as `sim.stats.paired.mean_estimate` gives it."""

    value: float
    low: float
    high: float
    deals: int
    most: int  # the magnitude of a deal's number is no larger
    sequence: Sequence | None = None  # the bounds are those of a run that stopped by them

    def fault(self) -> str:
        """Return what cannot be about the interval, or ""."""
        if not self.low < self.high:
            return "the interval has no width"
        if not (same(self.high - self.value, self.value - self.low, ROUGH) or self.constant):
            return "the interval does not lie around its value"
        return ""

    @property
    def constant(self) -> bool:
        """Tell whether it is the interval of a number that was the same on all deals."""
        unseen = min(1.0, 3 / self.deals)
        low = self.value - (self.value + self.most) * unseen
        high = self.value + (self.most - self.value) * unseen
        return same(self.low, low) and same(self.high, high)

    @property
    def p(self) -> float:
        """Return the p-value of a mean of zero that goes with the width."""
        if self.constant:
            z = copysign(sqrt(self.deals), self.value) if self.value else 0.0
        else:
            critical = Z if self.sequence is None else float(self.sequence.critical(self.deals))
            z = critical * self.value / ((self.high - self.low) / 2)
        if self.sequence is not None:
            return float(self.sequence.p(np.asarray(z), self.deals))
        return float(two_sided(np.asarray(z)))
