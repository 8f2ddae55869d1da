"""How the numbers of a tournament were made, in words."""

from __future__ import annotations

from collections.abc import Iterator

from sim.report.document import Literal, Text
from sim.report.method import LEVEL, counted
from sim.report.tournament.words import has_points
from sim.report.wording import deals_text, listed
from sim.standings import Standings


def method(standings: Standings) -> Iterator[Text]:
    """Yield a line for each thing one must know to judge or repeat the numbers."""
    yield (
        f"Deals: {deals_text(standings.entries)}, counted from deal 0 of seed {standings.seed}; "
        "deal k of a seed is the same whoever plays it.",
    )
    yield (
        "Seats: the members of a line-up sit down in an order that the deal decides, and the deal "
        "is played again after everybody has moved on by one seat, until all have played every "
        "hand of it. So no seat favours anybody. The games of one deal are one observation: all "
        "intervals are over deals.",
    )
    yield (f"Line-ups: {_lineups(standings)}.",)
    yield (
        "Ties: among moves of equal score, ",
        Literal(standings.ties),
        f" (tie seed {standings.tie_seed}).",
    )
    yield from _numbers(standings)
    if standings.pairs:
        yield from _paired(standings)
    versions = ", ".join(f"{name} {value}" for name, value in standings.versions.items())
    yield (f"Versions: {versions}.",)
    yield ("Digest of all outcomes: ", Literal(standings.digest), ".")


def _lineups(standings: Standings) -> str:
    number = counted([lineup.variant for lineup in standings.lineups])
    if standings.tournament == "round_robin":
        return f"every set of entries that fills a table sits together once; {number}"
    if standings.tournament == "against_field":
        if len(standings.field) == 1:
            return f"one entry at a time against copies of {standings.field[0]}; {number}"
        return f"one entry at a time against {listed(standings.field)}; {number}"
    return f"as the config names them; {number}"


def _numbers(standings: Standings) -> Iterator[Text]:
    yield (
        "Intervals: 95 % and pointwise, so among many a few miss the truth; normal, from the "
        "spread of what the deals gave. All numbers are per game.",
    )
    yield (
        "First places and ranks: who tie for the first place have an equal part of it; who tie "
        "for any have the mean of their ranks.",
    )


def _paired(standings: Standings) -> Iterator[Text]:
    what = "points" if has_points(standings) else "ranks, those of the second minus the first's"
    where = "on the deals of the line-ups in which both sat"
    if standings.tournament == "against_field":
        where = "on the same deals, in the line-up of each"
    yield (
        f"Differences: of the {what}, deal by deal {where}, with a normal interval. The intervals "
        "of two means may overlap although the difference is clear: overlapping intervals settle "
        "nothing.",
    )
    yield (
        f"Separated: the two-sided p-value, adjusted by Holm's method, is below {LEVEL}. The "
        "family is all pairs of one variant that can be compared "
        f"({counted([pair.variant for pair in standings.pairs])}). The adjustment is stricter than "
        "a single interval, so an interval may leave out zero and the two still not be separated.",
    )
    yield (
        "Places: from 1 + the entries separated above to the number of entries minus those "
        "separated below, within a variant.",
    )
