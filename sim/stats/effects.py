"""What each of m factors does, from all 2^m line-ups of them on the same deals.

Every effect is a contrast: each deal's outcomes under the line-ups, weighted and added up, give one
number a deal, whose mean is the effect and whose spread gives its interval. Sums over pairs of
line-ups are enough for both. Source: G. E. P. Box, J. S. Hunter and W. G. Hunter, Statistics for
Experimenters, 2nd ed. (2005), chapter 5; interactions are not halved here.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sim.stats.family import holm
from sim.stats.gram import Gram
from sim.stats.paired import MOST_LEFT, Estimate, Sums, mean_estimate, mean_p

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Settings = NDArray[np.bool_]  # (2^m, m): which factors are on in each line-up


@dataclass(frozen=True)
class Moments:
    """An outcome of k line-ups added up over the deals that all of them played."""

    deals: int
    total: Whole  # (k,)
    products: Whole  # (k, k) outcome of a times outcome of b on the same deal
    most: int  # the outcome lies in [0, most]


@dataclass(frozen=True)
class Effects:
    """All main effects and interactions of two, in one family."""

    factors: tuple[tuple[int, ...], ...]  # (0,), (1,), ... then (0, 1), (0, 2), ...
    effect: Estimate  # (m + m (m - 1) / 2,)
    p: Floats
    p_holm: Floats


@dataclass(frozen=True)
class Additivity:
    """All factors on, against all off plus the effect of each factor alone."""

    observed: float  # mean outcome with all on
    expected: float  # mean outcome with all off, plus the effects alone
    gap: Estimate  # (1,) observed minus expected
    p: float


def win_moments(gram: Gram) -> Moments:
    """Return the moments of winning, 1 = won."""
    return Moments(_deals(gram), gram.wins.diagonal(), gram.wins_both, 1)


def left_moments(gram: Gram) -> Moments:
    """Return the moments of the cards left."""
    return Moments(_deals(gram), gram.left.diagonal(), gram.left_product, MOST_LEFT)


def _deals(gram: Gram) -> int:
    deals = int(gram.common.max())
    if not deals or (gram.common != deals).any():
        raise ValueError("the line-ups of a factorial design must have played the same deals")
    return deals


def factorial_effects(moments: Moments, settings: Settings) -> Effects:
    """Return main effects and interactions of two with intervals, and p-values over all of them."""
    factors = _checked(settings).shape[1]
    singles = tuple((one,) for one in range(factors))
    pairs = tuple(combinations(range(factors), 2))
    groups = [
        contrast(moments, np.array([weights(settings, which) for which in group]), per_side)
        for group, per_side in ((singles, 2 ** (factors - 1)), (pairs, 2 ** max(factors - 2, 0)))
        if group
    ]
    effect = Estimate(*map(np.concatenate, zip(*(_parts(one) for one, _ in groups), strict=True)))
    p = np.concatenate([p for _, p in groups])
    return Effects((*singles, *pairs), effect, p, holm(p))


def weights(settings: Settings, factors: tuple[int, ...]) -> Whole:
    """Return (2^m,) the signs of an effect: + where on, - where off, multiplied over its factors.

    For one factor that is on minus off, for two (11 - 10) - (01 - 00), summed over all settings of
    the other factors.
    """
    return np.asarray(np.where(settings[:, factors], 1, -1).prod(axis=1))


def additivity(moments: Moments, settings: Settings) -> Additivity:
    """Return whether the factors together do what they do one by one.

    all on - (all off + sum of (one alone - all off)), deal by deal.
    """
    on = _checked(settings).sum(axis=1)
    factors = settings.shape[1]
    together, expected = (on == factors).astype(np.int64), np.where(on == 0, 1 - factors, on == 1)
    gap, p = contrast(moments, (together - expected)[None, :], 1)
    mean = moments.total / moments.deals
    return Additivity(float(together @ mean), float(expected @ mean), gap, float(p[0]))


def contrast(moments: Moments, signs: Whole, divisor: int) -> tuple[Estimate, Floats]:
    """Return estimate, interval and p-value of each row of whole weights, divided by the divisor.

    The mean is w't / n and the sum of squares w'Pw with t the totals and P the products, all in
    whole numbers.
    """
    reach = moments.most * int(np.abs(signs).sum(axis=1).max()) // 2
    squares = ((signs @ moments.products) * signs).sum(axis=1)
    sums = Sums(np.asarray(moments.deals), signs @ moments.total, squares, -reach, reach)
    return Estimate(*(part / divisor for part in _parts(mean_estimate(sums)))), mean_p(sums)


def _parts(estimate: Estimate) -> tuple[Floats, Floats, Floats]:
    return estimate.value, estimate.low, estimate.high


def _checked(settings: Settings) -> Settings:
    lineups, factors = settings.shape
    if lineups != 2**factors or len(np.unique(settings, axis=0)) != lineups:
        raise ValueError(f"not all {2**factors} line-ups of {factors} factors, each once")
    return settings
