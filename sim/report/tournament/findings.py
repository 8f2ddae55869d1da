"""What `reports/FINDINGS.md` may say of a tournament.

points   mean points per game, with its interval
first    share of the first places, with its interval
rank     mean rank, with its interval
rating   with its interval
lead     paired difference from the baseline per game, with its interval
"""

from __future__ import annotations

from sim.report.tournament.meetings import both_ways, lead_span
from sim.report.tournament.words import Span, ends, firsts, number, of_rating, points, ranks
from sim.report.wording import signed
from sim.standings import Standing, Standings

DECIMALS = 1
OF_RANKS = 2  # decimals


def _entry(standings: Standings, variant: str, label: str) -> Standing:
    return {(one.variant, one.label): one for one in standings.entries}[variant, label]


def _text(span: Span, decimals: int, unit: str = "") -> str:
    return f"{number(span.value, decimals)}{unit} ({ends(span, decimals)})"


def _points(standings: Standings, variant: str, label: str) -> str:
    return _text(points(_entry(standings, variant, label)), DECIMALS)


def _first(standings: Standings, variant: str, label: str) -> str:
    return _text(firsts(_entry(standings, variant, label)), DECIMALS, " %")


def _rank(standings: Standings, variant: str, label: str) -> str:
    return _text(ranks(_entry(standings, variant, label)), OF_RANKS)


def _rating(standings: Standings, variant: str, label: str) -> str:
    found = {(one.variant, one.label): one for one in standings.ratings}
    return _text(of_rating(found[variant, label]), 0)


def _lead(standings: Standings, variant: str, label: str) -> str:
    one = both_ways(standings, variant)[label, standings.baseline]
    decimals = DECIMALS if standings.kind == "score" else OF_RANKS
    return f"{signed(one.difference, decimals)} ({lead_span(one, decimals)})"


FIELDS = {
    "points": _points,
    "first": _first,
    "rank": _rank,
    "rating": _rating,
    "lead": _lead,
}
