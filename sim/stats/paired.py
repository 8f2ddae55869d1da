"""Two entries on the same deals: how much they differ, how sure that is, what pairing saved.

All functions take arrays of any shape, one element a pair, or plain numbers. "a" is the first of a
pair and differences are a minus b, so swapping a and b changes signs and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, ndtr

from sim.stats.gram import Gram
from sim.stats.intervals import Z

EXACT_BELOW = 1_000  # discordant deals
MOST_LEFT = 255  # cards: an outcome is a byte
HALVINGS = 64  # of an interval of length 2: to the last bit

Floats = NDArray[np.float64]
Numbers = NDArray[np.float64] | NDArray[np.int64] | float  # expected counts are no whole numbers


@dataclass(frozen=True)
class Discordance:
    """How the common deals of a pair ended: the four fields of a paired win/lose table."""

    both: Numbers  # deals that both won
    only_a: Numbers  # discordant deals, won by a alone
    only_b: Numbers  # discordant deals, won by b alone
    neither: Numbers

    @property
    def deals(self) -> Floats:
        """Return the number of common deals."""
        return _float(self.both) + _float(self.neither) + self.discordant

    @property
    def discordant(self) -> Floats:
        """Return the number of deals that one of the two won and the other did not."""
        return _float(self.only_a) + _float(self.only_b)

    @property
    def surplus(self) -> Floats:
        """Return the wins of a minus the wins of b."""
        return _float(self.only_a) - _float(self.only_b)

    @property
    def difference(self) -> Floats:
        """Return the win rate of a minus that of b, within [-1, 1]."""
        return np.asarray(self.surplus / self.deals)


@dataclass(frozen=True)
class Estimate:
    """A number and the interval around it, element by element."""

    value: Floats
    low: Floats
    high: Floats

    @property
    def half_width(self) -> Floats:
        """Return half the length of the interval."""
        return (self.high - self.low) / 2


def discordance(gram: Gram) -> Discordance:
    """Return the paired tables of all pairs, each field (k, k)."""
    only_a, only_b = gram.wins - gram.wins_both, gram.wins.T - gram.wins_both
    return Discordance(
        gram.wins_both, only_a, only_b, gram.common - gram.wins_both - only_a - only_b
    )


# --- Difference of win rates ---


def win_difference(pairs: Discordance, z: Numbers = Z) -> Estimate:
    """Return the difference of win rates with Tango's score interval at the critical value z.

    The bounds are the differences whose score statistic is z and -z. It is used for any number of
    discordant deals: it never shrinks to a point (without any discordant deal it is
    +-z^2 / (n + z^2)), stays within [-1, 1], keeps its level where the normal interval loses it,
    and for many discordant deals the two agree.

    Source: T. Tango, Statistics in Medicine 17 (1998) 891-908, section 3; recommended by M. W.
    Fagerland, S. Lydersen and P. Laake, Statistics in Medicine 33 (2014) 2850-2875.
    """
    only_a, only_b, deals, critical = np.broadcast_arrays(
        _float(pairs.only_a), _float(pairs.only_b), pairs.deals, _float(z)
    )
    sides = np.stack([only_a, only_b])
    low, mirrored = _tango_low(sides, sides[::-1], deals, critical)
    return Estimate((only_a - only_b) / deals, low, -mirrored)


def discordance_given(difference: Floats, only_a: Floats, only_b: Floats, deals: Floats) -> Floats:
    """Return the likeliest rate of discordant deals if the true difference were the given one.

    Twice the smaller of the two discordant rates, which solves a quadratic equation, plus the
    difference. Source: Tango (1998), the restricted estimate of q21 in section 3; taken with a and
    b swapped where the difference is negative, and in the form of the root that cancels nothing.
    """
    gap, swap = np.abs(difference), difference < 0
    more, fewer = np.where(swap, only_b, only_a), np.where(swap, only_a, only_b)
    linear = (2 * deals - more + fewer) * gap - more - fewer
    constant = fewer * gap * (1 - gap)
    root = np.sqrt(linear**2 + 8 * deals * constant)
    cancels = linear > 0
    smaller = np.where(
        cancels,
        2 * constant / np.where(cancels, root + linear, 1.0),
        (root - linear) / 4 / deals,
    )
    return np.asarray(2 * smaller + gap)


def _tango_low(only_a: Floats, only_b: Floats, deals: Floats, z: Floats) -> Floats:
    """Return the lower bound by halving: the score falls as the supposed difference grows."""
    surplus = only_a - only_b
    high = surplus / deals
    low = np.full_like(high, -1.0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rate = discordance_given(middle, only_a, only_b, deals)
        spread = np.sqrt(deals * np.maximum(rate - middle**2, 0))
        refuted = surplus - deals * middle >= z * spread
        low, high = np.where(refuted, middle, low), np.where(refuted, high, middle)
    return low


def mcnemar_p(pairs: Discordance) -> Floats:
    """Return the two-sided p-value of equal win rates: exact below 1,000 discordant deals.

    Source: Q. McNemar, Psychometrika 12 (1947) 153-157; without continuity correction. No
    discordant deal says nothing: p = 1.
    """
    only_a, only_b, discordant = _float(pairs.only_a), _float(pairs.only_b), pairs.discordant
    exact = _sign_test(np.minimum(only_a, only_b), np.minimum(discordant, EXACT_BELOW))
    return np.asarray(np.where(discordant < EXACT_BELOW, exact, two_sided(mcnemar_z(pairs))))


def mcnemar_z(pairs: Discordance) -> Floats:
    """Return McNemar's statistic, standard normal if the win rates are equal; 0 / 0 is 0."""
    return np.asarray(pairs.surplus / np.sqrt(np.maximum(pairs.discordant, 1)))


def _sign_test(fewer: Floats, discordant: Floats) -> Floats:
    """Return twice the chance of so few heads or fewer in fair tosses, at most 1."""
    return np.asarray(np.minimum(1.0, 2 * bdtr(fewer, discordant.astype(np.int64), 0.5)))


def two_sided(z: Floats) -> Floats:
    """Return the two-sided p-value of a standard normal statistic."""
    return np.asarray(2 * ndtr(-np.abs(z)))


# --- Difference of means ---


@dataclass(frozen=True)
class Sums:
    """A whole number a deal, such as a's cards left minus b's, added up over deals."""

    deals: NDArray[np.int64]
    total: NDArray[np.int64]
    squares: NDArray[np.int64]  # sum of the squares
    lowest: int  # the number cannot be lower than this,
    highest: int  # nor higher than this

    @property
    def mean(self) -> Floats:
        """Return the mean number a deal."""
        return np.asarray(self.total / self.deals)

    @property
    def constant(self) -> NDArray[np.bool_]:
        """Tell where all numbers were the same, decided in whole numbers."""
        each = self.total // self.deals
        fits = each * self.deals == self.total
        return np.asarray(fits & (each**2 * self.deals == self.squares))

    @property
    def variance(self) -> Floats:
        """Return the sample variance of a deal; 0 if all were the same, or there is one only."""
        scatter = self.squares - self.total * self.mean
        return np.where(self.constant, 0.0, scatter / np.maximum(self.deals - 1, 1))


def left_difference_sums(gram: Gram) -> Sums:
    """Return the sums of a's cards left minus b's for all pairs, each (k, k)."""
    squares = gram.left_squares + gram.left_squares.T - 2 * gram.left_product
    return Sums(gram.common, gram.left - gram.left.T, squares, -MOST_LEFT, MOST_LEFT)


def mean_estimate(sums: Sums, z: Numbers = Z) -> Estimate:
    """Return a mean a deal with its normal interval at the critical value z.

    Where all numbers were the same there is no spread to measure; then the rule of three bounds
    the share of other numbers (J. A. Hanley and A. Lippman-Hand, JAMA 249 (1983) 1743-1745), each
    as far away as can be.
    """
    mean, half = sums.mean, _float(z) * np.sqrt(sums.variance / sums.deals)
    unseen = np.where(sums.constant, np.minimum(1.0, 3 / sums.deals), 0.0)
    low = mean - half - (mean - sums.lowest) * unseen
    high = mean + half + (sums.highest - mean) * unseen
    return Estimate(mean, low, high)


def mean_z(sums: Sums) -> Floats:
    """Return mean over standard error, standard normal for many deals if the true mean is zero.

    Where all numbers were the same it is the statistic of the sign test, 0 if they were all 0.
    """
    error = np.sqrt(sums.variance / sums.deals)
    normal = sums.mean / np.where(sums.constant, 1.0, error)
    return np.where(sums.constant, np.sign(sums.total) * np.sqrt(sums.deals), normal)


def mean_p(sums: Sums) -> Floats:
    """Return the two-sided p-value of a mean of zero: normal, as the interval is."""
    return two_sided(mean_z(sums))


# --- What pairing saved ---


def unpaired_deals(variance_a: Floats, variance_b: Floats, half_width: Floats) -> Floats:
    """Return how many deals each of two entries needs for the same interval if all were different.

    The variance of the difference of two independent means is the sum of both variances, so
    z^2 (variance_a + variance_b) / half_width^2, as for planning; divided by the deals played it
    is the factor that pairing saved.
    """
    return np.asarray(Z**2 * (variance_a + variance_b) / half_width**2)


def win_variances(gram: Gram) -> Floats:
    """Return the variance of a win of a on the deals common with b, (k, k)."""
    rate = gram.wins / gram.common
    return np.asarray(rate * (1 - rate))


def left_variances(gram: Gram) -> Floats:
    """Return the variance of the cards left of a on the deals common with b, (k, k)."""
    return Sums(gram.common, gram.left, gram.left_squares, 0, MOST_LEFT).variance


# --- All pairs at once ---


@dataclass(frozen=True)
class Pairs:
    """Every pair compared, each field (k, k) with [a, b] = a minus b.

    On the diagonal an entry meets itself: all differences and bounds are exactly 0, p is 1.
    """

    table: Discordance
    wins: Estimate  # difference of win rates
    wins_p: Floats
    left: Estimate  # difference of mean cards left; fewer is better
    left_p: Floats
    unpaired: Floats  # deals each that unpaired win rates need for the same width; if none won, all


def compare(gram: Gram) -> Pairs:
    """Compare all pairs of entries, each on its common deals, of which there must be some."""
    if (gram.common < 1).any():
        raise ValueError("two entries without a common deal cannot be compared")
    table, left = discordance(gram), left_difference_sums(gram)
    wins, variances = win_difference(table), win_variances(gram)
    unpaired = unpaired_deals(variances, variances.T, wins.half_width)
    unpaired = np.where(variances + variances.T > 0, unpaired, gram.common)
    return Pairs(
        table,
        without_itself(wins),
        mcnemar_p(table),
        without_itself(mean_estimate(left)),
        mean_p(left),
        unpaired,
    )


def without_itself(pairs: Estimate) -> Estimate:
    """Return (k, k) estimates with the diagonal, an entry against itself, exactly 0."""
    apart = ~np.eye(len(pairs.value), dtype=bool)
    return Estimate(*(np.where(apart, part, 0.0) for part in (pairs.value, pairs.low, pairs.high)))


def _float(values: Numbers) -> Floats:
    """Return what may be a plain number as an array of floats."""
    return np.asarray(values, np.float64)
