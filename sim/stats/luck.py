"""Luck and skill: which part of the variance of a result is due to deal, strategy, both, or ties.

Every strategy i plays every deal j twice, with ties broken by independent dice: y(i, j, k) is 1 if
the game was won. Strategies are the given ones, each as likely; deals are drawn at random. Then

    Var y = strategy + deal + both + ties                                   (law of total variance)

    strategy    variance over i of the win rates
    deal        variance over j of how often a deal is won, over all strategies
    both        what a deal does to some strategies and not to others
    ties        what is left of chance once strategy and deal are known

The parts are those of the analysis of variance of Efron and Stein, Annals of Statistics 9 (1981)
586. Two games that share a strategy and a deal and nothing else tell `ties` from the rest; this is
the "pick-freeze" estimator of Sobol', Mathematical Modelling and Computational Experiment 1 (1993)
407, in the form of Janon and others, ESAIM: Probability and Statistics 18 (2014) 342.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from sim.stats.intervals import LEVEL

Numbers = NDArray[np.int64]
Table = NDArray[np.bool_]  # (strategies, deals), one of each tie seed


@dataclass(frozen=True)
class Sums:
    """Sums over some deals of a table, all whole numbers, so that parts add up in any order."""

    deals: int
    wins: Numbers  # (2, strategies) of each tie seed
    agreed: Numbers  # (strategies,) deals won with both
    squares: Numbers  # (strategies,) of the wins of a strategy on a deal, 0 to 2
    crossed: Numbers  # (strategies,) those times the wins of all strategies on the deal
    all_squares: int  # of the wins of all strategies on a deal, with both tie seeds
    all_agreed: int  # the wins of all with one tie seed times those with the other

    def __add__(self, other: Sums) -> Sums:
        """Return the sums over both sets of deals."""
        return self._with(other, 1)

    def __sub__(self, other: Sums) -> Sums:
        """Return the sums without those over some of the deals."""
        return self._with(other, -1)

    def _with(self, other: Sums, sign: int) -> Sums:
        return Sums(
            self.deals + sign * other.deals,
            self.wins + sign * other.wins,
            self.agreed + sign * other.agreed,
            self.squares + sign * other.squares,
            self.crossed + sign * other.crossed,
            self.all_squares + sign * other.all_squares,
            self.all_agreed + sign * other.all_agreed,
        )


def sums_of(one: Table, other: Table) -> Sums:
    """Return the sums over the deals of a table, won or not with the one and the other tie seed."""
    first, second = one.astype(np.int64), other.astype(np.int64)
    both, (all_first, all_second) = first + second, (first.sum(axis=0), second.sum(axis=0))
    together = all_first + all_second
    return Sums(
        one.shape[1],
        np.array([first.sum(axis=1), second.sum(axis=1)]),
        (first * second).sum(axis=1),
        (both * both).sum(axis=1),
        both @ together,
        int(together @ together),
        int(all_first @ all_second),
    )


def of_ties(sums: Sums) -> float:
    """Return the part of the ties: half the mean squared difference of two games that share all
    but the dice of the ties (Janon and others 2014, section 2: Var y - Cov(y, y')).
    """
    differing = sums.wins.sum() - 2 * sums.agreed.sum()
    return float(differing) / (2 * sums.deals * len(sums.agreed))


def of_deal(sums: Sums) -> float:
    """Return the part of the deal: the covariance over deals of the shares of strategies that win
    with the one and with the other tie seed (Sobol' 1993).
    """
    count, (first, second) = len(sums.agreed), map(int, sums.wins.sum(axis=1))
    return _covariance(sums.all_agreed, first, second, sums.deals) / count**2


def of_deal_and_both(sums: Sums) -> float:
    """Return the parts of the deal and of deal and strategy together: the mean over strategies of
    the covariance of their two games on a deal (Sobol' 1993, the total of the deal).
    """
    triples = zip(sums.agreed.tolist(), *sums.wins.tolist(), strict=True)
    found = [_covariance(agreed, one, two, sums.deals) for agreed, one, two in triples]
    return sum(found) / len(found)


def of_strategy(sums: Sums) -> float:
    """Return the part of the strategy: the variance of their win rates, less what it would be by
    chance, all being as good (the moment estimator; Searle, Casella and McCulloch, Variance
    Components, 1992, section 3.5).
    """
    count, deals = len(sums.agreed), sums.deals
    wins = sums.wins.sum(axis=0)
    # Of each strategy's wins on a deal less the mean of all, times the number of strategies.
    apart = count * wins - wins.sum()
    squares = count**2 * sums.squares - 2 * count * sums.crossed + sums.all_squares
    between, chance = 0.0, 0.0
    for one, square in zip(apart.tolist(), squares.tolist(), strict=True):
        between += (one / (2 * count * deals)) ** 2
        chance += _covariance(square, one, one, deals) / (2 * count) ** 2 / deals
    return (between - chance) / count


def _covariance(products: int, first: int, second: int, deals: int) -> float:
    """Return the unbiased covariance over deals, from whole numbers and so without rounding."""
    return (deals * products - first * second) / deals / (deals - 1)


@dataclass(frozen=True)
class Part:
    """One part of the variance, with its jackknife interval; and its share of the whole."""

    name: str
    variance: float
    low: float
    high: float
    share: float
    share_low: float
    share_high: float


def of_both(sums: Sums) -> float:
    """Return the part of deal and strategy together: what the deal does beyond its own part."""
    return of_deal_and_both(sums) - of_deal(sums)


PARTS: dict[str, Callable[[Sums], float]] = {
    "strategy": of_strategy,
    "deal": of_deal,
    "both": of_both,
    "ties": of_ties,
}


def total(sums: Sums) -> float:
    """Return the variance of one game: the sum of its parts."""
    return of_strategy(sums) + of_deal_and_both(sums) + of_ties(sums)


def parts(groups: Iterable[Sums]) -> tuple[Part, ...]:
    """Return the parts of the variance, from the sums over groups of deals of about equal size.

    Raises:
        ValueError: if there are fewer than two groups or two deals in all of them but one.
    """
    found = list(groups)
    return tuple(
        Part(
            name,
            *jackknife(found, part),
            *jackknife(found, partial(share, part)),
        )
        for name, part in PARTS.items()
    )


def share(part: Callable[[Sums], float], sums: Sums) -> float:
    """Return which share of the variance of a game a part is; 0 if there is no variance."""
    whole = total(sums)
    return part(sums) / whole if whole > 0 else 0.0


def jackknife(groups: list[Sums], value: Callable[[Sums], float]) -> tuple[float, float, float]:
    """Return a value and its 95 % interval, leaving out one group of deals after the other.

    Source: J. W. Tukey, Annals of Mathematical Statistics 29 (1958) 614, as in Efron and
    Tibshirani, An Introduction to the Bootstrap, 1993, section 11.5; Student's t with one degree of
    freedom less than there are groups. Deals are independent, so groups are.
    """
    if len(groups) < 2:
        raise ValueError("the jackknife wants two groups or more")
    whole = groups[0]
    for group in groups[1:]:
        whole = whole + group
    without = np.array([value(whole - group) for group in groups])
    count = len(groups)
    error = sqrt((count - 1) / count * float(((without - without.mean()) ** 2).sum()))
    middle = value(whole)
    half = float(stdtrit(count - 1, 0.5 + LEVEL / 2)) * error
    return middle, middle - half, middle + half
