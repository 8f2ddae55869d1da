"""What came out, in sentences made from the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sim.report.document import Bullets, Paragraph, said
from sim.report.stopped import ends
from sim.report.versus import against, both_ways, size_text, win_places, win_span
from sim.report.wording import (
    by_win_rate,
    listed,
    percent,
    rate_places,
    rate_span,
    signed,
)
from sim.results import Entry, Pair, Results

MOST_SENTENCES = 5  # of one kind and one rules variant; of more, the most telling
MOST_NAMES = 4  # in one sentence


def verdict(results: Results) -> tuple[Paragraph | Bullets, ...]:
    """Return for each rules variant who wins most, and what each gains over the baseline."""
    blocks: list[Paragraph | Bullets] = []
    stops = ends(results)
    for variant in results.variant_names():
        blocks.append(said(best(results, variant)))
        if variant in stops:
            blocks.append(said(stops[variant]))
        if items := tuple((item,) for item in _against_baseline(results, variant)):
            blocks.append(Bullets(items))
    return tuple(blocks)


# --- Who wins most ---


def best(results: Results, variant: str) -> str:
    """Return a sentence on the best entry of a variant, or on those that share the first place."""
    entries = by_win_rate(results.of_variant(variant))
    if len(entries) == 1 or not any(pair.variant == variant for pair in results.pairs):
        return f"At {variant}, {entries[0].label} wins {_rate(entries[0])}."
    top = [entry for entry in entries if entry.rank[0] == 1]
    if len(top) == 1:
        return _alone(results, variant, *entries[:2])
    return (
        f"At {variant}, {_names(top)} share the first place: no two of them can be told apart, and "
        f"nobody is separated above them. The highest win rate is that of {top[0].label}, "
        f"{_rate(top[0])}."
    )


def _alone(results: Results, variant: str, first: Entry, second: Entry) -> str:
    lead = both_ways(results, variant)[first.label, second.label]
    return (
        f"At {variant}, {first.label}{_sight(first)} wins most: {_rate(first)}, "
        f"{size_text(lead)} more than the next, {second.label}."
    )


def _rate(entry: Entry) -> str:
    decimals = max(1, rate_places([entry]))
    ends = rate_span(entry, decimals).replace("–", " to ")
    return f"{percent(entry.win_rate, decimals)} % of {entry.deals:,} deals ({ends} %)"


def _sight(entry: Entry) -> str:
    return " (sees hidden cards)" if entry.clairvoyant else ""


def _names(entries: list[Entry]) -> str:
    named = [entry.label + _sight(entry) for entry in entries]
    if len(named) > MOST_NAMES:
        named = [*named[: MOST_NAMES - 1], f"{len(named) - MOST_NAMES + 1} others"]
    return listed(named)


# --- Against the baseline ---


def _against_baseline(results: Results, variant: str) -> Iterator[str]:
    """Yield gains, what cannot be told apart and losses, from the largest gain down."""
    found = [pair for (name, _), pair in against(results, results.baseline).items()]
    pairs = sorted((p for p in found if p.variant == variant), key=lambda p: -p.difference)
    gains = [pair for pair in pairs if pair.separated and pair.difference > 0]
    losses = [pair for pair in pairs if pair.separated and pair.difference < 0]
    same = [pair for pair in pairs if not pair.separated]
    yield from _kind(gains, gain, "gain")
    yield from _kind(same, tie, "")
    yield from reversed([*_kind(losses[::-1], loss, "lose")])


def _kind(pairs: list[Pair], sentence: Callable[[Pair], str], verb: str) -> Iterator[str]:
    """Yield a sentence for each pair, or for the first of many and one that sums up the rest."""
    shown = pairs if len(pairs) <= MOST_SENTENCES else pairs[: MOST_SENTENCES - 1]
    yield from map(sentence, shown)
    rest = pairs[len(shown) :]
    if rest:
        where = f"{rest[0].b} at {rest[0].variant}"
        sizes = sorted(100 * abs(pair.difference) for pair in rest)
        decimals = win_places(rest)
        ends = f"between {sizes[0]:.{decimals}f} and {sizes[-1]:.{decimals}f} points"
        if verb:
            yield f"{len(rest)} others {verb} {ends} {_than(verb)} {where}."
        else:
            yield f"{len(rest)} others cannot be told apart from {where} either."


def _than(verb: str) -> str:
    return "over" if verb == "gain" else "against"


def gain(pair: Pair) -> str:
    """Return "a gains 10.8 points (10.7 to 10.9) over b at 1 joker (easy)."."""
    return f"{pair.a} gains {size_text(pair)} over {pair.b} at {pair.variant}."


def loss(pair: Pair) -> str:
    """Return "a loses 5.1 points (4.7 to 5.6) against b at 1 joker (easy)."."""
    return f"{pair.a} loses {size_text(pair)} against {pair.b} at {pair.variant}."


def tie(pair: Pair) -> str:
    """Return "a cannot be told apart from b at ...: a difference of +0.1 points (...)."."""
    decimals = win_places([pair])
    value, ends = signed(100 * pair.difference, decimals), win_span(pair, decimals)
    return (
        f"{pair.a} cannot be told apart from {pair.b} at {pair.variant}: "
        f"the difference is {value} points ({ends})."
    )
