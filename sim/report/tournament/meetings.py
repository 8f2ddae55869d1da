"""Meetings as charts and tables want them: the right way round, in points or ranks per game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sim.report.tournament.words import has_points
from sim.report.versus import SAME, above_zero, aligned
from sim.report.wording import places, signed, signed_span, span
from sim.standings import Meeting, Standings


def turned(meeting: Meeting) -> Meeting:
    """Return the same meeting as b minus a."""
    return replace(
        meeting,
        a=meeting.b,
        b=meeting.a,
        difference=-meeting.difference,
        low=-meeting.high,
        high=-meeting.low,
        ahead=1 - meeting.ahead,
    )


def both_ways(standings: Standings, variant: str) -> Mapping[tuple[str, str], Meeting]:
    """Return (a, b) -> a minus b for every two labels of a variant that can be compared."""
    own = [meeting for meeting in standings.pairs if meeting.variant == variant]
    return {(one.a, one.b): one for meeting in own for one in (meeting, turned(meeting))}


def leads(standings: Standings, variant: str) -> list[Meeting]:
    """Return every entry minus the baseline, of those compared with it, the largest lead first."""
    pairs = both_ways(standings, variant)
    found = [meeting for (_, b), meeting in pairs.items() if b == standings.baseline]
    return sorted(found, key=lambda meeting: -meeting.difference)


def unit(standings: Standings) -> str:
    """Return what differences are counted in."""
    return "points" if has_points(standings) else "ranks"


# --- In words ---


def lead_places(meetings: Iterable[Meeting]) -> int:
    """Return the decimals of differences printed together with their intervals.

    Enough that rounding makes no interval of separated entries touch zero.
    """
    meetings = list(meetings)
    apart = [one for one in meetings if one.separated]
    gaps = [min(abs(one.low), abs(one.high)) for one in apart if one.low * one.high > 0]
    return above_zero(gaps, places([one.high - one.low for one in meetings], 3))


def bare_places(meetings: Iterable[Meeting]) -> int:
    """Return the decimals of differences printed without: none that counts is 0."""
    return above_zero([abs(one.difference) for one in meetings if one.separated], 1)


def mark(meeting: Meeting) -> str:
    """Return what follows a difference: "=" unless it is separated."""
    return "" if meeting.separated else f" {SAME}"


def lead_span(meeting: Meeting, decimals: int) -> str:
    """Return the interval of a difference, such as "−0.3 to +0.1"."""
    return signed_span(meeting.low, meeting.high, decimals)


def lead_texts(meetings: Sequence[Meeting]) -> tuple[str, ...]:
    """Return differences with intervals, padded so that their points align."""
    decimals = lead_places(meetings)
    padded = aligned([signed(meeting.difference, decimals) for meeting in meetings])
    return tuple(
        f"{value} ({lead_span(meeting, decimals)}){mark(meeting)}"
        for value, meeting in zip(padded, meetings, strict=True)
    )


def size_text(standings: Standings, meeting: Meeting) -> str:
    """Return a difference without its direction, such as "1.2 points a game (1.1 to 1.3)"."""
    one = meeting if meeting.difference >= 0 else turned(meeting)
    decimals = lead_places([meeting])
    low_high = span(one.low, one.high, decimals).replace("–", " to ")
    return f"{one.difference:.{decimals}f} {unit(standings)} a game ({low_high})"
