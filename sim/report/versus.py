"""Pairs as charts and tables want them: the right way round, in percentage points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from sim.report.wording import places, signed, signed_span, span
from sim.results import SEPARATED, Comparison, Pair, Results

SAME = "="  # marks what is not separated
_MOST_PLACES = 3  # decimals of a difference
_WIDE = "\u2007"  # a space as wide as a digit

C = TypeVar("C", bound=Comparison)


class Measured(Protocol):
    """A difference of win rates with its interval: of two entries, or what a tip does."""

    @property
    def difference(self) -> float:
        """Its value, in [-1, 1]."""

    @property
    def low(self) -> float:
        """The lower end of its interval."""

    @property
    def high(self) -> float:
        """The upper end of its interval."""

    @property
    def separated(self) -> bool:
        """Whether it differs from zero beyond doubt."""


class Weighed(Measured, Protocol):
    """A difference of win rates and of the mean cards left."""

    @property
    def leftover_difference(self) -> float:
        """Its value in cards."""

    @property
    def leftover_low(self) -> float:
        """The lower end of its interval."""

    @property
    def leftover_high(self) -> float:
        """The upper end of its interval."""

    @property
    def leftover_p_holm(self) -> float:
        """The adjusted p-value of its being zero."""


def turned(pair: C) -> C:
    """Return the same comparison as b minus a."""
    return replace(
        pair,
        a=pair.b,
        b=pair.a,
        only_a=pair.only_b,
        only_b=pair.only_a,
        difference=-pair.difference,
        low=-pair.high,
        high=-pair.low,
        leftover_difference=-pair.leftover_difference,
        leftover_low=-pair.leftover_high,
        leftover_high=-pair.leftover_low,
    )


def both_ways(results: Results, variant: str) -> Mapping[tuple[str, str], Pair]:
    """Return (a, b) -> a minus b for every two different labels of a rules variant."""
    pairs = [pair for pair in results.pairs if pair.variant == variant]
    return {(pair.a, pair.b): pair for one in pairs for pair in (one, turned(one))}


def against(results: Results, baseline: str) -> Mapping[tuple[str, str], Pair]:
    """Return (variant, label) -> entry minus baseline for every entry compared with it."""
    turns = (pair if pair.b == baseline else turned(pair) for pair in results.pairs)
    return {(pair.variant, pair.a): pair for pair in turns if pair.b == baseline}


# --- In words ---


def win_width(pair: Measured) -> float:
    """Return the width of the interval of the difference in percentage points."""
    return 100 * (pair.high - pair.low)


def left_width(pair: Weighed) -> float:
    """Return the width of the interval of the difference in cards."""
    return pair.leftover_high - pair.leftover_low


def win_places(pairs: Iterable[Measured]) -> int:
    """Return the decimals of differences of win rates printed together with their intervals.

    Enough that rounding makes no interval of separated entries touch zero.
    """
    pairs = list(pairs)
    gaps = [min(abs(100 * pair.low), abs(100 * pair.high)) for pair in pairs if pair.separated]
    return above_zero(gaps, places(map(win_width, pairs), 2))


def bare_places(pairs: Iterable[Measured]) -> int:
    """Return the decimals of differences of win rates printed without: none that counts is 0."""
    return above_zero([100 * abs(pair.difference) for pair in pairs if pair.separated], 1)


def above_zero(sizes: Sequence[float], decimals: int) -> int:
    """Return so many decimals, or as many more as none of the sizes needs to be more than 0."""
    decimals = max(decimals, 1)
    while decimals < _MOST_PLACES and min(sizes, default=1.0) < 10**-decimals:
        decimals += 1
    return decimals


def left_places(pairs: Iterable[Weighed]) -> int:
    """Return the decimals of differences of cards left printed together."""
    return max(1, places(map(left_width, pairs), 2))


def win_span(pair: Measured, decimals: int) -> str:
    """Return the interval of the difference, such as "−0.3 to +0.1" (points)."""
    return signed_span(100 * pair.low, 100 * pair.high, decimals)


def left_span(pair: Weighed, decimals: int) -> str:
    """Return the interval of the difference of cards left, such as "−0.28 to −0.25"."""
    return signed_span(pair.leftover_low, pair.leftover_high, decimals)


def left_separated(pair: Weighed) -> bool:
    """Return whether the cards left differ beyond doubt: adjusted p below 5 %."""
    return pair.leftover_p_holm < SEPARATED


def win_mark(pair: Measured) -> str:
    """Return what follows a difference of win rates: "=" unless it is separated."""
    return "" if pair.separated else f" {SAME}"


def left_mark(pair: Weighed) -> str:
    """Return what follows a difference of cards left: "=" unless it is separated."""
    return "" if left_separated(pair) else f" {SAME}"


def win_texts(pairs: Sequence[Measured], decimals: int) -> tuple[str, ...]:
    """Return differences with intervals, padded so that their points align."""
    values = aligned([signed(100 * pair.difference, decimals) for pair in pairs])
    return tuple(
        f"{value} ({win_span(pair, decimals)}){win_mark(pair)}"
        for value, pair in zip(values, pairs, strict=True)
    )


def left_texts(pairs: Sequence[Weighed], decimals: int) -> tuple[str, ...]:
    """Return differences of cards left likewise."""
    values = aligned([signed(pair.leftover_difference, decimals) for pair in pairs])
    return tuple(
        f"{value} ({left_span(pair, decimals)}){left_mark(pair)}"
        for value, pair in zip(values, pairs, strict=True)
    )


def aligned(numbers: list[str]) -> list[str]:
    """Pad numbers of equal decimals on the left so that, left-aligned, their points align."""
    most = max(map(len, numbers), default=0)
    return [_WIDE * (most - len(number)) + number for number in numbers]


def size_text(pair: Measured) -> str:
    """Return a difference without its direction, such as "10.8 points (10.7 to 10.9)"."""
    return " ".join(size_parts(pair))


def size_parts(pair: Measured) -> tuple[str, str]:
    """Return the same in two parts, for what stands between them."""
    low, high = (pair.low, pair.high) if pair.difference >= 0 else (-pair.high, -pair.low)
    decimals = win_places([pair])
    ends = span(100 * low, 100 * high, decimals).replace("–", " to ")
    return f"{100 * abs(pair.difference):.{decimals}f} points", f"({ends})"
