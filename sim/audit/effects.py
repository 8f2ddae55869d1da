"""Effects of a factorial design against the entries they were worked out from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sim.audit.check import disagreeing, first_difference, same
from sim.audit.spread import ROUGH, Spread
from sim.results import Effect, Entry, Results
from sim.stats.effects import Moments, additivity, factorial_effects, weights
from sim.stats.family import holm
from sim.stats.paired import MOST_LEFT

Settings = NDArray[np.bool_]  # (entries, factors): which are on


def faults_of_effects(results: Results) -> Iterator[str]:
    """Yield what does not agree in main effects, interactions and the check of additivity."""
    names = results.variant_names() if results.effects or results.additive else []
    firsts = [one for one in results.effects if one.variant == names[0]]
    factors = [one.tips[0] for one in firsts if len(one.tips) == 1]
    tips: list[tuple[str, ...]] = [(one,) for one in factors]
    tips += combinations(factors, 2)
    effects = [(one.variant, one.tips) for one in results.effects]
    for name, found, wanted in (
        ("effects", effects, [(variant, which) for variant in names for which in tips]),
        ("additive", [one.variant for one in results.additive], names),
    ):
        if parted := first_difference(found, wanted):
            yield f"{name}: {parted}"
            return
    for variant in names:
        try:
            yield from _faults_of(results, variant, factors)
        except (KeyError, ValueError):
            yield f"effects under {variant}: the entries are no factorial design of {factors}"


def _faults_of(results: Results, variant: str, factors: Sequence[str]) -> Iterator[str]:
    entries = results.of_variant(variant)
    rules = entries[0].rules
    played = [[entry.params[factor] for factor in factors] for entry in entries]
    settings = np.array([[value != played[0][i] for i, value in enumerate(row)] for row in played])
    moments = _win_moments(results, entries)
    found = [one for one in results.effects if one.variant == variant]
    wins = factorial_effects(moments, settings)
    for i, one in enumerate(found):
        numbers = {
            "effect": float(wins.effect.value[i]),
            "low": float(wins.effect.low[i]),
            "high": float(wins.effect.high[i]),
            "p_holm": float(wins.p_holm[i]),
            "leftover_effect": _left_effect(entries, settings, wins.factors[i]),
        }
        yield from disagreeing(_who(one), one, numbers | {"rules": rules})
    yield from _faults_of_cards_left(found, moments.deals)
    check = additivity(moments, settings)
    numbers = {
        "observed": check.observed,
        "expected": check.expected,
        "gap": float(check.gap.value[0]),
        "low": float(check.gap.low[0]),
        "high": float(check.gap.high[0]),
        "p": check.p,
    }
    for additive in (one for one in results.additive if one.variant == variant):
        yield from disagreeing(f"additive under {variant}", additive, numbers | {"rules": rules})


def _who(effect: Effect) -> str:
    return f"effect of {' x '.join(effect.tips)} under {effect.variant}"


def _win_moments(results: Results, entries: Sequence[Entry]) -> Moments:
    """Return the sums over wins of all entries; the pairs say how many two of them share.

    Raises:
        ValueError: if the entries did not play the same deals.
    """
    if len({entry.deals for entry in entries}) > 1:
        raise ValueError("the entries of a factorial design have played the same deals")
    wins = np.array([entry.wins for entry in entries], np.int64)
    products = np.diag(wins)
    above = np.triu_indices(len(entries), 1)
    products[above] = [one.both for one in results.pairs if one.variant == entries[0].variant]
    products = np.maximum(products, products.T)
    return Moments(entries[0].deals, wins, products, 1)


def _left_effect(entries: Sequence[Entry], settings: Settings, which: tuple[int, ...]) -> float:
    cards = [sum(c * n for c, n in enumerate(entry.leftover_histogram)) for entry in entries]
    per_side = len(entries) >> len(which)
    effect = int((weights(settings, which) * np.array(cards)).sum())
    return effect / entries[0].deals / per_side


def _faults_of_cards_left(found: Sequence[Effect], deals: int) -> Iterator[str]:
    """Check intervals and p-values of cards left against each other."""
    spreads = [
        Spread(one.leftover_effect, one.leftover_low, one.leftover_high, deals, most)
        for one in found
        for most in [MOST_LEFT * len(one.tips)]
    ]
    wrong = [
        f"{_who(one)}: leftover_low, leftover_high: {spread.fault()}"
        for one, spread in zip(found, spreads, strict=True)
        if spread.fault()
    ]
    yield from wrong
    if wrong:
        return
    for one, p in zip(found, holm(np.array([spread.p for spread in spreads])), strict=True):
        if not same(one.leftover_p_holm, float(p), ROUGH):
            yield (
                f"{_who(one)}: leftover_p_holm is {one.leftover_p_holm}, but {p} goes with "
                "the intervals"
            )
