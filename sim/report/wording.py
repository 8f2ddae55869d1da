"""The words and numbers that charts and tables share, so that they never contradict each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from sim.results import Entry, Results
from sim.standings import Standings


class Played(Protocol):
    """Whatever was played on some deals."""

    @property
    def deals(self) -> int:
        """Return on how many."""


def by_win_rate(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries, highest win rate first; equal ones stay in the order of the config."""
    return sorted(entries, key=lambda entry: -entry.win_rate)


def by_leftover(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries, fewest cards left on average first."""
    return sorted(entries, key=lambda entry: entry.leftover_mean)


def most_deals(entries: Iterable[Played]) -> int:
    """Return the deals of the entry that played most; the others play a prefix of the same ones."""
    return max((entry.deals for entry in entries), default=0)


def deals_text(entries: Sequence[Played]) -> str:
    """Return "the same 1,000 deals", or "up to 1,000 of the same deals" if some played fewer."""
    most = most_deals(entries)
    if any(entry.deals != most for entry in entries):
        return f"up to {most:,} of the same deals"
    return f"the same {most:,} deals"


def full_label(results: Results, entry: Entry, baseline: str | None = None) -> str:
    """Return the label with what must stand beside it: baseline, clairvoyant, or fewer deals.

    The baseline is that of the results unless another is given.
    """
    named = results.baseline if baseline is None else baseline
    notes = ["baseline"] if entry.label == named else []
    if entry.clairvoyant:
        notes.append("sees hidden cards")
    if entry.deals != most_deals(results.of_variant(entry.variant)):
        stopped = "stopped after " if results.until else ""
        notes.append(f"{stopped}{entry.deals:,} deals")
    return f"{entry.label} ({', '.join(notes)})" if notes else entry.label


def interval(results: Results) -> str:
    """Return what the ends of a range are: an interval, or bounds that hold at every look."""
    return "95 % bounds" if results.until else "95 % interval"


def places(widths: Iterable[float], most: int) -> int:
    """Return the fewest decimals, up to `most`, that tell the ends of every interval apart."""
    needed = [math.ceil(-math.log10(width)) for width in widths if width > 0]
    return min(max([0, *needed]), most)


def rate_width(entry: Entry) -> float:
    """Return the width of the interval of the win rate in percentage points."""
    return 100 * (entry.win_rate_high - entry.win_rate_low)


def mean_width(entry: Entry) -> float:
    """Return the width of the interval of the mean leftover in cards."""
    return entry.leftover_high - entry.leftover_low


def rate_places(entries: Iterable[Entry]) -> int:
    """Return the decimals of the win rates printed in one panel of a chart."""
    return places(map(rate_width, entries), 2)


def mean_places(entries: Iterable[Entry]) -> int:
    """Return the decimals of the mean leftovers printed in one panel of a chart."""
    return places(map(mean_width, entries), 2)


def table_places(entries: Sequence[Entry], width: Callable[[Entry], float]) -> int:
    """Return the decimals of a column of a table: one more than its intervals resolve.

    The widest interval counts, among the entries that played most.
    """
    most = most_deals(entries)
    return places([max(width(entry) for entry in entries if entry.deals == most)], 4) + 1


def percent(rate: float, decimals: int) -> str:
    """Return a rate in [0, 1] as the number before a percent sign."""
    return f"{100 * rate:.{decimals}f}"


def rate_span(entry: Entry, decimals: int) -> str:
    """Return the interval of the win rate, such as "34.0–34.2" (percent)."""
    return span(100 * entry.win_rate_low, 100 * entry.win_rate_high, decimals)


def mean_span(entry: Entry, decimals: int) -> str:
    """Return the interval of the mean leftover, such as "6.10–6.14" (cards)."""
    return span(entry.leftover_low, entry.leftover_high, decimals)


def span(low: float, high: float, decimals: int) -> str:
    """Return an interval rounded outwards, so that what is printed never claims more than is known.

    Floats that are whole at the last decimal but for their own rounding stay where they are.
    """
    floor, ceiling = outwards(low, high, decimals)
    return f"{floor:.{decimals}f}–{ceiling:.{decimals}f}"


def signed_span(low: float, high: float, decimals: int) -> str:
    """Return the interval of a difference, rounded outwards, such as "−0.3 to +0.1"."""
    floor, ceiling = outwards(low, high, decimals)
    return f"{signed(floor, decimals)} to {signed(ceiling, decimals)}"


def signed(value: float, decimals: int) -> str:
    """Return a difference with its sign; what rounds to nothing has none."""
    text = f"{abs(value):.{decimals}f}"
    if float(text) == 0:
        return text
    return ("−" if value < 0 else "+") + text


def outwards(low: float, high: float, decimals: int) -> tuple[float, float]:
    """Return the ends of an interval rounded away from its middle."""
    scale = 10**decimals
    return math.floor(low * scale + 1e-6) / scale, math.ceil(high * scale - 1e-6) / scale


def rank_text(entry: Entry) -> str:
    """Return the places an entry may have: "2", or "2–4" where the evidence leaves it open."""
    return places_text(*entry.rank)


def places_text(best: int, worst: int) -> str:
    """Return "2", or "2–4"."""
    return str(best) if best == worst else f"{best}–{worst}"


def comparisons(count: int) -> str:
    """Return "1 comparison" or "12 comparisons"."""
    return f"{count:,} comparison" + ("" if count == 1 else "s")


def listed(names: Sequence[str]) -> str:
    """Return names as one would say them: "a", "a and b", "a, b and c"."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def value_text(value: Any) -> str:
    """Return a parameter or option as a config would spell it: `true`, `3`, `0.25`.

    A strategy that is named is its name and parameters: `all-tips(joker=1, block=0.5)`.
    """
    if isinstance(value, Mapping):
        own = [f"{name}={value_text(one)}" for name, one in value.items() if name != "use"]
        return f"{value['use']}({', '.join(own)})" if own else str(value["use"])
    return f"{value:.6g}" if isinstance(value, float) else str(value).lower()


def origin(results: Results | Standings) -> str:
    """Return the line that lets a picture be traced back: seed and short digest."""
    game = f"{results.game}  ·  {results.experiment}"
    return f"{game}  ·  seed {results.seed}  ·  digest {results.digest[:12]}"
