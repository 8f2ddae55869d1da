"""The standings of a tournament against themselves: what follows from other numbers, worked out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from math import isclose

import numpy as np

from sim.standings import Meeting, Standing, Standings
from sim.stats.family import holm
from sim.tally import LEAF, run_digest

NEAR = 1e-9  # of numbers that were added up in another order
ROUNDED = 1e-5  # of ratings, which are rounded


def faults(found: Standings) -> list[str]:
    """Return everything in which the standings do not agree with themselves."""
    parts = [_digests(found), *(_entry(one) for one in found.entries)]
    for variant in found.variant_names():
        pairs = [pair for pair in found.pairs if pair.variant == variant]
        parts += [_shares(found, variant), _pairs(pairs), _places(found.of_variant(variant), pairs)]
        parts.append(_ratings(found, variant))
    return list(chain.from_iterable(parts))


def _digests(found: Standings) -> Iterator[str]:
    for table in found.lineups:
        who = f"{table.variant}: {', '.join(table.members)}"
        if table.digest != sha256("".join(table.leaves).encode()).hexdigest():
            yield f"{who}: the digest is not that of the leaves"
        if len(table.leaves) != -(-table.deals // LEAF):
            yield f"{who}: {len(table.leaves)} leaves do not fit {table.deals:,} deals"
        if len(table.members) != table.seats:
            yield f"{who}: {len(table.members)} members at {table.seats} seats"
    if found.digest != run_digest(table.digest for table in found.lineups):
        yield "the digest is not that of the line-ups"


def _entry(one: Standing) -> Iterator[str]:
    who = f"{one.variant}: {one.label}"
    spans = {
        "points": (one.points_low, one.points_mean, one.points_high),
        "first places": (one.first_low, one.first_share, one.first_high),
        "ranks": (one.rank_low, one.rank_mean, one.rank_high),
    }
    for name, (low, value, high) in spans.items():
        if not low <= value <= high:
            yield f"{who}: the {name} lie outside their interval"
    if not 0 <= one.first_share <= 1 or not 1 <= one.rank_mean <= one.seats:
        yield f"{who}: first places or ranks that cannot be"
    means = one.seat_means
    if means and not isclose(sum(means) / len(means), one.points_mean, rel_tol=NEAR, abs_tol=NEAR):
        yield f"{who}: the means at the seats do not make the mean"


def _shares(found: Standings, variant: str) -> Iterator[str]:
    """Everybody's first places and ranks make up those there were, unless some are not measured."""
    if found.tournament == "against_field":
        return
    entries = found.of_variant(variant)
    tables = [table for table in found.lineups if table.variant == variant]
    games = sum(table.deals * table.seats for table in tables)
    ranks = sum(
        table.deals * table.seats * table.seats * (table.seats + 1) // 2 for table in tables
    )
    firsts = sum(one.first_share * one.games for one in entries)
    if not isclose(firsts, games, rel_tol=NEAR):
        yield f"{variant}: the shares of first places do not add up to the {games:,} games"
    if not isclose(sum(one.rank_mean * one.games for one in entries), ranks, rel_tol=NEAR):
        yield f"{variant}: the mean ranks do not add up"


def _pairs(pairs: Sequence[Meeting]) -> Iterator[str]:
    if not pairs:
        return
    adjusted = holm(np.array([pair.p for pair in pairs]))
    for pair, wanted in zip(pairs, adjusted.tolist(), strict=True):
        who = f"{pair.variant}: {pair.a} and {pair.b}"
        if not isclose(pair.p_holm, wanted, rel_tol=NEAR, abs_tol=1e-300):
            yield f"{who}: the adjusted p-value does not follow from the others"
        if not pair.low <= pair.difference <= pair.high or not 0 <= pair.ahead <= 1:
            yield f"{who}: the difference lies outside its interval, or `ahead` cannot be"


def _places(entries: Sequence[Standing], pairs: Sequence[Meeting]) -> Iterator[str]:
    better = {(pair.a, pair.b) for pair in pairs if pair.separated and pair.difference > 0}
    better |= {(pair.b, pair.a) for pair in pairs if pair.separated and pair.difference < 0}
    for one in entries:
        above = sum(worse == one.label for _, worse in better)
        below = sum(best == one.label for best, _ in better)
        if one.place != (1 + above, len(entries) - below):
            yield f"{one.variant}: the place of {one.label} does not follow from the pairs"


def _ratings(found: Standings, variant: str) -> Iterator[str]:
    own = [one for one in found.ratings if one.variant == variant]
    if own and abs(sum(one.rating for one in own) / len(own)) > ROUNDED:
        yield f"{variant}: the ratings have another mean than 0"
    for one in own:
        if not one.low <= one.rating <= one.high:
            yield f"{variant}: the rating of {one.label} lies outside its interval"
