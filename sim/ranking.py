"""From the finished store of a tournament to its standings: the counterpart of `sim.judge`.

The family over which Holm's method adjusts is all pairs of one variant that can be compared: who
sat together, or against a field all entrants. Where only ranks count, these are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.game import Outcome
from sim.judge import versions
from sim.lineups import Contestant, Table, Tournament
from sim.plan import Plan
from sim.seat_bytes import Layout
from sim.standings import Circle, LineUp, Meeting, Rating, Standing, Standings
from sim.stats.circles import circles
from sim.stats.family import holm, rank_range, separation
from sim.stats.paired import Estimate
from sim.stats.ratings import PRIOR, RESAMPLES, rated
from sim.stats.scores import mean_estimate, moments_from, zero_p
from sim.store import Store
from sim.table_sums import TableSums
from sim.tally import run_digest

Ints = NDArray[np.int64]


def standings(plan: Plan, store: Store, stamps: Sequence[str], lanes: Sequence[str]) -> Standings:
    """Return the standings of a tournament whose deals are all in the store.

    Args:
        plan: the plan that was played; its cells are tables.
        store: its store.
        stamps: the stamp of each table.
        lanes: the lane in which each table plays.

    Raises:
        StoreDamaged: if blocks are missing or damaged.
    """
    tournament = plan.tournament
    assert tournament is not None
    variants = [
        _Variant(plan, tournament, store, played)
        for played in _by_variant(plan.cells, stamps, lanes)
    ]
    lineups = tuple(each for variant in variants for each in variant.lineups())
    return Standings(
        experiment=plan.experiment,
        game=plan.game.name,
        kind=plan.game.outcome.value,
        tournament=tournament.kind,
        field=tuple(tournament.contestants[number].label for number in tournament.field),
        seed=plan.seed,
        ties=plan.ties,
        tie_seed=plan.tie_seed,
        baseline=plan.baseline,
        digest=run_digest(lineup.digest for lineup in lineups),
        versions=versions(plan.game.rules_version),
        entries=tuple(each for variant in variants for each in variant.entries()),
        pairs=tuple(each for variant in variants for each in variant.pairs()),
        ratings=tuple(each for variant in variants for each in variant.ratings()),
        circles=tuple(each for variant in variants for each in variant.circles()),
        lineups=lineups,
        prior=PRIOR,
        resamples=RESAMPLES,
    )


@dataclass(frozen=True)
class _Played:
    """The tables of a variant."""

    tables: list[Table] = field(default_factory=list)
    stamps: list[str] = field(default_factory=list)
    lanes: list[str] = field(default_factory=list)


def _by_variant(
    tables: Sequence[Table], stamps: Sequence[str], lanes: Sequence[str]
) -> list[_Played]:
    """Return the tables of each variant, in the order of the plan."""
    found: dict[str, _Played] = {}
    for table, stamp, lane in zip(tables, stamps, lanes, strict=True):
        own = found.setdefault(table.variant, _Played())
        own.tables.append(table)
        own.stamps.append(stamp)
        own.lanes.append(lane)
    return list(found.values())


@dataclass(frozen=True)
class _Seats:
    """The mean points of a player at each seat."""

    means: tuple[float, ...] = ()
    lows: tuple[float, ...] = ()
    highs: tuple[float, ...] = ()


class _Variant:
    """One variant, added up."""

    def __init__(self, plan: Plan, tournament: Tournament, store: Store, played: _Played) -> None:
        """Read all its deals."""
        self.tables, self.stamps, self.lanes = played.tables, played.stamps, played.lanes
        self.store, self.ranked = store, plan.game.outcome is Outcome.RANK
        self.layout = Layout(plan.game.seats[1])
        self.sums = TableSums(self.tables, self.layout, self.ranked)
        self.sums.read(store, self.stamps)
        self.players: list[Contestant] = [
            tournament.contestants[number] for number in self.sums.players
        ]
        self.labels = [player.label for player in self.players]
        self.named: dict[str, Any] = {"variant": self.tables[0].variant, "seats": self.sums.seats}
        self.rules = dict(self.tables[0].rules_dict)

    def lineups(self) -> Iterator[LineUp]:
        """Yield every table, with what proves its games."""
        for table, leaves in zip(self.tables, self.sums.leaves(), strict=True):
            yield LineUp(
                members=tuple(contestant.label for contestant in table.contestants),
                rules=self.rules,
                deals=table.deals,
                digest=sha256("".join(leaves).encode()).hexdigest(),
                leaves=leaves,
                **self.named,
            )

    def entries(self) -> Iterator[Standing]:
        """Yield every player."""
        sums, own, rotations = self.sums, self.sums.own, self.sums.seats
        per = sums.sittings * rotations
        points = _nothing(sums.count) if self.ranked else mean_estimate(own.points, per)
        firsts = mean_estimate(own.firsts, per * self.layout.units, (0.0, 1.0))
        ranks = mean_estimate(own.ranks, 2 * per, (1.0, float(rotations)))
        places = rank_range(self._separated).tolist()
        for i, player in enumerate(self.players):
            seats = self._at_seats(i)
            yield Standing(
                label=player.label,
                parts=player.plain(),
                rules=self.rules,
                lane=self._lane(i),
                clairvoyant=player.clairvoyant,
                deals=sums.deals,
                games=sums.deals * int(per[i]),
                **_named("points", ("mean", "low", "high"), points, i),
                **_named("first", ("share", "low", "high"), firsts, i),
                **_named("rank", ("mean", "low", "high"), ranks, i),
                seat_means=seats.means,
                seat_lows=seats.lows,
                seat_highs=seats.highs,
                place=tuple(places[i]),
                source=player.source(),
                **self.named,
            )

    def pairs(self) -> Iterator[Meeting]:
        """Yield every two that can be compared."""
        sums, apart = self.sums, self._apart
        met, wins = sums.games.sum(axis=0).tolist(), sums.half_wins.sum(axis=0).tolist()
        for number in self._comparable.tolist():
            a, b = sums.pairs[number]
            yield Meeting(
                self.labels[a],
                self.labels[b],
                deals=sums.deals,
                games=sums.deals * sums.seats * int(sums.compared[number]),
                difference=float(apart.value[number]),
                low=float(apart.low[number]),
                high=float(apart.high[number]),
                p=float(self._p[number]),
                p_holm=float(self._p_holm[number]),
                ahead=wins[number] / (2 * met[number]) if met[number] else 0.0,
                met=met[number],
                rules=self.rules,
                **self.named,
            )

    def ratings(self) -> Iterator[Rating]:
        """Yield the rating of every player."""
        sums = self.sums
        found = rated(sums.half_wins, sums.games, sums.count, sums.deals)
        for i, label in enumerate(self.labels):
            yield Rating(label, **_named("", ("rating", "low", "high"), found, i), **self.named)

    def circles(self) -> Iterator[Circle]:
        """Yield where the pair table is intransitive."""
        for circle in circles(self._separated):
            yield Circle(tuple(self.labels[i] for i in circle), **self.named)

    @cached_property
    def _comparable(self) -> Ints:
        return np.flatnonzero(self.sums.compared)

    @cached_property
    def _apart(self) -> Estimate:
        """Return what every two are apart per game."""
        games = np.maximum(self.sums.compared, 1) * self.sums.seats
        return mean_estimate(self.sums.differences, games * (2 if self.ranked else 1))

    @cached_property
    def _p(self) -> NDArray[np.float64]:
        return zero_p(self.sums.differences)

    @cached_property
    def _p_holm(self) -> NDArray[np.float64]:
        found = np.ones(len(self._p))
        found[self._comparable] = holm(self._p[self._comparable])
        return found

    @cached_property
    def _separated(self) -> Ints:
        count = self.sums.count
        apart, p_holm = np.zeros((count, count)), np.ones((count, count))
        above = np.triu_indices(count, 1)
        apart[above], p_holm[above] = self._apart.value, self._p_holm
        return separation(np.minimum(p_holm, p_holm.T), apart - apart.T)

    def _sat(self, player: int) -> Iterator[tuple[int, int]]:
        """Yield the tables at which a player is measured, and its place there."""
        for number, table in enumerate(self.tables):
            places = range(1 if self.sums.by_field else table.seats)
            yield from (
                (number, place)
                for place in places
                if table.members[place] == self.sums.players[player]
            )

    def _lane(self, player: int) -> str:
        """Return "plain" if any of the tables it sat at was played in plain Python."""
        lanes = {self.lanes[table] for table, _ in self._sat(player)}
        return "plain" if "plain" in lanes else "compiled"

    @cached_property
    def _by_table(self) -> list[Estimate | None]:
        """Return the mean points of the members of each table at each seat, a row after the other.

        None if no deal of the store is covered by counters: a block cannot be cut.
        """
        found: list[Estimate | None] = []
        for stamp in self.stamps:
            deals, counted = self.store.counters(stamp, self.sums.deals)
            seats = slice(self.sums.seats)
            total, squares = (
                counted[name][seats, seats].ravel() for name in ("seat_points", "seat_squares")
            )
            one = np.ones(len(total), np.int64)
            found.append(mean_estimate(moments_from(deals, total, squares), one) if deals else None)
        return found

    def _at_seats(self, player: int) -> _Seats:
        """Return the mean points of a player at each seat, over all its line-ups.

        These play the same deals, so the half width of the mean is at most the mean of the half
        widths, whatever the dependence (the triangle inequality of standard deviations); that is
        taken. It is empty where no counters are, and 0 where only ranks count.
        """
        n = self.sums.seats
        known = [
            (estimate, place)
            for table, place in self._sat(player)
            if (estimate := self._by_table[table]) is not None
        ]
        if self.ranked:
            return _Seats(*((0.0,) * n,) * 3)
        if not known:
            return _Seats()
        rows = np.array(
            [
                [part[place * n : (place + 1) * n] for part in (one.value, one.low, one.high)]
                for one, place in known
            ]
        )
        return _Seats(*(tuple(part) for part in rows.mean(axis=0).tolist()))


def _named(what: str, ends: tuple[str, str, str], found: Estimate, i: int) -> dict[str, Any]:
    """Return one element of an estimate under its names, such as points_mean, points_low ..."""
    parts = found.value[i], found.low[i], found.high[i]
    names = [f"{what}_{end}" if what else end for end in ends]
    return {name: float(part) for name, part in zip(names, parts, strict=True)}


def _nothing(count: int) -> Estimate:
    return Estimate(*(np.zeros(count) for _ in range(3)))
