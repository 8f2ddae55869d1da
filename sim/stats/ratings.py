"""Ratings: the strengths behind all games of a variant, by one fit, and what they are known to.

The model is that of Bradley and Terry: a ends ahead of b with odds of strength a to strength b. A
game of several is taken as its pairs. Where a game's order follows Plackett and Luce, each of its
pairs follows Bradley and Terry with the same strengths, so the fit estimates these consistently,
as a composite marginal likelihood does (C. Varin, N. Reid and D. Firth, Statistica Sinica 21 (2011)
5-42; H. Azari Soufiani, W. Chen, D. C. Parkes and L. Xia, NIPS 26 (2013), full breaking). Pairs of
one game are not independent, so intervals are by bootstrap over deals.

Players whom no games connect cannot be compared but by the prior: each has drawn `PRIOR` games with
an average player, which keeps strengths finite, and places sets without common games around 0.
"""

from __future__ import annotations

from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from sim.stats.paired import Estimate

PRIOR = 1.0  # games that each player is taken to have drawn with an average one
RESAMPLES = 400
BATCHES = 1_000  # at most
POINTS = 400 / log(10)  # rating points of a log-strength: 400 are odds of ten to one
NEAR = 1e-6  # a step so small leaves its square, or what rounding leaves
DIGITS = 6  # of a rating: what lies beyond depends on how a machine adds
STREAM = 0x5DEECE66D8CB92BA  # key of the random words that choose deals
MOST_STEPS = 1_000

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def fit(half_wins: Floats, prior: float = PRIOR) -> Floats:
    """Return the log-strengths that make the half wins likeliest, with mean 0.

    Sources: R. A. Bradley and M. E. Terry, Biometrika 39 (1952) 324-345, a tie being half a win for
    both; D. R. Hunter, Annals of Statistics 32 (2004) 384-406, for the likelihood and its one
    maximum, here found by Newton's method. Its steps are shortened to ln(1 + d) / d, d twice the
    largest change, so that it converges from anywhere: T. Sun and Q. Tran-Dinh, Mathematical
    Programming 178 (2019) 145-213, for nu = 2.

    Args:
        half_wins: (..., k, k) 2 for each game that a ended ahead of b, 1 for each tie; the diagonal
            is not read.
        prior: games that each player has drawn with one of log-strength 0.
    """
    wins = half_wins / 2
    strengths = np.zeros(wins.shape[:-1])
    for _ in range(MOST_STEPS):
        step = _newton(wins, strengths, prior)
        widest = 2 * np.abs(step).max(axis=-1, keepdims=True)
        strengths += step * np.where(widest > 0, np.log1p(widest) / np.maximum(widest, 1e-300), 1)
        if widest.max() < NEAR:
            return np.asarray(strengths - strengths.mean(axis=-1, keepdims=True))
    raise ArithmeticError("the fit of the ratings does not converge")


def _newton(wins: Floats, strengths: Floats, prior: float) -> Floats:
    """Return the Newton step of the log-likelihood: its gradient over its curvature."""
    ahead = expit(strengths[..., :, None] - strengths[..., None, :])  # chance that a ends ahead
    behind = np.swapaxes(ahead, -1, -2)
    off = ~np.eye(wins.shape[-1], dtype=np.bool_)
    lost = np.swapaxes(wins, -1, -2)
    gradient = ((wins * behind - lost * ahead) * off).sum(axis=-1)  # so that nothing cancels
    gradient += prior / 2 * (expit(-strengths) - expit(strengths))
    curvature = -(wins + lost) * ahead * behind * off
    own = prior * expit(strengths) * expit(-strengths) - curvature.sum(axis=-1)
    curvature += own[..., None] * np.eye(wins.shape[-1])
    return np.asarray(np.linalg.solve(curvature, gradient[..., None])[..., 0])


def batch_size(deals: int) -> int:
    """Return how many deals in a row make a batch, so that there are at most `BATCHES`.

    Deals are independent, so sums over batches are, and may be drawn in place of deals; with so
    many batches hardly anything is lost (B. Schmeiser, Operations Research 30 (1982) 556-568).
    """
    return -(-deals // BATCHES)


@cache
def draws(batches: int, resamples: int = RESAMPLES) -> Ints:
    """Return (resamples, batches): how often each batch is drawn, as many draws as batches.

    The words are those of Philox (J. K. Salmon et al., Proceedings of SC11 (2011)), the same in all
    versions of numpy and on all machines.
    """
    words = np.random.Philox(key=STREAM).random_raw(resamples * batches)
    drawn = ((words >> np.uint64(32)) * np.uint64(batches)) >> np.uint64(32)
    places = drawn.astype(np.int64) + np.repeat(np.arange(resamples) * batches, batches)
    return np.bincount(places, minlength=resamples * batches).reshape(resamples, batches)


def rated(half_wins: Ints, games: Ints, players: int, deals: int) -> Estimate:
    """Return the ratings, mean 0, with 95 % percentile intervals by bootstrap over deals.

    Source: B. Efron, Annals of Statistics 7 (1979) 1-26. All pairs of players stand as
    `numpy.triu_indices` lists them. Who ended alike in all batches has no spread there; then the
    rule of three bounds the share of deals that end otherwise, as `unseen` takes them.

    Args:
        half_wins: (batches, pairs) half wins of the first of a pair.
        games: (batches, pairs) games they met in.
        players: how many there are.
        deals: in all batches together.
    """
    total = _square(half_wins.sum(axis=0), games.sum(axis=0), players)
    value = fit(total)
    weights = draws(len(half_wins)).astype(np.float64)  # whole numbers below 2^53: exact
    again = fit(_square(weights @ half_wins, weights @ games, players))
    low, high = np.quantile(again, (0.025, 0.975), axis=0)
    still = np.ptp(again, axis=0) < NEAR
    for player in np.flatnonzero(still).tolist():
        low[player], high[player] = unseen(total, player, min(1.0, 3 / deals))
    found = value, np.minimum(low, value), np.maximum(high, value)
    return Estimate(*(np.round(POINTS * part, DIGITS) for part in found))


def unseen(half_wins: Floats, player: int, share: float) -> tuple[float, float]:
    """Return the log-strengths of a player who lost, or won, so large a share of the games."""
    found = []
    for won in (0.0, 1.0):
        other = half_wins.copy()
        met = half_wins[player] + half_wins[:, player]
        other[player] = (1 - share) * half_wins[player] + share * won * met
        other[:, player] = met - other[player]
        found.append(float(fit(other)[player]))
    return found[0], found[1]


def _square(half_wins: Ints | Floats, games: Ints | Floats, players: int) -> Floats:
    """Return (..., k, k) half wins of everybody over everybody."""
    a, b = np.triu_indices(players, 1)
    found = np.zeros((*half_wins.shape[:-1], players, players))
    found[..., a, b], found[..., b, a] = half_wins, 2 * games - half_wins
    return found
