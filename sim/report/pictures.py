"""The charts of a report: their files, what draws them, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from matplotlib.figure import Figure

from sim.report import differences, effects, ladder, leftover, pace, pairs, sweep, tips, win_rate
from sim.report.bands import CHART, after, halfway, lost_and_won, paced
from sim.report.document import Image
from sim.report.squares import MOST_CELLS
from sim.report.versus import SAME, against
from sim.report.wording import (
    by_leftover,
    by_win_rate,
    deals_text,
    interval,
    listed,
    percent,
    signed,
)
from sim.results import Ladder, Results

T = TypeVar("T")


@dataclass(frozen=True)
class Picture:
    """One chart."""

    image: Image
    draw: Callable[[], Figure]


def pictures(results: Results) -> list[Picture]:
    """Return the charts that there is something to draw in, the most telling first."""
    return list(_pictures(results)) if results.entries else []


def _pictures(results: Results) -> Iterator[Picture]:
    if results.effects:
        yield Picture(_effects(results), partial(effects.draw, results))
    if results.ladder is not None:
        yield Picture(_ladder(results, results.ladder), partial(ladder.draw, results))
    if against(results, results.baseline):
        yield Picture(_differences(results), partial(differences.draw, results))
    yield Picture(_win_rate(results), partial(win_rate.draw, results))
    if results.pairs:
        yield Picture(_pairs(results), partial(pairs.draw, results))
    yield Picture(_leftover(results), partial(leftover.draw, results))
    if paced(results):
        yield Picture(_pace(results), partial(pace.draw, results))
    # Of a factorial design every parameter has two values, and its effects say all about them.
    found = [] if results.effects else sweep.sweeps(results)
    for name, one in zip(sweep.file_names(found), found, strict=True):
        yield Picture(_sweep(name, one), partial(sweep.draw, results, one))


# --- What is said of each: a caption for all, and the gist for who cannot see it ---


def _ends(sorted_ones: list[T]) -> list[T]:
    """The first and the last, or the only one."""
    return sorted_ones[:1] + sorted_ones[1:][-1:]


def _effects(results: Results) -> Image:
    gists = []
    for variant in tips.variants(results):
        single, double = tips.alone(results, variant), tips.together(results, variant)
        told = [f"{tip.name} {signed(100 * tip.difference, 1)} points" for tip in _ends(single)]
        pairs = [f"{tip.name} {signed(100 * tip.difference, 1)} points" for tip in double[:1]]
        most = f", strongest of two together {pairs[0]}" if pairs else ""
        gists.append(f"{variant}: {' to '.join(told)}{most}")
    return Image(
        tips.CHART,
        "Effect of each tip on the win rate over all settings of the others, and of each two "
        f"beyond the sum of both, on {deals_text(results.entries)}, with 95 % intervals. Hollow: "
        "not separated from nothing. At the right also the effect on the mean cards left.",
        f"Forest plot of the effects of each tip and of each two. {'; '.join(gists)}.",
    )


def _differences(results: Results) -> Image:
    found = against(results, results.baseline)
    gists = []
    for variant in dict.fromkeys(variant for variant, _ in found):
        pairs = [pair for (name, _), pair in found.items() if name == variant]
        pairs.sort(key=lambda pair: -pair.difference)
        told = [f"{pair.a} {signed(100 * pair.difference, 1)} points" for pair in _ends(pairs)]
        gists.append(f"{variant}: {' to '.join(told)}")
    return Image(
        "differences.png",
        f"Difference of win rates from {results.baseline} on {deals_text(results.entries)}, with "
        f"paired {interval(results)}. Hollow: not separated. At the right also the difference of "
        "the mean cards left.",
        f"Forest plot of the differences from {results.baseline}. {'; '.join(gists)}.",
    )


def _ladder(results: Results, found: Ladder) -> Image:
    gists = []
    for variant in results.variant_names():
        rungs = sorted(
            (rung for rung in found.rungs if rung.variant == variant), key=lambda rung: -rung.share
        )
        told = [f"{rung.label} {percent(rung.share, 1)} %" for rung in _ends(rungs)]
        gists.append(f"{variant}: {' to '.join(told)}")
    return Image(
        ladder.CHART,
        f"Everybody between {found.bottom} and {found.top}, on a log-odds scale, with "
        f"{interval(results)}. Of the way: what an entry gains on {found.bottom}, by what "
        f"{found.top} gains.",
        f"Win rates on a log-odds scale. Share of the way from {found.bottom} to {found.top}: "
        f"{'; '.join(gists)}.",
    )


def _win_rate(results: Results) -> Image:
    gists = []
    for variant in results.variant_names():
        entries = by_win_rate(results.of_variant(variant))
        told = [f"{entry.label} {percent(entry.win_rate, 1)} %" for entry in _ends(entries)]
        gists.append(f"{variant}: {' to '.join(told)}")
    return Image(
        "win_rate.png",
        f"Win rate of every entry with its own {interval(results)}.",
        f"Dot plot of the win rates. {'; '.join(gists)}.",
    )


def _pairs(results: Results) -> Image:
    gists = []
    for variant in dict.fromkeys(pair.variant for pair in results.pairs):
        own = [pair for pair in results.pairs if pair.variant == variant]
        apart = sum(pair.separated for pair in own)
        gists.append(f"{variant}: {apart} of {len(own)} pairs are separated")
    most = max(len(results.of_variant(variant)) for variant in results.variant_names())
    if most > MOST_CELLS:
        return Image(
            "pairs.png",
            "The places that the evidence leaves to every entry, and its lead over the next.",
            f"Ranges of places, best entry on top. {'; '.join(gists)}.",
        )
    return Image(
        "pairs.png",
        "Every entry against every other: win rate of the row minus win rate of the column. "
        f"“{SAME}”: not separated.",
        f"Heat map of all pairs, ordered by win rate. {'; '.join(gists)}.",
    )


def _leftover(results: Results) -> Image:
    gists = []
    for variant in results.variant_names():
        first = by_leftover(results.of_variant(variant))[0]
        gists.append(f"{variant}: fewest with {first.label}, {first.leftover_mean:.2f} on average")
    return Image(
        "leftover.png",
        "How many cards were left at the end; 0 is a deal won.",
        f"Distributions of the cards left. {'; '.join(gists)}.",
    )


def _pace(results: Results) -> Image:
    turn, known = halfway(results), paced(results)
    gists = []
    for variant in dict.fromkeys(entry.variant for entry in known):
        first = by_win_rate(entry for entry in known if entry.variant == variant)[0]
        lost, won = lost_and_won(results, first)
        told = f"{after(won, turn)} in deals won, {after(lost, turn)} in deals lost"
        gists.append(f"{variant}: {first.label} has {told}")
    return Image(
        CHART,
        "Cards left after each turn: median and quartiles of the deals that were won in the end "
        "and of those that were lost. A turn counts the deals in which it was made: one that was "
        "over before, won or lost, is in no later turn. Median: the fewest cards that at least "
        "half of these deals do not exceed; quartiles: a quarter, and three quarters, of them.",
        f"Cards left after turn {turn}, medians. {'; '.join(gists)}.",
    )


def _sweep(name: str, one: sweep.Sweep) -> Image:
    top = by_win_rate(one.entries)[0]
    variants = listed(list(dict.fromkeys(line.variant for line in one.lines)))
    return Image(
        name,
        f"{one.strategy} at {len(one.values)} values of {one.parameter}, at {variants}.",
        f"Win rate and mean cards left of {one.strategy} against {one.parameter}. Highest win "
        f"rate: {percent(top.win_rate, 1)} % of {top.label} at {top.variant}.",
    )
