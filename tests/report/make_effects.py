"""Results of factorial designs made from plain numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from sim.results import Additive, Effect, Results
from tests.report.make import EASY, HARD, make_entry, make_results

TIPS = ("fast", "kind", "late")
HALF = 0.01  # of an interval of a win rate
Sizes = Mapping[tuple[str, ...], float]

SIZES: Sizes = {
    ("fast",): -0.03,
    ("kind",): 0.052,
    ("late",): 0.002,
    ("fast", "kind"): -0.041,
    ("fast", "late"): 0.004,
    ("kind", "late"): 0.02,
}


def make_effect(
    tips: tuple[str, ...],
    size: float,
    variant: tuple[str, Mapping[str, int | bool]] = EASY,
    p: float | None = None,
) -> Effect:
    """Return an effect, separated unless its interval or p says otherwise."""
    p_holm = (0.0 if abs(size) > HALF else 0.4) if p is None else p
    return Effect(
        tips=tips,
        effect=size,
        low=size - HALF,
        high=size + HALF,
        p_holm=p_holm,
        leftover_effect=-10 * size,
        leftover_low=-10 * size - 0.1,
        leftover_high=-10 * size + 0.1,
        leftover_p_holm=p_holm,
        rules=variant[1],
        variant=variant[0],
    )


def make_additive(
    gap: float, half: float, variant: tuple[str, Mapping[str, int | bool]] = EASY
) -> Additive:
    """Return that all tips together win 46.7 %."""
    return Additive(
        observed=0.467,
        expected=0.467 - gap,
        gap=gap,
        low=gap - half,
        high=gap + half,
        p=0.0 if abs(gap) > half else 0.4,
        rules=variant[1],
        variant=variant[0],
    )


def lineups(tips: Sequence[str] = TIPS) -> Results:
    """Return all ways to follow the tips or not under two rules variants, without effects."""
    entries = []
    for variant, scale in ((EASY, 1.0), (HARD, 0.7)):
        for values in product((0, 1), repeat=len(tips)):
            params: dict[str, float | int | bool] = dict(zip(tips, values, strict=True))
            label = "tips " + " ".join(f"{name}={value}" for name, value in params.items())
            rate = scale * (0.3 + 0.01 * sum(values))
            entries.append(make_entry(label, rate, variant, 5_000, "tips", params, tuple(tips)))
    return make_results(entries)


def factorial(sizes: Sizes = SIZES) -> Results:
    """Return the line-ups of these tips with effects, the second variant turned round."""
    tips = [tips[0] for tips in sizes if len(tips) == 1]
    effects = [make_effect(tips, size) for tips, size in sizes.items()]
    effects += [make_effect(tips, -size / 2, HARD) for tips, size in sizes.items()]
    additive = (make_additive(-0.077, 0.043), make_additive(0.004, 0.035, HARD))
    return replace(lineups(tips), effects=tuple(effects), additive=additive)


def told_of(results: Results, effects: Sequence[Effect], *additive: Additive) -> Results:
    """Return the results with other effects."""
    return replace(results, effects=tuple(effects), additive=additive)
