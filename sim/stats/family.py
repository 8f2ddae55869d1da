"""Many comparisons at once: p-values adjusted over a stated family, and what ranks they leave."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ALPHA = 0.05  # chance of any false "separated" within a family

Floats = NDArray[np.float64]


def holm(p: Floats) -> Floats:
    """Return the p-values of a family adjusted by Holm's method, in the order given, at most 1.

    The r-th smallest of m is multiplied by m - r + 1, and none is below a smaller one's. Holds
    whatever the dependence. Source: S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70.
    """
    order = np.argsort(p, kind="stable")
    steps = np.arange(len(p), 0, -1) * p[order]
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted


def holm_pairs(p: Floats) -> Floats:
    """Return (k, k) p-values of pairs adjusted over the family of all k (k - 1) / 2 pairs.

    Only what is above the diagonal is read; the result is symmetric, with 1 on the diagonal.
    """
    pairs = np.triu_indices(len(p), 1)
    adjusted = np.ones_like(p)
    adjusted[pairs] = holm(p[pairs])
    return np.minimum(adjusted, adjusted.T)


def separation(p_holm: Floats, difference: Floats) -> NDArray[np.int64]:
    """Return (k, k): 1 where a is separated above b, -1 below, 0 where they are not separated.

    Args:
        p_holm: (k, k) adjusted p-values; separated means below 5 %.
        difference: (k, k) a minus b of what is better the more of it there is.
    """
    return np.where(p_holm < ALPHA, np.sign(difference), 0).astype(np.int64)


def rank_range(separated: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (k, 2) best and worst rank each entry may have, 1 = best.

    The range is [1 + entries separated above, k - entries separated below].
    """
    above, below = (separated < 0).sum(axis=1), (separated > 0).sum(axis=1)
    return np.stack([1 + above, len(separated) - below], axis=1)
