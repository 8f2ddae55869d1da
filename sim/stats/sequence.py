"""Bounds that hold at every look at once, so that a run may stop when it is sure enough.

A 95 % interval looked at after every round misses sooner or later. A confidence sequence holds at
all rounds together with its probability: the same interval, at a critical value that grows slowly
with the deals.

For win rates it is Tango's score interval at that critical value. The plug-in variance that the
literature uses fails while one of a pair has won hardly any discordant deal (simulated: 100 looks
at a difference of 0.0001 to 0.001 missed in 40 to 90 % of runs); the score interval asks what
variance the supposed difference implies and kept its level there (it missed in at most 2.5 % of
runs at alpha = 5 %: 100 looks, 0.01 to 20 % discordant deals, first look at 1,000 deals). Whether
two win rates are equal hangs least on approximation: if they are, the surplus of a over b is a fair
walk of single steps, one a discordant deal. Nine equal strategies, 100 or 200 looks, the first at
1,000 or 10,000 deals, 0.1 to 30 % discordant deals: any false alarm among the 36 pairs in 1.0 to
2.0 % of runs.

Source: I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas, Annals of Statistics 52
(2024) 2613-2640 (called [W] below); S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, Annals of
Statistics 49 (2021) 1055-1080 (called [H]).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import lambertw

from sim.stats.family import ALPHA
from sim.stats.gram import Gram
from sim.stats.intervals import wilson
from sim.stats.paired import (
    MOST_LEFT,
    Discordance,
    Estimate,
    Numbers,
    Pairs,
    Sums,
    compare,
    discordance,
    left_difference_sums,
    mcnemar_z,
    mean_estimate,
    mean_z,
    win_difference,
    without_itself,
)

FIRST_LOOK = 1_000  # common deals; nothing is known of a pair before
EARLY = 20  # bounds are narrowest at a 20th of the most deals: see `sequence_for`

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sequence:
    """How sure one comparison is to be over all looks, and where its bounds are narrowest."""

    alpha: float  # chance that the bounds ever miss
    tuned_for: float  # deals

    @property
    def rho_squared(self) -> float:
        """Return the mixture's parameter a deal: the one with the least radius at `tuned_for`.

        Source: [H] proposition 3, whose rho is its inverse.
        """
        return float(-lambertw(-(self.alpha**2) / np.e, -1).real - 1) / self.tuned_for

    def critical(self, deals: Numbers) -> Floats:
        """Return how many standard errors the bounds lie apart from the estimate.

        Source: [W] theorem 2.2 divided by the standard error; [H] equation (3.7).
        """
        x = np.asarray(deals, np.float64) * self.rho_squared
        return np.asarray(np.sqrt((1 + 1 / x) * np.log((1 + x) / self.alpha**2)))

    def radius(self, deals: Numbers, variance: Numbers) -> Floats:
        """Return the half width of the sequence for a mean, from the variance of a deal."""
        return np.asarray(self.critical(deals) * np.sqrt(np.asarray(variance) / deals))

    def p(self, z: Floats, deals: Numbers) -> Floats:
        """Return the p-value that holds at any look: the level at which the bounds touch zero.

        Source: `critical` solved for alpha, with the parameter kept; [H] section 6.
        """
        x = np.asarray(deals, np.float64) * self.rho_squared
        level = np.sqrt(1 + x) * np.exp(-(z**2) * x / (1 + x) / 2)
        return np.asarray(np.minimum(1.0, level))


# --- What a run may aim at ---


@dataclass(frozen=True)
class HalfWidth:
    """Every difference from the baseline's win rate is known to within so much."""

    half_width: float  # of a win rate

    @property
    def aim(self) -> float:
        """The half width."""
        return self.half_width

    def comparisons(self, entries: int) -> int:
        """Return how many differences must hold together."""
        return entries - 1

    def settled(self, bounds: Estimate, baseline: int) -> NDArray[np.bool_]:
        """Tell which pairs need no more deals, (k, k); those without the baseline need none."""
        place = np.arange(len(bounds.value))
        asked = (place == baseline)[:, None] | (place == baseline)
        return np.asarray(~asked | (bounds.half_width <= self.half_width))

    def worse(self, bounds: Estimate, baseline: int) -> NDArray[np.bool_]:
        """Tell which entries (k,) lie below the baseline by more than the half width for sure."""
        return np.asarray(bounds.high[:, baseline] < -self.half_width)

    def size(self, bounds: Estimate) -> Floats:
        """Return the half width at which each pair would be settled, (k, k)."""
        return bounds.half_width


@dataclass(frozen=True)
class Ranked:
    """Every pair is separated, or known to differ by less than a margin that does not matter."""

    margin: float  # of a win rate

    @property
    def aim(self) -> float:
        """The margin."""
        return self.margin

    def comparisons(self, entries: int) -> int:
        """Return how many differences must hold together."""
        return entries * (entries - 1) // 2

    def settled(self, bounds: Estimate, baseline: int) -> NDArray[np.bool_]:
        """Tell which pairs need no more deals, (k, k); the baseline is a pair's like any other."""
        separated = (bounds.low > 0) | (bounds.high < 0)
        return np.asarray(separated | ((bounds.low > -self.margin) & (bounds.high < self.margin)))

    def worse(self, bounds: Estimate, baseline: int) -> NDArray[np.bool_]:
        """Tell which entries (k,) are separated below another, with all their pairs settled."""
        settled = self.settled(bounds, baseline).all(axis=1)
        return np.asarray(settled & (bounds.high < 0).any(axis=1))

    def size(self, bounds: Estimate) -> Floats:
        """Return the margin at which each pair that is not separated would be settled, (k, k)."""
        return np.maximum(-bounds.low, bounds.high)


Target = HalfWidth | Ranked


@dataclass(frozen=True)
class Decision:
    """What is known after a round."""

    done: bool  # nothing that the target asks for is open
    settled: NDArray[np.bool_]  # (k, k); True also for pairs that the target does not ask for
    worse: NDArray[np.bool_]  # (k,) entries that are clearly worse and need no more deals

    @property
    def waiting(self) -> NDArray[np.bool_]:
        """Tell which comparisons still need deals, (k, k)."""
        return ~(self.settled | self.worse | self.worse[:, None])

    @property
    def open(self) -> int:
        """Return how many comparisons still need deals."""
        return int(np.triu(self.waiting, 1).sum())


def sequence_for(
    target: Target, entries: int, variants: int, at_most: int, alpha: float = ALPHA
) -> Sequence:
    """Return the sequence of each comparison of a run, such that all hold together with 1 - alpha.

    Alpha is divided by the comparisons of the target times the rules variants (C. E. Bonferroni).
    Bounds tuned for a 20th of the most deals are about 6 % wider than need be at the end, and
    a third wider at a 400th; tuned for the end they would be that much wider at a 20th already.
    """
    comparisons = max(target.comparisons(entries), 1) * variants
    return Sequence(alpha / comparisons, max(at_most / EARLY, FIRST_LOOK))


def win_bounds(gram: Gram, sequence: Sequence) -> Estimate:
    """Return the differences of win rates of all pairs, (k, k), with bounds for every look.

    Every pair must have a common deal. Before the first look the bounds are as wide as can be; on
    the diagonal all is exactly 0.
    """
    return bounds_of(discordance(gram), sequence)


def rate_bounds(gram: Gram, sequence: Sequence) -> Estimate:
    """Return the win rates of the entries, (k,), with bounds for every look.

    Wilson's score interval at the critical value of the sequence.
    """
    deals, wins = gram.common.diagonal(), gram.wins.diagonal()
    each = zip(wins.tolist(), deals.tolist(), sequence.critical(deals).tolist(), strict=True)
    low, high = np.array([wilson(*one) for one in each]).T
    return Estimate(wins / deals, low, high)


def left_bounds(gram: Gram, sequence: Sequence) -> Estimate:
    """Return the mean cards left of the entries, (k,), with bounds for every look."""
    deals = gram.common.diagonal()
    sums = Sums(deals, gram.left.diagonal(), gram.left_squares.diagonal(), 0, MOST_LEFT)
    return mean_estimate(sums, sequence.critical(deals))


def bounds_of(table: Discordance, sequence: Sequence) -> Estimate:
    """Return the bounds of paired tables, (k, k), that were counted or are to be expected."""
    known = win_difference(table, sequence.critical(table.deals))
    early = table.deals < FIRST_LOOK
    low, high = np.where(early, -1.0, known.low), np.where(early, 1.0, known.high)
    return without_itself(Estimate(known.value, low, high))


def judge(bounds: Estimate, baseline: int, target: Target) -> Decision:
    """Return what bounds, known or forecast, say of a target.

    It depends on nothing but the sums behind them, so a stopping point that follows from it is the
    same for any number of workers.
    """
    settled, worse = target.settled(bounds, baseline), target.worse(bounds, baseline)
    return Decision(bool((settled | worse | worse[:, None]).all()), settled, worse)


def compare_always(gram: Gram, sequence: Sequence) -> Pairs:
    """Compare all pairs with bounds and p-values that hold at every look."""
    left, critical = left_difference_sums(gram), sequence.critical(gram.common)
    return replace(
        compare(gram),
        wins=win_bounds(gram, sequence),
        wins_p=sequence.p(mcnemar_z(discordance(gram)), gram.common),
        left=without_itself(mean_estimate(left, critical)),
        left_p=sequence.p(mean_z(left), gram.common),
    )
