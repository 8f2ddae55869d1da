"""Deals for a wanted precision, and precision for deals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.stats.intervals import Z, wilson
from sim.stats.paired import Discordance, win_difference
from sim.stats.planning import deals_needed, expected, half_width, rate_half_width
from sim.stats.sequence import Sequence

PILOT = Discordance(*(np.array(number) for number in (4_000, 600, 400, 15_000)))
WIDER = Sequence(alpha=0.05, tuned_for=100_000).critical

tables = st.tuples(*4 * [st.integers(0, 5_000)]).map(
    lambda numbers: Discordance(*(np.array(number) for number in numbers))
)


def test_expected_table_has_the_rates_of_the_pilot() -> None:
    table = expected(PILOT, 2_000_000)
    assert table.deals == pytest.approx(2_000_000)
    assert table.only_a == pytest.approx(60_000, rel=1e-3)
    assert table.difference == pytest.approx(0.01, rel=1e-3)


def test_what_the_pilot_did_not_see_is_rare_and_not_impossible() -> None:
    assert expected(Discordance(0, 0, 0, 998), 1_000_000).only_a == pytest.approx(500)


def test_many_discordant_deals_need_what_the_formula_says() -> None:
    needed = deals_needed(PILOT, 0.001)
    assert needed == pytest.approx(Z**2 * (0.05 - 0.01**2) / 0.001**2, rel=2e-3)


@given(tables, st.floats(0.0005, 0.3), st.booleans())
@settings(deadline=None, max_examples=20)
def test_one_deal_fewer_is_too_few(pilot: Discordance, wanted: float, looks: bool) -> None:
    how = {"critical": WIDER} if looks else {}
    needed = deals_needed(pilot, wanted, **how)
    assert half_width(pilot, needed, **how) <= wanted
    assert needed == 1 or half_width(pilot, needed - 1, **how) > wanted


def test_many_pilots_at_once() -> None:
    pilots = Discordance(*(np.array([n, n]) for n in (10, 20, 30, 400)))
    needed = deals_needed(pilots, 0.01)
    assert needed.shape == (2,) and needed[0] == needed[1]
    assert half_width(pilots, needed).tolist() == pytest.approx([0.01, 0.01], rel=1e-2)


def test_looking_at_every_round_costs_deals() -> None:
    assert deals_needed(PILOT, 0.001, WIDER) > 1.5 * deals_needed(PILOT, 0.001)


def test_half_width_to_expect_is_the_one_that_is_found() -> None:
    rng = np.random.default_rng(1)
    rates = np.array([0.2, 0.03, 0.02, 0.75])
    pilot = Discordance(*rng.multinomial(20_000, rates))
    found = win_difference(Discordance(*rng.multinomial(1_000_000, rates)))
    assert half_width(pilot, 1_000_000) == pytest.approx(found.half_width, rel=0.05)


def test_half_width_of_one_rate() -> None:
    low, high = wilson(300, 10_000)
    assert rate_half_width(0.03, 10_000) == (high - low) / 2
    assert rate_half_width(0.0, 10) > 0
