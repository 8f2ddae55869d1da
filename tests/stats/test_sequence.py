"""Confidence sequences against published numbers, what a run decides by them, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.stats.gram import Gram, empty, gram_of
from sim.stats.outlook import Aim
from sim.stats.paired import (
    Discordance,
    Sums,
    compare,
    discordance,
    mcnemar_z,
    mean_estimate,
    win_difference,
)
from sim.stats.sequence import (
    FIRST_LOOK,
    Decision,
    HalfWidth,
    Ranked,
    Sequence,
    Target,
    compare_always,
    judge,
    left_bounds,
    rate_bounds,
    sequence_for,
    win_bounds,
)

SEQUENCE = Sequence(alpha=0.05, tuned_for=10_000)


def play(chances: list[float], deals: int, seed: int, likeness: float = 0.9) -> NDArray[np.uint8]:
    """Return cards left by entries with these chances to win, which find the same deals hard."""
    rng = np.random.default_rng(seed)
    hard, own = rng.random(deals), rng.random((len(chances), deals))
    draw = np.where(rng.random((len(chances), deals)) < likeness, hard, own)
    return np.where(draw < np.array(chances)[:, None], 0, 1 + 10 * draw).astype(np.uint8)


def decide(gram: Gram, baseline: int, target: Target, sequence: Sequence) -> Decision:
    return judge(win_bounds(gram, sequence), baseline, target)


# --- The boundary ---


def test_published_boundary() -> None:
    """As computed by its authors' software: S. R. Howard and I. Waudby-Smith, confseq, its tests.

    Two-sided normal mixture, alpha = 5 %, at variance 100: 30.35209 with the parameter 12.60056,
    which nearly minimises it; ours does.
    """
    theirs = Sequence(0.05, tuned_for=12.60056 * Sequence(0.05, 1).rho_squared)
    assert 1 / theirs.rho_squared == pytest.approx(12.60056)
    assert 100 * theirs.radius(100, 1.0) == pytest.approx(30.35209, abs=1e-5)
    assert 30.35 < 100 * Sequence(0.05, tuned_for=100).radius(100, 1.0) < 30.35209


@given(st.floats(1e-5, 0.2), st.floats(1e3, 1e7))
def test_bounds_are_narrowest_where_they_are_tuned_for(alpha: float, deals: float) -> None:
    here = Sequence(alpha, deals).critical(deals)
    assert all(Sequence(alpha, deals * away).critical(deals) > here for away in (0.5, 0.9, 1.1, 2))


def test_radius_is_that_of_the_theorem() -> None:
    """Theorem 2.2 of Waudby-Smith et al. as printed."""
    n, variance, rho = 5_000, 0.3, SEQUENCE.rho_squared**0.5
    inside = 2 * (n * rho**2 + 1) / (n**2 * rho**2) * np.log((n * rho**2 + 1) ** 0.5 / 0.05)
    assert SEQUENCE.radius(n, variance) == pytest.approx(variance**0.5 * inside**0.5)


@given(st.integers(100, 10**7))
def test_p_is_alpha_where_the_bounds_touch_zero(deals: int) -> None:
    critical = SEQUENCE.critical(deals)
    assert SEQUENCE.p(critical, deals) == pytest.approx(0.05)
    assert SEQUENCE.p(-critical * 1.01, deals) < 0.05
    assert SEQUENCE.p(np.array(0.0), deals) == 1


def test_what_tuning_early_costs() -> None:
    """The numbers that the docstring of `sequence_for` gives, for 36 pairs."""
    sequence = sequence_for(Ranked(0.001), 9, 1, 20_000_000)
    assert (sequence.alpha, sequence.tuned_for) == (0.05 / 36, 1_000_000)

    def wider(deals: int) -> float:
        return float(sequence.critical(deals) / Sequence(sequence.alpha, deals).critical(deals))

    assert wider(1_000_000) == 1
    assert wider(20_000_000) == pytest.approx(1.06, abs=0.01)
    assert wider(50_000) == pytest.approx(1.33, abs=0.02)


@pytest.mark.parametrize(
    ("target", "entries", "variants", "comparisons"),
    [
        (HalfWidth(0.001), 9, 1, 8),
        (HalfWidth(0.001), 9, 2, 16),
        (Ranked(0.001), 9, 2, 72),
        (Ranked(0.001), 1, 1, 1),
    ],
)
def test_alpha_is_shared_by_all_comparisons(
    target: Target, entries: int, variants: int, comparisons: int
) -> None:
    assert sequence_for(target, entries, variants, 10**6).alpha == 0.05 / comparisons


# --- Bounds ---


def test_bounds_are_score_intervals_at_the_critical_value() -> None:
    gram = gram_of(play([0.3, 0.32, 0.25], 5_000, 1), np.array([5_000, 5_000, 2_000]))
    bounds = win_bounds(gram, SEQUENCE)
    alone = win_difference(discordance(gram), SEQUENCE.critical(gram.common))
    assert bounds.low[0, 2] == alone.low[0, 2] and bounds.high[1, 0] == alone.high[1, 0]
    assert (bounds.low.diagonal() == 0).all() and (bounds.high.diagonal() == 0).all()
    assert np.array_equal(bounds.low, -bounds.high.T)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(1_000, 100_000))
def test_bounds_exclude_zero_where_the_statistic_is_critical(
    only_a: int, only_b: int, deals: int
) -> None:
    """So that counting critical statistics, as the simulation does, counts false alarms."""
    table = Discordance(0, only_a, only_b, deals - only_a - only_b)
    bounds, critical = win_difference(table, SEQUENCE.critical(deals)), SEQUENCE.critical(deals)
    apart = (bounds.low > 0) | (bounds.high < 0)
    assert apart == (abs(mcnemar_z(table)) > critical)


def test_nothing_is_known_before_the_first_look() -> None:
    gram = gram_of(play([0.1, 0.9], FIRST_LOOK - 1, 2))
    bounds = win_bounds(gram, SEQUENCE)
    assert (bounds.low[0, 1], bounds.high[0, 1]) == (-1, 1)
    assert not decide(gram, 0, Ranked(0.01), SEQUENCE).done
    assert decide(gram_of(play([0.1, 0.9], FIRST_LOOK, 2)), 0, Ranked(0.01), SEQUENCE).done


def test_bounds_of_the_entries_themselves() -> None:
    gram = gram_of(play([0.3, 0.0, 1.0], 3_000, 3))
    rates, z = rate_bounds(gram, SEQUENCE), SEQUENCE.critical(3_000)
    for bound in (rates.low[0], rates.high[0]):
        spread = np.sqrt(bound * (1 - bound) / 3_000)
        assert abs(rates.value[0] - bound) == pytest.approx(z * spread)
    assert rates.low[1] == 0 < rates.high[1] and rates.low[2] < 1 == rates.high[2]
    cards = play([0.3, 0.0, 1.0], 3_000, 3)[0]
    left = left_bounds(gram, SEQUENCE)
    assert left.half_width[0] == pytest.approx(z * cards.std(ddof=1) / 3_000**0.5)


def test_pairs_with_bounds_for_every_look() -> None:
    gram = gram_of(play([0.3, 0.32, 0.25], 5_000, 4))
    once, always = compare(gram), compare_always(gram, SEQUENCE)
    apart = ~np.eye(3, dtype=bool)
    for name in ("wins", "left"):
        before, after = getattr(once, name), getattr(always, name)
        assert np.array_equal(before.value, after.value)
        assert (after.half_width[apart] > 1.4 * before.half_width[apart]).all()
        assert (after.low.diagonal() == 0).all()
    assert (always.wins_p >= once.wins_p).all() and (always.left_p >= once.left_p).all()
    assert (always.wins_p.diagonal() == 1).all() and (always.left_p.diagonal() == 1).all()
    separated = (always.wins.low > 0) | (always.wins.high < 0)
    assert np.array_equal(separated, always.wins_p < 0.05)
    assert np.array_equal(always.unpaired, once.unpaired)


# --- Decisions ---


def test_half_width_is_reached_for_all_differences_from_the_baseline() -> None:
    gram = gram_of(play([0.3, 0.3, 0.31], 20_000, 5, likeness=0.95))
    bounds = win_bounds(gram, SEQUENCE)
    widest = bounds.half_width[0, 1:].max()
    near, far = decide(gram, 0, HalfWidth(widest * 1.001), SEQUENCE), HalfWidth(widest * 0.999)
    assert near.done and near.open == 0 and near.settled.all() and not near.worse.any()
    assert not decide(gram, 0, far, SEQUENCE).done
    assert decide(gram, 0, far, SEQUENCE).open == 1
    assert decide(gram, 0, far, SEQUENCE).settled[1, 2], "not asked for"


def test_who_is_worse_than_the_baseline_for_sure_may_stop() -> None:
    gram = gram_of(play([0.3, 0.1, 0.5], 3_000, 6))
    decision = decide(gram, 0, HalfWidth(0.001), SEQUENCE)
    assert decision.worse.tolist() == [False, True, False]
    assert decision.open == 1 and not decision.done
    assert not decision.settled[0, 1], "its difference is not known that well"


def test_pairs_are_ranked_by_being_apart_or_alike() -> None:
    gram = gram_of(play([0.3, 0.3, 0.4, 0.2], 20_000, 7, likeness=0.999))
    decision = decide(gram, 0, Ranked(0.005), SEQUENCE)
    assert decision.done and decision.settled.all()
    assert decision.worse.tolist() == [True, True, False, True]
    strict = decide(gram, 0, Ranked(0.0001), SEQUENCE)
    assert strict.open == 1 and not strict.settled[0, 1]
    assert strict.worse.tolist() == [False, False, False, True], "the last is apart from all others"


def test_one_entry_has_nothing_to_settle() -> None:
    gram = gram_of(play([0.3], 2_000, 8))
    assert decide(gram, 0, Ranked(0.001), SEQUENCE).done
    assert decide(gram, 0, HalfWidth(0.001), SEQUENCE).done


def test_forecast_tells_whether_a_target_is_in_reach() -> None:
    first = gram_of(play([0.3, 0.31, 0.35], 20_000, 9))
    later = gram_of(play([0.3, 0.31, 0.35], 500_000, 10))
    aim = Aim(HalfWidth(0.001), SEQUENCE, baseline=0, round=20_000, at_most=500_000)
    expected, found = aim.forecast(first, 500_000), win_bounds(later, SEQUENCE)
    apart = ~np.eye(3, dtype=bool)
    assert expected.half_width[apart] == pytest.approx(found.half_width[apart], rel=0.05)
    assert expected.value == pytest.approx(win_bounds(first, SEQUENCE).value, abs=1e-4)
    reachable = expected.half_width[0].max()
    assert judge(expected, 0, HalfWidth(reachable * 1.01)).done
    assert not judge(expected, 0, HalfWidth(reachable * 0.99)).done
    ahead = aim.outlook(first)
    assert ahead.reachable == pytest.approx(reachable) and ahead.open == 2
    assert ahead.each.tolist() == [500_000] * 3 and ahead.deals > 500_000
    assert judge(aim.forecast(first, ahead.deals), 0, aim.target).done
    assert not judge(aim.forecast(first, ahead.deals * 97 // 100), 0, aim.target).done


def test_the_outlook_knows_who_will_stop_early() -> None:
    first = gram_of(play([0.3, 0.31, 0.1], 20_000, 9))
    aim = Aim(HalfWidth(0.005), SEQUENCE, baseline=0, round=20_000, at_most=10_000_000)
    ahead = aim.outlook(first)
    assert ahead.open == 0 and ahead.reachable == 0
    assert ahead.each.tolist() == [-(-ahead.deals // 20_000) * 20_000] * 2 + [20_000]


def run(chances: list[float], target: Target, rounds: int, seed: int) -> tuple[Gram, list[int]]:
    """Play rounds of 2,000 deals until the target is reached; who is worse stops."""
    sequence = sequence_for(target, len(chances), 1, 2_000 * rounds)
    total, played = empty(len(chances)), [0] * len(chances)
    going = np.ones(len(chances), bool)
    for number in range(rounds):
        total += gram_of(play(chances, 2_000, seed + number), np.where(going, 2_000, 0))
        played = [before + 2_000 * now for before, now in zip(played, going, strict=True)]
        decision = decide(total, 0, target, sequence)
        going &= ~decision.worse
        if decision.done:
            break
    return total, played


def test_a_run_stops_when_all_are_ranked_and_the_worst_stop_first() -> None:
    chances = [0.30, 0.32, 0.20]
    total, played = run(chances, Ranked(0.001), 200, seed=1_000)
    assert played[2] < played[0] == played[1] < 400_000
    assert total.common.diagonal().tolist() == played
    assert np.array_equal(
        np.sign(compare(total).wins.value), np.sign(np.subtract.outer(*2 * [chances]))
    )


def test_a_run_stops_when_the_baseline_is_compared_well_enough() -> None:
    total, played = run([0.30, 0.31, 0.20], HalfWidth(0.01), 200, seed=2_000)
    assert played[2] == 2_000 < played[0] == played[1] < 100_000
    assert compare(total).wins.value[1, 0] == pytest.approx(0.01, abs=0.01)


# --- By simulation ---

NINE = 9
FIRST, SECOND = np.triu_indices(NINE, 1)
WINS = (
    np.arange(2**NINE)[:, None] >> np.arange(NINE)
) & 1  # (512, 9) every way nine can end a deal
ONLY_FIRST = (WINS[:, FIRST] > WINS[:, SECOND]).astype(float)  # (512, 36)
ONLY_SECOND = (WINS[:, FIRST] < WINS[:, SECOND]).astype(float)


def false_alarms(runs: int, discordant: float, deals: int, rounds: int, seed: int) -> float:
    """Return the share of runs of nine equal strategies in which any pair is ever separated.

    Most deals are won by all or none; on the others each tosses a coin, so that a share of the
    deals is discordant for each pair.
    """
    rng, target = np.random.default_rng(seed), Ranked(0.001)
    sequence = sequence_for(target, NINE, 1, deals * rounds)
    only_first, only_second = np.zeros((2, runs, len(FIRST)))
    alarm = np.zeros(runs, bool)
    for number in range(1, rounds + 1):
        tossed = rng.binomial(deals, 2 * discordant, runs)
        ended = rng.multinomial(tossed, np.full(2**NINE, 0.5**NINE))
        only_first += ended @ ONLY_FIRST
        only_second += ended @ ONLY_SECOND
        z = mcnemar_z(Discordance(0, only_first, only_second, 0))
        alarm |= (abs(z) > sequence.critical(deals * number)).any(axis=1)
    return float(alarm.mean())


def test_equal_strategies_are_told_apart_in_few_runs() -> None:
    assert false_alarms(200, 0.01, 1_000, 60, seed=1) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    ("discordant", "deals", "rounds"),
    [(0.001, FIRST_LOOK, 200), (0.01, FIRST_LOOK, 200), (0.01, 10_000, 100), (0.3, 10_000, 100)],
)
def test_equal_strategies_are_told_apart_in_at_most_5_percent_of_runs(
    discordant: float, deals: int, rounds: int
) -> None:
    """Nine equal strategies, 2,000 runs, any false alarm of any pair at any look counts."""
    assert false_alarms(2_000, discordant, deals, rounds, seed=2) <= 0.05


def test_equal_strategies_played_deal_by_deal() -> None:
    """As above, by the functions a run calls; fewer runs."""
    sequence = sequence_for(Ranked(0.001), NINE, 1, 20_000)
    for seed in range(10):
        total = empty(NINE)
        for number in range(10):
            total += gram_of(play([0.3] * NINE, 2_000, 100 * seed + number, likeness=0.97))
            assert not (win_bounds(total, sequence).low > 0).any()


def missed(runs: int, rate_a: float, rate_b: float, deals: int, rounds: int, seed: int) -> float:
    """Return the share of runs in which the bounds ever miss the true difference."""
    rng, sequence = np.random.default_rng(seed), Sequence(0.05, deals * rounds / 20)
    only_a, only_b, wrong = np.zeros(runs), np.zeros(runs), np.zeros(runs, bool)
    for number in range(1, rounds + 1):
        only_a += (won := rng.binomial(deals, rate_a, runs))
        only_b += rng.binomial(deals - won, rate_b / (1 - rate_a))
        table = Discordance(0, only_a, only_b, deals * number - only_a - only_b)
        bounds = win_difference(table, sequence.critical(deals * number))
        wrong |= (bounds.low > rate_a - rate_b) | (bounds.high < rate_a - rate_b)
    return float(wrong.mean())


# Rates of discordant deals won by a alone and by b alone: hardly any, one-sided, and many.
RARE = [(1e-4, 0.0), (1e-3, 0.0), (1e-3, 1e-4), (5e-3, 5e-3), (1e-2, 0.0), (0.1, 0.1)]


@pytest.mark.parametrize(("rate_a", "rate_b"), RARE)
def test_bounds_seldom_miss_even_where_hardly_any_deal_is_discordant(
    rate_a: float, rate_b: float
) -> None:
    assert missed(1_000, rate_a, rate_b, FIRST_LOOK, 25, seed=3) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize(("rate_a", "rate_b"), RARE)
def test_bounds_miss_in_at_most_5_percent_of_runs(rate_a: float, rate_b: float) -> None:
    assert missed(20_000, rate_a, rate_b, FIRST_LOOK, 100, seed=4) <= 0.05


def left_missed(runs: int, likeness: float, rounds: int, seed: int) -> float:
    """Return the share of runs in which bounds of mean cards left ever miss that they are equal.

    Most deals leave both with the same; the bounds are normal, so some hundred others are needed.
    """
    rng, deals = np.random.default_rng(seed), FIRST_LOOK
    sequence = Sequence(0.05, deals * rounds / 20)
    mine = np.array([0.3, 0.05, 0.1, 0.15, 0.25, 0.15])
    chances = likeness * np.diag(mine) + (1 - likeness) * np.outer(mine, mine)
    gap = np.subtract.outer(np.arange(6), np.arange(6)).ravel()
    total, squares, wrong = np.zeros(runs, int), np.zeros(runs, int), np.zeros(runs, bool)
    for number in range(1, rounds + 1):
        ended = rng.multinomial(deals, chances.ravel(), runs)
        total, squares, played = total + ended @ gap, squares + ended @ gap**2, deals * number
        sums = Sums(np.full(runs, played), total, squares, -5, 5)
        bounds = mean_estimate(sums, sequence.critical(played))
        wrong |= (bounds.low > 0) | (bounds.high < 0)
    return float(wrong.mean())


def test_left_bounds_seldom_miss() -> None:
    assert left_missed(1_000, 0.9, 25, seed=5) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("likeness", [0.98, 0.9, 0.0])
def test_left_bounds_miss_in_at_most_5_percent_of_runs(likeness: float) -> None:
    assert left_missed(20_000, likeness, 100, seed=6) <= 0.05
