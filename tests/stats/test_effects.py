"""Factorial effects against a published design, against counting by hand, and by simulation."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.stats.effects import (
    Additivity,
    Effects,
    Settings,
    additivity,
    factorial_effects,
    left_moments,
    weights,
    win_moments,
)
from sim.stats.family import holm
from sim.stats.gram import gram_of
from sim.stats.intervals import Z

LEVELS = (0.01, 0.05, 0.1)


def lineups(factors: int) -> Settings:
    return np.array(list(product([False, True], repeat=factors)))


def by_hand(outcomes: NDArray[np.float64], on: Settings) -> dict[tuple[int, ...], np.ndarray]:
    """Return each effect deal by deal, straight from the words that define it."""
    rows = {tuple(line): outcome for line, outcome in zip(on.tolist(), outcomes, strict=True)}

    def mean_over_the_others(factors: tuple[int, ...], values: tuple[bool, ...]) -> np.ndarray:
        wanted = dict(zip(factors, values, strict=True))
        return np.mean(
            [row for line, row in rows.items() if all(line[f] == v for f, v in wanted.items())],
            axis=0,
        )

    effects: dict[tuple[int, ...], np.ndarray] = {}
    for one in range(on.shape[1]):
        effects[(one,)] = mean_over_the_others((one,), (True,)) - mean_over_the_others(
            (one,), (False,)
        )
    for pair in combinations(range(on.shape[1]), 2):
        m = {v: mean_over_the_others(pair, v) for v in product([False, True], repeat=2)}
        effects[pair] = (m[True, True] - m[True, False]) - (m[False, True] - m[False, False])
    return effects


def cards(factors: int, deals: int, seed: int) -> NDArray[np.uint8]:
    """Return cards left by all line-ups: few where many factors are on, alike on the same deal."""
    rng = np.random.default_rng(seed)
    hard = rng.integers(0, 6, deals)
    own = rng.integers(0, 3, (2**factors, deals))
    return np.clip(hard + own - lineups(factors).sum(axis=1)[:, None], 0, 52).astype(np.uint8)


def test_published_design() -> None:
    """A pilot plant of temperature, concentration and catalyst, two to the third runs.

    G. E. P. Box, W. G. Hunter and J. S. Hunter, Statistics for Experimenters (1978), table 10.1:
    effects 23, -5, 1.5 and, halved, interactions 1.5, 10, 0.
    """
    on = lineups(3)[:, ::-1]  # the first factor changes fastest
    yields = np.array([60, 72, 54, 68, 52, 83, 45, 80], np.uint8)[:, None]
    effects = factorial_effects(left_moments(gram_of(yields)), on)
    assert effects.factors == ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
    assert effects.effect.value.tolist() == [23, -5, 1.5, 2 * 1.5, 2 * 10, 0]


@given(st.integers(1, 4), st.integers(2, 60), st.integers(0, 99), st.booleans())
@settings(max_examples=40, deadline=None)
def test_effects_are_those_counted_by_hand(factors: int, deals: int, seed: int, wins: bool) -> None:
    left, on = cards(factors, deals, seed), lineups(factors)
    order = np.random.default_rng(seed).permutation(2**factors)
    gram = gram_of(left[order])
    effects = factorial_effects((win_moments if wins else left_moments)(gram), on[order])
    contrasts = by_hand((left == 0 if wins else left).astype(float), on)
    assert effects.factors == tuple(contrasts)
    for place, each in enumerate(contrasts.values()):
        assert effects.effect.value[place] == pytest.approx(each.mean(), abs=1e-12)
        if np.ptp(each):
            half = Z * each.std(ddof=1) / deals**0.5
            assert effects.effect.half_width[place] == pytest.approx(half)
    assert np.array_equal(effects.p_holm, holm(effects.p))


def test_weights_of_two_factors() -> None:
    on = np.array([[False, False], [False, True], [True, False], [True, True]])
    assert weights(on, (0,)).tolist() == [-1, -1, 1, 1]
    assert weights(on, (0, 1)).tolist() == [1, -1, -1, 1]


def test_a_factor_without_any_effect_has_an_interval_all_the_same() -> None:
    left = np.repeat(cards(1, 500, 1), 2, axis=0)  # the second factor changes nothing
    effects = factorial_effects(win_moments(gram_of(left)), lineups(2))
    assert effects.effect.value[1] == 0
    assert effects.effect.low[1] == pytest.approx(-3 / 500)
    assert effects.effect.high[1] == pytest.approx(3 / 500)
    assert effects.p[1] == 1


def test_additive_check_is_the_one_counted_by_hand() -> None:
    left, on = cards(3, 200, 2), lineups(3)
    found = additivity(left_moments(gram_of(left)), on)
    outcome = {tuple(line): row.astype(float) for line, row in zip(on.tolist(), left, strict=True)}
    off = outcome[False, False, False]
    alone = [
        outcome[True, False, False],
        outcome[False, True, False],
        outcome[False, False, True],
    ]
    expected = off + sum(row - off for row in alone)
    gap = outcome[True, True, True] - expected
    assert found.observed == pytest.approx(outcome[True, True, True].mean())
    assert found.expected == pytest.approx(expected.mean())
    assert found.gap.value[0] == pytest.approx(gap.mean())
    assert found.gap.half_width[0] == pytest.approx(Z * gap.std(ddof=1) / 200**0.5)


def test_one_factor_is_additive() -> None:
    found: Additivity = additivity(win_moments(gram_of(cards(1, 50, 3))), lineups(1))
    assert found.observed == found.expected
    assert found.gap.value[0] == 0 and found.p == 1


@pytest.mark.parametrize("on", [np.zeros((4, 2), bool), lineups(2)[:3], np.array([[True], [True]])])
def test_part_of_a_design_is_refused(on: Settings) -> None:
    moments = win_moments(gram_of(np.zeros((len(on), 5), np.uint8)))
    with pytest.raises(ValueError, match="line-ups"):
        factorial_effects(moments, on)
    with pytest.raises(ValueError, match="line-ups"):
        additivity(moments, on)


@pytest.mark.parametrize("played", [[5, 4], [0, 0]])
def test_different_deals_are_refused(played: list[int]) -> None:
    gram = gram_of(np.zeros((2, 5), np.uint8), np.array(played))
    for moments in (win_moments, left_moments):
        with pytest.raises(ValueError, match="same deals"):
            moments(gram)


# --- By simulation ---


def experiments(runs: int, deals: int, helps: float, seed: int) -> list[tuple[Effects, Additivity]]:
    """Play two factors, the first of which wins some deals more, again and again."""
    rng = np.random.default_rng(seed)
    chance = np.array([0.2, 0.2, 0.2 + helps, 0.2 + helps])
    found = []
    for _ in range(runs):
        hard = rng.random(deals)
        own = np.where(rng.random((4, deals)) < 0.6, hard, rng.random((4, deals)))
        left = np.where(own < chance[:, None], 0, 3 + 5 * own).astype(np.uint8)
        moments = win_moments(gram_of(left))
        found.append((factorial_effects(moments, lineups(2)), additivity(moments, lineups(2))))
    return found


def share_covered(found: list[tuple[Effects, Additivity]], truth: list[float]) -> list[float]:
    low = np.array([effects.effect.low for effects, _ in found])
    high = np.array([effects.effect.high for effects, _ in found])
    return list(((low <= truth) & (truth <= high)).mean(axis=0))


def check(runs: int, slack: float) -> None:
    found = experiments(runs, 400, 0.1, seed=4)
    for share in share_covered(found, [0.1, 0.0, 0.0]):
        assert 0.94 - slack <= share <= 0.96 + slack
    gaps = np.array([(gap.gap.low[0], gap.gap.high[0]) for _, gap in found])
    assert 0.94 - slack <= ((gaps[:, 0] <= 0) & (gaps[:, 1] >= 0)).mean() <= 0.96 + slack
    p = np.array([effects.p[1:] for effects, _ in found])
    for level in LEVELS:
        error = (level * (1 - level) / runs) ** 0.5
        assert ((p <= level).mean(axis=0) <= level + 3 * error).all()


def test_intervals_cover_about_as_often_as_they_say() -> None:
    check(1_000, 0.01)


@pytest.mark.slow
def test_intervals_cover_as_often_as_they_say() -> None:
    check(20_000, 0.0)
