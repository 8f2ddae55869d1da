"""Single deals: how hard one is, and how well it tells good strategies from bad ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def hardness(left: NDArray[np.uint8]) -> Numbers:
    """Return how hard each deal is: games lost on it, then cards left in all of them.

    The share of failures is the difficulty of an item in classical test theory (Lord and Novick,
    Statistical Theories of Mental Test Scores, 1968, section 15.2).

    Args:
        left: (games, deals) cards left, 0 for a win.
    """
    lost: Numbers = (left > 0).sum(axis=0, dtype=np.int64)
    cards: Numbers = left.sum(axis=0, dtype=np.int64)
    found: Numbers = lost * (256 * left.shape[0]) + cards
    return found


def discrimination(won: NDArray[np.bool_], wins: Numbers) -> Numbers:
    """Return how well each deal tells good strategies from bad: the covariance, over strategies, of
    winning it and of winning at all, up to a factor common to all deals.

    Item and total score in classical test theory (Lord and Novick 1968, section 15.4). Whole
    numbers, so that the same deals are chosen everywhere.

    Args:
        won: (games, deals), the strategies in the order of `wins`, any number of times over.
        wins: (strategies,) on all deals.
    """
    apart = len(wins) * wins - wins.sum()
    repeated = np.tile(apart, won.shape[0] // len(wins))
    found: Numbers = repeated @ won.astype(np.int64)
    return found
