"""Parts of the variance against tables worked out by hand, and against known truths."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.stats import luck
from sim.stats.telling import discrimination, hardness

Floats = NDArray[np.float64]


def table(*rows: str) -> NDArray[np.bool_]:
    """Rows of strategies, columns of deals: 1 is a win."""
    return np.array([[letter == "1" for letter in row] for row in rows])


def by_hand(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> dict[str, float]:
    """The same estimates, in the words that define them and with numpy's own covariances."""
    y = np.array([one, other], float)  # (2, strategies, deals)
    strategies, deals = one.shape
    deal = float(np.cov(y[0].mean(axis=0), y[1].mean(axis=0))[0, 1])
    within = [float(np.cov(y[0, i], y[1, i])[0, 1]) for i in range(strategies)]
    ties = float(((y[0] - y[1]) ** 2).mean() / 2)
    apart = y.mean(axis=0) - y.mean(axis=(0, 1))  # (strategies, deals)
    strategy = float((apart.mean(axis=1) ** 2).mean() - apart.var(axis=1, ddof=1).mean() / deals)
    return {
        "strategy": strategy,
        "deal": deal,
        "both": sum(within) / strategies - deal,
        "ties": ties,
    }


def test_a_table_worked_out_by_hand() -> None:
    one, other = table("1100", "1000"), table("1010", "1000")
    sums = luck.sums_of(one, other)
    # Games that differ: strategy 1 on deals 2 and 3, of 8 pairs.
    assert luck.of_ties(sums) == 2 / 8 / 2
    # Shares that win: 1, 1/2, 0, 0 and 1, 0, 1/2, 0; means 3/8; sum of products 1.
    assert luck.of_deal(sums) == pytest.approx((1 - 4 * (3 / 8) ** 2) / 3)
    # Strategy 1: products 1, means 1/2 and 1/2; strategy 2: products 1, means 1/4 and 1/4.
    assert luck.of_deal_and_both(sums) == pytest.approx(((1 - 4 / 4) / 3 + (1 - 4 / 16) / 3) / 2)
    # Win rates 1/2 and 1/4: variance 1/64. Half their difference on each deal: 0, 1/4, 1/4, 0,
    # less 1/8 each time 1/8; variance 4/64/3, over 4 deals.
    assert luck.of_strategy(sums) == pytest.approx(1 / 64 - 4 / 64 / 3 / 4)


@pytest.mark.parametrize("seed", range(5))
def test_the_sums_give_what_the_definitions_give(seed: int) -> None:
    dice = np.random.default_rng(seed)
    one, other = dice.random((2, 4, 60)) < dice.random((4, 60))
    sums = luck.sums_of(one, other)
    for name, expected in by_hand(one, other).items():
        assert luck.PARTS[name](sums) == pytest.approx(expected, abs=1e-12)


def test_parts_add_up_in_any_order() -> None:
    dice = np.random.default_rng(1)
    one, other = dice.random((2, 3, 90)) < 0.4
    pieces = [luck.sums_of(one[:, cut], other[:, cut]) for cut in (slice(0, 10), slice(10, 90))]
    for together in (pieces[0] + pieces[1], pieces[1] + pieces[0]):
        for name, part in luck.PARTS.items():
            assert part(together) == part(luck.sums_of(one, other)), name
    again = together - pieces[1]
    assert luck.of_deal(again) == luck.of_deal(pieces[0])


def game(seed: int, deals: int, chance: Floats, kind: Floats) -> list[luck.Sums]:
    """Groups of deals of kinds drawn at random; `chance` (strategies, kinds) to win."""
    dice = np.random.default_rng(seed)
    kinds = dice.choice(len(kind), size=deals, p=kind)
    p = chance[:, kinds]
    one, other = dice.random((2, *p.shape)) < p
    cuts = np.array_split(np.arange(deals), 50)
    return [luck.sums_of(one[:, cut], other[:, cut]) for cut in cuts]


def truth(chance: Floats, kind: Floats) -> dict[str, float]:
    """The parts worked out over the whole population."""
    rate, by_kind = chance @ kind, chance.mean(axis=0)
    mean = float(rate.mean())
    apart = chance - rate[:, None] - by_kind + mean
    return {
        "strategy": float(((rate - mean) ** 2).mean()),
        "deal": float((by_kind - mean) ** 2 @ kind),
        "both": float((apart**2 @ kind).mean()),
        "ties": float((chance * (1 - chance) @ kind).mean()),
    }


CHANCE = np.array([[0.9, 0.5, 0.0], [0.8, 0.1, 0.3], [0.2, 0.1, 0.0]])
KIND = np.array([0.5, 0.3, 0.2])


def test_the_truth_is_in_the_intervals_as_often_as_they_say() -> None:
    known = truth(CHANCE, KIND)
    whole = sum(known.values())
    mean = float((CHANCE @ KIND).mean())
    assert whole == pytest.approx(mean * (1 - mean))  # the variance of one game
    hits, trials = dict.fromkeys(known, 0), 200
    for seed in range(trials):
        for part in luck.parts(game(seed, 1_000, CHANCE, KIND)):
            hits[part.name] += part.low <= known[part.name] <= part.high
            assert part.share_low <= part.share <= part.share_high
    for name, found in hits.items():
        assert 0.90 <= found / trials <= 0.99, (name, found)


def test_shares_are_parts_of_the_whole() -> None:
    known = truth(CHANCE, KIND)
    found = luck.parts(game(3, 20_000, CHANCE, KIND))
    assert sum(part.share for part in found) == pytest.approx(1)
    for part in found:
        share = known[part.name] / sum(known.values())
        assert part.share_low - 0.02 < share < part.share_high + 0.02


@pytest.mark.parametrize(
    ("chance", "whose"),
    [
        ([[1.0, 0.0], [1.0, 0.0]], "deal"),
        ([[1.0, 1.0], [0.0, 0.0]], "strategy"),
        ([[1.0, 0.0], [0.0, 1.0]], "both"),
        ([[0.5, 0.5], [0.5, 0.5]], "ties"),
    ],
)
def test_each_part_alone(chance: list[list[float]], whose: str) -> None:
    shares = {
        part.name: part.share
        for part in luck.parts(game(5, 20_000, np.array(chance), np.array([0.5, 0.5])))
    }
    assert shares.pop(whose) == pytest.approx(1, abs=0.02)
    assert all(abs(share) < 0.02 for share in shares.values()), shares


def test_nobody_ever_wins() -> None:
    never = np.zeros((2, 10), bool)
    for part in luck.parts([luck.sums_of(never, never)] * 3):
        assert (part.variance, part.share, part.share_high) == (0, 0, 0)


def test_one_group_has_no_spread() -> None:
    with pytest.raises(ValueError, match="two groups"):
        luck.parts([luck.sums_of(table("10"), table("10"))])


# ---- single deals


def test_hard_deals_by_hand() -> None:
    left = np.array([[0, 1, 9, 0], [0, 0, 9, 3], [0, 2, 0, 41]], np.uint8)
    order = np.argsort(-hardness(left), kind="stable").tolist()
    assert order == [3, 2, 1, 0]  # two lost with 44 cards, with 18, with 3; none


def test_telling_deals_by_hand() -> None:
    wins = np.array([6, 3, 0])  # the first is good, the last is bad: 9, 0, -9 apart
    won = table("11010", "11001", "10100")
    assert discrimination(won, wins).tolist() == [0, 9, -9, 9, 0]
    twice = np.concatenate([won, won])
    assert discrimination(twice, wins).tolist() == [0, 18, -18, 18, 0]


@pytest.mark.parametrize("strategies", [2, 3, 7])
def test_telling_is_a_covariance(strategies: int) -> None:
    dice = np.random.default_rng(2)
    won, wins = dice.random((strategies, 40)) < 0.5, dice.integers(0, 40, strategies)
    expected = [np.cov(won[:, j], wins, ddof=0)[0, 1] for j in range(40)]
    found = discrimination(won, wins) / strategies**2
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_every_small_table_has_parts_that_are_no_more_than_the_variance_of_a_game() -> None:
    for bits in product([False, True], repeat=8):
        one, other = np.array(bits).reshape(2, 2, 2)
        sums = luck.sums_of(one, other)
        assert luck.of_ties(sums) >= 0
        expected = sum(by_hand(one, other).values())
        assert luck.total(sums) == pytest.approx(expected, abs=1e-12)
