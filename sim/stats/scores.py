"""Scores: whole numbers a deal, added up exactly, and what their means are known to.

The games of a deal are one observation, so what is counted is their sum. A mean is told per game:
`per` is how many games a deal's number is the sum of. Sums are Python's integers, for the squares
of many deals do not fit into 64 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt, sqrt

import numpy as np
from numpy.typing import NDArray

from sim.stats.intervals import Z
from sim.stats.paired import Estimate, two_sided

MOST = 1 << 16  # deals of a piece, so that sums over it fit into 64 bits;
REACH = 1 << 43  # a number a deal must be smaller than this
_BITS = 20  # of the lower half of a number

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Moments:
    """Some numbers a deal, each added up over the same deals."""

    deals: int
    total: tuple[int, ...]  # of each number the sum,
    squares: tuple[int, ...]  # the sum of the squares,
    largest: tuple[int, ...]  # and the largest size

    def __add__(self, other: Moments) -> Moments:
        """Return the moments over both sets of deals."""
        return Moments(
            self.deals + other.deals,
            tuple(a + b for a, b in zip(self.total, other.total, strict=True)),
            tuple(a + b for a, b in zip(self.squares, other.squares, strict=True)),
            tuple(max(a, b) for a, b in zip(self.largest, other.largest, strict=True)),
        )

    @property
    def scatter(self) -> tuple[int, ...]:
        """Return deals^2 times the mean squared distance from the mean: exactly 0 if all agree."""
        each = zip(self.total, self.squares, strict=True)
        return tuple(self.deals * squares - total * total for total, squares in each)

    @property
    def constant(self) -> NDArray[np.bool_]:
        """Tell where all deals had the same number."""
        return np.array([scatter == 0 for scatter in self.scatter], np.bool_)

    @property
    def error(self) -> Floats:
        """Return the standard errors of the means a deal; 0 where all deals agree."""
        dealt = self.deals**2 * max(self.deals - 1, 1)
        return np.array([sqrt(scatter / dealt) for scatter in self.scatter])


def nothing(numbers: int) -> Moments:
    """Return the moments of so many numbers over no deals."""
    return Moments(0, *((0,) * numbers,) * 3)


def moments_of(values: Ints) -> Moments:
    """Return the moments of (numbers, deals) values: at most `MOST` deals, sizes below `REACH`.

    Squares are taken of halves of the numbers, so that no sum overflows.
    """
    high, low = values >> _BITS, values & ((1 << _BITS) - 1)
    products = [_dot(high, high), _dot(high, low), _dot(low, low)]
    squares = [
        (top << 2 * _BITS) + (mixed << _BITS + 1) + bottom
        for top, mixed, bottom in zip(*products, strict=True)
    ]
    largest = np.abs(values).max(axis=1, initial=0)
    total = values.sum(axis=1).tolist()
    return Moments(values.shape[1], tuple(total), tuple(squares), tuple(largest.tolist()))


def moments_from(deals: int, total: Ints, squares: Ints) -> Moments:
    """Return the moments of numbers of which only sums are known.

    The root of the mean square stands in for the largest size, which is no smaller; where all deals
    agree it is that.
    """
    sizes = [isqrt(square // deals) for square in squares.tolist()]
    return Moments(deals, tuple(total.tolist()), tuple(squares.tolist()), tuple(sizes))


def mean_estimate(
    moments: Moments, per: Ints, bounds: tuple[float, float] | None = None
) -> Estimate:
    """Return the means per game with their 95 % normal intervals over deals.

    Source: the central limit theorem of Lindeberg and Levy (P. Billingsley, Probability and
    Measure, 3rd ed. (1995), theorem 27.1); deals are independent. Where all deals agree there is no
    spread to measure; then the rule of three bounds the share of other deals (J. A. Hanley and A.
    Lippman-Hand, JAMA 249 (1983) 1743-1745), each as far away as can be.

    Args:
        moments: of numbers a deal.
        per: of each number, how many games of a deal it is the sum of.
        bounds: what a mean per game cannot leave; None: where all deals agree, others are taken to
            be as far from 0 as the largest number seen, of whatever row, and at least one point.
    """
    mean = _mean(moments, per)
    half = Z * moments.error / per
    far = max([1.0, *(np.array(moments.largest, np.float64) / per)])
    lowest, highest = bounds or (-far, far)
    unseen = np.where(moments.constant, min(1.0, 3 / moments.deals), 0.0)
    low = mean - half - (mean - lowest) * unseen
    high = mean + half + (highest - mean) * unseen
    return Estimate(mean, *((low, high) if bounds is None else np.clip((low, high), *bounds)))


def zero_p(moments: Moments) -> Floats:
    """Return the two-sided p-values of means of zero: normal, as the interval is.

    Where all deals agree it is that of the sign test (`sim.stats.paired.mean_z`), 1 if all are 0.
    """
    deals, constant = moments.deals, moments.constant
    mean = _mean(moments, np.array(1))
    normal = mean / np.where(constant, 1.0, moments.error)
    return two_sided(np.where(constant, np.sign(mean) * sqrt(deals), normal))


def _mean(moments: Moments, per: Ints) -> Floats:
    return np.array([total / moments.deals for total in moments.total]) / per


def _dot(a: Ints, b: Ints) -> list[int]:
    found: list[int] = np.einsum("ij,ij->i", a, b).tolist()
    return found
