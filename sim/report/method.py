"""How the numbers of a report were made, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sim.report.document import Literal, Text
from sim.report.stopped import bounds
from sim.report.versus import against
from sim.report.winnable import told
from sim.report.wording import deals_text, listed
from sim.results import SEPARATED, Results

LEVEL = f"{100 * SEPARATED:.0f} %"


def method(results: Results) -> Iterator[Text]:
    """Yield a line for each thing one must know to judge or repeat the numbers."""
    chosen = results.deal_set
    counted = "counted from deal 0" if chosen is None else "of a set"
    yield (
        f"Deals: {deals_text(results.entries)}, {counted} of seed {results.seed}; deal k "
        "of a seed is the same whoever plays it.",
    )
    if chosen is not None:
        yield (
            f"The set: {chosen.about or 'deals that were chosen'}. Its deals were not drawn at "
            "random, so rates and intervals are about them alone.",
        )
    yield (
        "Ties: among moves of equal score, ",
        Literal(results.ties),
        f" (tie seed {results.tie_seed}).",
    )
    if results.until is None:
        yield (
            "Intervals: 95 % and pointwise, so among many a few miss the truth. Wilson for win "
            "rates, normal for the mean of the cards left.",
        )
    else:
        yield from bounds(results.until)
    if results.pairs:
        yield from _paired(results)
    if results.ladder is not None:
        bottom, top = results.ladder.bottom, results.ladder.top
        yield (
            f"Of the way: the difference of win rates from {bottom}, by that of {top}, with "
            "Fieller's interval for a ratio; who played fewer deals played the first of the same.",
        )
    yield from ((sentence,) for sentence in told(results))
    if results.effects:
        yield from _factorial(results)
    versions = ", ".join(f"{name} {value}" for name, value in results.versions.items())
    yield (f"Versions: {versions}.",)
    if results.counts is None:
        yield ("Digest of all outcomes: ", Literal(results.digest), ".")
    else:
        what = f"the sums over each {results.counts.deals:,} deals of all entries"
        yield (f"Kept were not all outcomes, but {what}. Digest: ", Literal(results.digest), ".")


def _paired(results: Results) -> Iterator[Text]:
    kind = ""
    if results.until is None:
        kind = ", with Tango's score interval for win rates and a normal one for the cards left"
    yield (
        f"Differences: deal by deal on the deals both played{kind}. The intervals of two win "
        "rates may overlap although the difference is clear: overlapping intervals settle nothing.",
    )
    yield (
        f"Separated: {_p_value(results)}, adjusted by Holm's method, is below {LEVEL}. The family "
        f"is all pairs of one rules variant ({_family(results)}), compared by win rate; the "
        "differences of the cards left are a family of their own. The adjustment is stricter than "
        "a single interval, so an interval may leave out zero and the two still not be separated.",
    )
    yield (
        "Ranks: from 1 + the entries separated above to the number of entries minus those "
        "separated below, within a rules variant.",
    )
    if saved := _saved(results):
        yield (saved,)


def _p_value(results: Results) -> str:
    if results.until is None:
        return "McNemar's p-value"
    return "the level at which the bounds would touch zero, a p-value that holds at every look"


def _factorial(results: Results) -> Iterator[Text]:
    family = counted([effect.variant for effect in results.effects])
    yield (
        "Effects: deal by deal, with normal intervals. A main effect is the win rate with the tip "
        "on minus that with it off, the mean over all settings of the other tips. An interaction "
        "of two tips is what the one adds with the other on minus what it adds with the other off, "
        "the mean over all settings of the rest; 0 if the two simply add up.",
    )
    yield (
        "Effects separated from nothing: the two-sided p-value, adjusted by Holm's method, is "
        f"below {LEVEL}. The family is all main effects and interactions of one rules variant "
        f"({family}); the effects on the cards left are a family of their own.",
    )
    if results.additive:
        yield (
            "Sum of the tips: all on, against all off plus what each tip adds to all off by "
            "itself. One comparison for each rules variant, judged by its interval, not adjusted.",
        )


def _family(results: Results) -> str:
    return counted([pair.variant for pair in results.pairs])


def counted(variants: list[str]) -> str:
    """Return how often each variant is named: "3 at 1 joker and 6 at 2 jokers"."""
    return listed([f"{variants.count(name)} at {name}" for name in dict.fromkeys(variants)])


def _saved(results: Results) -> str:
    """What it would have taken without the same deals for all."""
    pairs = against(results, results.baseline).values()
    factors = sorted(pair.unpaired_deals / pair.deals for pair in pairs)
    factors = [factor for factor in factors if math.isfinite(factor)]
    if not factors or factors[-1] < 1.05:
        return ""
    low, high = f"{factors[0]:.1f}", f"{factors[-1]:.1f}"
    times = high if low == high else f"{low} to {high}"
    return (
        f"Same deals: dealt separately, the entries would have needed {times} times as many deals "
        "for intervals as narrow of their differences from the baseline."
    )
