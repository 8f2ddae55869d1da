"""How far an entry gets on the way between two others, as a share, with Fieller's interval.

The win rates are those of the first deals of one list, of which some entries played more than
others. So they hang together: two means over n and over N > n of the same deals have the
covariance of one deal divided by N.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sim.stats.intervals import Z

BOTTOM, TOP, ONE = range(3)


def covariance(
    wins: NDArray[np.int64], deals: NDArray[np.int64], both: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the covariances of win rates over the first deals of one list, (k, k).

    Args:
        wins: (k, k) deals that the row won, among those that row and column played.
        deals: (k, k) deals that row and column played.
        both: (k, k) deals of these that both won.
    """
    own = np.diag(deals)
    of_one_deal = both / deals - (wins / deals) * (wins.T / deals)
    return np.asarray(of_one_deal / np.maximum(own[:, None], own[None, :]))


def share_of_way(
    rates: Sequence[float], spread: NDArray[np.float64], z: float = Z
) -> tuple[float, float, float] | None:
    """Return (one - bottom) / (top - bottom) with its interval; None if top and bottom may be one.

    Source: E. C. Fieller, Journal of the Royal Statistical Society B 16 (1954) 175-185.

    Args:
        rates: the win rates of bottom, top and the one between.
        spread: (3, 3) their covariances.
        z: the critical value.
    """
    covered = np.array([-1.0, 0.0, 1.0])  # one - bottom
    whole = np.array([-1.0, 1.0, 0.0])  # top - bottom
    a, b = float(covered @ rates), float(whole @ rates)
    var_a, var_b = float(covered @ spread @ covered), float(whole @ spread @ whole)
    cov = float(covered @ spread @ whole)
    square, product, rest = b * b - z * z * var_b, a * b - z * z * cov, a * a - z * z * var_a
    if square <= 0:
        return None
    half = sqrt(max(product * product - rest * square, 0.0))
    return a / b, (product - half) / square, (product + half) / square
