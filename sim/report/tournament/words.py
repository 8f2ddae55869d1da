"""The words and numbers that charts and tables of a tournament share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from sim.report.versus import aligned
from sim.report.wording import most_deals, outwards, places, signed
from sim.standings import Circle, Rating, Standing, Standings

SCORE = "score"  # the kind of outcome that has points; else only places count


class Span(NamedTuple):
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float


Measure = Callable[[Standing], Span]


def points(entry: Standing) -> Span:
    """Return the mean points per game."""
    return Span(entry.points_mean, entry.points_low, entry.points_high)


def firsts(entry: Standing) -> Span:
    """Return the share of first places in percent."""
    return Span(100 * entry.first_share, 100 * entry.first_low, 100 * entry.first_high)


def ranks(entry: Standing) -> Span:
    """Return the mean rank, 1 being best."""
    return Span(entry.rank_mean, entry.rank_low, entry.rank_high)


def of_rating(rating: Rating) -> Span:
    """Return a rating as any other number."""
    return Span(rating.rating, rating.low, rating.high)


def has_points(standings: Standings) -> bool:
    """Return whether there are points, beside places."""
    return standings.kind == SCORE


def in_order(standings: Standings, variant: str) -> list[Standing]:
    """Return the entries of a variant, best first: by points or, where there are none, by rank."""
    if not has_points(standings):
        return by_rank(standings, variant)
    return sorted(standings.of_variant(variant), key=lambda entry: -entry.points_mean)


def by_rank(standings: Standings, variant: str) -> list[Standing]:
    """Return the entries of a variant, lowest mean rank first."""
    return sorted(standings.of_variant(variant), key=lambda entry: entry.rank_mean)


def ratings_of(standings: Standings, variant: str) -> list[Rating]:
    """Return the ratings of a variant, highest first."""
    found = [rating for rating in standings.ratings if rating.variant == variant]
    return sorted(found, key=lambda rating: -rating.rating)


def circles_of(standings: Standings, variant: str) -> list[Circle]:
    """Return the circles of a variant."""
    return [circle for circle in standings.circles if circle.variant == variant]


def around(circle: Circle) -> str:
    """Return "a above b above c above a"."""
    return " above ".join([*circle.labels, circle.labels[0]])


def full_label(standings: Standings, entry: Standing, baseline: str | None = None) -> str:
    """Return the label with what must stand beside it: baseline, clairvoyant, or fewer deals.

    The baseline is that of the standings unless another is given.
    """
    named = standings.baseline if baseline is None else baseline
    notes = ["baseline"] if entry.label == named else []
    if entry.clairvoyant:
        notes.append("sees hidden cards")
    if entry.deals != most_deals(standings.of_variant(entry.variant)):
        notes.append(f"{entry.deals:,} deals")
    return f"{entry.label} ({', '.join(notes)})" if notes else entry.label


# --- Numbers ---


def decimals_of(spans: Iterable[Span]) -> int:
    """Return the decimals of numbers printed together with their intervals."""
    return places([span.high - span.low for span in spans], 3)


def number(value: float, decimals: int) -> str:
    """Return a number with a true minus sign."""
    return signed(value, decimals).removeprefix("+")


def ends(span: Span, decimals: int) -> str:
    """Return an interval rounded outwards: "1.2–1.4", or with a word where a sign would confuse."""
    low, high = outwards(span.low, span.high, decimals)
    between = " to " if low < 0 else "–"
    return number(low, decimals) + between + number(high, decimals)


def values(spans: Sequence[Span], decimals: int) -> tuple[str, ...]:
    """Return the numbers alone, without interval."""
    return tuple(number(span.value, decimals) for span in spans)


def texts(spans: Sequence[Span], unit: str = "") -> tuple[str, ...]:
    """Return numbers with intervals, "34.1 % (34.0–34.2)", padded so that their points align."""
    decimals = decimals_of(spans)
    padded = aligned(list(values(spans, decimals)))
    return tuple(
        f"{value}{unit} ({ends(span, decimals)})" for value, span in zip(padded, spans, strict=True)
    )
