"""Intervals for one entry: its win rate, and the mean of what it left."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

LEVEL = 0.95
Z = float(ndtri(0.5 + LEVEL / 2))  # 1.96


def wilson(wins: int, deals: int, z: float = Z) -> tuple[float, float]:
    """Return the Wilson score interval of a rate, within [0, 1], at the critical value z.

    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927) 209-212; without
    continuity correction. It never shrinks to a point at 0 or all wins.
    """
    rate, spread = wins / deals, z * z / deals
    centre = (rate + spread / 2) / (1 + spread)
    half = sqrt(rate * (1 - rate) * spread + spread * spread / 4) / (1 + spread)
    low = 0.0 if wins == 0 else centre - half
    high = 1.0 if wins == deals else centre + half
    return low, high


def mean_interval(histogram: NDArray[np.int64]) -> tuple[float, float, float]:
    """Return mean and 95 % normal interval of values counted in a histogram ([c] = times c).

    Where all values are equal there is no spread to measure; then the rule of three bounds the
    share of other values (Hanley and Lippman-Hand, JAMA 249 (1983) 1743), each as far away as can
    be.
    """
    values = np.arange(len(histogram))
    deals, total = int(histogram.sum()), int(histogram @ values)
    mean = total / deals
    squares = int(histogram @ values**2)
    scatter = deals * squares - total * total  # in integers: exactly 0 if all are equal
    if scatter == 0:
        unseen = min(1.0, 3 / deals)
        return mean, mean * (1 - unseen), mean + (int(values[-1]) - mean) * unseen
    half = Z * sqrt(scatter / deals / (deals - 1) / deals)
    return mean, max(mean - half, 0.0), min(mean + half, float(values[-1]))
